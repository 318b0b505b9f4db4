//! Codes of metrics that fail. A failing metric blocks every scale-down.

use super::text::{Entry, VERSIONS};

pub(super) const METRICS_API_ERROR: Entry = Entry {
    title: "A metrics API answered with an error",
    text: "The controller could not read the metric: the API is not registered, its server is down or slow, or it has no such metric. While a metric fails, the others can only scale up.\n\
           Ask the same path yourself: kubectl get --raw /apis/metrics.k8s.io/v1beta1/namespaces/NS/pods (custom.metrics.k8s.io, external.metrics.k8s.io), and look at kubectl get apiservice for one that is not Available.",
    upstream: &["GetResourceMetric", "GetRawMetric", "GetObjectMetric", "GetExternalMetric"],
    versions: VERSIONS,
};

pub(super) const NO_SAMPLES: Entry = Entry {
    title: "A metrics API answered with an empty list",
    text: "The API works, but has nothing for this query: no pod that the selector matches has been scraped yet, or no series has the labels that metric.selector asks for.\n\
           The controller treats an empty list as a failure, not as 0.\n\
           For a workload that has just started this passes in a minute. Otherwise compare metric.selector with the labels that the adapter serves.",
    upstream: &["GetResourceMetric", "GetRawMetric", "GetExternalMetric"],
    versions: VERSIONS,
};

pub(super) const NOT_ONE_VALUE: Entry = Entry {
    title: "An object's metric has no value, or several",
    text: "An Object metric is one number of one object. The custom metrics API returned none or several, and the controller does not choose.\n\
           Narrow metric.selector until one series is left, or aggregate in the adapter.",
    upstream: &["GetObjectMetric"],
    versions: VERSIONS,
};

pub(super) const NO_PODS: Entry = Entry {
    title: "The selector matches no pod",
    text: "There are samples, but the controller finds no pod that the target's selector matches: the pods are just being replaced, or the selector of the scale is not that of the pods.\n\
           The metric fails, and the replicas stay.",
    upstream: &["GetResourceReplicas", "calcPlainMetricReplicas"],
    versions: VERSIONS,
};

pub(super) const NO_PODS_TO_COUNT: Entry = Entry {
    title: "No pod to multiply by",
    text: "A metric with a Value target is off its target, so the controller multiplies the ratio by the number of running and ready pods. The selector matches no pod at all, so there is nothing to multiply by, and the metric fails.",
    upstream: &["getUsageRatioReplicaCount", "getReadyPodsCount"],
    versions: VERSIONS,
};

pub(super) const UNMEASURED_CONTAINER: Entry = Entry {
    title: "A sample lacks the container",
    text: "A ContainerResource metric needs its container in the sample of every pod that the selector matches. Up to 1.32 one sample without it fails the whole metric; since 1.33 that pod counts as missing.\n\
           This is usual while a container is being renamed, and for a moment after a container has restarted.",
    upstream: &["getContainerMetrics"],
    versions: "1.23 to 1.32",
};

pub(super) const CONTAINER_METRICS_OFF: Entry = Entry {
    title: "ContainerResource metrics are switched off",
    text: "The gate HPAContainerMetrics is off in the controller, so every ContainerResource metric fails without an event. The HPA was created while the gate was on.\n\
           While a metric fails, the others can only scale up. Switch the gate on, or remove the metric.",
    upstream: &["computeReplicasForMetric"],
    versions: "1.27 to 1.29",
};

pub(super) const CONTROLLER_CRASH: Entry = Entry {
    title: "The controller crashes",
    text: "The target of an Object metric lacks the value that its type names: type Value with an averageValue, or AverageValue with a value. The API server accepts that, but this version of the controller reads the missing value, so kube-controller-manager crashes with a nil pointer, restarts and crashes again. Meanwhile it serves no HPA of the cluster, and nothing else that it controls.\n\
           Give the target the value that its type names. Since 1.29.0, 1.28.3, 1.27.7 and 1.26.10 the metric fails instead.",
    upstream: &["computeStatusForObjectMetric"],
    versions: "1.23.0 to 1.26.9, 1.27.0 to 1.27.6, 1.28.0 to 1.28.2",
};

