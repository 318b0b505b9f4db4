//! What the rules of lint mean.

use super::text::{Entry, VERSIONS};
use kubectl_hpa_core::lint::Rule;

/// The entry of a rule.
pub(super) const fn entry(rule: Rule) -> &'static Entry {
    match rule {
        Rule::InvalidHpa => &INVALID_HPA,
        Rule::GoneVersion => &GONE_VERSION,
        Rule::ZeroWithoutMetric => &ZERO_WITHOUT_METRIC,
        Rule::UnknownField => &UNKNOWN_FIELD,
        Rule::TargetCannotScale => &TARGET_CANNOT_SCALE,
        Rule::NoRequest => &NO_REQUEST,
        Rule::ContainerNotInTemplate => &CONTAINER_NOT_IN_TEMPLATE,
        Rule::TargetTypeMismatch => &TARGET_TYPE_MISMATCH,
        Rule::TargetOutOfReach => &TARGET_OUT_OF_REACH,
        Rule::ToleranceTooWide => &TOLERANCE_TOO_WIDE,
        Rule::StuckAtZero => &STUCK_AT_ZERO,
        Rule::SharedTarget => &SHARED_TARGET,
        Rule::SharedPods => &SHARED_PODS,
        Rule::OtherNamespace => &OTHER_NAMESPACE,
        Rule::SelectsOtherPods => &SELECTS_OTHER_PODS,
        Rule::ReplicasInManifest => &REPLICAS_IN_MANIFEST,
        Rule::VpaSameResource => &VPA_SAME_RESOURCE,
        Rule::KedaOwnsHpa => &KEDA_OWNS_HPA,
        Rule::MetricNotOffered => &METRIC_NOT_OFFERED,
        Rule::MaxBeyondQuota => &MAX_BEYOND_QUOTA,
        Rule::MinIsMax => &MIN_IS_MAX,
        Rule::IgnoreNeedsReason => &IGNORE_NEEDS_REASON,
        Rule::ZeroNeedsGate => &ZERO_NEEDS_GATE,
        Rule::ValueMultiplies => &VALUE_MULTIPLIES,
        Rule::SidecarsCount => &SIDECARS_COUNT,
        Rule::ScaleDownOff => &SCALE_DOWN_OFF,
        Rule::MaxBeyondNodes => &MAX_BEYOND_NODES,
        Rule::RequestFarFromUse => &REQUEST_FAR_FROM_USE,
        Rule::SlowScaleDown => &SLOW_SCALE_DOWN,
        Rule::PercentIsOnePod => &PERCENT_IS_ONE_POD,
        Rule::ResourceNotMeasured => &RESOURCE_NOT_MEASURED,
        Rule::SelectorUnreadable => &SELECTOR_UNREADABLE,
        Rule::VpaModeUnquoted => &VPA_MODE_UNQUOTED,
        Rule::DuplicateKey => &DUPLICATE_KEY,
        Rule::HpaTwice => &HPA_TWICE,
        Rule::TargetNotFound => &TARGET_NOT_FOUND,
        Rule::AlwaysAboveTarget => &ALWAYS_ABOVE_TARGET,
        Rule::MetricTwice => &METRIC_TWICE,
        Rule::MemoryKeepsOne => &MEMORY_KEEPS_ONE,
        Rule::ScaleUpOff => &SCALE_UP_OFF,
        Rule::SlowScaleUp => &SLOW_SCALE_UP,
        Rule::PdbBlocksDrain => &PDB_BLOCKS_DRAIN,
        Rule::PolicyNeverDecides => &POLICY_NEVER_DECIDES,
        Rule::NoScaleDownWindow => &NO_SCALE_DOWN_WINDOW,
        Rule::DefaultBehavior => &DEFAULT_BEHAVIOR,
    }
}

const fn page(rule: Rule, text: &'static str) -> Entry {
    Entry { title: rule.title(), text, upstream: &[], versions: VERSIONS }
}

const INVALID_HPA: Entry = page(
    Rule::InvalidHpa,
    "The message is the API server's own: it refuses the object when it is applied, or a field has the wrong type and it cannot decode it.\n\
     The validation is that of Kubernetes 1.36 and 1.37. Earlier versions accept some of it and then fail in the controller, for example a scaleTargetRef without the group of its kind.",
);

