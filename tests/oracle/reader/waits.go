package reader

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// starting are the reasons for which every container waits before it first runs.
var starting = []string{"", "ContainerCreating", "PodInitializing"}

// waiting are the reasons for which containers of a pod wait, by their names, in the order in which they are to run.
func waiting(pod *corev1.Pod) (names, reasons []string) {
	for _, one := range append(slices.Clone(pod.Status.InitContainerStatuses), pod.Status.ContainerStatuses...) {
		if one.State.Waiting != nil && one.State.Waiting.Reason != "" {
			names, reasons = append(names, one.Name), append(reasons, one.State.Waiting.Reason)
		}
	}
	return names, reasons
}

// stuckFor is why the first container of a pod waits that waits for more than its start.
func stuckFor(pod *corev1.Pod) string {
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return ""
	}
	_, reasons := waiting(pod)
	for _, reason := range reasons {
		if !slices.Contains(starting, reason) {
			return reason
		}
	}
	return ""
}

// waits tells whether one container of a pod is stuck and each of those that run on waits.
func waits(pod *corev1.Pod) bool {
	names, _ := waiting(pod)
	runs := func(c corev1.Container) bool { return !slices.Contains(names, c.Name) }
	runsOn := func(c corev1.Container) bool { return sidecar(&c) && runs(c) }
	return stuckFor(pod) != "" && !slices.ContainsFunc(pod.Spec.Containers, runs) && !slices.ContainsFunc(pod.Spec.InitContainers, runsOn)
}

// mayRun tells whether a pod runs: one whose node is lost may do so.
func mayRun(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodUnknown || pod.Status.Phase == "" || pod.Status.Phase == corev1.PodRunning && !waits(pod)
}

// unscheduled is why a Pending pod has no node: a reason, or "unknown" if none is given.
func unscheduled(pod *corev1.Pod) string {
	for _, c := range pod.Status.Conditions {
		if pod.Status.Phase == corev1.PodPending && c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse {
			if c.Reason == "" {
				return "unknown"
			}
			return c.Reason
		}
	}
	return ""
}
