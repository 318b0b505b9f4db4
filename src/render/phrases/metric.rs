//! What metrics, targets and APIs are called.

use crate::render::claims::{Amount, Seen};
use crate::render::units::Unit;
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::{Format, MetricIdentifier, MetricSpec, Quantity, Source, Target, TargetType};
use kubectl_hpa_core::trace::{Calculation, MetricsApi, PerPod, Proposal};

/// Whether the metrics are worth a table: there are several, or one that has no pods to show.
pub(in crate::render) fn has_table(explanation: &Explanation) -> bool {
    explanation.metrics().count() > 1 || explanation.metrics().any(|metric| metric.spec.outlives_pods())
}

/// A metric in a sentence.
pub(in crate::render) fn label(spec: &MetricSpec) -> String {
    match &spec.source {
        Source::Resource(resource) => resource.as_str().to_owned(),
        Source::ContainerResource { resource, container } => {
            format!("{} of container {container}", resource.as_str())
        }
        Source::Pods(metric) | Source::External(metric) => named(metric),
        Source::Object { metric, object } if object.is_namespace() => {
            format!("{} of the HPA's namespace", named(metric))
        }
        Source::Object { metric, object } => format!("{} of {}/{}", named(metric), object.kind, object.name),
    }
}

/// A metric's name, with the selector if only that tells it from another: `messages{queue=low}`.
pub(in crate::render) fn named(metric: &MetricIdentifier) -> String {
    let selector = metric.selector.as_ref().filter(|_| metric.shares_name);
    let selector = selector.and_then(|selector| selector.to_selector().ok());
    selector.map_or_else(|| metric.name.to_string(), |selector| format!("{}{{{selector}}}", metric.name))
}

/// The kind of its source, as the API writes it.
pub(in crate::render) const fn kind(source: &Source) -> &'static str {
    match source {
        Source::Resource(_) => "Resource",
        Source::ContainerResource { .. } => "ContainerResource",
        Source::Pods(_) => "Pods",
        Source::Object { .. } => "Object",
        Source::External(_) => "External",
    }
}

/// The target that the controller compares with, in words.
pub(in crate::render) fn target(spec: &MetricSpec) -> String {
    goal(spec).map_or_else(String::new, Seen::text)
}

/// That target as a value: the controller prefers averages, whatever the target's type says, but for Object metrics.
pub(in crate::render) fn goal(spec: &MetricSpec) -> Option<Seen> {
    let unit = Unit::of_target(spec);
    let Target { average_utilization, .. } = spec.target;
    let (average, value) = (spec.target.average_milli(), spec.target.value_milli());
    let is_object = matches!(spec.source, Source::Object { .. });
    let takes_value = is_object && spec.target.kind == TargetType::Value && value.is_some();
    match (average.filter(|_| !takes_value), average_utilization, value) {
        (Some(average), _, _) => Some(average_of(&spec.source)(Amount(average, unit))),
        (None, Some(percent), _) => Some(Seen::Percent(percent.0)),
        (None, None, value) => Some(Seen::Value(Amount(value?, unit))),
    }
}

/// Which of those that want the same the controller takes: a 0 gives way to whatever follows it.
pub(in crate::render) const fn place(wanted: i32) -> &'static str {
    if wanted == 0 { "last" } else { "first" }
}

/// The kind of an average.
pub(in crate::render) const fn average_of(source: &Source) -> fn(Amount) -> Seen {
    match source {
        Source::Object { .. } | Source::External(_) => Seen::PerReplica,
        Source::Resource(_) | Source::ContainerResource { .. } | Source::Pods(_) => Seen::PerPod,
    }
}

/// An API's group, as a person finds it in the cluster.
pub(in crate::render) const fn api(api: MetricsApi) -> &'static str {
    match api {
        MetricsApi::Resource => "metrics.k8s.io",
        MetricsApi::Custom => "custom.metrics.k8s.io",
        MetricsApi::External => "external.metrics.k8s.io",
    }
}

/// A number of thousandths beyond this is an overflow's.
const MOST_SHOWN: u64 = 1 << 60;

/// What `kubectl get hpa` shows of it where that is hard to read: thousandths, as 1667m.
///
/// Source: `formatHPAMetrics` of kubectl's printers.
pub(in crate::render) fn in_kubectl(metric: Metric<'_>, proposal: &Proposal) -> Option<String> {
    let target = &metric.spec.target;
    let (now, target, suffix) = match &proposal.calculation {
        Calculation::PerPod(_) => return None,
        Calculation::Total(total) => (total.usage, target.value.as_ref(), ""),
        Calculation::PerReplica(it) => (it.mean, target.average_value.as_ref(), " (avg)"),
    };
    // A value that overflows int64 has a sentence of its own.
    if now.0.unsigned_abs() > MOST_SHOWN {
        return None;
    }
    let (now, target) = (Quantity::from_milli(now.0, Format::DecimalSI).to_string(), target?.to_string());
    let hard = Unit::of(metric) == Unit::Plain && [&now, &target].iter().any(|it| it.ends_with('m'));
    hard.then(|| format!("kubectl: {now}/{target}{suffix}"))
}

/// Its current value, in the unit of its target.
pub(in crate::render) fn now(metric: Metric<'_>, proposal: &Proposal) -> Seen {
    let amount = |it| Amount(it, Unit::of(metric));
    match &proposal.calculation {
        Calculation::PerPod(PerPod { first, .. }) => first
            .utilization
            .map_or_else(|| Seen::PerPod(amount(first.mean)), |utilization| Seen::Percent(utilization.0)),
        Calculation::Total(total) => Seen::Value(amount(total.usage)),
        Calculation::PerReplica(it) if it.replicas.0 == 0 => Seen::Value(amount(it.usage)),
        Calculation::PerReplica(it) => Seen::PerReplica(amount(it.mean)),
    }
}
