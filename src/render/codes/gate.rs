//! Codes of the replicas: before any metric is asked.

use super::text::{Entry, VERSIONS};

pub(super) const API_VERSION_INVALID: Entry = Entry {
    title: "The target's API version is not valid",
    text: "spec.scaleTargetRef.apiVersion is not of the form GROUP/VERSION (or just VERSION for the core group).\n\
           Without a group the controller cannot look for the target, so it decides nothing and reports FailedGetScale at each sync.\n\
           Correct the field: kubectl api-resources shows the group and version of every kind.",
    upstream: &["reconcileAutoscaler"],
    versions: VERSIONS,
};

pub(super) const KIND_UNKNOWN: Entry = Entry {
    title: "The API knows no such kind",
    text: "The group and kind of spec.scaleTargetRef are not served by this API server: a spelling mistake, a CRD that is not installed, or an API group whose server is down.\n\
           The controller looks up the resource of the kind before it reads the scale; without one it reports FailedGetScale and decides nothing.\n\
           Compare the field with kubectl api-resources.",
    upstream: &["reconcileAutoscaler"],
    versions: VERSIONS,
};

pub(super) const SCALE_UNREADABLE: Entry = Entry {
    title: "The target's scale cannot be read",
    text: "The controller reads the replicas and the selector through the scale subresource of the target, and that read failed: the target does not exist, its kind has no scale subresource, or the controller is not allowed to read it.\n\
           Nothing is decided, and of the status only the condition AbleToScale changes, to False; desiredReplicas keeps its old value.\n\
           Check the target's name, and for a CRD that spec.versions[].subresources.scale is set.",
    upstream: &["reconcileAutoscaler", "scaleForResourceMappings"],
    versions: VERSIONS,
};

pub(super) const SCALING_DISABLED: Entry = Entry {
    title: "Switched off: the target has 0 replicas",
    text: "A target at 0 replicas is paused unless the controller takes that zero for the HPA's own: it reads no metrics, changes nothing and reports ScalingActive=False, reason ScalingDisabled.\n\
           It recognizes a zero of its own by the condition ScaledToZero=True, which it sets when it scales to 0 itself (gate HPAScaleToZero, on by default since 1.37); without that condition every zero counts as a pause. Up to 1.35 the condition does not exist: at 0 replicas the HPA is active if minReplicas is 0, and switched off if not.\n\
           Any replica wakes the HPA up: kubectl scale KIND/NAME --replicas=1.",
    upstream: &[
        "reconcileAutoscaler",
        "shouldComputeMetricsForZeroReplicas",
        "getScaledToZeroConditionStatus",
    ],
    versions: "1.23 to 1.37; ScaledToZero counts since 1.36, where the gate HPAScaleToZero is on (default since 1.37)",
};

pub(super) const ABOVE_MAX: Entry = Entry {
    title: "More replicas than maxReplicas",
    text: "The target has more replicas than spec.maxReplicas, because somebody scaled it by hand or lowered the maximum.\n\
           The controller brings it to maxReplicas at once: it reads no metrics, and neither the stabilization window nor the policies of spec.behavior slow it down.\n\
           The status loses its current metrics for this sync; the conditions ScalingActive and ScalingLimited keep their old values.",
    upstream: &["reconcileAutoscaler"],
    versions: VERSIONS,
};

pub(super) const BELOW_MIN: Entry = Entry {
    title: "Fewer replicas than minReplicas",
    text: "The target has fewer replicas than spec.minReplicas (but not 0), because somebody scaled it by hand, a deployment tool reset the replicas, or the minimum was raised.\n\
           The controller brings it to minReplicas at once, without reading metrics and without windows or policies.\n\
           If this happens repeatedly, something else writes spec.replicas: leave the field out of the manifests that are applied.",
    upstream: &["reconcileAutoscaler"],
    versions: VERSIONS,
};

pub(super) const WITHIN_BOUNDS: Entry = Entry {
    title: "The metrics decide",
    text: "The replicas are between minReplicas and maxReplicas, so the controller reads the selector and the metrics.\n\
           This is what happens in most syncs.",
    upstream: &["reconcileAutoscaler"],
    versions: VERSIONS,
};

pub(super) const OWN_ZERO: Entry = Entry {
    title: "From the HPA's own zero",
    text: "The target has 0 replicas, and the condition ScaledToZero=True says that the controller itself set them. So this is not a pause: the controller reads the metrics, and the first one that wants a replica wakes the workload.\n\
           Only Object and External metrics can do that, since without pods there is nothing else to measure. Raising minReplicas above 0 does it, too.\n\
           Up to 1.35 minReplicas: 0 is enough, whoever scaled the target to 0.",
    upstream: &["reconcileAutoscaler", "shouldComputeMetricsForZeroReplicas"],
    versions: "1.23 to 1.37; since 1.36 with the gate HPAScaleToZero (default since 1.37)",
};

pub(super) const SELECTOR_MISSING: Entry = Entry {
    title: "The scale has no selector",
    text: "status.selector of the target's scale is empty, so the controller cannot find the pods. It keeps the replicas and reports ScalingActive=False, reason InvalidSelector.\n\
           For a built-in kind this passes as soon as its own controller has written the status. For a CRD, spec.versions[].subresources.scale.labelSelectorPath has to name a field, and the CRD's controller has to fill it in.",
    upstream: &["validateAndParseSelector"],
    versions: VERSIONS,
};

pub(super) const SELECTOR_INVALID: Entry = Entry {
    title: "The scale's selector cannot be parsed",
    text: "status.selector of the target's scale is not a label selector in its string form, such as app=web,tier in (a,b).\n\
           The controller keeps the replicas and reports ScalingActive=False, reason InvalidSelector. The kind's own controller writes that field, so that is where it has to be fixed.",
    upstream: &["validateAndParseSelector"],
    versions: VERSIONS,
};

pub(super) const PODS_UNLISTED: Entry = Entry {
    title: "The controller cannot list pods",
    text: "The controller's own list of the target's pods failed. It keeps the replicas, and only the event FailedComputeMetricsReplicas shows the error.\n\
           The list comes from the controller's cache, so this is rare; the log of kube-controller-manager says more.",
    upstream: &["validateAndParseSelector"],
    versions: VERSIONS,
};

pub(super) const SELECTOR_AMBIGUOUS: Entry = Entry {
    title: "Other HPAs select the same pods",
    text: "At least one pod of this target is also selected by the target of another HPA in the namespace. Two HPAs would count the same usage twice, so in the meantime the controller runs neither: ScalingActive=False, reason AmbiguousSelector.\n\
           One pod is enough, and it need not belong to this target: a selector that is too wide, for example app=web next to app=web,track=canary, matches the other's pods.\n\
           The controller knows the selector of an HPA only once a sync of that HPA has reached its metrics, and keeps it after that. A rival that is out of its bounds, paused or without a scale since the controller started is not known: then both HPAs run and set the replicas in turn. One that was known before stops the others even after it was pointed to another target, until its next sync that reaches its metrics.\n\
           Make the selectors disjoint. The selector of a Deployment cannot be changed; create a new one with another label instead.",
    upstream: &["validateAndParseSelector"],
    versions: "1.26 to 1.37; the message is worded anew in 1.37. Before, HPAs did not know of each other",
};
