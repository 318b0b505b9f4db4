//! The controller's own sentences about metrics, word for word.

use crate::model::{MetricIdentifier, MetricSpec, ObjectReference, Source, TargetType};
use crate::rules::{GapWords, NoSampleWords, ObjectErrorOrder, Rules, Wrapping};
use crate::snapshot::{Pod, Snapshot};
use crate::trace::{Failure, MetricsApi, RequestGap, RequestGapKind};

/// The controller's messages about a metric that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureWords {
    /// Reason of its event and condition, as `FailedGetResourceMetric`.
    pub reason: &'static str,
    /// Text of its event; empty if there is none. The condition has it after "the HPA was unable to compute the replica
    /// count: ".
    pub message: String,
    /// Text of the error that reconcile returns for it.
    pub error: String,
}

const CONDITION_PREFIX: &str = "the HPA was unable to compute the replica count: ";

impl FailureWords {
    /// Message of the ScalingActive condition.
    #[must_use]
    pub fn condition(&self) -> String {
        if self.reason.is_empty() { String::new() } else { format!("{CONDITION_PREFIX}{}", self.message) }
    }
}

/// The name by which messages call a metric that gave a proposal.
#[must_use]
pub fn metric_name(spec: &MetricSpec, rules: &Rules) -> String {
    match &spec.source {
        Source::Resource(resource) if by_value(spec) => format!("{} resource", resource.as_str()),
        Source::Resource(resource) => {
            format!("{} resource utilization (percentage of request)", resource.as_str())
        }
        // Only the utilization names the container, and only since 1.27.
        Source::ContainerResource { resource, .. } if by_value(spec) => {
            format!("{} resource", resource.as_str())
        }
        Source::ContainerResource { resource, .. } if !rules.names_container_metric => {
            format!("{} resource utilization (percentage of request)", resource.as_str())
        }
        Source::ContainerResource { resource, .. } => {
            format!("{} container resource utilization (percentage of request)", resource.as_str())
        }
        Source::Pods(metric) => format!("pods metric {}", metric.name),
        Source::Object { metric, object } if spec.target.kind == TargetType::Value => {
            format!("{} metric {}", object.kind, metric.name)
        }
        // Upstream calls an Object metric with an AverageValue target "external", too.
        Source::Object { metric, .. } | Source::External(metric) => {
            format!("external metric {}({})", metric.name, selector_words(metric))
        }
    }
}

/// Every message that the controller may print for a failure: one, or one per pod without a request, because it names
/// the first one that it meets in a random order.
#[must_use]
pub fn failure_words(
    snapshot: &Snapshot,
    rules: &Rules,
    spec: &MetricSpec,
    failure: &Failure,
) -> Vec<FailureWords> {
    calculation_errors(snapshot, rules, spec, failure)
        .into_iter()
        .map(|calculation| wrap(spec, rules, failure, &calculation))
        .collect()
}

/// The error of the metrics API in a message about a metric; `None` if the message is about another metric, or about no error
/// of an API.
#[must_use]
pub fn api_error<'m>(
    snapshot: &Snapshot,
    rules: &Rules,
    spec: &MetricSpec,
    message: &'m str,
) -> Option<&'m str> {
    let api = match spec.source {
        Source::Resource(_) | Source::ContainerResource { .. } => MetricsApi::Resource,
        Source::Pods(_) | Source::Object { .. } => MetricsApi::Custom,
        Source::External(_) => MetricsApi::External,
    };
    // The words around it name usage or utilization: a changed target of the same metric reads the same.
    let words = fetch_error(snapshot, rules, spec, &unfetched(api, ""));
    message.split_once(words.as_str()).map(|(_, error)| error)
}

fn unfetched(api: MetricsApi, error: &str) -> String {
    format!("unable to fetch metrics from {}: {error}", api_words(api))
}

fn by_value(spec: &MetricSpec) -> bool {
    spec.target.average_value.is_some()
}

/// What Go's `%+v` prints for the metric's selector.
fn selector_words(metric: &MetricIdentifier) -> String {
    metric.selector.as_ref().map_or_else(|| "nil".to_owned(), crate::model::LabelSelector::go_string)
}

