//! Why a metric gave no proposal, in our own words. The controller's words are in the status.

use super::{gaps, metric, unread};
use crate::render::units::{count, few, list};
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::Source;
use kubectl_hpa_core::snapshot::{Phase, Pod, ReadError};
use kubectl_hpa_core::trace::{Failure, RequestGap, RequestGapKind, Unread, Verdict};

/// In a few words, without the text of an error.
pub(in crate::render) fn brief(failure: &Failure) -> String {
    match failure {
        Failure::Api { api, error } => format!("{} from {}", unread::status(error), metric::api(*api)),
        Failure::NoSamples(api) => format!("{} returned nothing", metric::api(*api)),
        Failure::NotOneValue(values) => format!("{}, exactly one is needed", count(*values, "value")),
        Failure::NoPods | Failure::NoPodsToCount => "no pods match".to_owned(),
        Failure::PodsUnlisted(error) | Failure::PodsUncounted(error) => {
            format!("pods cannot be listed: {}", unread::status(error))
        }
        Failure::UnmeasuredContainer(pod) => format!("the sample of {pod} lacks the container"),
        Failure::SwitchedOff => "the gate HPAContainerMetrics is off".to_owned(),
        Failure::Crash => "the controller crashes: the target lacks the value that its type names".to_owned(),
        Failure::NoUsableSamples => "no pod has a sample that counts".to_owned(),
        Failure::RequestGaps(gaps) if lacks_container(gaps) => lacking(gaps.len(), "such container"),
        Failure::RequestGaps(gaps) => lacking(gaps.len(), "request"),
        Failure::NoKnownPods => "requests add up to 0".to_owned(),
        Failure::NoTarget => "the target has no value for this source".to_owned(),
        Failure::MetricSelector(_) => "metric.selector is not valid".to_owned(),
    }
}

/// The failure of the only metric, in a headline.
pub(in crate::render) fn headline(
    explanation: &Explanation,
    metric: Metric<'_>,
    failure: &Failure,
) -> String {
    if let Some(idle) = idle(explanation, failure) {
        return format!("{}: {idle}", metric::label(metric.spec));
    }
    match (failure, &metric.spec.source) {
        (Failure::RequestGaps(gaps), Source::ContainerResource { .. }) if lacks_container(gaps) => {
            no_container(gaps, metric)
        }
        (Failure::RequestGaps(gaps), Source::Resource(resource)) => {
            lacking(gaps.len(), &format!("{} request", resource.as_str()))
        }
        _ => format!("{}: {}", metric::label(metric.spec), brief(failure)),
    }
}

/// Where an API has nothing of the pods because none runs: that.
pub(super) fn idle(explanation: &Explanation, failure: &Failure) -> Option<String> {
    let pods = explanation.snapshot().idle_pods().filter(|_| failure.lacks_samples_of_pods())?;
    Some(match pods.len() {
        0 => "no pod exists".to_owned(),
        1 => "the only pod does not run".to_owned(),
        pods => format!("none of {pods} pods runs"),
    })
}

/// Whether it is the container that is missing, and no request.
pub(super) fn lacks_container(gaps: &[RequestGap]) -> bool {
    gaps.iter().all(|gap| gap.kind == RequestGapKind::NoSuchContainer)
}

/// `5 pods have no container main`.
pub(super) fn no_container(gaps: &[RequestGap], metric: Metric<'_>) -> String {
    let Source::ContainerResource { container, .. } = &metric.spec.source else { return String::new() };
    lacking(gaps.len(), &format!("container {container}"))
}

/// `5 pods have no cpu request`.
pub(super) fn lacking(pods: usize, what: &str) -> String {
    format!("{} {} no {what}", count(pods, "pod"), if pods == 1 { "has" } else { "have" })
}

