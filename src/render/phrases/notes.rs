//! What the controller does not look at and a reader should know of: odd answers of adapters, resizes that are not done,
//! fields that do not do what their names promise.

use super::metric;
use crate::render::claims::{Amount, Note, ProposalNote, Way};
use crate::render::units::Unit;
use kubectl_hpa_core::comparison::Sides;
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::{Milli, SelectPolicy, Source};
use kubectl_hpa_core::snapshot::{Oddity, Pod, ResizingContainer};
use kubectl_hpa_core::trace::{Calculation, Direction, Gate, PerReplica};

/// All of them, those of metrics first.
pub(in crate::render) fn notes(explanation: &Explanation) -> Vec<Note> {
    let mut notes = Vec::new();
    for metric in explanation.metrics() {
        let of_it = explanation.snapshot().oddities.iter().filter(|(place, _)| *place == metric.trace.index);
        notes.extend(of_it.map(|(_, oddity)| odd(metric, oddity)));
        notes.extend(other_namespace(explanation, metric));
        notes.extend(divided_by_zero(metric));
        notes.extend(resizing(explanation, metric));
    }
    notes.extend(disabled(explanation));
    notes
}

/// Obstacles to proposed settings outside the controller.
pub(in crate::render) fn proposal_note(sides: &Sides<'_>) -> Option<ProposalNote> {
    let gates = &sides.then.snapshot().controller.feature_gates;
    Some(ProposalNote::ZeroNeedsGate {
        version: sides.zero_refused_by()?.to_owned(),
        is_gate_known: gates.contains_key("HPAScaleToZero"),
        never_wakes: sides.then.never_wakes(),
    })
}

fn odd(it: Metric<'_>, oddity: &Oddity) -> Note {
    let metric = metric::label(it.spec);
    match oddity {
        Oddity::SmallestInteger { odd, values, read_as } => {
            let read_as = Amount(*read_as, Unit::of(it));
            Note::SmallestInteger { metric, odd: *odd, values: *values, read_as }
        }
        Oddity::TooLarge { value, read_as } => {
            let read_as = Amount(*read_as, Unit::of(it));
            Note::TooLarge { metric, value: value.to_string(), read_as }
        }
        Oddity::OtherNames(names) => {
            Note::OtherNames { metric, names: names.iter().map(ToString::to_string).collect() }
        }
        Oddity::SameSeries { series, different } => {
            Note::SameSeries { metric, series: *series, different: *different }
        }
        Oddity::SamePod { pod } => Note::SamePod { metric, pod: pod.to_string() },
    }
}

/// Upstream `GetObjectMetric` leaves the name of a Namespace out.
fn other_namespace(explanation: &Explanation, metric: Metric<'_>) -> Option<Note> {
    let Source::Object { object, .. } = &metric.spec.source else { return None };
    let namespace = explanation.snapshot().hpa.key.namespace.to_string();
    let is_other = object.is_namespace() && *object.name != *namespace;
    is_other.then(|| Note::OwnNamespace { metric: metric::label(metric.spec), namespace })
}

/// At 0 replicas the average of a value is no number.
fn divided_by_zero(metric: Metric<'_>) -> Option<Note> {
    let Calculation::PerReplica(PerReplica { mean: Milli(i64::MIN), replicas, .. }) =
        metric.proposal()?.calculation
    else {
        return None;
    };
    (replicas.0 == 0).then(|| Note::DividedByZero { metric: metric::label(metric.spec) })
}

/// Containers that do not have yet what their spec requests.
fn resizing(explanation: &Explanation, metric: Metric<'_>) -> Option<Note> {
    let resource = metric.spec.source.resource()?;
    metric.spec.target.average_utilization?;
    let differs = |it: &&ResizingContainer| it.spec.get(resource) != it.actual.get(resource);
    let mut pods = explanation.pods().iter().filter(|pod| pod.resizing.iter().any(|it| differs(&it)));
    let first: &Pod = pods.next()?;
    let container = first.resizing.iter().find(differs)?;
    let amount = |it: Milli| Amount(it, Unit::of(metric));
    let pending = container.pending.as_ref().map(|why| {
        let words = ["PodResizePending".to_owned(), why.to_string()];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ")
    });
    Some(Note::Resizing {
        metric: metric::label(metric.spec),
        container: container.name.to_string(),
        pod: first.name.to_string(),
        spec: container.spec.get(resource).map(amount),
        actual: container.actual.get(resource).map(amount),
        pending,
        others: pods.count(),
    })
}

/// A direction that is disabled, and the bounds move the replicas in it.
fn disabled(explanation: &Explanation) -> Option<Note> {
    let behavior = explanation.snapshot().hpa.behavior.as_ref()?;
    let (direction, rules, field) = match explanation.decision().gate {
        Gate::AboveMax => (Direction::Down, &behavior.down, "maxReplicas"),
        Gate::BelowMin => (Direction::Up, &behavior.up, "minReplicas"),
        Gate::NoScale(_) | Gate::Unknown(_) | Gate::Disabled | Gate::Metrics | Gate::MetricsFromZero => {
            return None;
        }
    };
    (rules.select == SelectPolicy::Disabled)
        .then_some(Note::DisabledButBound { direction: Way(direction), field })
}
