package reader

import (
	"cmp"
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// restore gives each pod that counts as missing for a metric the sample of the ready pod in the middle, and makes it ready.
func (l *look) restore(w *World, missing map[string]bool) {
	w.Pods = slices.Clone(w.Pods)
	for i, pod := range w.Pods {
		if pod.Namespace == w.HPA.Namespace && missing[pod.Name] {
			w.Pods[i] = settledPod(pod)
		}
	}
	byPod := map[string][]used{}
	for i := range w.HPA.Spec.Metrics {
		m := &w.HPA.Spec.Metrics[i]
		middle, found := l.middle(m, l.propose(i))
		if !found {
			continue
		}
		resource, container, _ := resourceOf(m)
		for _, name := range l.propose(i).groups.missing {
			if resource != "" {
				byPod[name] = append(byPod[name], used{resource, container, middle})
			} else {
				w.sampled(m, name, middle)
			}
		}
	}
	for name, all := range byPod {
		w.restoreItem(name, all)
	}
}

// middle is the sample of the ready pod in the middle.
func (l *look) middle(m *autoscalingv2.MetricSpec, p *proposal) (int64, bool) {
	resource, container, _ := resourceOf(m)
	var metric *autoscalingv2.MetricIdentifier
	if m.Type == autoscalingv2.PodsMetricSourceType {
		metric = &m.Pods.Metric
	} else if resource == "" {
		return 0, false
	}
	samples, failed := l.w.samplesOf(resource, container, metric)
	if failed.failure != "" {
		return 0, false
	}
	var ready []int64
	pods, _ := l.w.matched()
	for _, pod := range pods {
		if !slices.Contains(slices.Concat(p.groups.missing, p.groups.unready, p.groups.ignored), pod.Name) {
			ready = append(ready, samples[pod.Name].value)
		}
	}
	if len(ready) == 0 {
		return 0, false
	}
	slices.SortStableFunc(ready, cmp.Compare[int64])
	return ready[len(ready)/2], true
}

// sampled adds the value of a pod to the answer for a metric of type Pods.
func (w *World) sampled(m *autoscalingv2.MetricSpec, pod string, value int64) {
	selector, err := metav1.LabelSelectorAsSelector(m.Pods.Metric.Selector)
	if err != nil {
		return
	}
	w.Custom = slices.Clone(w.Custom)
	for at := range w.Custom {
		if q := &w.Custom[at]; q.Object == nil && q.Name == m.Pods.Metric.Name && q.Selector == selector.String() {
			one := customv1beta2.MetricValue{DescribedObject: corev1.ObjectReference{Kind: "Pod", Name: pod}, Value: *milli(value)}
			one.Timestamp = metav1.NewTime(w.At)
			q.Answer.Items = append(slices.Clone(q.Answer.Items), one)
			return
		}
	}
}

// used is what a container uses of a resource, or for an empty name what a pod does.
type used struct {
	resource  corev1.ResourceName
	container string
	amount    int64
}

// restoreItem lets the sample of a pod show what is used of some resources, and leaves what it shows of others.
func (w *World) restoreItem(name string, all []used) {
	item := metricsv1beta1.PodMetrics{Timestamp: metav1.NewTime(w.At)}
	item.Name, item.Namespace = name, w.HPA.Namespace
	for _, known := range w.matchedSamples() {
		if known.Name == name {
			item = *known.DeepCopy()
			item.Timestamp = metav1.NewTime(w.At)
		}
	}
	item.Labels = nil
	w.PodMetrics.Items = append(slices.DeleteFunc(slices.Clone(w.PodMetrics.Items), func(other metricsv1beta1.PodMetrics) bool {
		return other.Name == name
	}), item)
	show(&w.PodMetrics.Items[len(w.PodMetrics.Items)-1], all)
}

// show changes a sample so that it adds up to some amounts.
func show(item *metricsv1beta1.PodMetrics, all []used) {
	for _, one := range all {
		if one.container == "" {
			continue
		}
		at := slices.IndexFunc(item.Containers, func(c metricsv1beta1.ContainerMetrics) bool { return c.Name == one.container })
		if at < 0 {
			at = len(item.Containers)
			item.Containers = append(item.Containers, metricsv1beta1.ContainerMetrics{Name: one.container})
		}
		if item.Containers[at].Usage == nil {
			item.Containers[at].Usage = corev1.ResourceList{}
		}
		item.Containers[at].Usage[one.resource] = *milli(one.amount)
	}
	rest := metricsv1beta1.ContainerMetrics{Name: apart, Usage: corev1.ResourceList{}}
	whole := map[corev1.ResourceName]bool{}
	for _, c := range item.Containers {
		for name := range c.Usage {
			whole[name] = true
		}
	}
	for _, one := range all {
		whole[one.resource] = true
	}
	for name := range whole {
		rest.Usage[name] = *milli(0)
		sum := int64(0)
		for at := range item.Containers {
			c := &item.Containers[at]
			if c.Usage == nil {
				c.Usage = corev1.ResourceList{}
			}
			if usage, has := c.Usage[name]; has {
				sum += usage.MilliValue()
			} else if slices.ContainsFunc(all, func(u used) bool { return u.container == "" && u.resource == name }) {
				c.Usage[name] = *milli(0)
			}
		}
		for _, one := range all {
			if one.container == "" && one.resource == name {
				rest.Usage[name] = *milli(one.amount - sum)
			}
		}
	}
	item.Containers = append(item.Containers, rest)
}
