//! Why a metric gave no proposal, in our own words. The controller's words are in the status.

use std::collections::BTreeMap;
use std::iter;

use super::{gaps, metric, unread};
use crate::render::claims::{Because, Claim, InShort, PodStates, StuckPods};
use crate::render::units::{count, lacking};
use kubectl_hpa_core::api::Unscalable;
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::Source;
use kubectl_hpa_core::snapshot::{Phase, Pod};
use kubectl_hpa_core::trace::{Failure, MetricsApi, RequestGap, RequestGapKind, Unread, Verdict};

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
) -> Because {
    let label = metric::label(metric.spec);
    let says = match (failure, &metric.spec.source) {
        (Failure::RequestGaps(gaps), Source::ContainerResource { .. }) if lacks_container(gaps) => {
            no_container(gaps, metric)
        }
        (Failure::RequestGaps(gaps), Source::Resource(resource)) => {
            lacking(gaps.len(), &format!("{} request", resource.as_str()))
        }
        _ => format!(
            "{label}: {}",
            none_runs(explanation, failure).map_or_else(|| brief(failure), |it| it.text(explanation.now()))
        ),
    };
    Because::MetricFails { metric: label, failure: failure.code().as_str(), says }
}

/// Where an API has nothing of the pods because none runs: that.
pub(super) fn none_runs(explanation: &Explanation, failure: &Failure) -> Option<InShort> {
    let pods = explanation.snapshot().idle_pods().filter(|_| failure.lacks_samples_of_pods())?;
    let mut reasons: Vec<String> = stuck(pods).into_iter().map(|it| it.reason).collect();
    if !pods.is_empty() && pods.iter().all(|pod| pod.phase.has_ended()) {
        reasons.push("ended".to_owned());
    }
    let unscheduled = pods.iter().all(Pod::waits_for_node);
    Some(InShort::NoPodRuns { pods: pods.len(), unscheduled, reasons })
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
pub(in crate::render) fn together(explanation: &Explanation) -> Vec<Claim> {
    let mut unread: Vec<Claim> = Vec::new();
    let mut others = Vec::new();
    for (metric, failure) in explanation.failed() {
        let Failure::Api { api, error } = failure else {
            // What a utilization needs, and where it is missing, are two.
            let most = if matches!(failure, Failure::RequestGaps(_)) { 2 } else { 1 };
            others.extend(claims(explanation, metric, failure).into_iter().take(most));
            continue;
        };
        let (status, api, label) = (unread::status(error), metric::api(*api), metric::label(metric.spec));
        let same = unread.iter_mut().find_map(|claim| match claim {
            Claim::MetricApiError { metrics, status: known, api: of, .. } => {
                (*known == status && *of == api).then_some(metrics)
            }
            _ => None,
        });
        match same {
            Some(metrics) => metrics.push(label),
            None => unread.push(Claim::MetricApiError {
                metrics: vec![label],
                status,
                api,
                message: None,
                path: None,
            }),
        }
    }
    unread.into_iter().chain(others).collect()
}

/// In sentences.
pub(in crate::render) fn claims(
    explanation: &Explanation,
    metric: Metric<'_>,
    failure: &Failure,
) -> Vec<Claim> {
    let label = metric::label(metric.spec);
    let selector = explanation.selector().to_owned();
    let claim = match failure {
        Failure::Api { api, error } => {
            let tells = !metric::has_table(explanation);
            let message = tells.then(|| trim(&error.message).to_owned());
            let path = (tells && !error.path.is_empty()).then(|| error.path.clone());
            let (metrics, status, api) = (vec![label], unread::status(error), metric::api(*api));
            Claim::MetricApiError { metrics, status, api, message, path }
        }
        Failure::NoSamples(api) => {
            let idle = explanation.snapshot().idle_pods().filter(|_| failure.lacks_samples_of_pods());
            if let Some(pods) = idle {
                Claim::NothingToMeasure { metric: label, selector, pods: states(pods) }
            } else {
                let has_pods = !selector.is_empty() && *api != MetricsApi::External;
                let selector = has_pods.then_some(selector);
                Claim::NoSamples { metric: label, api: metric::api(*api), selector }
            }
        }
        Failure::NotOneValue(values) => Claim::NotOneValue { metric: label, values: *values },
        Failure::NoPods => Claim::NoPods { metric: label, selector },
        Failure::NoPodsToCount => Claim::NoPodsToCount { metric: label, selector },
        Failure::PodsUnlisted(error) | Failure::PodsUncounted(error) => {
            Claim::PodsUnlistedFor { metric: label, error: trim(&error.message).to_owned() }
        }
        Failure::UnmeasuredContainer(pod) => {
            let sample = Claim::SampleWithoutContainer { metric: label, pod: pod.to_string() };
            return iter::once(sample).chain(gaps::no_such_container(explanation, metric)).collect();
        }
        Failure::SwitchedOff => Claim::ContainerMetricsOff { metric: label },
        Failure::Crash => Claim::ControllerCrash { metric: label },
        Failure::NoUsableSamples => {
            let groups = metric.trace.groups.as_ref();
            let (missing, unready, ignored) =
                groups.map_or((0, 0, 0), |it| (it.missing, it.unready, it.ignored));
            let none = Claim::NoUsableSamples { metric: label, missing, unready, ignored };
            return iter::once(none).chain(gaps::no_such_container(explanation, metric)).collect();
        }
        Failure::RequestGaps(missing) => return gaps::claims(explanation, metric, missing),
        Failure::NoKnownPods => Claim::RequestsAddUpToZero { metric: label },
        Failure::NoTarget => {
            let target_type = metric.spec.target.kind.as_str();
            Claim::TargetWithoutValue { metric: label, target_type }
        }
        Failure::MetricSelector(error) => {
            Claim::MetricSelectorInvalid { metric: label, error: error.to_string() }
        }
    };
    vec![claim]
}

/// Why no HPA can scale the target, if its kind has no scale.
pub(super) fn cannot_scale(explanation: &Explanation) -> Option<Claim> {
    match explanation.snapshot().unscalable()? {
        Unscalable::NoSubresource(kind) => {
            Some(Claim::TargetCannotScale { target: explanation.target(), kind: kind.to_owned() })
        }
        Unscalable::NoSuchKind { .. } => None,
    }
}

/// Sentences about what the reader could not read.
pub(in crate::render) fn unknown(explanation: &Explanation, what: String, unread: &Unread) -> Vec<Claim> {
    if let Unread::Refused(error) = unread
        && error.is_unmapped()
    {
        return vec![Claim::KindNotFound { target: explanation.target() }];
    }
    if let Unread::Refused(error) = unread
        && error.is_not_given()
    {
        let command = error.message.clone();
        let not_given = if error.is_described() {
            Claim::OnlyDescribed { command }
        } else {
            Claim::NotGiven { what, command }
        };
        let rounded = explanation.snapshot().usages.as_ref().err().filter(|error| error.is_rounded());
        let rounded = rounded.map(|error| Claim::OnlyRounded { command: error.message.clone() });
        return [not_given].into_iter().chain(rounded).collect();
    }
    let error = trim(&unread::what(unread)).to_owned();
    let not_read = Claim::NotReadHere { what, error };
    match cannot_scale(explanation) {
        Some(cannot) => vec![cannot, not_read],
        None => vec![not_read, Claim::NotRecomputed],
    }
}

fn states(pods: &[Pod]) -> PodStates {
    let number = |is: &dyn Fn(&Pod) -> bool| pods.iter().filter(|pod| is(pod)).count();
    let in_phase = |phase: Phase| number(&|pod| pod.phase == phase);
    let (waiting_for_node, gated) = (number(&Pod::waits_for_node), number(&Pod::is_gated));
    let is_unexplained = |pod: &Pod| {
        pod.phase == Phase::Pending && pod.stuck.is_none() && !pod.waits_for_node() && !pod.is_gated()
    };
    PodStates {
        matched: pods.len(),
        waiting_for_node,
        gated,
        stuck: stuck(pods),
        pending: number(&is_unexplained),
        failed: in_phase(Phase::Failed),
        succeeded: in_phase(Phase::Succeeded),
    }
}

/// How many pods have a container that waits, by its reason.
fn stuck(pods: &[Pod]) -> Vec<StuckPods> {
    let mut by_reason: BTreeMap<&str, usize> = BTreeMap::new();
    for container in pods.iter().filter_map(|pod| pod.stuck.as_ref()) {
        *by_reason.entry(&*container.reason).or_default() += 1;
    }
    by_reason.into_iter().map(|(reason, pods)| StuckPods { reason: reason.to_owned(), pods }).collect()
}

/// A sentence's end is ours to write.
fn trim(message: &str) -> &str {
    message.trim_end_matches(['.', ' ', '\n'])
}
