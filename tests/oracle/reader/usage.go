package reader

import (
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// apart is a name that no metric of a case bears: the metric that is changed gets it, so that no other reads its values, and
// so does a container that takes back from one metric what another got.
const apart = "reader-apart"

// usage is that of a metric today: the sum of its samples that count, or its value.
func (p *proposal) usage() int64 {
	if p.kind == "value" || p.kind == "average" {
		return p.value
	}
	return p.sum
}

// use gives one metric another usage, all in one sample, and leaves the other metrics as they are. It tells whether it can.
func (w *World) use(i int, p *proposal, usage int64) bool {
	m := &w.HPA.Spec.Metrics[i]
	switch m.Type {
	case autoscalingv2.ExternalMetricSourceType:
		m.External.Metric = autoscalingv2.MetricIdentifier{Name: apart}
		one := externalv1beta1.ExternalMetricValue{MetricName: apart, Value: *milli(usage)}
		w.External = append(slices.Clone(w.External), Query[externalv1beta1.ExternalMetricValue]{Name: apart,
			Answer: Answer[externalv1beta1.ExternalMetricValue]{Items: []externalv1beta1.ExternalMetricValue{one}}})
	case autoscalingv2.ObjectMetricSourceType:
		items, _ := find(w.Custom, m.Object.Metric, &m.Object.DescribedObject)
		w.ask(&m.Object.Metric, &m.Object.DescribedObject, items, func(*customv1beta2.MetricValue) bool { return true }, usage)
	case autoscalingv2.PodsMetricSourceType:
		items, _ := find(w.Custom, m.Pods.Metric, nil)
		pod, sum := p.one(usage)
		w.ask(&m.Pods.Metric, nil, items, func(it *customv1beta2.MetricValue) bool { return it.DescribedObject.Name == pod }, sum)
	case autoscalingv2.ResourceMetricSourceType:
		return w.useResource(i, p, m.Resource.Name, "", usage)
	case autoscalingv2.ContainerResourceMetricSourceType:
		return w.useResource(i, p, m.ContainerResource.Name, m.ContainerResource.Container, usage)
	}
	return true
}

func milli(amount int64) *resource.Quantity {
	return resource.NewMilliQuantity(amount, resource.DecimalSI)
}

// one is the pod whose sample takes all that is changed, and that sample.
func (p *proposal) one(usage int64) (pod string, sample int64) {
	return p.measured, p.sample + usage - p.sum
}

// ask lets a metric have an answer of its own, with another value of some items.
func (w *World) ask(metric *autoscalingv2.MetricIdentifier, object *autoscalingv2.CrossVersionObjectReference, items []customv1beta2.MetricValue,
	its func(*customv1beta2.MetricValue) bool, value int64) {
	items = slices.Clone(items)
	for at := range items {
		if its(&items[at]) {
			items[at].Value = *milli(value)
		}
	}
	*metric = autoscalingv2.MetricIdentifier{Name: apart}
	w.Custom = append(slices.Clone(w.Custom), Query[customv1beta2.MetricValue]{Name: apart, Object: object,
		Answer: Answer[customv1beta2.MetricValue]{Items: items}})
}

// useResource changes the sample of a container, or gives the pod one more. It can't if another metric adds up the same.
func (w *World) useResource(i int, p *proposal, name corev1.ResourceName, container string, usage int64) bool {
	whole, all := false, map[corev1.ResourceName]bool{name: true}
	for j := range w.HPA.Spec.Metrics {
		resource, of, _ := resourceOf(&w.HPA.Spec.Metrics[j])
		if j != i && resource == name && of == container {
			return false
		}
		if resource != "" && of == "" {
			all[resource] = true
			whole = whole || resource == name
		}
	}
	pod, sample := p.one(usage)
	items := slices.Clone(w.PodMetrics.Items)
	for at := range items {
		if items[at].Name == pod {
			items[at].Containers = useContainer(items[at].Containers, name, container, sample)
			if change := usage - p.sum; container == "" {
				items[at].Containers = append(items[at].Containers, extra(all, name, change))
			} else if whole {
				items[at].Containers = append(items[at].Containers, extra(all, name, -change))
			}
		}
	}
	w.PodMetrics.Items = items
	return true
}

// useContainer is a copy in which the container that a metric names uses so much.
func useContainer(containers []metricsv1beta1.ContainerMetrics, name corev1.ResourceName, container string, usage int64) []metricsv1beta1.ContainerMetrics {
	containers = slices.Clone(containers)
	at := slices.IndexFunc(containers, func(c metricsv1beta1.ContainerMetrics) bool { return c.Name == container })
	if container != "" && at >= 0 {
		containers[at].Usage = containers[at].Usage.DeepCopy()
		containers[at].Usage[name] = *milli(usage)
	}
	return containers
}

// extra is a container that uses a change of one resource, and nothing of the others that are read.
func extra(all map[corev1.ResourceName]bool, name corev1.ResourceName, change int64) metricsv1beta1.ContainerMetrics {
	used := corev1.ResourceList{}
	for one := range all {
		used[one] = *milli(0)
	}
	used[name] = *milli(change)
	return metricsv1beta1.ContainerMetrics{Name: apart, Usage: used}
}
