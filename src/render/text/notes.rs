//! What the controller does not look at and a reader should know of: odd answers of adapters, resizes that are not done,
//! fields that do not do what their names promise.

use crate::render::page::{Page, Role};
use crate::render::phrases::metric;
use crate::render::units::{Unit, count, few};
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::{Milli, SelectPolicy, Source};
use kubectl_hpa_core::snapshot::{Oddity, Pod, ResizingContainer};
use kubectl_hpa_core::trace::{Calculation, Direction, Gate, PerReplica};

/// The most pods and the most names that are told.
const MOST: usize = 3;

pub(super) fn section(page: &mut Page, explanation: &Explanation) {
    let mut notes: Vec<String> = Vec::new();
    for metric in explanation.metrics() {
        let of_it = explanation.snapshot().oddities.iter().filter(|(place, _)| *place == metric.trace.index);
        notes.extend(of_it.map(|(_, oddity)| odd(metric, oddity)));
        notes.extend(other_namespace(explanation, metric));
        notes.extend(divided_by_zero(metric));
        notes.extend(resizing(explanation, metric));
    }
    notes.extend(disabled(explanation));
    for note in notes {
        page.note("Note", Role::Plain, &note);
    }
}

fn odd(metric: Metric<'_>, oddity: &Oddity) -> String {
    let name = metric::label(metric.spec);
    match oddity {
        Oddity::SmallestInteger { odd, values, read_as } => {
            let (are, each) = if *odd == 1 { ("is", "it") } else { ("are", "each") };
            let read_as = Unit::of(metric).human(*read_as);
            format!(
                "{name}: {odd} of {} {are} the smallest int64, which is usually what an adapter makes of NaN. The controller reads {each} as {read_as}",
                count(*values, "value")
            )
        }
        Oddity::OtherNames(names) => {
            format!(
                "{name}: the API answers with the metric {}, and the controller takes it",
                few(names, MOST)
            )
        }
        Oddity::SameSeries { series, different } => format!(
            "{name}: the answer has {series} series, but only {different} different {} of name and labels. The controller adds all of them",
            if *different == 1 { "combination" } else { "combinations" }
        ),
        Oddity::SamePod { pod } => {
            format!("{name}: the API answers with several values for pod {pod}, and the last one counts")
        }
    }
}

/// Upstream `GetObjectMetric` leaves the name of a Namespace out.
fn other_namespace(explanation: &Explanation, metric: Metric<'_>) -> Option<String> {
    let Source::Object { object, .. } = &metric.spec.source else { return None };
    let own = &explanation.snapshot().hpa.key.namespace;
    let name = &object.name;
    (object.is_namespace() && name != own).then(|| {
        format!(
            "{}: this is the value of namespace {own}. The controller asks for its HPA's own namespace, whatever describedObject.name says",
            metric::label(metric.spec)
        )
    })
}

/// At 0 replicas the average of a value is no number.
fn divided_by_zero(metric: Metric<'_>) -> Option<String> {
    let Calculation::PerReplica(PerReplica { mean: Milli(i64::MIN), replicas, .. }) =
        metric.proposal()?.calculation
    else {
        return None;
    };
    (replicas.0 == 0).then(|| {
        format!(
            "{}: the status and kubectl get hpa show -9223372036854775808m, the smallest int64, as the controller divides by 0 replicas",
            metric::label(metric.spec)
        )
    })
}

/// Containers that do not have yet what their spec requests.
fn resizing(explanation: &Explanation, metric: Metric<'_>) -> Option<String> {
    let resource = match &metric.spec.source {
        Source::Resource(resource) | Source::ContainerResource { resource, .. } => resource,
        Source::Pods(_) | Source::Object { .. } | Source::External(_) => return None,
    };
    metric.spec.target.average_utilization?;
    let differs = |it: &&ResizingContainer| it.spec.get(resource) != it.actual.get(resource);
    let mut pods = explanation.pods().iter().filter(|pod| pod.resizing.iter().any(|it| differs(&it)));
    let first: &Pod = pods.next()?;
    let container = first.resizing.iter().find(differs)?;
    let unit = Unit::of(metric);
    let amount = |it: Option<Milli>| it.map_or_else(|| "none".to_owned(), |it| unit.human(it));
    let why = container.pending.as_ref().map_or_else(String::new, |why| {
        let words = ["PodResizePending".to_owned(), why.to_string()];
        let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
        format!(" ({})", words.join(", "))
    });
    let others = match pods.count() {
        0 => String::new(),
        1 => "; so does 1 other pod".to_owned(),
        more => format!("; so do {more} other pods"),
    };
    Some(format!(
        "{}: container {} of pod {} requests {} and still has {}{why}{others}. The controller divides by what is requested",
        metric::label(metric.spec),
        container.name,
        first.name,
        amount(container.spec.get(resource)),
        amount(container.actual.get(resource)),
    ))
}

/// A direction that is disabled, and the bounds move the replicas in it.
fn disabled(explanation: &Explanation) -> Option<String> {
    let behavior = explanation.snapshot().hpa.behavior.as_ref()?;
    let (direction, rules, bound) = match explanation.decision().gate {
        Gate::AboveMax => (Direction::Down, &behavior.down, "maxReplicas"),
        Gate::BelowMin => (Direction::Up, &behavior.up, "minReplicas"),
        Gate::NoScale(_) | Gate::Unknown(_) | Gate::Disabled | Gate::Metrics | Gate::MetricsFromZero => {
            return None;
        }
    };
    let field = ["spec.behavior", direction.field()].join(".");
    (rules.select == SelectPolicy::Disabled).then(|| {
        format!("{field} is Disabled, but that does not protect from {bound}: the bounds come first")
    })
}
