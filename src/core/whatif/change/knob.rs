//! What can be changed.

/// What can be changed, in the order in which it is.
///
/// A metric of the spec is called by its resource or metric name, or by its full name where several have that one:
/// `CONTAINER/RESOURCE`, `METRIC@KIND/OBJECT`. Where the spec has no metrics, it has the one that the API server puts
/// there. `metadata.generation` stays, though an API server would raise it with the spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Knob {
    /// A metric is taken out of the spec, the only one where another is added: `NAME`.
    RemoveMetric,
    /// A metric is added at the end of the spec's: `cpu=60`, `memory=500Mi`, or a `MetricSpec` in JSON.
    AddMetric,
    /// Every Resource metric becomes a ContainerResource metric of one container: `CONTAINER`.
    Container,
    /// The value of a target that the controller compares with, whatever the target's type says: `80` for the one
    /// utilization, else `NAME=VALUE`. Only of an Object metric the type tells which: `value`, or `averageValue`.
    Target,
    /// `spec.minReplicas`.
    Min,
    /// `spec.maxReplicas`.
    Max,
    /// `spec.behavior.scaleUp`: `Percent=10/60s,Pods=4/60s,select=Min,window=300s,tolerance=0.05`, or `disabled`. Any
    /// policies stand in the place of all that were written; what is not named stays.
    ScaleUp,
    /// `spec.behavior.scaleDown`, in the same form.
    ScaleDown,
    /// The replicas of the target, in its spec and status. The pods stay as they are.
    Replicas,
    /// Pods that the target selects: `NAME=STATE`, `+N STATE`, `-N`, from left to right with commas between them. `+N`
    /// copies the first that is Running, else the first, with its samples, to the end; `-N` takes from the end.
    ///
    /// A state sets: `ready` – Running, started and Ready an hour ago, not being deleted; `not-ready` – Running, not
    /// Ready since now; `starting` – Running, started now, not Ready since now; `pending` – Pending, neither start nor
    /// conditions nor samples; `no-sample` – no samples; `median-sample` – for each sample that it lacks the median of the
    /// others'; `failed` – the phase; `deleting` – deleted now; `gone` – the pod
    /// and its samples are left out. All else of the pod stays.
    Pods,
    /// Pods that are not the target's own by their controlling owner are left out, with their samples.
    OnlyOwnPods,
    /// What a container of every pod that the target selects requests: `cpu=500m` where they have one container in all
    /// (init containers that run on included), or `CONTAINER/cpu=500m`.
    Request,
    /// What every pod uses. `NAME=VALUE` of Pods metrics sets every sample; `cpu=150m` sets the sum of every pod sample,
    /// its containers keeping their proportions; `cpu=90%` sets every measured container of the pods that the target
    /// selects to a share of its own request. Parts are rounded up to a milli-unit. `cpu@POD=150m` is of some of the target's
    /// pods, in whose name `*` is any text.
    Usage,
    /// The value of Object and External metrics: `NAME=VALUE`. It stands in the place of all values, or of the error.
    Metric,
    /// All usage and all metrics at once: `+50%`, `-20%`, `2x`, `150%`, each rounded up to a milli-unit.
    Load,
    /// The controller has just been restarted: it remembers nothing, and that is known.
    NoMemory,
}

impl Knob {
    /// Every knob, in order.
    pub const ALL: [Self; 16] = [
        Self::RemoveMetric,
        Self::AddMetric,
        Self::Container,
        Self::Target,
        Self::Min,
        Self::Max,
        Self::ScaleUp,
        Self::ScaleDown,
        Self::Replicas,
        Self::Pods,
        Self::OnlyOwnPods,
        Self::Request,
        Self::Usage,
        Self::Metric,
        Self::Load,
        Self::NoMemory,
    ];

    /// The flag that turns it.
    #[must_use]
    pub const fn flag(self) -> &'static str {
        match self {
            Self::RemoveMetric => "--remove-metric",
            Self::AddMetric => "--add-metric",
            Self::Container => "--container",
            Self::Target => "--target",
            Self::Min => "--min",
            Self::Max => "--max",
            Self::ScaleUp => "--scale-up",
            Self::ScaleDown => "--scale-down",
            Self::Replicas => "--replicas",
            Self::Pods => "--pods",
            Self::OnlyOwnPods => "--only-own-pods",
            Self::Request => "--request",
            Self::Usage => "--usage",
            Self::Metric => "--metric",
            Self::Load => "--load",
            Self::NoMemory => "--no-memory",
        }
    }

    /// Whether it changes the HPA itself, and so which metrics are asked for.
    #[must_use]
    pub fn is_of_hpa(self) -> bool {
        self <= Self::ScaleDown
    }
}
