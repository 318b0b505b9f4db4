//! Codes of a metric's way from its reading to its proposal.

use super::text::{Entry, VERSIONS};

pub(super) const UTILIZATION_ABOVE_TARGET: Entry = Entry {
    title: "Utilization over the target",
    text: "The usage of the ready pods, in percent of their requests and truncated to a whole number, is over target.averageUtilization. Utilization over target is the ratio; above 1 more pods are wanted.\n\
           This first comparison counts only pods that are ready and have a sample; it is the one that the status shows.",
    upstream: &["GetResourceReplicas", "GetResourceUtilizationRatio"],
    versions: VERSIONS,
};

pub(super) const UTILIZATION_AT_TARGET: Entry = Entry {
    title: "Utilization exactly at the target",
    text: "The utilization, truncated to a whole percent, equals the target: the ratio is 1. Missing pods are then not filled in.",
    upstream: &["GetResourceReplicas", "GetResourceUtilizationRatio"],
    versions: VERSIONS,
};

pub(super) const UTILIZATION_BELOW_TARGET: Entry = Entry {
    title: "Utilization under the target",
    text: "The usage of the ready pods, in percent of their requests and truncated to a whole number, is under target.averageUtilization: the ratio is below 1, and fewer pods would be enough.\n\
           The percentage is of requests, not of limits.",
    upstream: &["GetResourceReplicas", "GetResourceUtilizationRatio"],
    versions: VERSIONS,
};

pub(super) const VALUE_ABOVE_TARGET: Entry = Entry {
    title: "A value over the target",
    text: "The value (a mean over the pods, or one number for all) is over the target; the ratio is above 1.",
    upstream: &["calcPlainMetricReplicas", "getUsageRatioReplicaCount", "GetMetricUsageRatio"],
    versions: VERSIONS,
};

pub(super) const VALUE_AT_TARGET: Entry = Entry {
    title: "A value exactly at the target",
    text: "The value equals the target: the ratio is 1.",
    upstream: &["calcPlainMetricReplicas", "getUsageRatioReplicaCount", "GetMetricUsageRatio"],
    versions: VERSIONS,
};

pub(super) const VALUE_BELOW_TARGET: Entry = Entry {
    title: "A value under the target",
    text: "The value (a mean over the pods, or one number for all) is under the target; the ratio is below 1.",
    upstream: &["calcPlainMetricReplicas", "getUsageRatioReplicaCount", "GetMetricUsageRatio"],
    versions: VERSIONS,
};

pub(super) const MISSING_PODS_ASSUMED_IDLE: Entry = Entry {
    title: "When scaling up, missing pods count as 0",
    text: "The first ratio is above 1 (up to 1.27 for a mean of values also exactly 1), and there are pods without a sample. The controller assumes that those use nothing and computes the ratio again over all of them, so that unknown pods never add to a scale-up.\n\
           With many missing pods the second ratio can fall into the tolerance or below 1; then nothing changes until they have samples.",
    upstream: &["GetResourceReplicas", "calcPlainMetricReplicas"],
    versions: VERSIONS,
};

pub(super) const MISSING_PODS_ASSUMED_FULL: Entry = Entry {
    title: "Going down, missing pods count as requested",
    text: "The first ratio is below 1, and there are pods without a sample. The controller assumes that each uses 100% of its request (since 1.26 the target, where that is higher) and computes the ratio again, so that unknown pods never add to a scale-down.",
    upstream: &["GetResourceReplicas"],
    versions: VERSIONS,
};

pub(super) const MISSING_PODS_ASSUMED_AT_TARGET: Entry = Entry {
    title: "Going down, missing pods count as the target",
    text: "The first ratio is below 1, and there are pods without a sample. For a mean of values the controller assumes that each is exactly at the target, and computes the ratio again.",
    upstream: &["calcPlainMetricReplicas"],
    versions: VERSIONS,
};

pub(super) const MISSING_PODS_LEFT_OUT: Entry = Entry {
    title: "Missing pods are left out where the ratio is 1",
    text: "The ready pods are exactly at the target. There is no direction, so pods without a sample are not filled in, and the second pass repeats the first.",
    upstream: &["GetResourceReplicas", "calcPlainMetricReplicas"],
    versions: "1.23 to 1.37; for a mean of values since 1.28",
};

