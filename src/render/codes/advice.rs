//! Codes of advice.

use super::text::{Entry, VERSIONS};
use kubectl_hpa_core::advice::AdviceCode;

/// The entry of a code.
pub(super) const fn entry(code: AdviceCode) -> &'static Entry {
    match code {
        AdviceCode::WakeUp => &WAKE_UP,
        AdviceCode::ScaleOwner => &SCALE_OWNER,
        AdviceCode::NameScalable => &NAME_SCALABLE,
        AdviceCode::CreateTarget => &CREATE_TARGET,
        AdviceCode::StartController => &START_CONTROLLER,
        AdviceCode::GrantRight => &GRANT_RIGHT,
        AdviceCode::SeparateSelectors => &SEPARATE_SELECTORS,
        AdviceCode::MeasureOneContainer => &MEASURE_ONE_CONTAINER,
        AdviceCode::SetRequests => &SET_REQUESTS,
        AdviceCode::SelectOwnPods => &SELECT_OWN_PODS,
        AdviceCode::LeaveReplicasOut => &LEAVE_REPLICAS_OUT,
        AdviceCode::AskMetricsApi => &ASK_METRICS_API,
        AdviceCode::StartPods => &START_PODS,
        AdviceCode::CreatePods => &CREATE_PODS,
        AdviceCode::FixOrRemoveMetric => &FIX_OR_REMOVE_METRIC,
        AdviceCode::RestoreSamples => &RESTORE_SAMPLES,
        AdviceCode::DivideTotal => &DIVIDE_TOTAL,
        AdviceCode::LeaveOutSidecars => &LEAVE_OUT_SIDECARS,
        AdviceCode::AllowFasterScaleUp => &ALLOW_FASTER_SCALE_UP,
        AdviceCode::NarrowTolerance => &NARROW_TOLERANCE,
        AdviceCode::NameContainer => &NAME_CONTAINER,
        AdviceCode::MakeRoom => &MAKE_ROOM,
        AdviceCode::CheckSchedulingGates => &CHECK_SCHEDULING_GATES,
        AdviceCode::StartContainers => &START_CONTAINERS,
        AdviceCode::GetReady => &GET_READY,
        AdviceCode::DeleteFinishedPods => &DELETE_FINISHED_PODS,
        AdviceCode::WidenWindow => &WIDEN_WINDOW,
        AdviceCode::RaiseMax => &RAISE_MAX,
        AdviceCode::ShortenWindow => &SHORTEN_WINDOW,
    }
}

const fn advice(title: &'static str, text: &'static str) -> Entry {
    advice_of(VERSIONS, title, text)
}

const fn advice_of(versions: &'static str, title: &'static str, text: &'static str) -> Entry {
    Entry { title, text, upstream: &[], versions }
}

const WAKE_UP: Entry = advice(
    "Advice: wake the target up",
    "The controller leaves a target with 0 replicas alone unless it set them itself. With one replica it takes over at its next sync and raises it to minReplicas, or to what the metrics want.\n\
     If the pause is meant, there is nothing to do.",
);

const SCALE_OWNER: Entry = advice(
    "Advice: let the HPA scale what owns the pods",
    "The target has 0 replicas, and its selector matches pods that run: they belong to something else. An Argo Rollout with workloadRef takes the pod template of a Deployment, keeps that at 0, and runs the pods by ReplicaSets of its own; the HPA then has to name the Rollout. A second Deployment with the same labels does the same.\n\
     kubectl describe names the owner of the ReplicaSet as Controlled By. A replica of the target would run beside these pods.",
);

const NAME_SCALABLE: Entry = advice(
    "Advice: name a target that has a scale",
    "The controller reads and sets the replicas of its target through the subresource scale. The built-in kinds that have one are Deployment, StatefulSet and ReplicaSet of apps/v1, and ReplicationController of v1; a custom resource has one if its CRD sets subresources.scale.\n\
     A DaemonSet runs one pod on each node that it selects, and a Job or a CronJob ends: none of them has a number of replicas that an HPA could set.\n\
     Name the workload that serves the load in spec.scaleTargetRef, or remove the HPA.",
);

