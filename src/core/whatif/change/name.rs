//! What the metrics of a spec are called on a command line.

use super::Problem;
use crate::api::{MetricIdentifier, MetricSpec, MetricTarget, ObjectReference};
use crate::model::{LabelSelector, Selector, SelectorError};

/// A metric's short name: of the resource, or of the metric.
pub(super) fn short(metric: &MetricSpec) -> &str {
    let name = match metric.kind.as_str() {
        "Resource" => metric.resource.as_ref().map(|it| &it.name),
        "ContainerResource" => metric.container_resource.as_ref().map(|it| &it.name),
        "Pods" => metric.pods.as_ref().map(|it| &it.metric.name),
        "Object" => metric.object.as_ref().map(|it| &it.metric.name),
        "External" => metric.external.as_ref().map(|it| &it.metric.name),
        _ => None,
    };
    name.map_or("", String::as_str)
}

/// All of a metric's name: `cpu`, `app/cpu`, `queue{region=eu}`, `rps{verb=GET}@Service/web`.
pub(super) fn full(metric: &MetricSpec) -> String {
    let name = short(metric);
    if let Some(it) = metric.container_resource.as_ref().filter(|_| metric.kind == "ContainerResource") {
        return format!("{}/{name}", it.container);
    }
    let Some((identifier, object)) = identity(metric) else { return name.to_owned() };
    let selector = match identifier.queried_selector() {
        Some(selector) if !selector.is_empty() => format!("{{{selector}}}"),
        _ => String::new(),
    };
    let object = object.map_or_else(String::new, |it| format!("@{}/{}", it.kind, it.name));
    format!("{name}{selector}{object}")
}

/// What a metric that is none of a resource is asked for by.
fn identity(metric: &MetricSpec) -> Option<(&MetricIdentifier, Option<&ObjectReference>)> {
    match metric.kind.as_str() {
        "Pods" => metric.pods.as_ref().map(|it| (&it.metric, None)),
        "Object" => metric.object.as_ref().map(|it| (&it.metric, Some(&it.described_object))),
        "External" => metric.external.as_ref().map(|it| (&it.metric, None)),
        _ => None,
    }
}

/// A metric's name as it is typed; what is not typed of it may be anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TypedName<'a> {
    /// `cpu`, `app/cpu`, `queue`.
    pub name: &'a str,
    /// `{region=eu}`; an empty one is typed as `{}`.
    selector: Option<Selector>,
    /// `@Service/web`; in the place of an object `--usage` has a pod.
    object: Option<&'a str>,
}

impl<'a> TypedName<'a> {
    /// `NAME`, `NAME{SELECTOR}`, `NAME@KIND/OBJECT`, `NAME{SELECTOR}@KIND/OBJECT`.
    pub fn read(text: &'a str) -> Result<Self, Problem> {
        let wrong = || Problem::NotAMetricName(text.to_owned());
        let Some((name, rest)) = text.split_once('{') else {
            let (name, object) = text.split_once('@').map_or((text, None), |(name, it)| (name, Some(it)));
            return Ok(Self { name, selector: None, object });
        };
        let (selector, after) = rest.split_once('}').ok_or_else(wrong)?;
        let object = match after.trim() {
            "" => None,
            after => Some(after.strip_prefix('@').ok_or_else(wrong)?),
        };
        Ok(Self { name: name.trim_end(), selector: Some(Selector::parse(selector)?), object })
    }

    /// The metric of pods, and a pod's name in the place of an object.
    pub fn of_pods(self) -> (Self, Option<&'a str>) {
        let pod = self.object;
        (Self { object: None, ..self }, pod)
    }

    /// Whether a metric of the spec can be meant.
    pub fn means(&self, metric: &MetricSpec) -> bool {
        match identity(metric) {
            Some((identifier, object)) => self.means_query(identifier, object),
            None => !self.is_of_a_query() && [short(metric), &full(metric)].contains(&self.name),
        }
    }

    /// Whether a metric can be meant that is asked for by a name.
    pub fn means_query(&self, metric: &MetricIdentifier, object: Option<&ObjectReference>) -> bool {
        self.name == metric.name
            && self.object.is_none_or(|typed| object.is_some_and(|it| typed == reference(it)))
            && self.selector.as_ref().is_none_or(|typed| selects_alike(typed, metric))
    }

