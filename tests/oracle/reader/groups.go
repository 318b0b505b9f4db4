package reader

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// sample is what the controller has of one pod of one metric, in thousandths.
type sample struct {
	value  int64
	at     time.Time
	window time.Duration
}

// groups are the pods of a metric by how the controller treats them; see groupPods in replica_calculator.go.
type groups struct {
	ready                     int
	missing, unready, ignored []string
}

// split groups pods. Only for cpu the initialization of a pod matters.
func (w *World) split(pods []*corev1.Pod, samples map[string]sample, cpu bool) (out groups) {
	for _, pod := range pods {
		one, sampled := samples[pod.Name]
		switch {
		case ignored(pod):
			out.ignored = append(out.ignored, pod.Name)
		case pod.Status.Phase == corev1.PodPending:
			out.unready = append(out.unready, pod.Name)
		case !sampled:
			out.missing = append(out.missing, pod.Name)
		case cpu && w.initializes(pod, one):
			out.unready = append(out.unready, pod.Name)
		default:
			out.ready++
		}
	}
	return out
}

func (w *World) initializes(pod *corev1.Pod, one sample) bool {
	condition := readyCondition(pod)
	started := pod.Status.StartTime
	if condition == nil || started == nil {
		return true
	}
	if started.Add(w.Initialization).After(w.At) {
		return condition.Status == corev1.ConditionFalse || one.at.Before(condition.LastTransitionTime.Add(one.window))
	}
	return condition.Status == corev1.ConditionFalse && started.Add(w.ReadyDelay).After(condition.LastTransitionTime.Time)
}

func readyCondition(pod *corev1.Pod) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			return c
		}
	}
	return nil
}

// runningReady counts the pods by which a Value is multiplied; see getReadyPodsCount.
func runningReady(pods []*corev1.Pod) (n int) {
	for _, pod := range pods {
		c := readyCondition(pod)
		if pod.Status.Phase == corev1.PodRunning && c != nil && c.Status == corev1.ConditionTrue {
			n++
		}
	}
	return n
}

// samplesOfPod are the values that the resource metrics of the HPA read of a pod.
func (w *World) samplesOfPod(name string) map[int64]bool {
	values := map[int64]bool{}
	for _, m := range w.HPA.Spec.Metrics {
		samples := map[string]sample{}
		switch {
		case m.Resource != nil:
			samples, _ = w.samplesOf(m.Resource.Name, "", nil)
		case m.ContainerResource != nil:
			samples, _ = w.samplesOf(m.ContainerResource.Name, m.ContainerResource.Container, nil)
		}
		if one, ok := samples[name]; ok {
			values[one.value] = true
		}
	}
	return values
}
