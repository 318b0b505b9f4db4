//! What a metric is and what it is compared with.

use super::{GroupVersion, LabelSelector, Milli, Percent, Quantity, ResourceName};

/// `MetricIdentifier` of autoscaling/v2: a name and an optional selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetricIdentifier {
    /// The metric's name.
    pub name: Box<str>,
    /// Narrows the metric's series; `None` is sent as the empty selector.
    pub selector: Option<LabelSelector>,
    /// True if another metric of the HPA has this name, so that only the selector tells them apart.
    pub shares_name: bool,
}

/// `CrossVersionObjectReference` of autoscaling/v2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectReference {
    /// The API version, empty for the core group's old form.
    pub api_version: Box<str>,
    /// The kind.
    pub kind: Box<str>,
    /// The name in the HPA's namespace.
    pub name: Box<str>,
}

impl ObjectReference {
    /// Whether it is a Namespace: the controller reads its metrics in the HPA's own one, whatever the name (upstream
    /// `GetObjectMetric`).
    #[must_use]
    pub fn is_namespace(&self) -> bool {
        !self.api_version.contains('/') && &*self.kind == "Namespace"
    }

    /// Whether it names the same object, perhaps in another version.
    #[must_use]
    pub fn names_same(&self, other: &Self) -> bool {
        let group = |it: &Self| GroupVersion::parse(&it.api_version).ok().map(|it| it.group);
        (&self.kind, &self.name, group(self)) == (&other.kind, &other.name, group(other))
    }
}

/// Where a metric comes from: `MetricSpec.type` with the part that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Usage of one resource, all containers of a pod added up.
    Resource(ResourceName),
    /// Usage of one resource in one container of each pod.
    ContainerResource {
        /// The resource.
        resource: ResourceName,
        /// The container's name.
        container: Box<str>,
    },
    /// A custom metric of every pod.
    Pods(MetricIdentifier),
    /// A custom metric of one object.
    Object {
        /// The metric.
        metric: MetricIdentifier,
        /// The object that it describes.
        object: ObjectReference,
    },
    /// A metric that belongs to no object of the cluster.
    External(MetricIdentifier),
}

impl Source {
    /// The metric's name and selector; `None` of a resource.
    #[must_use]
    pub const fn identifier(&self) -> Option<&MetricIdentifier> {
        match self {
            Self::Pods(metric) | Self::External(metric) | Self::Object { metric, .. } => Some(metric),
            Self::Resource(_) | Self::ContainerResource { .. } => None,
        }
    }

    /// The resource that is measured, of whole pods or of a container.
    #[must_use]
    pub const fn resource(&self) -> Option<&ResourceName> {
        match self {
            Self::Resource(resource) | Self::ContainerResource { resource, .. } => Some(resource),
            Self::Pods(_) | Self::Object { .. } | Self::External(_) => None,
        }
    }

    fn identifier_mut(&mut self) -> Option<&mut MetricIdentifier> {
        match self {
            Self::Pods(metric) | Self::External(metric) | Self::Object { metric, .. } => Some(metric),
            Self::Resource(_) | Self::ContainerResource { .. } => None,
        }
    }
}

impl MetricSpec {
    /// Marks the metrics of one HPA that share a name.
    pub(crate) fn mark_shared_names(metrics: &mut [Self]) {
        let name = |it: &Self| it.source.identifier().map(|metric| metric.name.clone());
        let all: Vec<Option<Box<str>>> = metrics.iter().map(name).collect();
        for (metric, name) in metrics.iter_mut().zip(&all) {
            if let Some(identifier) = metric.source.identifier_mut() {
                identifier.shares_name = all.iter().filter(|other| *other == name).count() > 1;
            }
        }
    }
}

/// `MetricTarget.type`. Only Object metrics are decided by it; the others go by the field that is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetType {
    /// Percent of the request.
    Utilization,
    /// The metric's value as it is.
    Value,
    /// The metric divided by the pods.
    AverageValue,
}

impl TargetType {
    /// As the API writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Utilization => "Utilization",
            Self::Value => "Value",
            Self::AverageValue => "AverageValue",
        }
    }
}

/// `MetricTarget` of autoscaling/v2, with its quantities as they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The declared type.
    pub kind: TargetType,
    /// `value`.
    pub value: Option<Quantity>,
    /// `averageValue`.
    pub average_value: Option<Quantity>,
    /// `averageUtilization`, percent of the request.
    pub average_utilization: Option<Percent>,
}

impl Target {
    /// `value` in milli-units.
    #[must_use]
    pub fn value_milli(&self) -> Option<Milli> {
        self.value.as_ref().map(|value| Milli(value.milli_value()))
    }

    /// `averageValue` in milli-units.
    #[must_use]
    pub fn average_milli(&self) -> Option<Milli> {
        self.average_value.as_ref().map(|value| Milli(value.milli_value()))
    }
}

/// One entry of `spec.metrics`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetricSpec {
    /// Where the metric comes from.
    pub source: Source,
    /// What it is compared with.
    pub target: Target,
}

impl MetricSpec {
    /// Whether a workload at zero replicas can still be measured by it (upstream `hasObjectOrExternalMetrics`).
    #[must_use]
    pub fn outlives_pods(&self) -> bool {
        matches!(self.source, Source::Object { .. } | Source::External(_))
    }
}
