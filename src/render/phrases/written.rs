//! The controller's last status, for a decision that cannot be made again here.

use crate::render::claims::{Amount, Answer, At, Because, Seen, Then};
use crate::render::page::Role;
use crate::render::phrases::metric;
use crate::render::units::Unit;
use kubectl_hpa_core::api::{
    Condition, ConditionReason, ConditionType, HpaStatus, MetricStatus, ValueStatus,
};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{MetricSpec, Milli, Quantity};
use kubectl_hpa_core::snapshot::ReadError;

/// What the controller last decided, and by which of its reasons. `None` where it has not written
/// anything yet.
pub(in crate::render) fn last(explanation: &Explanation) -> Option<Answer> {
    let status = &explanation.snapshot().hpa.status;
    let condition = telling(status);
    if !status.is_written() {
        return None;
    }
    // No sync of it has come to the limits, or set the replicas.
    let is_undecided = status.desired_replicas == 0
        && status.last_scale_time.is_none()
        && status.condition(ConditionType::ScalingLimited).is_none();
    let decided = (!is_undecided).then_some(status.desired_replicas);
    let written = explanation.snapshot().history.status_written.map(At);
    let because = condition.map(|condition| Because::LastStatus {
        condition: condition.kind.to_string(),
        status: condition.status.to_string(),
        reason: condition.reason.to_string(),
    });
    let replicas = explanation.current().map_or(status.current_replicas, |current| current.0);
    // The text of kubectl describe does not say whether it ever scaled.
    let is_untold = is_undecided && explanation.snapshot().scale.as_ref().is_err_and(ReadError::is_described);
    let then = if is_untold { Then::NotKnown } else { Then::LastDecided { decided, written } };
    Some(Answer { role: Role::Holds, replicas: Some(replicas), then, because: because.into_iter().collect() })
}

/// The condition that says the most: what stops it, what limits it, what holds it, else that it works.
fn telling(status: &HpaStatus) -> Option<&Condition> {
    let find = |kind: ConditionType, value: &str| status.condition(kind).filter(|it| it.status == value);
    let holds = find(ConditionType::AbleToScale, "True")
        .filter(|condition| condition.reason != ConditionReason::ReadyForNewScale);
    find(ConditionType::ScalingActive, "False")
        .or_else(|| find(ConditionType::AbleToScale, "False"))
        .or_else(|| find(ConditionType::ScalingLimited, "True"))
        .or(holds)
        .or_else(|| find(ConditionType::ScalingActive, "True"))
        .or_else(|| status.conditions.first())
}

/// Each metric of the spec with the value that stands in the status; empty where the status has none or is of another
/// spec.
pub(in crate::render) fn metrics(explanation: &Explanation) -> Vec<(&MetricSpec, Option<Seen>)> {
    let hpa = &explanation.snapshot().hpa;
    let statuses = hpa.status.current_metrics.as_deref().unwrap_or_default();
    // A metric that failed leaves an entry without a type.
    let fits = |(spec, status): (&MetricSpec, &MetricStatus)| {
        status.kind.is_empty() || status.kind == metric::kind(&spec.source)
    };
    if statuses.len() != hpa.metrics.len() || !hpa.metrics.iter().zip(statuses).all(fits) {
        return Vec::new();
    }
    let read = |(spec, status)| (spec, value(status).and_then(|value| in_unit(spec, value)));
    hpa.metrics.iter().zip(statuses).map(read).collect()
}

fn value(status: &MetricStatus) -> Option<&ValueStatus> {
    let MetricStatus { object, pods, resource, container_resource, external, .. } = status;
    let resource = resource.as_ref().map(|it| &it.current);
    let container = container_resource.as_ref().map(|it| &it.current);
    let pods = pods.as_ref().map(|it| &it.current);
    let object = object.as_ref().map(|it| &it.current);
    let external = external.as_ref().map(|it| &it.current);
    resource.or(container).or(pods).or(object).or(external)
}

/// In the unit of the target: an average, a percentage, else the value.
fn in_unit(spec: &MetricSpec, value: &ValueStatus) -> Option<Seen> {
    let amount = |it: &Quantity| Amount(Milli(it.milli_value()), Unit::of_target(spec));
    let average = value.average_value.as_ref().filter(|_| spec.target.average_value.is_some());
    let percent = value.average_utilization.filter(|_| spec.target.average_utilization.is_some());
    average
        .map(|average| metric::average_of(&spec.source)(amount(average)))
        .or(percent.map(Seen::Percent))
        .or(value.value.as_ref().map(|value| Seen::Value(amount(value))))
}