const GONE_VERSION: Entry = page(
    Rule::GoneVersion,
    "Kubernetes 1.25 dropped autoscaling/v2beta1, 1.26 dropped autoscaling/v2beta2, and extensions/v1beta1 and autoscaling/v2alpha1 are long gone: kubectl apply and helm install fail with \"no matches for kind HorizontalPodAutoscaler\".\n\
     autoscaling/v2 exists since 1.23. From v2beta2 only the version changes. The others have other names for the fields of metrics, and the patch has the new ones.",
);

const ZERO_WITHOUT_METRIC: Entry = page(
    Rule::ZeroWithoutMetric,
    "At 0 replicas there are no pods, so a metric that is measured on pods (Resource, ContainerResource, Pods) has no value, and nothing could ever wake the target. The API server refuses minReplicas 0 unless at least one metric is of type Object or External.",
);

const UNKNOWN_FIELD: Entry = page(
    Rule::UnknownField,
    "The API server drops a field that its version does not know, with no more than a warning; kubectl apply asks it to refuse the whole object. The usual cause is a typo, wrong indentation, or a field of another version.\n\
     So the field has no effect.",
);

const TARGET_CANNOT_SCALE: Entry = page(
    Rule::TargetCannotScale,
    "The controller scales its target through the subresource scale. The built-in kinds that have one are Deployment, StatefulSet and ReplicaSet of the group apps, and ReplicationController. A DaemonSet or a Job has none, and the group extensions has had no Deployment since 1.16.\n\
     The API server accepts the HPA, and it never works: each sync ends with the condition AbleToScale False, FailedGetScale.",
);

const NO_REQUEST: Entry = page(
    Rule::NoRequest,
    "A utilization is usage divided by requests. One container without the request (or, since 1.29, one sidecar) and the whole metric fails with \"missing request for cpu\", however many other containers have one. A container with a limit and no request gets the limit as its request. Requests that are all written as 0 fail, too (\"no metrics returned matched known pods\").\n\
     lint sees the template only. A LimitRange or a webhook may set requests when pods are created; then ignore the finding with that reason. If a LimitRange of the namespace, or a VPA of the target, is among the files, there is no finding.\n\
     Set resources.requests, measure one container by a ContainerResource metric, or use a target of type AverageValue, which needs no request.",
);

const CONTAINER_NOT_IN_TEMPLATE: Entry = page(
    Rule::ContainerNotInTemplate,
    "A metric of type ContainerResource looks at the container that it names. The API server does not check the name, and with a name that no pod has the metric fails.\n\
     A webhook may add the container when pods are created; then ignore the finding with that reason.",
);

const TARGET_TYPE_MISMATCH: Entry = page(
    Rule::TargetTypeMismatch,
    "The API server only asks for one of value, averageValue and averageUtilization. For an Object metric the controller then goes by target.type: if the value that it names is not there, the metric fails (up to 1.25, and in the first patches of 1.26 to 1.28, the controller crashes).\n\
     For every other metric it goes by the field that is set, and the type is only a word; then the severity is info.",
);

const TARGET_OUT_OF_REACH: Entry = page(
    Rule::TargetOutOfReach,
    "A container cannot use more than its limit: cpu is throttled there, and beyond a memory limit the container is killed. If all limits together are no more than the target plus the tolerance, in percent of the requests, the ratio never leaves the tolerance, and the HPA never scales up.\n\
     For example: limits equal to requests allow 100%. A target of 95% needs more than 104% with the default tolerance of 10%.\n\
     Lower the target, or raise the limits.",
);

const TOLERANCE_TOO_WIDE: Entry = page(
    Rule::ToleranceTooWide,
    "behavior.scaleUp.tolerance and scaleDown.tolerance are fractions: 0.1 is 10%. With 1 or more for scaling down, even no load at all is within the tolerance, so the HPA never scales down; for scaling up, the metric has to double at least.\n\
     A number such as 5 or 10 was usually meant as percent.",
);

const STUCK_AT_ZERO: Entry = page(
    Rule::StuckAtZero,
    "A scale-up policy of type Percent allows a percentage of the replicas at the start of its period, and a percentage of 0 is 0. If no policy of type Pods allows more (or selectPolicy is Min), the HPA scales to 0 and never leaves it: each sync is limited to 0 replicas.\n\
     Add a policy of type Pods.",
);