const CREATE_TARGET: Entry = advice(
    "Advice: create the target, or name another",
    "The API server knows the kind in spec.scaleTargetRef, but no object of that name in the HPA's namespace: an HPA can only scale a target of its own namespace. Usually the workload was deleted or renamed and the HPA was not, or the name is misspelled.\n\
     The controller tries again with each sync, so it goes on by itself as soon as the target exists. If the workload is gone for good, remove the HPA.",
);

const START_CONTROLLER: Entry = advice(
    "Advice: have a controller at work",
    "The HPA controller is a part of kube-controller-manager. Nothing scales any HPA while --controllers leaves it out, or while no kube-controller-manager holds the Lease kube-system/kube-controller-manager, by which one of several leads.\n\
     On a managed control plane only its provider sees the process; elsewhere it is most often a static pod of the control plane nodes.",
);

const GRANT_RIGHT: Entry = advice(
    "Advice: give the controller a right",
    "The controller reads metrics and writes scales as a user of its own, most often the ServiceAccount horizontal-pod-autoscaler of kube-system. Its error names the user and the right that is missing; your own rights say nothing about it.\n\
     The ClusterRole system:controller:horizontal-pod-autoscaler has all rights that it needs by default, for metrics of every adapter. If that role was changed, or the controller runs as another user, bind a ClusterRole with the missing rule to that user.\n\
     kubectl auth can-i with --as asks the API server for the right, as the controller.",
);

const SEPARATE_SELECTORS: Entry = advice(
    "Advice: make the selectors disjoint",
    "A pod may belong to one HPA only, or none of them runs. Give each workload a label of its own in spec.selector and in the pods' template.\n\
     The selector of a Deployment cannot be changed; create a new Deployment with another label instead.\n\
     Merge two HPAs of the same target into one with the metrics of both: the highest proposal wins.",
);

const MEASURE_ONE_CONTAINER: Entry = advice_of(
    "1.23 to 1.37; up to 1.26 only if the API server's gate HPAContainerMetrics is on",
    "Advice: measure one container",
    "A utilization of whole pods needs a request in every container; a sidecar that was injected often has none.\n\
     A metric of type ContainerResource looks at one container only, and leaves out what the sidecars use and request.",
);

const SET_REQUESTS: Entry = advice(
    "Advice: set the requests",
    "No container has a request of the resource in every pod, so no metric of one container can replace it.\n\
     Set resources.requests in the template; a LimitRange can set a default for what is injected.\n\
     A target of type AverageValue needs no request at all.",
);

const SELECT_OWN_PODS: Entry = advice(
    "Advice: select only the target's own pods",
    "The controller counts whatever the selector of the scale matches: including pods of Jobs, CronJobs and other workloads with the same labels. They count in the mean and in the number of pods that the ratio is multiplied by.\n\
     To leave them out, give the other workload's template labels that the selector does not match. --only-own-pods computes the decision without them.",
);

const LEAVE_REPLICAS_OUT: Entry = advice(
    "Advice: leave replicas out of what is applied",
    "The status says how many replicas the controller set, and the target has another number, which the controller is about to change again. The usual cause is a manifest with spec.replicas: each sync of Argo CD or Flux, each helm upgrade and each kubectl apply sets them back.\n\
     Remove replicas from the manifest or the template. The first kubectl apply without them sets them to 1; to avoid that, remove them with kubectl apply edit-last-applied first. In Argo CD, ignoreDifferences with RespectIgnoreDifferences=true leaves them alone.\n\
     The managed fields of the target name who owns spec.replicas, and when it was last set; the HPA controller itself writes as kube-controller-manager through the scale subresource.",
);