/// In a few words, with the text of an error.
pub(in crate::render) fn full(failure: &Failure) -> String {
    match failure {
        // The path names the API.
        Failure::Api { error, .. } if !error.path.is_empty() => {
            let status = error.code.map_or_else(|| unread::status(error), |code| code.to_string());
            format!("{status} for GET {}: {}", error.path, trim(&error.message))
        }
        Failure::Api { error, .. } | Failure::PodsUnlisted(error) | Failure::PodsUncounted(error) => {
            format!("{}: {}", brief(failure), error.message)
        }
        Failure::MetricSelector(error) => format!("{}: {error}", brief(failure)),
        Failure::NoSamples(_)
        | Failure::NotOneValue(_)
        | Failure::NoPods
        | Failure::NoPodsToCount
        | Failure::UnmeasuredContainer(_)
        | Failure::SwitchedOff
        | Failure::Crash
        | Failure::NoUsableSamples
        | Failure::RequestGaps(_)
        | Failure::NoKnownPods
        | Failure::NoTarget => brief(failure),
    }
}

/// The metrics APIs that gave an error, each once, in the order of the metrics.
pub(in crate::render) fn apis(explanation: &Explanation) -> Vec<&'static str> {
    let mut apis = Vec::new();
    for metric in explanation.metrics() {
        if let Verdict::Failed(Failure::Api { api, .. }) = &metric.trace.verdict {
            let name = metric::api(*api);
            if !apis.contains(&name) {
                apis.push(name);
            }
        }
    }
    apis
}

/// What is said of several metrics that fail: those with the same error of an API together, and of each other its first
/// sentence.
pub(in crate::render) fn together(explanation: &Explanation) -> Vec<String> {
    let mut unread: Vec<(String, Vec<String>)> = Vec::new();
    let mut others = Vec::new();
    for metric in explanation.metrics() {
        let Verdict::Failed(failure) = &metric.trace.verdict else { continue };
        if let Failure::Api { .. } = failure {
            let (brief, label) = (brief(failure), metric::label(metric.spec));
            match unread.iter_mut().find(|(known, _)| *known == brief) {
                Some((_, labels)) => labels.push(label),
                None => unread.push((brief, vec![label])),
            }
        } else {
            others.extend(sentences(explanation, metric, failure).into_iter().next());
        }
    }
    let unread = unread.into_iter();
    let unread = unread.map(|(brief, labels)| format!("{} failed: {brief}.", few(&labels, LABELS)));
    unread.chain(others).collect()
}

/// The most metrics that are named in one sentence.
const LABELS: usize = 5;

/// In sentences.
pub(in crate::render) fn sentences(
    explanation: &Explanation,
    metric: Metric<'_>,
    failure: &Failure,
) -> Vec<String> {
    let label = metric::label(metric.spec);
    let selector = explanation.selector();
    match failure {
        Failure::Api { .. } if metric::has_table(explanation) => {
            vec![format!("{label} failed: {}.", brief(failure))]
        }
        Failure::Api { error, .. } => {
            vec![format!("{label} failed: {}: {}{}.", brief(failure), trim(&error.message), asked(error))]
        }
        Failure::NoSamples(api) => {
            let idle = explanation.snapshot().idle_pods().filter(|_| failure.lacks_samples_of_pods());
            vec![idle.map_or_else(
                || no_samples(&label, metric::api(*api), selector),
                |pods| format!("There is nothing to measure {label} on: {}.", not_running(pods, selector)),
            )]
        }
        Failure::NotOneValue(values) => {
            vec![format!("{label} has {}, and the controller needs exactly one.", count(*values, "value"))]
        }
        Failure::NoPods => {
            vec![format!("{selector} matches no pod, so there is nothing to measure {label} on.")]
        }
        Failure::NoPodsToCount => {
            vec![format!("{label} is off its target, but {selector} matches no pod to multiply by.")]
        }
        Failure::PodsUnlisted(error) | Failure::PodsUncounted(error) => {
            vec![format!("The controller cannot list the pods for {label}: {}.", trim(&error.message))]
        }
        Failure::UnmeasuredContainer(pod) => {
            let sample =
                format!("The sample of pod {pod} lacks the container, and one such sample fails {label}.");
            std::iter::once(sample).chain(gaps::no_such_container(explanation, metric)).collect()
        }
        Failure::SwitchedOff => {
            vec![format!("{label} fails: the gate HPAContainerMetrics is off in the controller.")]
        }
        Failure::Crash => vec![format!(
            "The target of {label} lacks the value that its type names, and this version of the controller crashes on that."
        )],
        Failure::NoUsableSamples => {
            let groups = no_usable_samples(metric, &label).into_iter();
            groups.chain(gaps::no_such_container(explanation, metric)).collect()
        }
        Failure::RequestGaps(missing) => gaps::sentences(explanation, metric, missing),
        Failure::NoKnownPods => {
            vec![format!(
                "The requests of the pods that have a sample of {label} add up to 0, so there is no percentage."
            )]
        }
        Failure::NoTarget => {
            vec![format!("The target of {label} sets none of the values that this kind of metric needs.")]
        }
        Failure::MetricSelector(error) => {
            vec![format!("The selector of metric {label} is not valid: {error}.")]
        }
    }
}

