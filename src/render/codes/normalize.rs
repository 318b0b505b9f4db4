//! Codes of what becomes of the proposals: the choice, the window, the rates and bounds.

use super::{Entry, VERSIONS};

pub(super) const ONLY_METRIC: Entry = Entry {
    title: "The only metric",
    text: "There is one metric, and its proposal is what is wanted.",
    upstream: &["computeReplicasForMetrics"],
    versions: VERSIONS,
};

pub(super) const HIGHEST_PROPOSAL_WINS: Entry = Entry {
    title: "The highest proposal wins",
    text: "Each metric proposes a count for itself, and the highest is taken; of equal ones the first in spec.metrics. So one busy metric holds the count up, however idle the others are.",
    upstream: &["computeReplicasForMetrics"],
    versions: VERSIONS,
};

pub(super) const INVALID_METRIC_ALLOWS_UP: Entry = Entry {
    title: "A metric failed; the others may still scale up",
    text: "At least one metric failed, and the highest of the other proposals is not below the current count. The failed metric can only have wanted more, so going up (or staying) is safe, and the controller does that.\n\
           The event of the failed metric and an error in the controller's log remain.",
    upstream: &["computeReplicasForMetrics"],
    versions: VERSIONS,
};

pub(super) const INVALID_METRIC_BLOCKS_DOWN: Entry = Entry {
    title: "A metric failed; that blocks the scale-down",
    text: "At least one metric failed, and the others would scale down. The failed metric might be the one that needs the replicas, so the controller keeps the count and reports ScalingActive=False with that metric's reason.\n\
           Fix the metric, or take it out of spec.metrics if nobody needs it.",
    upstream: &["computeReplicasForMetrics"],
    versions: VERSIONS,
};

pub(super) const ALL_METRICS_INVALID: Entry = Entry {
    title: "Every metric failed",
    text: "No metric gives a proposal, so the count is held; the status keeps its old desiredReplicas. ScalingActive=False carries the reason of the first metric that failed, and the event FailedComputeMetricsReplicas the error.",
    upstream: &["computeReplicasForMetrics", "getUnableComputeReplicaCountCondition"],
    versions: VERSIONS,
};

pub(super) const NOT_STABILIZED: Entry = Entry {
    title: "No earlier recommendation holds",
    text: "Within the stabilization window no recommendation stands against the new one, so it goes on as it is. It is remembered for the syncs to come.",
    upstream: &["stabilizeRecommendation", "stabilizeRecommendationWithBehaviors"],
    versions: VERSIONS,
};

pub(super) const SCALE_DOWN_STABILIZED: Entry = Entry {
    title: "A higher recommendation of the window holds",
    text: "The window is not a timer: at each sync the controller takes the highest recommendation of the last 5 minutes (--horizontal-pod-autoscaler-downscale-stabilization, or spec.behavior.scaleDown.stabilizationWindowSeconds). The count falls as old, higher recommendations leave the window; the screen says when.\n\
           Without spec.behavior that maximum can even be above the current count, and then scales up.\n\
           The recommendations are kept in the controller's memory: a restart forgets them.",
    upstream: &["stabilizeRecommendation", "stabilizeRecommendationWithBehaviors"],
    versions: VERSIONS,
};

pub(super) const SCALE_UP_STABILIZED: Entry = Entry {
    title: "A lower recommendation of the window holds",
    text: "spec.behavior.scaleUp.stabilizationWindowSeconds is set, and the lowest recommendation of that window is below the new one. The count rises once every recommendation of the window is higher.\n\
           After a restart of the controller the current count stands in the window as the first recommendation, and holds a scale-up for a whole window.",
    upstream: &["stabilizeRecommendationWithBehaviors"],
    versions: VERSIONS,
};

pub(super) const WITHIN_RANGE: Entry = Entry {
    title: "Nothing limits",
    text: "The stabilized count lies within minReplicas and maxReplicas and within what the rates allow.",
    upstream: &["convertDesiredReplicasWithRules", "convertDesiredReplicasWithBehaviorRate"],
    versions: VERSIONS,
};

