package reader

import (
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
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
	case m.Object != nil && m.Type == autoscalingv2.ObjectMetricSourceType:
		return m.Object.Metric.Name + " of " + m.Object.DescribedObject.Kind + "/" + m.Object.DescribedObject.Name
	case m.External != nil && m.Type == autoscalingv2.ExternalMetricSourceType:
		return m.External.Metric.Name
	}
	return ""
}

// named are the metrics that a name may mean: several only if they share it.
func (w *World) named(name string) (out []int) {
	for i := range w.HPA.Spec.Metrics {
		if nameOf(&w.HPA.Spec.Metrics[i]) == name {
			out = append(out, i)
		}
	}
	if len(out) > 0 {
		return out
	}
	for i := range w.HPA.Spec.Metrics {
		base := nameOf(&w.HPA.Spec.Metrics[i])
		if rest, found := strings.CutPrefix(name, base); found && base != "" && strings.ContainsAny(rest[:1], "{( ") {
			out = append(out, i)
		}
	}
	return out
}

func (w *World) target() string {
	return w.HPA.Spec.ScaleTargetRef.Kind + "/" + w.HPA.Spec.ScaleTargetRef.Name
}
