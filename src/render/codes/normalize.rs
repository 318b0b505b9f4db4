//! Codes of what becomes of the proposals: the choice, the window, the rates and bounds.

use super::text::{Entry, VERSIONS};

pub(super) const ONLY_METRIC: Entry = Entry {
    title: "The only metric",
    text: "There is one metric, so its proposal is used.",
    upstream: &["computeReplicasForMetrics"],
    versions: VERSIONS,
};

pub(super) const HIGHEST_PROPOSAL_WINS: Entry = Entry {
    title: "The highest proposal wins",
    text: "Each metric proposes replicas, and the highest proposal wins; of equal ones the first in spec.metrics, or the last if all want 0. So one busy metric keeps the replicas up, however idle the others are.",
    upstream: &["computeReplicasForMetrics"],
    versions: VERSIONS,
};

pub(super) const INVALID_METRIC_ALLOWS_UP: Entry = Entry {
    title: "A metric failed; the others may still scale up",
    text: "At least one metric failed, and the highest of the other proposals is not below the current replicas. The failed metric might have wanted even more, but never less, so it is safe to scale up or to stay.\n\
           The failed metric still emits its event, and the controller logs an error.",
    upstream: &["computeReplicasForMetrics"],
    versions: VERSIONS,
};

pub(super) const INVALID_METRIC_BLOCKS_DOWN: Entry = Entry {
    title: "A metric failed; that blocks the scale-down",
    text: "At least one metric failed, and the others would scale down. The failed metric might be the one that needs the replicas, so the controller keeps the replicas and reports ScalingActive=False with that metric's reason.\n\
           Fix the metric, or remove it from spec.metrics if nobody needs it.",
    upstream: &["computeReplicasForMetrics"],
    versions: VERSIONS,
};

pub(super) const ALL_METRICS_INVALID: Entry = Entry {
    title: "Every metric failed",
    text: "No metric gives a proposal, so the replicas stay; the status keeps its old desiredReplicas. ScalingActive=False shows the reason of the first metric that failed, and the event FailedComputeMetricsReplicas the error.",
    upstream: &["computeReplicasForMetrics", "getUnableComputeReplicaCountCondition"],
    versions: VERSIONS,
};

pub(super) const NOT_STABILIZED: Entry = Entry {
    title: "No earlier recommendation counts",
    text: "No recommendation of the stabilization window changes the new one, so it is used as it is. The controller remembers it for later syncs.",
    upstream: &["stabilizeRecommendation", "stabilizeRecommendationWithBehaviors"],
    versions: VERSIONS,
};

pub(super) const MEMORY_UNKNOWN: Entry = Entry {
    title: "The memory decides, and it is not known",
    text: "The controller keeps recommendations and its own rescales in memory, and no API shows them. From what is known of them here, a recommendation of the window may or may not count, or one or another rate or bound may apply. The replicas can be known all the same, if every possible memory leads to the same decision.\n\
           kubectl hpa explain --watch observes the syncs, and so learns what the controller remembers.",
    upstream: &[
        "stabilizeRecommendation",
        "stabilizeRecommendationWithBehaviors",
        "calculateScaleUpLimitWithScalingRules",
        "calculateScaleDownLimitWithBehaviors",
    ],
    versions: VERSIONS,
};

pub(super) const SCALE_DOWN_STABILIZED: Entry = Entry {
    title: "A higher recommendation of the window counts",
    text: "The window is not a timer: at each sync the controller takes the highest recommendation of the last 5 minutes (--horizontal-pod-autoscaler-downscale-stabilization, or spec.behavior.scaleDown.stabilizationWindowSeconds). The replicas fall as old, higher recommendations leave the window; the screen shows when.\n\
           Without spec.behavior that maximum can even be above the current replicas: then the controller scales up.\n\
           The recommendations are kept in the controller's memory and are lost when it restarts.",
    upstream: &["stabilizeRecommendation", "stabilizeRecommendationWithBehaviors"],
    versions: VERSIONS,
};

pub(super) const SCALE_UP_STABILIZED: Entry = Entry {
    title: "A lower recommendation of the window counts",
    text: "spec.behavior.scaleUp.stabilizationWindowSeconds is set, and the lowest recommendation of that window is below the new one. The replicas rise once every recommendation of the window is higher.\n\
           After a restart of the controller the current replicas are the first recommendation of the window, which delays a scale-up by a whole window.",
    upstream: &["stabilizeRecommendationWithBehaviors"],
    versions: VERSIONS,
};

pub(super) const WITHIN_RANGE: Entry = Entry {
    title: "No limit applies",
    text: "The result of the window is between minReplicas and maxReplicas and within what the rates allow.",
    upstream: &["convertDesiredReplicasWithRules", "convertDesiredReplicasWithBehaviorRate"],
    versions: VERSIONS,
};