pub(super) const SCALE_UP_LIMIT: Entry = Entry {
    title: "The scale-up rate limits",
    text: "More is wanted than one step may add. Without spec.behavior the count at most doubles in one sync, or reaches 4 where that is more. With it, the policies of scaleUp decide: 4 pods or 100 % in 15 seconds, whichever is more, unless they are set otherwise, less what was added in their periods.\n\
           The rest follows in the next syncs, if it is still wanted.",
    upstream: &["calculateScaleUpLimit", "calculateScaleUpLimitWithScalingRules"],
    versions: VERSIONS,
};

pub(super) const SCALE_DOWN_LIMIT: Entry = Entry {
    title: "The scale-down rate limits",
    text: "Fewer are wanted than one step may leave. The policies of spec.behavior.scaleDown say how many pods, or what part of those at the period's start, may go in each period; what was removed in the period already counts.\n\
           A percentage is cut to whole pods: 10 % of 7 leaves 6 (7 × 0.9 = 6.3).",
    upstream: &["calculateScaleDownLimitWithBehaviors"],
    versions: VERSIONS,
};

pub(super) const SCALE_UP_DISABLED: Entry = Entry {
    title: "Scale-up is disabled",
    text: "spec.behavior.scaleUp.selectPolicy is Disabled: the metrics want more, and the count stays.",
    upstream: &["calculateScaleUpLimitWithScalingRules"],
    versions: VERSIONS,
};

pub(super) const SCALE_DOWN_DISABLED: Entry = Entry {
    title: "Scale-down is disabled",
    text: "spec.behavior.scaleDown.selectPolicy is Disabled: fewer replicas would be enough, and the count stays.",
    upstream: &["calculateScaleDownLimitWithBehaviors"],
    versions: VERSIONS,
};

pub(super) const TOO_MANY_REPLICAS: Entry = Entry {
    title: "maxReplicas limits",
    text: "The metrics want more than spec.maxReplicas, and the count goes no further: ScalingLimited=True, reason TooManyReplicas.\n\
           If it stays there, the workload is short of replicas: raise maxReplicas, or find out what the load is.",
    upstream: &["convertDesiredReplicasWithRules", "convertDesiredReplicasWithBehaviorRate"],
    versions: VERSIONS,
};

pub(super) const TOO_FEW_REPLICAS: Entry = Entry {
    title: "minReplicas limits",
    text: "The metrics want less than spec.minReplicas, and the count rests there: ScalingLimited=True, reason TooFewReplicas. For a workload with little to do this is the healthy state, whatever the condition's name suggests.",
    upstream: &["convertDesiredReplicasWithRules", "convertDesiredReplicasWithBehaviorRate"],
    versions: VERSIONS,
};

pub(super) const RAISED_TO_MIN: Entry = Entry {
    title: "From the HPA's own zero straight to minReplicas",
    text: "The HPA had scaled the target to 0 itself, and minReplicas has been raised above 0 since. Whatever the rates allow, it goes to minReplicas at once.",
    upstream: &["reconcileAutoscaler"],
    versions: "1.36, 1.37, with the gate HPAScaleToZero (default since 1.37)",
};

pub(super) const UNCHANGED: Entry = Entry {
    title: "The count stays",
    text: "Whatever the steps before made of it, the controller writes no new count. The status is written if anything in it changed.",
    upstream: &["reconcileAutoscaler"],
    versions: VERSIONS,
};

pub(super) const SCALED_UP: Entry = Entry {
    title: "The count rises",
    text: "The controller writes the new count into the target's scale, emits SuccessfulRescale with the metric that won, and sets lastScaleTime.",
    upstream: &["reconcileAutoscaler"],
    versions: VERSIONS,
};

pub(super) const SCALED_DOWN: Entry = Entry {
    title: "The count falls",
    text: "The controller writes the new count into the target's scale, emits SuccessfulRescale (\"All metrics below target\"), and sets lastScaleTime.",
    upstream: &["reconcileAutoscaler"],
    versions: VERSIONS,
};

pub(super) const RESCALE_FAILED: Entry = Entry {
    title: "The scale could not be written",
    text: "The decision was made, but the API server refused the new count: a quota or an admission webhook, a missing permission of the controller, or a conflict that lasted. The event FailedRescale and AbleToScale=False, reason FailedUpdateScale, carry its error.\n\
           The controller tries again at the next sync; desiredReplicas in the status keeps its old value.",
    upstream: &["reconcileAutoscaler"],
    versions: VERSIONS,
};
