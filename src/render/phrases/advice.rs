//! What to do, in words and as a command.

use super::{ask_api, metric, outlook};
use crate::advice::{Advice, Remedy};
use crate::model::{ResourceName, Source, shell_word};
use crate::render::explanation::Explanation;
use crate::render::ownership;
use crate::render::units::{count, list, replicas, span};
use crate::snapshot::{Pod, Selection};
use crate::trace::{Direction, Stabilization};

/// The most selectors that are quoted.
const SELECTORS: usize = 4;

/// What to do. Where a command follows, it ends with a colon.
pub(in crate::render) fn text(explanation: Explanation<'_>, advice: &Advice) -> String {
    match &advice.remedy {
        Remedy::WakeUp => "Give the target a replica, and the HPA takes over again:".to_owned(),
        Remedy::SeparateSelectors => separate(explanation),
        Remedy::MeasureOneContainer { metric, lacking, container } => format!(
            "Give {} a {} request, or measure container {container} alone:",
            list(lacking),
            resource(explanation, *metric)
        ),
        Remedy::SetRequests { metric, lacking } => {
            format!("Give {} a {} request.", list(lacking), resource(explanation, *metric))
        }
        Remedy::SelectOwnPods { foreign, first } => own_pods(explanation, *foreign, *first),
        Remedy::LeaveReplicasOut => contested(explanation),
        Remedy::AskMetricsApi { metric } => ask_api::text(explanation, *metric),
        Remedy::MendOrRemoveMetric { metrics } => {
            let names: Vec<String> = metrics.iter().map(|place| label(explanation, *place)).collect();
            let it = if names.len() == 1 { "it" } else { "them" };
            let end = if advice.changes.is_empty() { "." } else { ":" };
            format!("Mend {}, or do without {it} as long as that takes{end}", list(&names))
        }
        Remedy::RestoreSamples { missing, .. } => {
            let end = if command(explanation, advice).is_some() {
                "; the metrics API says of the first:"
            } else {
                "."
            };
            format!("Find out why {} no samples{end}", have(*missing))
        }
        Remedy::DivideTotal { metric } => divide(explanation, *metric),
        Remedy::LeaveOutSidecars { metric, container } => sidecars(explanation, *metric, container),
        Remedy::AllowFasterScaleUp => {
            "A policy of spec.behavior.scaleUp can let it reach that at once:".to_owned()
        }
        Remedy::NarrowTolerance(direction) => {
            format!("If that is too far off, set {}.tolerance:", behavior(*direction))
        }
        Remedy::ShortenWindow(direction) => window(explanation, *direction),
    }
}

/// How it is tried or done.
pub(in crate::render) fn command(explanation: Explanation<'_>, advice: &Advice) -> Option<String> {
    let key = &explanation.snapshot.hpa.key;
    let namespace = shell_word(&key.namespace);
    match &advice.remedy {
        Remedy::WakeUp => {
            let target = &explanation.snapshot.hpa.target;
            let target = format!("{}/{}", target.kind.to_lowercase(), target.name);
            let count = explanation.snapshot.hpa.min.0.max(1);
            Some(format!("kubectl scale {} -n {namespace} --replicas={count}", shell_word(&target)))
        }
        Remedy::LeaveReplicasOut => {
            let target = &explanation.snapshot.hpa.target;
            let target = shell_word(&format!("{}/{}", target.kind.to_lowercase(), target.name)).into_owned();
            Some(format!("kubectl get {target} -n {namespace} -o yaml --show-managed-fields"))
        }
        Remedy::AskMetricsApi { metric } => ask_api::command(explanation, *metric),
        Remedy::RestoreSamples { metric, first, .. } => {
            let spec = explanation.snapshot.hpa.metrics.get(*metric)?;
            let (Source::Resource(_) | Source::ContainerResource { .. }) = spec.source else { return None };
            let pod = &explanation.pods().get(*first)?.name;
            let path = format!("/apis/metrics.k8s.io/v1beta1/namespaces/{}/pods/{pod}", key.namespace);
            Some(format!("kubectl get --raw {}", shell_word(&path)))
        }
        _ if advice.changes.is_empty() => None,
        _ => {
            let changes: Vec<String> = advice.changes.iter().map(ToString::to_string).collect();
            let name = shell_word(&key.name);
            Some(format!("kubectl hpa simulate {name} -n {namespace} {}", changes.join(" ")))
        }
    }
}

/// "would be: 3 replicas → 5".
pub(in crate::render) fn outcome(explanation: Explanation<'_>, advice: &Advice) -> Option<String> {
    let (now, then) = (explanation.current()?, advice.then?);
    let condition = match advice.remedy {
        Remedy::RestoreSamples { .. } => "with samples like the others'",
        Remedy::WakeUp
        | Remedy::SeparateSelectors
        | Remedy::MeasureOneContainer { .. }
        | Remedy::SetRequests { .. }
        | Remedy::SelectOwnPods { .. }
        | Remedy::LeaveReplicasOut
        | Remedy::AskMetricsApi { .. }
        | Remedy::MendOrRemoveMetric { .. }
        | Remedy::DivideTotal { .. }
        | Remedy::LeaveOutSidecars { .. }
        | Remedy::AllowFasterScaleUp
        | Remedy::NarrowTolerance(_)
        | Remedy::ShortenWindow(_) => "would be",
    };
    Some(match then {
        (low, high) if low == now && high == now => format!("{condition}: stays at {}", now.0),
        _ => format!("{condition}: {} → {}", replicas(now.0), outlook::range(then)),
    })
}