const ASK_METRICS_API: Entry = advice(
    "Advice: ask the metrics API",
    "No metric of the HPA can be used, and the APIs that they come from gave errors or empty lists. The error is the one that the controller gets; the path beside it is what was asked, and kubectl get --raw asks the same.\n\
     404 for a whole API means that nothing has registered it (no metrics-server, no adapter), 503 that the registered server does not answer; its APIService shows why. Any other error comes from that server.\n\
     An external metric of an HPA that KEDA made is one trigger of its ScaledObject.",
);

const START_PODS: Entry = advice(
    "Advice: find out why no pod runs",
    "A metrics API has nothing of pods that do not run: they wait for a node, their images cannot be pulled, they have ended, or there is none. The metrics are not at fault, and the HPA goes on by itself as soon as a pod runs and has a sample.\n\
     Their state and their events show what keeps the pods from running; if there is no pod, in the events of the target or of its ReplicaSet: a quota or an admission webhook may refuse to create them.",
);

const FIX_OR_REMOVE_METRIC: Entry = advice(
    "Advice: fix the metric, or remove it until then",
    "While a metric fails, the controller may scale up, but never down. The error next to the metric is the API server's own; it names the API and what was asked.\n\
     Until it is fixed, the HPA without that metric can scale down again by the others. Put it back afterwards.",
);

const RESTORE_SAMPLES: Entry = advice(
    "Advice: restore the samples",
    "A running pod without a sample counts as 0 when scaling up and as its whole request (or the target) when scaling down, so it dampens scaling in both directions. With a sample like the median ready pod's the decision would be different.\n\
     A pod that has just started gets its first sample within a minute or so. If it does not, ask the metrics API for the pod: metrics-server returns nothing for a pod if one of its containers has no usage.",
);

const DIVIDE_TOTAL: Entry = advice(
    "Advice: divide a total by an AverageValue",
    "Against a target of type Value the controller multiplies the ready pods by value / target. That is right for a metric that falls as pods are added, for example a latency.\n\
     A total (the length of a queue, all requests per second) does not change when pods are added, so each sync multiplies again, up to maxReplicas. A target of type AverageValue divides the total by what one pod can take instead.",
);

const LEAVE_OUT_SIDECARS: Entry = advice(
    "Advice: leave the sidecars out",
    "A utilization of whole pods divides what all containers use by what all of them request. A sidecar that requests much and uses little pulls it down, and the container that does the work can be far above the target without being noticed.\n\
     A metric of type ContainerResource looks at one container alone. The one that is named wants more replicas.",
);

const ALLOW_FASTER_SCALE_UP: Entry = advice(
    "Advice: allow a faster scale-up",
    "Without spec.behavior the replicas at most double in one sync, or reach 4. Policies in spec.behavior.scaleUp replace that rule; with a policy such as Percent 600 in 15s they get there at once.\n\
     The API server fills in the scale-down rules with the defaults.",
);

const NARROW_TOLERANCE: Entry = advice_of(
    "since 1.33, if the gate HPAConfigurableTolerance is on (default since 1.35)",
    "Advice: narrow the tolerance",
    "The ratio is off its target by more than half of the default tolerance, and nothing but the tolerance holds the replicas. With many pods that can be a whole pod or more.\n\
     spec.behavior.scaleUp.tolerance and scaleDown.tolerance override the controller's flag, each for its direction. With a narrow one the replicas change more often.",
);

const SHORTEN_WINDOW: Entry = advice(
    "Advice: shorten the stabilization window",
    "A recommendation of the window holds the replicas, and the window is longer than the default of 5 minutes. It is not a timer: the highest recommendation of the window (when scaling up, the lowest) counts until it is older than that.\n\
     spec.behavior.scaleDown.stabilizationWindowSeconds sets it for one HPA and overrides the controller's flag.",
);

const NAME_CONTAINER: Entry = advice(
    "Advice: name a container that the pods have",
    "A metric of type ContainerResource looks at the container that it names, and no pod that the selector matches has a container of that name. The API server does not check the name.\n\
     A renamed container is the usual cause: during the rollout keep one metric for the old name and one for the new, and remove the old one afterwards.",
);