pub(super) const NO_USABLE_SAMPLES: Entry = Entry {
    title: "No sample counts",
    text: "There are samples, but each belongs to a pod that is unready or ignored. With nothing measured, the controller proposes nothing: the metric fails with \"did not receive metrics for targeted pods\".\n\
           This is usual right after a rollout or a scale from 0, and lasts until one pod is ready and has a sample taken since then.",
    upstream: &["GetResourceReplicas", "calcPlainMetricReplicas"],
    versions: VERSIONS,
};

pub(super) const MISSING_REQUEST: Entry = Entry {
    title: "A container has no request",
    text: "Utilization is usage in percent of the request, so every container of every pod that the selector matches needs a request of that resource: this includes injected sidecars, and pods of other owners that the selector happens to match. One gap fails the metric.\n\
           The controller names only one pod, a different one each time; the screen lists all.\n\
           Give the container a request (for an injected one in the injector's settings), narrow the selector, or measure one container with a ContainerResource metric.",
    upstream: &["calculatePodRequestsFromContainers"],
    versions: VERSIONS,
};

pub(super) const MISSING_POD_REQUEST: Entry = Entry {
    title: "A pod's own requests lack this resource",
    text: "The pod sets requests for itself as a whole (spec.resources.requests), so the controller uses those, and neither they nor the containers name this resource.\n\
           A pod that sets only memory there also switches a cpu metric to this way of counting. Add the resource to the pod's or its containers' requests.",
    upstream: &["calculatePodLevelRequests"],
    versions: "1.34 to 1.37, with the gate PodLevelResources (default)",
};

pub(super) const NO_SUCH_CONTAINER: Entry = Entry {
    title: "A pod has no container of this name",
    text: "A ContainerResource metric needs its container in every pod that the selector matches, including old revisions and pods that are being deleted. One without it fails the whole metric.\n\
           While a container is being renamed, keep metrics of both names out of the HPA until the rollout is over.",
    upstream: &["calculatePodRequestsFromContainers"],
    versions: "1.35 to 1.37; before, such a pod requests nothing",
};

pub(super) const NO_KNOWN_PODS: Entry = Entry {
    title: "The requests add up to 0",
    text: "No sample belongs to a pod with a request above 0, so there is no percentage. The metric fails with \"no metrics returned matched known pods\".\n\
           Requests of 0 are the usual reason.",
    upstream: &["GetResourceUtilizationRatio"],
    versions: VERSIONS,
};

pub(super) const NO_TARGET: Entry = Entry {
    title: "The target has no value for this source",
    text: "The target sets none of the fields that this kind of metric is compared with: Resource needs averageUtilization or averageValue, Pods averageValue, Object a value or averageValue that agrees with target.type, External either of them.\n\
           The API server does not check target.type against the field that is set, so it accepts an Object metric of type Value with an averageValue, which fails here.",
    upstream: &["computeReplicasForMetric", "computeStatusForObjectMetric"],
    versions: VERSIONS,
};

pub(super) const METRIC_SELECTOR_INVALID: Entry = Entry {
    title: "The metric's selector is not valid",
    text: "metric.selector cannot be turned into a label selector: an operator that does not exist, values for Exists, or none for In.\n\
           The metric fails until the spec is fixed.",
    upstream: &["computeReplicasForMetric"],
    versions: VERSIONS,
};

pub(super) const UNREAD: Entry = Entry {
    title: "Not readable here",
    text: "This read was refused or failed for you, not for the controller, which has its own permissions. So its decision cannot be recomputed from here, and it is not guessed.\n\
           The screen names the verb, the resource and the namespace of the permission that would help, and shows what the controller wrote into the status.",
    upstream: &["reconcileAutoscaler"],
    versions: VERSIONS,
};