fn label(explanation: Explanation<'_>, place: usize) -> String {
    explanation.snapshot.hpa.metrics.get(place).map_or_else(String::new, metric::label)
}

fn resource(explanation: Explanation<'_>, place: usize) -> &str {
    match explanation.snapshot.hpa.metrics.get(place).map(|spec| &spec.source) {
        Some(Source::Resource(resource) | Source::ContainerResource { resource, .. }) => resource.as_str(),
        Some(Source::Pods(_) | Source::Object { .. } | Source::External(_)) | None => {
            ResourceName::Cpu.as_str()
        }
    }
}

/// The count is set by two.
fn contested(explanation: Explanation<'_>) -> String {
    let left = explanation.snapshot.hpa.left_replicas().unwrap_or_default().0;
    let now = explanation.current().unwrap_or_default().0;
    format!(
        "The controller left {}, and the target has {now}: somebody else sets them too. Take replicas out of what they apply (in Argo CD: ignoreDifferences). Who owns spec.replicas, and since when, stands in:",
        replicas(left)
    )
}

fn have(missing: usize) -> String {
    if missing == 1 { "a pod has".to_owned() } else { format!("{missing} pods have") }
}

fn separate(explanation: Explanation<'_>) -> String {
    let own = match explanation.snapshot.scale.as_ref().map(|scale| &scale.selector) {
        Ok(Selection::Parsed { selector, .. }) => Some(selector),
        Ok(Selection::Missing | Selection::Invalid { .. }) | Err(_) => None,
    };
    let name = &explanation.snapshot.hpa.key.name;
    let mut selectors = vec![format!("{name} selects {}", explanation.selector())];
    for other in explanation.others() {
        let Some(selector) = &other.selector else { continue };
        if Some(selector) == own {
            return format!(
                "Keep one HPA for these pods: {name} and {} both select {}. One HPA takes several metrics.",
                other.key.name,
                explanation.selector()
            );
        }
        if explanation.pods().iter().any(|pod| selector.matches(&pod.labels)) {
            selectors.push(format!("{} selects {selector}", other.key.name));
        }
    }
    let more = selectors.len().saturating_sub(SELECTORS);
    if more > 1 {
        selectors.truncate(SELECTORS);
        selectors.push(format!("{more} more like these"));
    }
    format!("Make the selectors disjoint: {}.", selectors.join("; "))
}

fn own_pods(explanation: Explanation<'_>, foreign: usize, first: usize) -> String {
    let owner = explanation.pods().get(first).and_then(|pod| pod.owner.as_ref());
    let (owner, target) = (ownership::name(owner), explanation.target());
    let selector = explanation.selector();
    let pods = count(explanation.pods().len(), "pod");
    let (are, them) = if foreign == 1 { ("is", "it") } else { ("are", "them") };
    format!(
        "{foreign} of {pods} {are} not of {target} but of {owner}; labels that {selector} does not match keep {them} out:"
    )
}

/// What each container uses of its request, over the pods that have a sample.
fn sidecars(explanation: Explanation<'_>, metric: usize, container: &str) -> String {
    let (label, resource) = (label(explanation, metric), resource(explanation, metric).into());
    let shares = shares(explanation.pods(), &resource);
    let share = |(name, percent): &(&str, i64)| format!("{name} {percent} %");
    let shares: Vec<String> = shares.iter().map(share).collect();
    format!(
        "The other containers dilute {label} ({}); container {container} alone wants more:",
        list(&shares)
    )
}

/// Each container with its usage in percent of its request.
fn shares<'a>(pods: &'a [Pod], resource: &ResourceName) -> Vec<(&'a str, i64)> {
    let mut sums: Vec<(&str, i64, i64)> = Vec::new();
    for pod in pods {
        for container in &pod.containers {
            let used = pod.usage.as_ref().and_then(|usage| usage.of_container(resource, &container.name));
            let Some((used, request)) = used.zip(container.requests.get(resource)) else { continue };
            match sums.iter_mut().find(|(name, ..)| *name == &*container.name) {
                Some(sum) => (sum.1, sum.2) = (sum.1.saturating_add(used.0), sum.2.saturating_add(request.0)),
                None => sums.push((&container.name, used.0, request.0)),
            }
        }
    }
    let percent = |(name, used, request): (&'a str, i64, i64)| {
        Some((name, used.saturating_mul(100).checked_div(request)?))
    };
    sums.into_iter().filter_map(percent).collect()
}

fn divide(explanation: Explanation<'_>, place: usize) -> String {
    let target = explanation.snapshot.hpa.metrics.get(place).and_then(|spec| spec.target.value.as_ref());
    let (name, target) = (label(explanation, place), target.map_or_else(String::new, ToString::to_string));
    format!(
        "If {name} is a total that more pods do not lower, set averageValue: {target} in place of value: it is divided by that then, not multiplied with the pods at each sync."
    )
}

fn window(explanation: Explanation<'_>, direction: Direction) -> String {
    let field = format!("{}.stabilizationWindowSeconds", behavior(direction));
    match explanation.decision.stabilized.as_ref().map(|it| &it.how) {
        Some(Stabilization::Legacy(legacy)) => {
            format!("The controller's window is {}; {field} stands over it:", span(legacy.window))
        }
        Some(Stabilization::Behavior(_)) | None => format!("{field} holds the count; 300 is the default:"),
    }
}

const fn behavior(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "spec.behavior.scaleUp",
        Direction::Down => "spec.behavior.scaleDown",
    }
}
