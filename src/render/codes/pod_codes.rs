//! Codes of pods: in which of the four sets a pod falls, and why.

use super::text::{Entry, VERSIONS};

pub(super) const POD_DELETING: Entry = Entry {
    title: "The pod is being deleted",
    text: "A pod with a deletion timestamp is ignored: neither its usage nor its request counts, and it is not one of the pods that the ratio is multiplied by.\n\
           For a utilization it still needs a request: the controller reads the requests of every pod that the selector matches.",
    upstream: &["groupPods"],
    versions: VERSIONS,
};

pub(super) const POD_FAILED: Entry = Entry {
    title: "The pod failed",
    text: "A pod in phase Failed (including an evicted one) is ignored like one that is being deleted.\n\
           For a utilization it still needs a request. A pod in phase Succeeded is not ignored: without a sample it counts as missing.",
    upstream: &["groupPods"],
    versions: VERSIONS,
};

pub(super) const POD_PENDING: Entry = Entry {
    title: "The pod is pending",
    text: "Not all of the pod's containers have started, so its sample, if any, says nothing. The pod is unready: it is left out of the first pass, and counts as 0 when scaling up, so that replicas that are still starting are not added twice.\n\
           When scaling down, it does not count at all.",
    upstream: &["groupPods"],
    versions: VERSIONS,
};

pub(super) const POD_NO_SAMPLE: Entry = Entry {
    title: "No sample",
    text: "The pod is missing: it is left out of the first pass. In the second one it counts as 0 when scaling up, and when scaling down as its whole request (since 1.26 as the target, where that is higher) or as the target value. So a pod without a sample always dampens the change.\n\
           The metrics API returned nothing for it. New pods have no sample until metrics-server has scraped them twice, 15 to 60 seconds. A pod that never gets one has no running container (phase Succeeded), or its node's kubelet cannot be scraped: kubectl top pod.",
    upstream: &["groupPods"],
    versions: VERSIONS,
};

pub(super) const POD_NO_SUCH_USAGE: Entry = Entry {
    title: "Its sample lacks the resource or the container",
    text: "The metrics API knows the pod, but one of its containers has no value for the resource, or the measured container is not there. A sum without one of its parts means nothing, so the pod counts as missing, like one without any sample.\n\
           A container that has just been restarted has no cpu usage until its second scrape.",
    upstream: &["groupPods", "getPodMetrics", "getContainerMetrics"],
    versions: VERSIONS,
};

pub(super) const POD_NO_READY_CONDITION: Entry = Entry {
    title: "The pod has no Ready condition",
    text: "For cpu a pod counts only once it is known to be ready; without the condition the controller cannot tell, so the pod is unready and counts as 0 when scaling up.\n\
           The kubelet writes the condition soon after the pod is bound to a node.",
    upstream: &["groupPods"],
    versions: VERSIONS,
};

pub(super) const POD_NO_START_TIME: Entry = Entry {
    title: "The pod has no start time",
    text: "For cpu the controller has to know how long a pod has been running. Without status.startTime the pod is unready and counts as 0 when scaling up.\n\
           The kubelet writes it when it first sees the pod.",
    upstream: &["groupPods"],
    versions: VERSIONS,
};

pub(super) const POD_INITIALIZING: Entry = Entry {
    title: "The pod is starting up and not ready",
    text: "Within the cpu initialization period (--horizontal-pod-autoscaler-cpu-initialization-period, 5 minutes by default) after its start a pod that is not Ready is unready: its cpu usage comes from starting up and would drive the replicas up.\n\
           It counts as soon as it is Ready and has a sample that begins after that, and once the period is over, also with an older one, unless it has never been ready (pod-never-ready).",
    upstream: &["groupPods"],
    versions: VERSIONS,
};

pub(super) const POD_SAMPLE_TOO_EARLY: Entry = Entry {
    title: "The sample reaches back before the pod was ready",
    text: "The pod is Ready, but within its cpu initialization period, and its sample covers a time before it became Ready: part of what was measured is the startup. Such a pod is unready and counts as 0 when scaling up.\n\
           The next sample or the one after it counts: its time has to be at least one whole window after the change to Ready.",
    upstream: &["groupPods"],
    versions: VERSIONS,
};

pub(super) const POD_NEVER_READY: Entry = Entry {
    title: "The pod has never been ready",
    text: "The cpu initialization period is over, the pod is not Ready, and its Ready condition has not changed since its first moments (--horizontal-pod-autoscaler-initial-readiness-delay, 30 seconds by default). So it has never been ready and counts as 0 when scaling up.\n\
           The usual reason is a pod that never passes its readiness probe.",
    upstream: &["groupPods"],
    versions: VERSIONS,
};

pub(super) const POD_HAS_SAMPLE: Entry = Entry {
    title: "The pod has a sample",
    text: "For every metric but cpu a pod with a sample is ready, whether its Ready condition says so or not.",
    upstream: &["groupPods"],
    versions: VERSIONS,
};

pub(super) const POD_SETTLED_EARLY: Entry = Entry {
    title: "Ready within its initialization period",
    text: "The pod started less than a cpu initialization period ago, but it is Ready, and its sample was taken entirely after that. It counts.",
    upstream: &["groupPods"],
    versions: VERSIONS,
};

pub(super) const POD_SETTLED: Entry = Entry {
    title: "Past its initialization period",
    text: "The pod has been running for longer than the cpu initialization period and its Ready condition is not False. It counts with its sample.",
    upstream: &["groupPods"],
    versions: VERSIONS,
};

pub(super) const POD_WAS_READY_ONCE: Entry = Entry {
    title: "Not ready now, but it was once",
    text: "The cpu initialization period is over and the pod is not Ready, but it was at some time after its start. Its usage is real load (perhaps the very load that makes it fail its probe), so it counts as ready.",
    upstream: &["groupPods"],
    versions: VERSIONS,
};

pub(super) const POD_FOREIGN: Entry = Entry {
    title: "A sample of a pod that is not found",
    text: "The metrics API returned a sample for a pod that the controller does not find: one that is just gone, or, for a custom metric, one that the adapter reports under the same labels.\n\
           In a mean of values its sample counts like any other. A utilization leaves it out of its sums, as it has no request, but counts it as a pod in the second pass.",
    upstream: &["removeMetricsForPods", "calcPlainMetricReplicas", "GetResourceUtilizationRatio"],
    versions: VERSIONS,
};
