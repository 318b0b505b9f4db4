package reader

import (
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// nameOf is what a claim calls a metric, without its selector.
func nameOf(m *autoscalingv2.MetricSpec) string {
	switch {
	case m.Resource != nil && m.Type == autoscalingv2.ResourceMetricSourceType:
		return string(m.Resource.Name)
	case m.ContainerResource != nil && m.Type == autoscalingv2.ContainerResourceMetricSourceType:
		return string(m.ContainerResource.Name) + " of container " + m.ContainerResource.Container
	case m.Pods != nil && m.Type == autoscalingv2.PodsMetricSourceType:
		return m.Pods.Metric.Name
	case m.Object != nil && m.Type == autoscalingv2.ObjectMetricSourceType && m.Object.DescribedObject.Kind == "Namespace" &&
		!strings.Contains(m.Object.DescribedObject.APIVersion, "/"):
		return m.Object.Metric.Name + " of the HPA's namespace"
	case m.Object != nil && m.Type == autoscalingv2.ObjectMetricSourceType:
		return m.Object.Metric.Name + " of " + m.Object.DescribedObject.Kind + "/" + m.Object.DescribedObject.Name
	case m.External != nil && m.Type == autoscalingv2.ExternalMetricSourceType:
		return m.External.Metric.Name
	}
	return ""
}

// named are the metrics that a name means: several only if they share their selector too.
func (w *World) named(name string) (out []int) {
	for i := range w.HPA.Spec.Metrics {
		if selectedName(&w.HPA.Spec.Metrics[i]) == name {
			out = append(out, i)
		}
	}
	for i := range w.HPA.Spec.Metrics {
		if len(out) == 0 && nameOf(&w.HPA.Spec.Metrics[i]) == name {
			return []int{i}
		}
	}
	return out
}

// selectedName is the name with the selector behind the metric's own, if it has one.
func selectedName(m *autoscalingv2.MetricSpec) string {
	var metric *autoscalingv2.MetricIdentifier
	switch m.Type {
	case autoscalingv2.PodsMetricSourceType:
		metric = &m.Pods.Metric
	case autoscalingv2.ObjectMetricSourceType:
		metric = &m.Object.Metric
	case autoscalingv2.ExternalMetricSourceType:
		metric = &m.External.Metric
	default:
		return nameOf(m)
	}
	selector, err := metav1.LabelSelectorAsSelector(metric.Selector)
	if metric.Selector == nil || err != nil {
		return nameOf(m)
	}
	return metric.Name + "{" + selector.String() + "}" + strings.TrimPrefix(nameOf(m), metric.Name)
}

func (w *World) target() string {
	return w.HPA.Spec.ScaleTargetRef.Kind + "/" + w.HPA.Spec.ScaleTargetRef.Name
}
