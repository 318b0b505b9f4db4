//! What to do, in words and as a command.

use super::{ask_api, attested, metric, outlook};
use crate::render::ownership;
use crate::render::units::{clock, count, few, list, moment, replicas, span};
use kubectl_hpa_core::advice::{Advice, Flapping, Remedy, ReplicasSetter};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Duration, Instant, ResourceName, Source, shell_word};
use kubectl_hpa_core::snapshot::{Pod, Selection, StuckContainer, UnscheduledReason};
use kubectl_hpa_core::trace::{Direction, Group, Stabilization};

/// The most selectors that are quoted.
const SELECTORS: usize = 4;

/// The most owners that are named.
const OWNERS: usize = 3;

/// What to do. Where a command follows, it ends with a colon.
pub(in crate::render) fn text(explanation: &Explanation, advice: &Advice) -> String {
    match &advice.remedy {
        Remedy::WakeUp => "Give the target a replica, and the HPA takes over again:".to_owned(),
        Remedy::NameScalable { meant: Some(kind) } => {
            format!("Name the target by its kind and group in spec.scaleTargetRef: {kind} of apps/v1.")
        }
        Remedy::NameScalable { meant: None } => {
            "Name a Deployment, a StatefulSet or another kind with a scale in spec.scaleTargetRef, or remove the HPA.".to_owned()
        }
        Remedy::GrantRight { fault } => attested::grant(explanation, *fault),
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
        Remedy::LeaveReplicasOut { by } => contested(explanation, by),
        Remedy::AskMetricsApi { metrics } => ask_api::text(explanation, metrics),
        Remedy::StartPods => start_pods(explanation),
        Remedy::NameContainer { metric, there } => name_container(explanation, *metric, there),
        Remedy::MakeRoom { waiting, first } => make_room(explanation, *waiting, *first),
        Remedy::CheckSchedulingGates { gated, first } => check_gates(explanation, *gated, *first),
        Remedy::StartContainers { stuck, first } => start_containers(explanation, *stuck, *first),
        Remedy::DeleteFinishedPods { finished } => {
            finished_pods(explanation, finished, !advice.changes.is_empty())
        }
        Remedy::WidenWindow(flapping) => flaps(explanation, *flapping),
        Remedy::RaiseMax => raise_max(explanation),
        Remedy::FixOrRemoveMetric { metrics } => {
            let names: Vec<String> = metrics.iter().map(|place| label(explanation, *place)).collect();
            if advice.then.is_none() {
                return format!("Fix {}.", list(&names));
            }
            let (it, they) = if names.len() == 1 { ("it", "it is") } else { ("them", "they are") };
            let end = if advice.changes.is_empty() { "." } else { ":" };
            format!("Fix {}, or remove {it} until {they} fixed{end}", list(&names))
        }
        Remedy::RestoreSamples { metric, missing, .. } => {
            let end = if command(explanation, advice).is_some() {
                match missing {
                    1 => "; to ask the metrics API about it:",
                    _ => "; to ask the metrics API about the first one:",
                }
            } else {
                "."
            };
            match new_pods(explanation, *metric) {
                Some(age) => {
                    let pods = if *missing == 1 { "the sample" } else { "the samples" };
                    let end = end.replace("the metrics API about", "about");
                    format!("Wait for {pods} of {}, started {age} ago{end}", count(*missing, "pod"))
                }
                None => format!("Find out why {} no samples{end}", have(*missing)),
            }
        }
        Remedy::DivideTotal { metric } => divide(explanation, *metric),
        Remedy::LeaveOutSidecars { metric, container } => sidecars(explanation, *metric, container),
        Remedy::AllowFasterScaleUp => "A policy in spec.behavior.scaleUp can allow that at once:".to_owned(),
        Remedy::NarrowTolerance(direction) => {
            let field = format!("behavior.{}.tolerance", direction.field());
            let place = explanation.snapshot().hpa.scaled_object().map_or_else(
                || format!("spec.{field}"),
                |name| format!("advanced.horizontalPodAutoscalerConfig.{field} of ScaledObject/{name}"),
            );
            format!("If that is too far off, set {place}:")
        }
        Remedy::ShortenWindow(direction) => window(explanation, *direction),
    }
}

