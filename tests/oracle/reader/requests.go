package reader

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// lacks counts the pods without a request: by container, on the level of the pod, and without the container.
type lacks struct {
	containers            map[string]int
	podLevel, noContainer int
}

func (l *lacks) any() bool { return len(l.containers) > 0 || l.podLevel > 0 || l.noContainer > 0 }

// requests are those of the pods in thousandths; see calculateRequests in replica_calculator.go.
func (w *World) requests(pods []*corev1.Pod, resource corev1.ResourceName, container string) (map[string]int64, lacks) {
	out, without := map[string]int64{}, lacks{containers: map[string]int{}}
	for _, pod := range pods {
		if container == "" && w.gate("PodLevelResources") && w.Minor >= 34 && podLevel(pod) {
			if sum, found := podRequest(pod, resource); found {
				out[pod.Name] = sum
			} else {
				without.podLevel++
			}
			continue
		}
		out[pod.Name] = w.containerRequests(pod, resource, container, &without)
	}
	return out, without
}

func (w *World) containerRequests(pod *corev1.Pod, resource corev1.ResourceName, container string, without *lacks) (sum int64) {
	found := container == ""
	for _, c := range w.runningContainers(pod) {
		if container != "" && c.Name != container {
			continue
		}
		request, has := c.Resources.Requests[resource]
		if !has {
			without.containers[c.Name]++
		}
		sum += request.MilliValue()
		if container != "" {
			return sum
		}
	}
	if !found && w.Minor >= 35 {
		without.noContainer++
	}
	return sum
}

// runningContainers are those whose requests count: since 1.29 the sidecars too.
func (w *World) runningContainers(pod *corev1.Pod) []corev1.Container {
	if w.Minor < 29 {
		return pod.Spec.Containers
	}
	return withSidecars(pod)
}

func withSidecars(pod *corev1.Pod) []corev1.Container {
	out := slices.Clone(pod.Spec.Containers)
	for _, c := range pod.Spec.InitContainers {
		if sidecar(&c) {
			out = append(out, c)
		}
	}
	return out
}

func levelled(resource corev1.ResourceName) bool {
	return resource == corev1.ResourceCPU || resource == corev1.ResourceMemory ||
		strings.HasPrefix(string(resource), corev1.ResourceHugePagesPrefix)
}

// podRequest is the request of the whole pod; see PodRequests in component-helpers/resource. Quantities are added, and made
// thousandths in the end: those of one that no int64 holds are not the sum of those of its parts.
func podRequest(pod *corev1.Pod, name corev1.ResourceName) (int64, bool) {
	var sum, sidecars, peak resource.Quantity
	found := false
	raise := func(to resource.Quantity) {
		if to.Cmp(peak) > 0 {
			peak = to
		}
	}
	for _, c := range pod.Spec.Containers {
		request, has := c.Resources.Requests[name]
		sum.Add(request)
		found = found || has
	}
	for _, c := range pod.Spec.InitContainers {
		request, has := c.Resources.Requests[name]
		found = found || has
		if sidecar(&c) {
			sum.Add(request)
			sidecars.Add(request)
			raise(sidecars.DeepCopy())
		} else {
			alone := sidecars.DeepCopy()
			alone.Add(request)
			raise(alone)
		}
	}
	if peak.Cmp(sum) > 0 {
		sum = peak
	}
	if whole, has := podLevelRequests(pod)[name]; has && levelled(name) {
		sum, found = whole.DeepCopy(), true
	}
	if overhead, has := pod.Spec.Overhead[name]; has {
		sum.Add(overhead)
		found = true
	}
	return sum.MilliValue(), found
}

// podLevel tells whether the pod as a whole has a request that counts.
func podLevel(pod *corev1.Pod) bool {
	for name := range podLevelRequests(pod) {
		if levelled(name) {
			return true
		}
	}
	return false
}
