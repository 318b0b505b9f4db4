package metrics

import (
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	api "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// window is the interval that every sample covers.
const window = 10 * time.Second

// usage is what one pod uses, in thousandths of the unit.
type usage struct{ cpu, memory *int64 }

// podMetrics returns the samples of all running pods of a namespace ("": of all) that match the selector.
func (s *State) podMetrics(pods []*v1.Pod, selector labels.Selector, now time.Time) ([]api.PodMetrics, error) {
	usages, err := s.usages(pods)
	if err != nil {
		return nil, err
	}
	items := []api.PodMetrics{}
	for _, pod := range pods {
		if use, found := usages[key(pod.Namespace, pod.Name)]; found && selector.Matches(labels.Set(pod.Labels)) {
			items = append(items, sample(pod, use, now))
		}
	}
	return items, nil
}

// usages applies the loads, then the exceptions.
func (s *State) usages(pods []*v1.Pod) (map[string]usage, error) {
	usages := map[string]usage{}
	for _, load := range s.Loads {
		if err := load.apply(pods, usages); err != nil {
			return nil, err
		}
	}
	for _, one := range s.Pods {
		name := key(one.Namespace, one.Name)
		if one.Hidden {
			delete(usages, name)
			continue
		}
		use, err := parse(one.CPU, one.Memory, 1)
		if err != nil {
			return nil, err
		}
		usages[name] = use
	}
	return usages, nil
}

func (l *Load) apply(pods []*v1.Pod, usages map[string]usage) error {
	selector, err := labels.Parse(l.Selector)
	if err != nil {
		return err
	}
	names := []string{}
	for _, pod := range pods {
		if pod.Namespace == l.Namespace && running(pod) && selector.Matches(labels.Set(pod.Labels)) {
			names = append(names, key(pod.Namespace, pod.Name))
		}
	}
	parts := int64(1)
	if l.Shared {
		parts = int64(max(len(names), 1))
	}
	use, err := parse(l.CPU, l.Memory, parts)
	for _, name := range names {
		usages[name] = use
	}
	return err
}

func running(pod *v1.Pod) bool {
	return pod.Status.Phase == v1.PodRunning && pod.DeletionTimestamp == nil
}

func parse(cpu, memory string, parts int64) (use usage, err error) {
	if use.cpu, err = milli(cpu, parts); err != nil {
		return use, err
	}
	use.memory, err = milli(memory, parts)
	return use, err
}

func milli(text string, parts int64) (*int64, error) {
	if text == "" {
		return nil, nil
	}
	quantity, err := resource.ParseQuantity(text)
	if err != nil {
		return nil, err
	}
	share := quantity.MilliValue() / parts
	return &share, nil
}

// sample deals the pod's usage out to its containers; the first takes what is left of the division.
func sample(pod *v1.Pod, use usage, now time.Time) api.PodMetrics {
	count := int64(len(pod.Spec.Containers))
	containers := make([]api.ContainerMetrics, 0, count)
	for i, container := range pod.Spec.Containers {
		list := v1.ResourceList{}
		if use.cpu != nil {
			list[v1.ResourceCPU] = *resource.NewMilliQuantity(share(*use.cpu, count, i), resource.DecimalSI)
		}
		if use.memory != nil {
			list[v1.ResourceMemory] = *resource.NewQuantity(share(*use.memory/1000, count, i), resource.BinarySI)
		}
		containers = append(containers, api.ContainerMetrics{Name: container.Name, Usage: list})
	}
	return api.PodMetrics{
		ObjectMeta: metav1.ObjectMeta{
			Name: pod.Name, Namespace: pod.Namespace, Labels: pod.Labels, CreationTimestamp: metav1.NewTime(now),
		},
		Timestamp:  metav1.NewTime(now),
		Window:     metav1.Duration{Duration: window},
		Containers: containers,
	}
}

func share(total, count int64, index int) int64 {
	if index == 0 {
		return total/count + total%count
	}
	return total / count
}

func key(namespace, name string) string { return namespace + "/" + name }