    /// Whether it is all of the metric's name.
    fn is_whole(&self, metric: &MetricSpec) -> bool {
        let Some((identifier, object)) = identity(metric) else {
            return !self.is_of_a_query() && self.name == full(metric);
        };
        let selector = self.selector.clone().unwrap_or_else(Selector::everything);
        self.name == identifier.name
            && self.object.map(str::to_owned) == object.map(reference)
            && selects_alike(&selector, identifier)
    }

    /// A resource has neither selector nor object; an empty selector is as good as none.
    fn is_of_a_query(&self) -> bool {
        self.object.is_some() || self.selector.as_ref().is_some_and(|it| !it.is_everything())
    }
}

fn reference(object: &ObjectReference) -> String {
    format!("{}/{}", object.kind, object.name)
}

/// Whether a metric's selector asks for the same as a typed one; an invalid one asks for nothing.
fn selects_alike(typed: &Selector, metric: &MetricIdentifier) -> bool {
    selector(metric).is_ok_and(|written| written.is_alike(typed))
}

fn selector(metric: &MetricIdentifier) -> Result<Selector, SelectorError> {
    metric.selector.as_ref().map_or_else(|| Ok(Selector::everything()), LabelSelector::to_selector)
}

/// Whether two metrics have the same name, however their selectors are written.
pub(super) fn is_same(one: &MetricSpec, other: &MetricSpec) -> bool {
    let selector =
        |metric| identity(metric).map_or(Ok(Selector::everything()), |(identifier, _)| selector(identifier));
    let is_alike = match (selector(one), selector(other)) {
        (Ok(one), Ok(other)) => one.is_alike(&other),
        (one, other) => one == other,
    };
    let bare = |metric| {
        let name = full(metric);
        let object = identity(metric).and_then(|(_, object)| object).map(reference);
        (name.split_once('{').map_or(name.clone(), |(name, _)| name.to_owned()), object)
    };
    is_alike && bare(one) == bare(other)
}

/// The target of a metric.
pub(super) fn target(metric: &mut MetricSpec) -> Option<&mut MetricTarget> {
    match metric.kind.as_str() {
        "Resource" => metric.resource.as_mut().map(|it| &mut it.target),
        "ContainerResource" => metric.container_resource.as_mut().map(|it| &mut it.target),
        "Pods" => metric.pods.as_mut().map(|it| &mut it.target),
        "Object" => metric.object.as_mut().map(|it| &mut it.target),
        "External" => metric.external.as_mut().map(|it| &mut it.target),
        _ => None,
    }
}

/// The place of the one metric that a typed name means. One whose whole name it is goes before others.
pub(super) fn find(metrics: &[MetricSpec], text: &str) -> Result<usize, Problem> {
    let typed = TypedName::read(text)?;
    let places = |is_meant: &dyn Fn(&MetricSpec) -> bool| -> Vec<usize> {
        (0..metrics.len()).filter(|place| is_meant(&metrics[*place])).collect()
    };
    let whole = places(&|metric| typed.is_whole(metric));
    let meant = if whole.is_empty() { places(&|metric| typed.means(metric)) } else { whole };
    match meant.as_slice() {
        [only] => Ok(*only),
        [] => Err(Problem::NoSuchMetric(text.to_owned(), list(metrics))),
        _ => Err(Problem::SeveralMetrics(text.to_owned(), list(metrics))),
    }
}

/// All names, for an error.
pub(super) fn list(metrics: &[MetricSpec]) -> String {
    metrics.iter().map(full).collect::<Vec<_>>().join(", ")
}

/// What each metric is called: its short name, or its full one where several have that.
#[must_use]
pub fn metric_names(metrics: &[MetricSpec]) -> Vec<String> {
    let is_shared = |name: &str| metrics.iter().filter(|metric| short(metric) == name).count() > 1;
    let name = |metric| if is_shared(short(metric)) { full(metric) } else { short(metric).to_owned() };
    metrics.iter().map(name).collect()
}