pub(super) const SCALE_UP_LIMIT: Entry = Entry {
    title: "The scale-up rate limits",
    text: "The metrics want more than one step may add. Without spec.behavior the replicas at most double in one sync, or reach 4 if that is more. With it, the policies of scaleUp decide: 4 pods or 100% in 15 seconds, whichever is more, unless they are set differently, minus what was added within their periods.\n\
           The rest follows in the next syncs, if the metrics still want it.",
    upstream: &["calculateScaleUpLimit", "calculateScaleUpLimitWithScalingRules"],
    versions: VERSIONS,
};

pub(super) const SCALE_DOWN_LIMIT: Entry = Entry {
    title: "The scale-down rate limits",
    text: "The metrics want fewer than one step allows. The policies of spec.behavior.scaleDown say how many pods, or what percentage of those at the start of the period, may be removed in each period; what was already removed within the period counts.\n\
           The result is truncated to whole pods: 10% of 7 gives 6 (7 × 0.9 = 6.3).",
    upstream: &["calculateScaleDownLimitWithBehaviors"],
    versions: VERSIONS,
};

pub(super) const SCALE_UP_DISABLED: Entry = Entry {
    title: "Scale-up is disabled",
    text: "spec.behavior.scaleUp.selectPolicy is Disabled: the metrics want more, and the replicas stay.",
    upstream: &["calculateScaleUpLimitWithScalingRules"],
    versions: VERSIONS,
};

pub(super) const SCALE_DOWN_DISABLED: Entry = Entry {
    title: "Scale-down is disabled",
    text: "spec.behavior.scaleDown.selectPolicy is Disabled: fewer replicas would be enough, and the replicas stay.",
    upstream: &["calculateScaleDownLimitWithBehaviors"],
    versions: VERSIONS,
};

pub(super) const TOO_MANY_REPLICAS: Entry = Entry {
    title: "maxReplicas limits",
    text: "The metrics want more than spec.maxReplicas, which caps the replicas: ScalingLimited=True, reason TooManyReplicas.\n\
           If they stay there, the workload may be short of replicas: raise maxReplicas, or find out where the load comes from.",
    upstream: &["convertDesiredReplicasWithRules", "convertDesiredReplicasWithBehaviorRate"],
    versions: VERSIONS,
};

pub(super) const TOO_FEW_REPLICAS: Entry = Entry {
    title: "minReplicas limits",
    text: "The metrics want less than spec.minReplicas, so the replicas stay there: ScalingLimited=True, reason TooFewReplicas. For a workload with little to do this is normal, whatever the condition's name suggests.",
    upstream: &["convertDesiredReplicasWithRules", "convertDesiredReplicasWithBehaviorRate"],
    versions: VERSIONS,
};

pub(super) const RAISED_TO_MIN: Entry = Entry {
    title: "From the HPA's own zero straight to minReplicas",
    text: "The HPA scaled the target to 0 itself, and minReplicas has since been raised above 0. The replicas go to minReplicas at once, whatever the rates allow.",
    upstream: &["reconcileAutoscaler"],
    versions: "1.36, 1.37, with the gate HPAScaleToZero (default since 1.37)",
};

pub(super) const UNCHANGED: Entry = Entry {
    title: "The replicas stay",
    text: "The decision is the current replicas, so the controller does not write the scale. It writes the status if anything in it changed.",
    upstream: &["reconcileAutoscaler"],
    versions: VERSIONS,
};

pub(super) const SCALED_UP: Entry = Entry {
    title: "The replicas rise",
    text: "The controller writes the new replicas into the target's scale, emits SuccessfulRescale with the metric that won, and sets lastScaleTime.",
    upstream: &["reconcileAutoscaler"],
    versions: VERSIONS,
};

pub(super) const SCALED_DOWN: Entry = Entry {
    title: "The replicas fall",
    text: "The controller writes the new replicas into the target's scale, emits SuccessfulRescale (\"All metrics below target\"), and sets lastScaleTime.",
    upstream: &["reconcileAutoscaler"],
    versions: VERSIONS,
};

pub(super) const RESCALE_FAILED: Entry = Entry {
    title: "The scale could not be written",
    text: "The decision was made, but the API server refused the new replicas: a quota or an admission webhook, a missing permission of the controller, or a conflict that did not go away. The event FailedRescale and AbleToScale=False, reason FailedUpdateScale, show its error.\n\
           The controller tries again at the next sync; desiredReplicas in the status keeps its old value.",
    upstream: &["reconcileAutoscaler"],
    versions: VERSIONS,
};