pub(super) const UNREADY_PODS_ASSUMED_IDLE: Entry = Entry {
    title: "When scaling up, unready pods count as 0",
    text: "The first ratio is above 1, and there are unready pods: they are still starting, and so is their usage. The controller counts each as 0 and computes the ratio again over all of them, so that replicas that were just added are not added again.\n\
           When scaling down, unready pods are left out.",
    upstream: &["GetResourceReplicas", "calcPlainMetricReplicas"],
    versions: VERSIONS,
};

pub(super) const WITHIN_TOLERANCE: Entry = Entry {
    title: "The ratio is within the tolerance",
    text: "The (last) ratio is in the band around 1 in which the controller does nothing: 0.9 to 1.1 unless --horizontal-pod-autoscaler-tolerance or spec.behavior.scaleUp.tolerance and scaleDown.tolerance say otherwise. Both ends belong to the band.\n\
           The proposal is then the current replicas. The band is one of the ratio: with 5 replicas at 109% of the target the controller does nothing, although that is almost half a replica too few.",
    upstream: &["isWithin", "tolerancesForHpa"],
    versions: "1.23 to 1.37; tolerances of the HPA itself since 1.33, if the gate HPAConfigurableTolerance is on (default since 1.35)",
};

pub(super) const DIRECTION_FLIP: Entry = Entry {
    title: "The second ratio points the other way",
    text: "The first pass wanted to scale in one direction; with missing and unready pods filled in, the ratio is on the other side of 1. What was filled in is a guess, and the controller does not scale against real samples because of a guess: it keeps the current replicas.\n\
           This ends as soon as the missing pods have samples, or the unready ones are ready.",
    upstream: &["GetResourceReplicas", "calcPlainMetricReplicas"],
    versions: VERSIONS,
};

pub(super) const COUNT_FLIP: Entry = Entry {
    title: "The number of pods turns the direction around",
    text: "The ratio points in one direction, but it is multiplied by the number of pods that were counted, and that differs from the current replicas: during a rollout there are more pods, and if pods are missing from the list there are fewer. The product is on the other side of the current replicas, so the controller keeps those.",
    upstream: &["GetResourceReplicas", "calcPlainMetricReplicas"],
    versions: VERSIONS,
};

pub(super) const READY_PODS_MULTIPLIED: Entry = Entry {
    title: "The ratio times the ready pods",
    text: "The proposal is the ratio times the number of ready pods, rounded up. For usage per pod those are the pods that were counted; for a value of an object or an external metric they are all pods that are running and Ready, including those that are being deleted.",
    upstream: &["GetResourceReplicas", "getUsageRatioReplicaCount"],
    versions: VERSIONS,
};

pub(super) const SAMPLED_PODS_MULTIPLIED: Entry = Entry {
    title: "The second ratio times all counted pods",
    text: "Missing or unready pods were filled in, so the proposal is the second ratio times the number of all pods that have a sample or an assumed one, rounded up.",
    upstream: &["GetResourceReplicas", "calcPlainMetricReplicas"],
    versions: VERSIONS,
};

pub(super) const RATIO_FROM_ZERO: Entry = Entry {
    title: "From 0 replicas the ratio is the proposal",
    text: "There are no pods to multiply by, so the ratio itself, rounded up, is the proposal. The tolerance does not apply: any value above 0 wants at least one replica.",
    upstream: &["getUsageRatioReplicaCount"],
    versions: VERSIONS,
};

pub(super) const DIVIDED_BY_TARGET: Entry = Entry {
    title: "The value divided by the target per replica",
    text: "An Object or External metric with an averageValue: the value is divided by the target and rounded up; pods do not matter. Only whether anything changes at all depends on the current replicas, through the tolerance around value / (target × status.replicas).",
    upstream: &["GetObjectPerPodMetricReplicas", "GetExternalPerPodMetricReplicas"],
    versions: VERSIONS,
};
