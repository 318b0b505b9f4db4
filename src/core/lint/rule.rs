//! The rules: one table of codes, severities and titles.

use std::fmt::{Display, Formatter, Result};

/// How much a finding hurts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing breaks.
    Info,
    /// The API server accepts it, and it hurts.
    Warning,
    /// The API server refuses it, or the HPA never works.
    Error,
}

impl Severity {
    /// All of them, the worst first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Info];

    /// As programs and flags write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

impl Display for Severity {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(self.as_str())
    }
}

/// The table: each rule with its code, its severity and its title.
macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident: $code:literal, $severity:ident, $title:literal;)*) => {
        /// What lint looks for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[$doc])* $rule,)*
        }

        impl Rule {
            /// All rules, what breaks most first.
            pub const ALL: &'static [Self] = &[$(Self::$rule,)*];

            /// The code as people and programs write it: stable.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$rule => $code,)* }
            }

            /// How much a finding of it hurts.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$rule => Severity::$severity,)* }
            }

            /// The rule in a few words.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$rule => $title,)* }
            }
        }
    };
}

rules! {
    /// The API server's own validation.
    InvalidHpa: "invalid-hpa", Error, "The API server refuses this HPA";
    /// `autoscaling/v2beta1` and `v2beta2`.
    GoneVersion: "gone-api-version", Error, "The API version is no longer served";
    /// `minReplicas: 0` with metrics of pods alone.
    ZeroWithoutMetric: "zero-without-metric", Error, "minReplicas 0 needs an Object or External metric";
    /// A target without a scale.
    TargetCannotScale: "target-cannot-scale", Error, "The target has no scale subresource";
    /// A resource that `metrics.k8s.io` does not have.
    ResourceNotMeasured: "resource-not-measured", Error, "No one measures this resource";
    /// A metric's selector that is none.
    SelectorUnreadable: "selector-unreadable", Error, "The selector of the metric cannot be parsed";
    /// `updateMode: Off` without quotes.
    VpaModeUnquoted: "vpa-mode-unquoted", Error, "updateMode is a boolean without quotes";
    /// A field that the version does not know.
    UnknownField: "unknown-field", Warning, "A field that does not exist";
    /// A key of which only the later value counts.
    DuplicateKey: "duplicate-key", Warning, "A field is set twice";
    /// An HPA that overwrites another of the same file.
    HpaTwice: "hpa-twice", Warning, "The file has the same HPA twice";
    /// A target that is not there, or in another namespace.
    TargetNotFound: "target-not-found", Warning, "The target is not there";
    /// A utilization of pods without requests.
    NoRequest: "no-request", Warning, "Containers lack the request of a utilization";
    /// A metric of a container that the template lacks.
    ContainerNotInTemplate: "container-not-in-template", Warning, "The template lacks the container of a metric";
    /// The type of a target without its value.
    TargetTypeMismatch: "target-type-mismatch", Warning, "The target's type does not match its value";
    /// A utilization that limits keep below the target.
    TargetOutOfReach: "target-out-of-reach", Warning, "The limits keep the usage too low to scale up";
    /// A target of memory in bytes.
    AlwaysAboveTarget: "always-above-target", Warning, "Every process uses more than the target";
    /// A metric that another hides.
    MetricTwice: "metric-twice", Warning, "The same metric stands twice";
    /// A tolerance that is typed as percent.
    ToleranceTooWide: "tolerance-too-wide", Warning, "The tolerance is as large as the target";
    /// Percentages of zero replicas.
    StuckAtZero: "stuck-at-zero", Warning, "The scale-up policies allow no pod at 0 replicas";
    /// `minReplicas: 0` with a metric of memory.
    MemoryKeepsOne: "memory-keeps-one", Warning, "A memory metric never scales to zero";
    /// `selectPolicy: Disabled` for scaling up.
    ScaleUpOff: "scale-up-off", Warning, "The HPA never scales up";
    /// A stabilization window of the way up that is long.
    SlowScaleUp: "slow-scale-up", Warning, "A rise of the load is followed late";
    /// A PodDisruptionBudget that holds at the minimum.
    PdbBlocksDrain: "pdb-blocks-drain", Warning, "At minReplicas a PDB lets no pod be evicted";
    /// Two HPAs of one target.
    SharedTarget: "shared-target", Warning, "Two HPAs scale the same target";
    /// Two HPAs whose targets select the same pods.
    SharedPods: "shared-pods", Warning, "Two HPAs select the same pods";
    /// An Object metric of a Namespace that is not the HPA's.
    OtherNamespace: "other-namespace", Warning, "The metric of another namespace is never read";
    /// Pods of other workloads.
    SelectsOtherPods: "selects-other-pods", Warning, "The selector matches pods of another workload";
    /// `spec.replicas` in a manifest.
    ReplicasInManifest: "replicas-in-manifest", Warning, "The manifest sets replicas that an HPA owns";
    /// A VerticalPodAutoscaler of the same resource.
    VpaSameResource: "vpa-same-resource", Warning, "A VPA changes the requests of the utilization";
    /// An HPA that KEDA makes.
    KedaOwnsHpa: "keda-owns-hpa", Warning, "KEDA makes and overwrites this HPA";
    /// A metric that no adapter has.
    MetricNotOffered: "metric-not-offered", Warning, "No adapter offers this metric";
    /// More pods than the namespace may have.
    MaxBeyondQuota: "max-beyond-quota", Warning, "A quota allows fewer pods than maxReplicas";
    /// One possible count.
    MinIsMax: "min-is-max", Warning, "minReplicas and maxReplicas are the same";
    /// An ignore annotation that says too little.
    IgnoreNeedsReason: "ignore-needs-reason", Warning, "lint-ignore needs a rule and a reason";
    /// `minReplicas: 0` before 1.37.
    ZeroNeedsGate: "zero-needs-gate", Info, "minReplicas 0 needs 1.37 or a feature gate";
    /// A total against a Value target.
    ValueMultiplies: "value-multiplies", Info, "A Value target multiplies the replicas";
    /// Sidecars in the mean.
    SidecarsCount: "sidecars-count", Info, "The utilization counts the sidecars, too";
    /// `selectPolicy: Disabled`.
    ScaleDownOff: "scale-down-off", Info, "The HPA never scales down";
    /// More pods than all nodes can take.
    MaxBeyondNodes: "max-beyond-nodes", Info, "The nodes have no room for maxReplicas";
    /// A request that has nothing to do with the use.
    RequestFarFromUse: "request-far-from-use", Info, "The request is far from the usage";
    /// A long way down.
    SlowScaleDown: "slow-scale-down", Info, "Scaling down takes more than an hour";
    /// A percentage that is one pod at every count.
    PercentIsOnePod: "percent-is-one-pod", Info, "The percentage is always one pod";
    /// Policies that another always outdoes.
    PolicyNeverDecides: "policy-never-decides", Info, "Another policy always decides";
    /// A window of 0 on the way down.
    NoScaleDownWindow: "no-scale-down-window", Info, "The replicas fall without a stabilization window";
    /// Defaults, written out.
    DefaultBehavior: "default-behavior", Info, "The behavior is the default, written out";
}

impl Rule {
    /// The rule of a code.
    #[must_use]
    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.as_str() == code)
    }
}

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(self.as_str())
    }
}