const SHARED_TARGET: Entry = page(
    Rule::SharedTarget,
    "Each HPA decides for itself on the same target. Since 1.26 both see that their pods belong to two HPAs, set ScalingActive to False (AmbiguousSelector) and stop; before, they overwrite each other at each sync.\n\
     Put the metrics of both into one HPA: the highest proposal wins.",
);

const SHARED_PODS: Entry = page(
    Rule::SharedPods,
    "The selector of one target matches the pods of the other, and each has an HPA. Since 1.26 the controller stops both HPAs (AmbiguousSelector) as long as such pods exist; before, each counts pods of the other in its mean.\n\
     Give each workload a label of its own in spec.selector and in its template. The selector of a Deployment cannot be changed: create a new one.",
);

const OTHER_NAMESPACE: Entry = page(
    Rule::OtherNamespace,
    "For an Object metric that describes a Namespace, the controller asks the custom metrics API for the metric of its HPA's own namespace. It leaves describedObject.name out, because an HPA must not reach beyond its namespace. The value is that of another namespace than the manifest names, and nothing says so.\n\
     An External metric has no such bound: its selector can name any namespace.",
);

const SELECTS_OTHER_PODS: Entry = page(
    Rule::SelectsOtherPods,
    "The controller counts all pods that the selector of the target's scale matches, whoever made them. Pods of a Job or of another workload with the same labels count in the mean and in the number of pods; those that have ended count as missing, and dampen scaling.\n\
     For pods that only exist now and then (a bare Pod, a Helm hook) the severity is info.",
);

const REPLICAS_IN_MANIFEST: Entry = page(
    Rule::ReplicasInManifest,
    "The HPA sets spec.replicas through the scale of the target. Each kubectl apply, helm upgrade and each sync of Argo CD or Flux sets it back to the number in the manifest, and the HPA starts again from there: under load that is an outage.\n\
     Remove replicas from the manifest. The first kubectl apply without it sets the replicas to 1 for a moment, because the field was in the last applied manifest; kubectl apply edit-last-applied avoids that.",
);

const VPA_SAME_RESOURCE: Entry = page(
    Rule::VpaSameResource,
    "A VPA changes the requests of the pods by their usage. The HPA's utilization is usage divided by just these requests, so each undoes what the other does: when load rises, the VPA raises the requests, the utilization falls, and the HPA removes pods.\n\
     Let the VPA only recommend (updateMode Off), restrict it by controlledResources, or scale on another metric.",
);

const KEDA_OWNS_HPA: Entry = page(
    Rule::KedaOwnsHpa,
    "KEDA makes an HPA for each ScaledObject (keda-hpa-NAME, unless it is given another name) and overwrites what anybody changes in it. A second HPA of the same target stops both.\n\
     Change the ScaledObject: minReplicaCount, maxReplicaCount, triggers and advanced.horizontalPodAutoscalerConfig.behavior. To keep an HPA that is there, KEDA has the annotation scaledobject.keda.sh/transfer-hpa-ownership.",
);

const METRIC_NOT_OFFERED: Entry = page(
    Rule::MetricNotOffered,
    "Pods and Object metrics come from an adapter that serves custom.metrics.k8s.io, External metrics from one that serves external.metrics.k8s.io. Without an adapter the metric fails at each sync (FailedGetPodsMetric, FailedGetObjectMetric, FailedGetExternalMetric).\n\
     lint asks what is served and what the adapter lists. If a metric is not listed, the severity is info: some adapters list a part, and some only what has values at that moment. If an adapter makes no list at all, as KEDA's, there is no finding.\n\
     In files the rule needs the answers of the cluster: kubectl get --raw /apis/custom.metrics.k8s.io/v1beta1, and /apis.",
);

const MAX_BEYOND_QUOTA: Entry = page(
    Rule::MaxBeyondQuota,
    "A ResourceQuota of the namespace allows fewer pods of this template than maxReplicas: by the number of pods, by requests or by limits. The controller raises the replicas all the same, and the ReplicaSet cannot create the pods (FailedCreate, exceeded quota). The pods that run stay as busy as before.\n\
     The number in the message is an upper bound: other pods of the namespace use the quota, too. Quotas with scopes, and pods with requests of their own as a whole, are passed over.",
);

const MIN_IS_MAX: Entry = page(
    Rule::MinIsMax,
    "With one possible number the HPA has nothing to decide: it only sets the replicas back if somebody changes them, and it still reads metrics, fails and warns if they are missing.\n\
     Raise maxReplicas, or set replicas in the workload and remove the HPA. If it is fixed for a time, ignore the finding with that reason.",
);

