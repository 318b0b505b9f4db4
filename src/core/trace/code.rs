//! Every branch of the algorithm has a code: stable, kebab-case, the key to its long text.

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal,)+) => {
        /// A branch of the algorithm.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Code {
            /// All codes, in the order of the algorithm.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The code as people and programs write it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}

codes! {
    /// `scaleTargetRef.apiVersion` is invalid.
    ApiVersionInvalid = "api-version-invalid",
    /// The API knows no such kind.
    KindUnknown = "kind-unknown",
    /// The scale subresource cannot be read.
    ScaleUnreadable = "scale-unreadable",
    /// Zero replicas, and not the HPA's own zero.
    ScalingDisabled = "scaling-disabled",
    /// More replicas than `maxReplicas`.
    AboveMax = "above-max",
    /// Fewer replicas than `minReplicas`.
    BelowMin = "below-min",
    /// Between the bounds: metrics decide.
    WithinBounds = "within-bounds",
    /// The HPA's own zero: metrics decide.
    OwnZero = "own-zero",

    /// The scale has no selector.
    SelectorMissing = "selector-missing",
    /// The selector cannot be parsed.
    SelectorInvalid = "selector-invalid",
    /// The controller cannot list pods.
    PodsUnlisted = "pods-unlisted",
    /// Other HPAs select the same pods.
    SelectorAmbiguous = "selector-ambiguous",

    /// The pod is being deleted.
    PodDeleting = "pod-deleting",
    /// The pod failed.
    PodFailed = "pod-failed",
    /// The pod is pending.
    PodPending = "pod-pending",
    /// The metrics API returned nothing for the pod.
    PodNoSample = "pod-no-sample",
    /// The pod's sample lacks the resource or the container.
    PodNoSuchUsage = "pod-no-such-usage",
    /// cpu: the pod has no Ready condition.
    PodNoReadyCondition = "pod-no-ready-condition",
    /// cpu: the pod has no start time.
    PodNoStartTime = "pod-no-start-time",
    /// cpu: not ready in its initialization period.
    PodInitializing = "pod-initializing",
    /// cpu: the sample reaches back before the pod became ready.
    PodSampleTooEarly = "pod-sample-too-early",
    /// cpu: it has never been ready.
    PodNeverReady = "pod-never-ready",
    /// It has a sample, and nothing else is required.
    PodHasSample = "pod-has-sample",
    /// cpu: ready within its initialization period, with a sample since.
    PodSettledEarly = "pod-settled-early",
    /// cpu: past its initialization period.
    PodSettled = "pod-settled",
    /// cpu: not ready now, but it was once.
    PodWasReadyOnce = "pod-was-ready-once",
    /// A sample of a pod that is not among the selected ones.
    PodForeign = "pod-foreign",

    /// A metrics API answered with an error.
    MetricsApiError = "metrics-api-error",
    /// A metrics API answered with an empty list.
    NoSamples = "no-samples",
    /// An object's metric does not have exactly one value.
    NotOneValue = "not-one-value",
    /// The selector matches no pod.
    NoPods = "no-pods",
    /// The selector matches no pod whose readiness could be counted.
    NoPodsToCount = "no-pods-to-count",
    /// A sample lacks the container, and the metric fails.
    UnmeasuredContainer = "unmeasured-container",
    /// ContainerResource metrics are switched off.
    ContainerMetricsOff = "container-metrics-off",
    /// The controller crashes.
    ControllerCrash = "controller-crash",
    /// No sample is left to count.
    NoUsableSamples = "no-usable-samples",
    /// A container has no request.
    MissingRequest = "missing-request",
    /// A pod with pod-level requests has none for this resource.
    MissingPodRequest = "missing-pod-request",
    /// A pod has no container of this name.
    NoSuchContainer = "no-such-container",
    /// The requests behind the samples add up to zero.
    NoKnownPods = "no-known-pods",
    /// The target sets none of the fields that the source needs.
    NoTarget = "no-target",
    /// The metric's selector is invalid.
    MetricSelectorInvalid = "metric-selector-invalid",
    /// What the controller read is not known here.
    Unread = "unread",

    /// Utilization over the target.
    UtilizationAboveTarget = "utilization-above-target",
    /// Utilization exactly at the target.
    UtilizationAtTarget = "utilization-at-target",
    /// Utilization under the target.
    UtilizationBelowTarget = "utilization-below-target",
    /// A value over the target.
    ValueAboveTarget = "value-above-target",
    /// A value exactly at the target.
    ValueAtTarget = "value-at-target",
    /// A value under the target.
    ValueBelowTarget = "value-below-target",

    /// When scaling up, a missing pod counts as 0.
    MissingPodsAssumedIdle = "missing-pods-assumed-idle",
    /// When scaling down, a missing pod counts as its whole request, or the target if that is higher.
    MissingPodsAssumedFull = "missing-pods-assumed-full",
    /// When scaling down, a missing pod counts as the target.
    MissingPodsAssumedAtTarget = "missing-pods-assumed-at-target",
    /// At a ratio of exactly 1 missing pods are left out.
    MissingPodsLeftOut = "missing-pods-left-out",
    /// When scaling up, an unready pod counts as 0.
    UnreadyPodsAssumedIdle = "unready-pods-assumed-idle",

    /// The ratio is within the tolerance.
    WithinTolerance = "within-tolerance",
    /// The second ratio points the other way than the first.
    DirectionFlip = "direction-flip",
    /// The number of pods points the other way than the ratio.
    CountFlip = "count-flip",
    /// The ratio is multiplied by the ready pods.
    ReadyPodsMultiplied = "ready-pods-multiplied",
    /// The ratio is multiplied by all pods that have a sample or an assumed one.
    SampledPodsMultiplied = "sampled-pods-multiplied",
    /// From zero replicas the ratio is the proposal.
    RatioFromZero = "ratio-from-zero",
    /// The value is divided by the target per replica.
    DividedByTarget = "divided-by-target",

    /// The only metric.
    OnlyMetric = "only-metric",
    /// The highest proposal wins.
    HighestProposalWins = "highest-proposal-wins",
    /// Some metric is invalid; the others may still scale up.
    InvalidMetricAllowsUp = "invalid-metric-allows-up",
    /// Some metric is invalid, and the others would scale down.
    InvalidMetricBlocksDown = "invalid-metric-blocks-down",
    /// Every metric is invalid.
    AllMetricsInvalid = "all-metrics-invalid",

    /// No recommendation of the window changes the new one.
    NotStabilized = "not-stabilized",
    /// A higher recommendation of the window holds.
    ScaleDownStabilized = "scale-down-stabilized",
    /// A lower recommendation of the window holds.
    ScaleUpStabilized = "scale-up-stabilized",
    /// The effect of the window, the rates and the bounds hangs on a memory that is not known.
    MemoryUnknown = "memory-unknown",

    /// No limit applies.
    WithinRange = "within-range",
    /// The scale-up rate limits.
    ScaleUpLimit = "scale-up-limit",
    /// The scale-down rate limits.
    ScaleDownLimit = "scale-down-limit",
    /// `selectPolicy: Disabled` when scaling up.
    ScaleUpDisabled = "scale-up-disabled",
    /// `selectPolicy: Disabled` when scaling down.
    ScaleDownDisabled = "scale-down-disabled",
    /// `maxReplicas` limits.
    TooManyReplicas = "too-many-replicas",
    /// `minReplicas` limits.
    TooFewReplicas = "too-few-replicas",
    /// From the HPA's own zero straight to `minReplicas`.
    RaisedToMin = "raised-to-min",

    /// The replicas stay.
    Unchanged = "unchanged",
    /// The replicas rise.
    ScaledUp = "scaled-up",
    /// The replicas fall.
    ScaledDown = "scaled-down",
    /// The scale could not be written.
    RescaleFailed = "rescale-failed",
}

impl std::fmt::Display for Code {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}