const MAKE_ROOM: Entry = advice(
    "Advice: find nodes for the waiting pods",
    "The condition PodScheduled of these pods is False: the scheduler has found no node for them (reason Unschedulable), or has failed itself (reason SchedulerError). They are Pending and count as unready, so more replicas would only wait, too.\n\
     A full cluster is the usual cause. kubectl describe pod shows the scheduler's event FailedScheduling, which says what is lacking: nodes with enough cpu or memory, a volume in the right zone, a toleration, a node that the affinity allows.",
);

const CHECK_SCHEDULING_GATES: Entry = advice(
    "Advice: check the scheduling gates of the pods",
    "The condition PodScheduled of these pods is False with the reason SchedulingGated: the scheduler does not look at a pod until spec.schedulingGates is empty, however much room there is. They are Pending and count as unready, so more replicas would only wait, too.\n\
     A gate is set when the pod is created, usually by a webhook, and removed by the controller that it belongs to, for example a queue that admits pods by quota. If that controller does not run, or its quota is used up, the pods wait.",
);

const START_CONTAINERS: Entry = advice(
    "Advice: find out why containers wait",
    "A container of these pods waits (state.waiting in the status of the pod) and does not run: its image cannot be pulled (ErrImagePull, ImagePullBackOff), a ConfigMap or Secret is missing (CreateContainerConfigError), or it ends each time it is started (CrashLoopBackOff). A Pending pod counts as unready, one without a sample as missing, so more replicas would only wait, too.\n\
     kubectl describe pod shows the events that say why; after a crash kubectl logs --previous shows what the container wrote last.",
);

const CREATE_PODS: Entry = advice(
    "Advice: find out why pods do not exist",
    "The target has fewer pods than spec.replicas. The controller multiplies the ratio by the pods that it counts, not by the replicas, so it wants fewer than all of them would need, or none more although the load is above the target.\n\
     A StatefulSet makes its pods in order, and waits for one that never gets Ready. A quota, a LimitRange or an admission webhook refuses pods: kubectl describe shows that as FailedCreate among the events of the ReplicaSet or of the StatefulSet, and as the condition ReplicaFailure of the Deployment.",
);

const GET_READY: Entry = advice(
    "Advice: find out why pods never got Ready",
    "These pods run, but their condition Ready is False, and has been since about their start (pod-never-ready). For cpu the controller leaves their samples out, and counts them as 0 when it scales up, however long they have been running; if all pods are so, the metric fails.\n\
     Most often a readiness probe fails: kubectl describe pod shows its answer among the events. A readiness gate shows as a condition that is not True.",
);

const DELETE_FINISHED_PODS: Entry = advice(
    "Advice: delete finished pods",
    "A pod in phase Succeeded no longer runs and has no sample, but the controller only leaves out failed and deleted pods. If the selector matches it, it counts as missing: as 0 when scaling up, and when scaling down as its whole request, or as the target if that is more. A pod that has ended in whatever phase also needs the request of a utilization: without it the metric fails.\n\
     Such pods usually belong to a Job that has the same labels as the workload. ttlSecondsAfterFinished deletes them with the Job; labels that the selector does not match keep them out in the first place.",
);

const WIDEN_WINDOW: Entry = advice(
    "Advice: use a longer scale-down window",
    "The SuccessfulRescale events of the last hour show the replicas going up, down, up and down again. They follow each dip of the load before the dip is over.\n\
     With a longer spec.behavior.scaleDown.stabilizationWindowSeconds the highest recommendation of the window counts, so the replicas stay up between the peaks. The cost is the replicas that are kept for that time.",
);

const RAISE_MAX: Entry = advice(
    "Advice: raise maxReplicas",
    "The metrics want more replicas than spec.maxReplicas allows, so the load per pod stays above its target. With a higher bound the replicas rise as fast as the policies allow.\n\
     Leave it if the bound is intended: as a budget, or because the cluster or a database used by the pods cannot take more. In an HPA that KEDA made, maxReplicaCount of the ScaledObject is the source of the bound.",
);