const IGNORE_NEEDS_REASON: Entry = page(
    Rule::IgnoreNeedsReason,
    "The annotation kubectl-hpa.io/lint-ignore of an HPA lists what was looked at and found to be right: \"rule: reason; rule: reason\". An entry without a reason, or with a rule that does not exist, ignores nothing.\n\
     The reason is in the JSON, and in SARIF as the justification of the suppression.",
);

const ZERO_NEEDS_GATE: Entry = page(
    Rule::ZeroNeedsGate,
    "Scaling to zero is on by default since Kubernetes 1.37. Before, the API server refuses minReplicas 0 unless its feature gate HPAScaleToZero is on, which most managed clusters do not offer.",
);

const VALUE_MULTIPLIES: Entry = page(
    Rule::ValueMultiplies,
    "Against a target of type Value the controller multiplies the ready pods by value / target. That is right for a metric that falls as pods are added, for example a latency.\n\
     A total (the length of a queue, all requests per second) does not fall at once, so each sync multiplies again, up to maxReplicas. A target of type AverageValue divides the total by what one pod can take instead.",
);

const SIDECARS_COUNT: Entry = page(
    Rule::SidecarsCount,
    "A utilization of whole pods divides what all containers use by what all of them request. A sidecar that requests much and uses little pulls it down: the numbers in the message say how high the utilization is when the largest container uses its whole request and the others nothing.\n\
     A metric of type ContainerResource looks at one container only. It is on by default since 1.27.",
);

const SCALE_DOWN_OFF: Entry = page(
    Rule::ScaleDownOff,
    "With selectPolicy Disabled for scaleDown the replicas only rise. They fall only if maxReplicas is lowered below them. So you pay for the highest load that the HPA has ever seen.",
);

const MAX_BEYOND_NODES: Entry = page(
    Rule::MaxBeyondNodes,
    "All schedulable nodes together have less allocatable cpu, memory or pods than maxReplicas pods of this template request. The pods that find no room stay Pending; for cpu and memory the controller counts pods that are not ready as 0 when it scales up.\n\
     The number in the message is an upper bound: what else runs, taints, affinity and what is left over on each node are not counted. A cluster autoscaler may add nodes, so the severity is info.",
);

const REQUEST_FAR_FROM_USE: Entry = page(
    Rule::RequestFarFromUse,
    "A utilization is usage divided by requests. If the usage in the last status is ten times what maxReplicas can bring down to the target, or needs less than a tenth of minReplicas, the request says nothing about the usage: the HPA stays at maxReplicas or at minReplicas whatever the load.\n\
     This is one moment: at night an application may idle. Compare with the usage over a day or more before you change requests; a VPA with updateMode Off recommends some.",
);

const SLOW_SCALE_DOWN: Entry = page(
    Rule::SlowScaleDown,
    "The message says how long the controller needs from maxReplicas to minReplicas if the load stops at once; this is simulated sync by sync, with the windows and policies of the HPA. A percentage of few replicas is one pod, and a period of many minutes allows it only once.\n\
     Shorten periodSeconds or the window, or allow more pods at once.",
);

const PERCENT_IS_ONE_POD: Entry = page(
    Rule::PercentIsOnePod,
    "The controller rounds the limit of a percentage to whole pods: down when scaling down (10% of 7 leaves 6.3, so 6), up when scaling up. With few replicas that is one pod whatever the percentage says, so the policy looks proportional and is not.\n\
     A policy of type Pods with value 1 does the same and says so. If maxReplicas is raised later, the percentage starts to count.",
);

const DEFAULT_BEHAVIOR: Entry = page(
    Rule::DefaultBehavior,
    "The API server fills in what behavior leaves out, so rules that repeat the defaults change nothing, and hide what was really meant to differ. The defaults: up by 4 pods or 100% in 15s, whichever is more, without a window; down by 100% in 15s with the window of the controller's flag, 5 minutes if nobody changed it.\n\
     The patch leaves behavior itself in place: without it the controller uses older rules, which differ a little when scaling up.",
);