/// How it is tried or done.
pub(in crate::render) fn command(explanation: &Explanation, advice: &Advice) -> Option<String> {
    let key = &explanation.snapshot().hpa.key;
    let namespace = shell_word(&key.namespace);
    match &advice.remedy {
        Remedy::WakeUp => {
            let target = &explanation.snapshot().hpa.target;
            let target = format!("{}/{}", target.kind.to_lowercase(), target.name);
            let count = explanation.snapshot().hpa.min.0.max(1);
            Some(format!("kubectl scale {} -n {namespace} --replicas={count}", shell_word(&target)))
        }
        Remedy::GrantRight { fault } => attested::ask_for_right(explanation, *fault),
        Remedy::LeaveReplicasOut { .. } => {
            let target = &explanation.snapshot().hpa.target;
            let target = shell_word(&format!("{}/{}", target.kind.to_lowercase(), target.name)).into_owned();
            Some(format!("kubectl get {target} -n {namespace} -o yaml --show-managed-fields"))
        }
        Remedy::AskMetricsApi { metrics } => ask_api::command(explanation, metrics),
        Remedy::StartPods => {
            let target = &explanation.snapshot().hpa.target;
            let target = format!("{}/{}", target.kind.to_lowercase(), target.name);
            let pod = explanation.pods().first().map(|pod| format!("pod/{}", pod.name));
            Some(format!("kubectl describe {} -n {namespace}", shell_word(&pod.unwrap_or(target))))
        }
        Remedy::MakeRoom { first, .. } => {
            let pod = format!("pod/{}", explanation.pods().get(*first)?.name);
            Some(format!("kubectl describe {} -n {namespace}", shell_word(&pod)))
        }
        Remedy::StartContainers { first, .. } => {
            let pod = explanation.pods().get(*first)?;
            let container = pod.stuck.as_ref()?;
            let (name, container) =
                (shell_word(&pod.name), has_crashed(container).then_some(&*container.name));
            Some(container.map_or_else(
                || format!("kubectl describe pod/{name} -n {namespace}"),
                |container| {
                    format!("kubectl logs {name} -n {namespace} -c {} --previous", shell_word(container))
                },
            ))
        }
        Remedy::CheckSchedulingGates { first, .. } => {
            let pod = format!("pod/{}", explanation.pods().get(*first)?.name);
            let gates = "-o jsonpath='{.spec.schedulingGates}'";
            Some(format!("kubectl get {} -n {namespace} {gates}", shell_word(&pod)))
        }
        Remedy::RestoreSamples { metric, first, .. } => {
            let spec = explanation.snapshot().hpa.metrics.get(*metric)?;
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

/// A pod that has started within so long may have no sample yet.
const NEW: Duration = Duration::from_seconds(120);

/// How long ago the oldest pod without a sample of a metric started, if all of them are new.
fn new_pods(explanation: &Explanation, metric: usize) -> Option<String> {
    let groups = explanation.metrics().find(|it| it.trace.index == metric)?.trace.groups.as_ref()?;
    let members = groups.pods.iter().zip(explanation.pods());
    let missing = members.filter(|(member, _)| matches!(member.group, Group::Missing(_)));
    let ages = missing.map(|(_, pod)| pod.started.map(|at| explanation.now().since(at)));
    let oldest = ages.collect::<Option<Vec<Duration>>>()?.into_iter().max()?;
    (oldest <= NEW).then(|| span(oldest))
}

/// "would be: 3 replicas → 5".
pub(in crate::render) fn outcome(explanation: &Explanation, advice: &Advice) -> Option<String> {
    let (now, then) = (explanation.current()?, advice.then?);
    let condition = match advice.remedy {
        Remedy::RestoreSamples { metric, .. } if new_pods(explanation, metric).is_some() => {
            "when they report like the others"
        }
        Remedy::RestoreSamples { .. } => "with samples like the others'",
        Remedy::WakeUp
        | Remedy::NameScalable { .. }
        | Remedy::GrantRight { .. }
        | Remedy::SeparateSelectors
        | Remedy::MeasureOneContainer { .. }
        | Remedy::SetRequests { .. }
        | Remedy::SelectOwnPods { .. }
        | Remedy::LeaveReplicasOut { .. }
        | Remedy::AskMetricsApi { .. }
        | Remedy::StartPods
        | Remedy::NameContainer { .. }
        | Remedy::MakeRoom { .. }
        | Remedy::CheckSchedulingGates { .. }
        | Remedy::StartContainers { .. }
        | Remedy::DeleteFinishedPods { .. }
        | Remedy::WidenWindow(_)
        | Remedy::RaiseMax
        | Remedy::FixOrRemoveMetric { .. }
        | Remedy::DivideTotal { .. }
        | Remedy::LeaveOutSidecars { .. }
        | Remedy::AllowFasterScaleUp
        | Remedy::NarrowTolerance(_)
        | Remedy::ShortenWindow(_) => "would be",
    };
    let end = then.settles.map(|settles| format!(", then {} if the load stays", settles.0));
    let stays = if end.is_some() { " for now" } else { "" };
    let end = end.unwrap_or_default();
    Some(match then.next {
        (low, high) if low == now && high == now => format!("{condition}: stays at {}{stays}{end}", now.0),
        next => format!("{condition}: {} → {}{end}", replicas(now.0), outlook::range(next)),
    })
}

fn label(explanation: &Explanation, place: usize) -> String {
    explanation.snapshot().hpa.metrics.get(place).map_or_else(String::new, metric::label)
}

fn resource(explanation: &Explanation, place: usize) -> &str {
    match explanation.snapshot().hpa.metrics.get(place).map(|spec| &spec.source) {
        Some(Source::Resource(resource) | Source::ContainerResource { resource, .. }) => resource.as_str(),
        Some(Source::Pods(_) | Source::Object { .. } | Source::External(_)) | None => {
            ResourceName::Cpu.as_str()
        }
    }
}

/// The target has other replicas than the controller wrote.
fn contested(explanation: &Explanation, by: &ReplicasSetter) -> String {
    let left = explanation.snapshot().hpa.left_replicas().unwrap_or_default().0;
    let now = explanation.current().unwrap_or_default().0;
    let who = "To see who owns spec.replicas, and since when:";
    let leave_out =
        |they: &str| format!("Remove replicas from what {they} (in Argo CD: ignoreDifferences). {who}");
    let set = format!("The controller set {}, and the target has {now}", replicas(left));
    match by {
        ReplicasSetter::Manager(setter) => {
            let at = setter.at.map_or_else(String::new, |at| format!(" at {}", clock(explanation.now(), at)));
            format!("{set}, which {} set{at}. {}", setter.by, leave_out("it applies"))
        }
        ReplicasSetter::Somebody => {
            format!("{set}: somebody else sets replicas, too. {}", leave_out("they apply"))
        }
        ReplicasSetter::NotKnown => {
            format!(
                "The controller wrote {}, and the target has {now}; who set that is not known. {who}",
                replicas(left)
            )
        }
    }
}

fn have(missing: usize) -> String {
    if missing == 1 { "a pod has".to_owned() } else { format!("{missing} pods have") }
}

fn separate(explanation: &Explanation) -> String {
    if let Some(key) = explanation.attested().earlier_rivals().next() {
        return format!(
            "HPA {} selected the same pods before, and the controller remembers that until one of its syncs reaches its metrics. Give it a scaleTargetRef with which a sync does, or delete it.",
            key.name
        );
    }
    let own = match explanation.snapshot().scale.as_ref().map(|scale| &scale.selector) {
        Ok(Selection::Parsed { selector, .. }) => Some(selector),
        Ok(Selection::Missing | Selection::Invalid { .. }) | Err(_) => None,
    };
    let name = &explanation.snapshot().hpa.key.name;
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

fn own_pods(explanation: &Explanation, foreign: usize, first: usize) -> String {
    let owner = explanation.pods().get(first).and_then(|pod| pod.owner.as_ref());
    let owner =
        owner.map_or_else(|| "without an owner".to_owned(), |it| format!("of {}", ownership::name(Some(it))));
    let target = explanation.target();
    let selector = explanation.selector();
    let pods = count(explanation.pods().len(), "pod");
    let (are, them) = if foreign == 1 { ("is", "it") } else { ("are", "them") };
    format!(
        "{foreign} of {pods} {are} not part of {target} but {owner}; to keep {them} out, give {them} labels that {selector} does not match:"
    )
}

fn name_container(explanation: &Explanation, metric: usize, there: &[Box<str>]) -> String {
    let Some(Source::ContainerResource { container, .. }) =
        explanation.snapshot().hpa.metrics.get(metric).map(|spec| &spec.source)
    else {
        return String::new();
    };
    match there {
        [only] => format!("Measure container {only} instead of {container}."),
        _ => format!("Measure one of the containers {} instead of {container}.", list(there)),
    }
}

/// `PodScheduled` is False: the pod's events say why.
fn make_room(explanation: &Explanation, waiting: usize, first: usize) -> String {
    let since = unscheduled_since(explanation, waiting, first);
    let (has, them) = match waiting {
        1 if since.is_empty() => ("waits", "it"),
        1 => ("has waited", "it"),
        _ => ("wait", "them"),
    };
    let reason = explanation.pods().get(first).and_then(|pod| pod.unscheduled).map(|it| it.reason);
    let full = "Most often the cluster is full: add nodes or lower the requests. The events of the pod say what it lacks:";
    let why = match reason {
        Some(UnscheduledReason::Unschedulable) => {
            format!("the scheduler found no node for {them} (Unschedulable). {full}")
        }
        Some(UnscheduledReason::SchedulerError) => {
            "the scheduler itself failed (SchedulerError). The events of the pod say why:".to_owned()
        }
        Some(UnscheduledReason::SchedulingGated | UnscheduledReason::Other) | None => {
            format!("PodScheduled is False. {full}")
        }
    };
    format!("{} {has} for a node{since}: {why}", count(waiting, "pod"))
}

/// There is nothing to measure.
fn start_pods(explanation: &Explanation) -> String {
    if explanation.pods().is_empty() {
        "The events of the target, or of what makes its pods, say why there is none:".to_owned()
    } else {
        "The state and the events of the pods say why they do not run. Of the first:".to_owned()
    }
}

fn check_gates(explanation: &Explanation, gated: usize, first: usize) -> String {
    let since = unscheduled_since(explanation, gated, first);
    let (are, it, its) = match gated {
        1 if since.is_empty() => ("is", "it", "its"),
        1 => ("has been", "it", "its"),
        _ => ("are", "them", "their"),
    };
    format!(
        "{} {are} held back by scheduling gates{since}: the scheduler does not look at {it} until whoever set {its} gates removes them. The gates:",
        count(gated, "pod")
    )
}

/// A container waits: the pod's events say why, or what it wrote before it crashed.
fn start_containers(explanation: &Explanation, stuck: usize, first: usize) -> String {
    let Some(container) = explanation.pods().get(first).and_then(|pod| pod.stuck.as_ref()) else {
        return String::new();
    };
    let says = match (has_crashed(container), stuck) {
        (true, 1) => "Its last log says",
        (true, _) => "The last log of the first says",
        (false, 1) => "The events of the pod say",
        (false, _) => "The events of the first say",
    };
    let (name, reason) = (&container.name, &container.reason);
    format!("Container {name} of {} waits: {reason}. {says} why:", count(stuck, "pod"))
}

/// It has run before, so that there is a log.
fn has_crashed(container: &StuckContainer) -> bool {
    &*container.reason == "CrashLoopBackOff"
}

/// Since when one pod is not scheduled, or the one of several that has waited for longest.
fn unscheduled_since(explanation: &Explanation, pods: usize, first: usize) -> String {
    let since = explanation.pods().get(first).and_then(|pod| pod.unscheduled).map(|it| it.since);
    let longest = if pods == 1 { "" } else { ", the longest" };
    since
        .filter(|since| *since > Instant::ZERO)
        .map_or_else(String::new, |since| format!("{longest} since {}", moment(explanation.now(), since)))
}

fn finished_pods(explanation: &Explanation, finished: &[usize], has_command: bool) -> String {
    let owners = finished.iter().filter_map(|place| explanation.pods().get(*place)?.owner.as_ref());
    let mut names: Vec<String> = owners.map(|owner| ownership::name(Some(owner))).collect();
    names.dedup();
    let whose = if names.is_empty() { String::new() } else { format!(" of {}", few(&names, OWNERS)) };
    let of_job = explanation.pods().get(*finished.first().unwrap_or(&0)).and_then(|pod| pod.owner.as_ref());
    let is_job = of_job.is_some_and(|owner| &*owner.kind == "Job");
    let (have, them) = if finished.len() == 1 { ("has", "it") } else { ("have", "them") };
    let (pods, selector) = (count(finished.len(), "pod"), explanation.selector());
    let clean = if is_job { " (ttlSecondsAfterFinished of the Job does)" } else { "" };
    let end = if has_command { ":" } else { "." };
    format!(
        "{pods}{whose} {have} finished and will never have a sample, but {selector} matches {them}, so the controller counts {them} as missing. Delete {them}{clean}, or use labels that the selector does not match{end}"
    )
}

fn flaps(explanation: &Explanation, flapping: Flapping) -> String {
    let Flapping { ups, downs, since, window } = flapping;
    let since = clock(explanation.now(), since);
    let (ups, downs) = (count_of(ups, "scale-up"), count_of(downs, "scale-down"));
    let window = span(Duration::from_seconds(window.into()));
    format!(
        "The replicas go up and down: {ups} and {downs} since {since}. The scale-down window is {window}; a longer one keeps the highest recommendation for longer{}",
        if flapping.is_longest() { ", but the API allows no longer one." } else { ":" }
    )
}

fn count_of(number: i32, noun: &str) -> String {
    count(usize::try_from(number).unwrap_or_default(), noun)
}

fn raise_max(explanation: &Explanation) -> String {
    let wanted = explanation.decision().choice.map_or(0, |choice| choice.after.0);
    match explanation.snapshot().hpa.scaled_object() {
        Some(name) => format!(
            "If {wanted} replicas fit the cluster, raise maxReplicaCount of ScaledObject/{name}, from which KEDA sets maxReplicas:"
        ),
        None => format!("If {wanted} replicas fit the cluster, raise maxReplicas:"),
    }
}

/// What each container uses of its request, over the pods that have a sample.
fn sidecars(explanation: &Explanation, metric: usize, container: &str) -> String {
    let (label, resource) = (label(explanation, metric), resource(explanation, metric).into());
    let shares = shares(explanation.pods(), &resource);
    let share = |(name, percent): &(&str, i64)| format!("{name} {percent}%");
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
        for container in pod.containers.iter() {
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

fn divide(explanation: &Explanation, place: usize) -> String {
    let target = explanation.snapshot().hpa.metrics.get(place).and_then(|spec| spec.target.value.as_ref());
    let (name, target) = (label(explanation, place), target.map_or_else(String::new, ToString::to_string));
    format!(
        "If {name} is a total that more pods do not lower, set averageValue: {target} instead of value: the controller then divides by it."
    )
}

fn window(explanation: &Explanation, direction: Direction) -> String {
    let field = format!("spec.behavior.{}.stabilizationWindowSeconds", direction.field());
    match explanation.decision().stabilized.as_ref().map(|it| &it.how) {
        Some(Stabilization::Legacy(legacy)) => {
            format!("The controller's window is {}; {field} overrides it:", span(legacy.window))
        }
        Some(Stabilization::Behavior(_)) | None => format!("{field} holds the replicas; the default is 300:"),
    }
}