/// The error of the replica calculator.
fn calculation_errors(
    snapshot: &Snapshot,
    rules: &Rules,
    spec: &MetricSpec,
    failure: &Failure,
) -> Vec<String> {
    let text = match failure {
        Failure::Api { api, error } => fetch_error(snapshot, rules, spec, &unfetched(*api, &error.message)),
        Failure::NoSamples(api) => {
            fetch_error(snapshot, rules, spec, &format!("no metrics returned from {}", api_words(*api)))
        }
        Failure::NotOneValue(count) => {
            let error = format!(
                "unable to fetch metrics from custom metrics API: the custom metrics API server returned {count} results when we asked for exactly one"
            );
            fetch_error(snapshot, rules, spec, &error)
        }
        Failure::NoPods => NO_PODS.to_owned(),
        Failure::NoPodsToCount => format!("unable to calculate ready pods: {NO_PODS}"),
        Failure::PodsUnlisted(error) => format!("{PODS_UNLISTED}: {}", error.message),
        Failure::PodsUncounted(error) => {
            format!("unable to calculate ready pods: {PODS_UNLISTED}: {}", error.message)
        }
        Failure::UnmeasuredContainer(pod) => {
            fetch_error(snapshot, rules, spec, &unmeasured_words(snapshot, spec, pod))
        }
        Failure::SwitchedOff => {
            "ContainerResource metric type is not supported: disabled by the feature gate".to_owned()
        }
        Failure::Crash => String::new(),
        Failure::NoUsableSamples => match rules.no_sample_words {
            NoSampleWords::AnyReadyPods => "did not receive metrics for any ready pods",
            NoSampleWords::TargetedPods => {
                "did not receive metrics for targeted pods (pods might be unready)"
            }
        }
        .to_owned(),
        Failure::NoKnownPods => "no metrics returned matched known pods".to_owned(),
        Failure::NoTarget => no_target_words(spec).to_owned(),
        Failure::MetricSelector(error) => error.to_string(),
        Failure::RequestGaps(gaps) => {
            let pods = snapshot.pods.as_deref().unwrap_or_default();
            // The pod lister has no order: any of these pods may be the one that is named.
            return gaps.iter().filter_map(|gap| gap_words(pods, rules, spec, gap)).collect();
        }
    };
    vec![text]
}

const NO_PODS: &str = "no pods returned by selector while calculating replica count";
const PODS_UNLISTED: &str = "unable to get pods while calculating replica count";

/// What `getContainerMetrics` says of the first sample without the container.
fn unmeasured_words(snapshot: &Snapshot, spec: &MetricSpec, pod: &str) -> String {
    let container = match &spec.source {
        Source::ContainerResource { container, .. } => container,
        Source::Resource(_) | Source::Pods(_) | Source::Object { .. } | Source::External(_) => "",
    };
    let namespace = &snapshot.hpa.key.namespace;
    format!(
        "failed to get container metrics: container {container} not present in metrics for pod {namespace}/{pod}"
    )
}

fn no_target_words(spec: &MetricSpec) -> &'static str {
    match spec.source {
        Source::Resource(_) | Source::ContainerResource { .. } => {
            "invalid resource metric source: neither an average utilization target nor an average value (usage) target was set"
        }
        Source::Object { .. } => {
            "invalid object metric source: neither a value target nor an average value target was set"
        }
        Source::Pods(_) | Source::External(_) => {
            "invalid external metric source: neither a value target nor an average value target was set"
        }
    }
}

fn api_words(api: MetricsApi) -> &'static str {
    match api {
        MetricsApi::Resource => "resource metrics API",
        MetricsApi::Custom => "custom metrics API",
        MetricsApi::External => "external metrics API",
    }
}

/// What the calculator says around an error of a metrics API.
fn fetch_error(snapshot: &Snapshot, rules: &Rules, spec: &MetricSpec, error: &str) -> String {
    match &spec.source {
        Source::Resource(resource) | Source::ContainerResource { resource, .. } => {
            format!("unable to get metrics for resource {}: {error}", resource.as_str())
        }
        Source::Pods(metric) => format!("unable to get metric {}: {error}", metric.name),
        Source::Object { metric, object } => object_error(snapshot, rules, metric, object, error),
        Source::External(metric) => {
            let (namespace, selector) = (&snapshot.hpa.key.namespace, selector_words(metric));
            format!("unable to get external metric {namespace}/{}/{selector}: {error}", metric.name)
        }
    }
}