const RESOURCE_NOT_MEASURED: Entry = page(
    Rule::ResourceNotMeasured,
    "For a Resource or ContainerResource metric the controller asks metrics.k8s.io, and metrics-server has cpu and memory of each container, in small letters. The API server takes any name, so a typo (CPU, mem) or a resource such as nvidia.com/gpu is accepted, and the metric fails at each sync (FailedGetResourceMetric).\n\
     Another server of metrics.k8s.io may have more, so for a name that is no typo the severity is warning. Use a Pods or External metric for anything else.",
);

const SELECTOR_UNREADABLE: Entry = page(
    Rule::SelectorUnreadable,
    "The API server does not check the selector of a metric. The controller parses it at each sync, and with an operator or a label that is none the metric fails, before anything is asked of an adapter.",
);

const VPA_MODE_UNQUOTED: Entry = page(
    Rule::VpaModeUnquoted,
    "kubectl reads YAML 1.1, in which Off, On, Yes and No without quotes are booleans. updateMode has to be a string, so the API server refuses the VerticalPodAutoscaler.\n\
     Write \"Off\" with quotes; there is no mode On or Yes.",
);

const DUPLICATE_KEY: Entry = page(
    Rule::DuplicateKey,
    "kubectl makes JSON of the YAML and keeps the later of two fields of one name, without a word; the API server never sees the other one. Other tools keep the first, or refuse the file.",
);

const HPA_TWICE: Entry = page(
    Rule::HpaTwice,
    "Two HPAs of one name and namespace are one object: kubectl apply writes the first, then overwrites it with the second. Usually one of them was meant to have another name.",
);

const TARGET_NOT_FOUND: Entry = page(
    Rule::TargetNotFound,
    "An HPA scales an object of its own namespace, by kind and name. If there is none, each sync ends with the condition AbleToScale False, FailedGetScale.\n\
     In files this is a warning if a workload beside the HPA has a name that is near, or if the target is in another namespace; if only other workloads of its kind are there, the severity is info, and if there are none, there is no finding: the target may be in files that were not read. The last line counts the targets that are found.",
);

const ALWAYS_ABOVE_TARGET: Entry = page(
    Rule::AlwaysAboveTarget,
    "An averageValue of memory without a unit is in bytes. Every process uses more than a few hundred Ki, so the ratio is far above 1 at each count, and the HPA goes to maxReplicas and stays there. Usually Mi, or a percentage (averageUtilization), was meant.",
);

const METRIC_TWICE: Entry = page(
    Rule::MetricTwice,
    "The controller computes what each metric wants and takes the highest. Of two metrics that read the same value the one with the lower target always wants as much or more, so the other never decides.",
);

const MEMORY_KEEPS_ONE: Entry = page(
    Rule::MemoryKeepsOne,
    "What a memory metric wants is rounded up, and a running pod always uses memory, so it wants at least 1 replica as long as there is one. With minReplicas 0 the target never gets to zero.",
);

const SCALE_UP_OFF: Entry = page(
    Rule::ScaleUpOff,
    "With selectPolicy Disabled for scaleUp the replicas only fall, or rise to minReplicas. No load adds a pod.",
);

const SLOW_SCALE_UP: Entry = page(
    Rule::SlowScaleUp,
    "On the way up the controller takes the lowest recommendation of the window. One sync at which the load is low keeps the replicas down for the whole window, so a window of many minutes lets most peaks pass. The default is 0.",
);

const PDB_BLOCKS_DRAIN: Entry = page(
    Rule::PdbBlocksDrain,
    "A PodDisruptionBudget allows as many evictions as there are healthy pods above its bound; percentages are rounded up. If the bound is as high as minReplicas, there is none while the HPA is at its minimum: kubectl drain and the cluster autoscaler wait, and node upgrades stop.\n\
     maxUnavailable: 1 lets one pod go at every count, also of a single one. A PDB that selects pods of other workloads, too, is passed over.",
);

const POLICY_NEVER_DECIDES: Entry = page(
    Rule::PolicyNeverDecides,
    "Of several policies the controller takes the one that allows the largest change (selectPolicy Max, the default) or the smallest (Min). Between the bounds of this HPA, another policy with the same period always comes first, so this one has no effect.",
);

const NO_SCALE_DOWN_WINDOW: Entry = page(
    Rule::NoScaleDownWindow,
    "The window of the way down keeps the highest recommendation of the last minutes, so that one low sample removes no pods that the next one needs. With 0 and policies that allow it, the replicas follow each sample. For a queue that is emptied by jobs this can be intended.",
);