/// Sentences about a metric that the reader could not read.
pub(in crate::render) fn unknown(what: &str, unread: &Unread) -> Vec<String> {
    if let Unread::Refused(error) = unread
        && error.is_unmapped()
    {
        return vec![format!("{what} can be read, but {}.", error.message)];
    }
    vec![
        format!("{what} could not be read here: {}.", trim(&unread::what(unread))),
        "The controller has its own permissions, so its decision cannot be recomputed from here.".to_owned(),
    ]
}

/// `app=web matches 3 pods, and none runs: 2 wait for a node and 1 failed`.
fn not_running(pods: &[Pod], selector: &str) -> String {
    if pods.is_empty() {
        return format!("{selector} matches no pod");
    }
    let number = |is: &dyn Fn(&Pod) -> bool| pods.iter().filter(|pod| is(pod)).count();
    let in_phase = |phase: Phase| number(&|pod| pod.phase == phase);
    let (waiting, gated) = (number(&Pod::waits_for_node), number(&Pod::is_gated));
    let states = [
        (waiting, ["waits for a node", "wait for a node"]),
        (gated, ["is held back by scheduling gates", "are held back by scheduling gates"]),
        (in_phase(Phase::Pending) - waiting - gated, ["is Pending", "are Pending"]),
        (in_phase(Phase::Failed), ["failed", "failed"]),
        (in_phase(Phase::Succeeded), ["has ended", "have ended"]),
    ];
    let there = states.iter().filter(|(number, _)| *number > 0);
    let states: Vec<String> = there
        .map(|(number, [one, more])| format!("{number} {}", if *number == 1 { one } else { more }))
        .collect();
    format!("{selector} matches {}, and none runs: {}", count(pods.len(), "pod"), list(&states))
}

fn no_samples(label: &str, api: &str, selector: &str) -> String {
    if selector.is_empty() || api.starts_with("external") {
        format!("{label} has no value: {api} returned an empty list.")
    } else {
        format!("{label} has no samples: {api} returned nothing for the pods that {selector} matches.")
    }
}

/// The request that got the error, where it is known.
fn asked(error: &ReadError) -> String {
    if error.path.is_empty() { String::new() } else { format!(", to GET {}", error.path) }
}

/// A sentence's end is ours to write.
fn trim(message: &str) -> &str {
    message.trim_end_matches(['.', ' ', '\n'])
}

fn no_usable_samples(metric: Metric<'_>, label: &str) -> Vec<String> {
    let groups = metric.trace.groups.as_ref().map_or_else(Vec::new, |groups| {
        let groups = [("missing", groups.missing), ("unready", groups.unready), ("ignored", groups.ignored)];
        let there = groups.into_iter().filter(|(_, number)| *number > 0);
        there.map(|(group, number)| format!("{number} {group}")).collect::<Vec<_>>()
    });
    vec![format!("No pod has a sample of {label} that counts: {}.", list(&groups))]
}