fn object_error(
    snapshot: &Snapshot,
    rules: &Rules,
    metric: &MetricIdentifier,
    object: &ObjectReference,
    error: &str,
) -> String {
    let (name, kind, namespace, object) =
        (&metric.name, &object.kind, &snapshot.hpa.key.namespace, &object.name);
    match rules.object_error {
        ObjectErrorOrder::Swapped => {
            format!("unable to get metric {name}: {kind} on {namespace} {object}/{error}")
        }
        ObjectErrorOrder::Straight => {
            format!("unable to get metric {name} on {kind} {namespace}/{object}: {error}")
        }
    }
}

/// What the calculator says of a pod without a request.
fn gap_words(pods: &[Pod], rules: &Rules, spec: &MetricSpec, gap: &RequestGap) -> Option<String> {
    let pod = pods.get(gap.pod)?;
    let (resource, container) = match &spec.source {
        Source::Resource(resource) => (resource.as_str(), ""),
        Source::ContainerResource { resource, container } => (resource.as_str(), &**container),
        Source::Pods(_) | Source::Object { .. } | Source::External(_) => return None,
    };
    if rules.gap_words == GapWords::Resource {
        return Some(format!("missing request for {resource}"));
    }
    Some(match gap.kind {
        RequestGapKind::Container(place) => {
            let container = &pod.containers.get(place)?.name;
            format!("missing request for {resource} in container {container} of Pod {}", pod.name)
        }
        RequestGapKind::PodLevel => format!("missing pod-level request for {resource} in Pod {}", pod.name),
        RequestGapKind::NoSuchContainer => format!("container {container} not found in Pod {}", pod.name),
    })
}

/// What the controller says around the calculator's error (upstream `computeStatusFor…Metric`,
/// `computeReplicasForMetric`).
fn wrap(spec: &MetricSpec, rules: &Rules, failure: &Failure, calculation: &str) -> FailureWords {
    // These two errors come from before the calculator is called, so its prefix is missing.
    let bare = matches!(failure, Failure::NoTarget | Failure::MetricSelector(_));
    if *failure == Failure::SwitchedOff {
        return FailureWords { reason: "", message: String::new(), error: calculation.to_owned() };
    }
    let wrapper = |words: String| match rules.wrapping {
        Wrapping::All => words,
        Wrapping::ObjectAndPods => String::new(),
    };
    match &spec.source {
        Source::Resource(resource) => {
            let message = usage_words(spec, rules, resource.as_str(), bare, calculation);
            let error = wrapper(format!("failed to get {} resource metric value: ", resource.as_str()));
            let error = error + &message;
            FailureWords { reason: "FailedGetResourceMetric", message, error }
        }
        Source::ContainerResource { resource, container } => {
            let message = usage_words(spec, rules, resource.as_str(), bare, calculation);
            let error = wrapper(format!("failed to get {container} container metric value: ")) + &message;
            FailureWords { reason: "FailedGetContainerResourceMetric", message, error }
        }
        // For Pods, Object and External metrics the condition is made from the calculator's own error and only the
        // returned error is wrapped; for resources it is made from the wrapped one.
        Source::Pods(_) => FailureWords {
            reason: "FailedGetPodsMetric",
            message: calculation.to_owned(),
            error: format!("failed to get pods metric value: {calculation}"),
        },
        Source::Object { metric, .. } => {
            let average = spec.target.kind == TargetType::AverageValue && !bare;
            let inner = if average {
                format!("failed to get {} object metric: ", metric.name)
            } else {
                String::new()
            };
            FailureWords {
                reason: "FailedGetObjectMetric",
                message: calculation.to_owned(),
                error: format!("failed to get object metric value: {inner}{calculation}"),
            }
        }
        Source::External(metric) => FailureWords {
            reason: "FailedGetExternalMetric",
            message: calculation.to_owned(),
            error: format!(
                "{}{}{calculation}",
                wrapper(format!("failed to get {} external metric value: ", metric.name)),
                external_prefix(spec, failure, &metric.name)
            ),
        },
    }
}

fn usage_words(spec: &MetricSpec, rules: &Rules, resource: &str, bare: bool, calculation: &str) -> String {
    let what = if by_value(spec) && rules.speaks_of_usage { "usage" } else { "utilization" };
    if bare { calculation.to_owned() } else { format!("failed to get {resource} {what}: {calculation}") }
}

fn external_prefix(spec: &MetricSpec, failure: &Failure, name: &str) -> String {
    if *failure == Failure::NoTarget {
        String::new()
    } else if by_value(spec) {
        format!("failed to get {name} external metric: ")
    } else {
        format!("failed to get external metric {name}: ")
    }
}
