package reader

import (
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

var requestChecks = map[string]check{
	"container-missing": func(l *look, v *values) {
		name, all := v.str("container"), map[string]bool{}
		pods, _ := l.w.matched()
		for _, pod := range pods {
			for _, c := range pod.Spec.Containers {
				all[c.Name] = true
			}
			for _, name := range l.w.Sidecars[pod.Name] {
				all[name] = true
			}
		}
		if all[name] {
			v.fault("a pod has the container %s", name)
		}
		if !slices.ContainsFunc(l.failing(), func(i int) bool {
			_, container, _ := resourceOf(&l.w.HPA.Spec.Metrics[i])
			return container == name
		}) {
			v.fault("no failing metric is of a container %s", name)
		}
		v.set("containers", all)
	},
	"no-usable-samples": func(l *look, v *values) {
		p := l.fails(v, v.str("metric"), noneUsable)
		v.is("missing", int64(len(p.groups.missing)))
		v.is("unready", int64(len(p.groups.unready)))
		v.is("ignored", int64(len(p.groups.ignored)))
	},
	"requests-needed": (*look).needsRequests,
	"requests-missing": func(l *look, v *values) {
		l.needsRequests(v)
		if l.metric < 0 {
			return
		}
		pods, _ := l.w.matched()
		name, container, _ := resourceOf(&l.w.HPA.Spec.Metrics[l.metric])
		_, without := l.w.requests(pods, name, container)
		v.is("podLevel", int64(without.podLevel))
		v.is("noContainer", int64(without.noContainer))
		parts := v.objects("containers")
		for _, part := range parts {
			part.is("pods", int64(without.containers[part.str("container")]))
		}
		if len(parts) != len(without.containers) {
			v.fault("requests are missing in %v", without.containers)
		}
		l.reallyFails(v, l.metric)
	},
	"requests-add-up-to-zero": func(l *look, v *values) { l.fails(v, v.str("metric"), requestsZero) },
}

// needsRequests finds the metric whose utilization needs requests.
func (l *look) needsRequests(v *values) {
	l.metric = -1
	resource, container := v.str("resource"), ""
	if v.has("container") {
		container = v.str("container")
	}
	if v.has("selector") {
		v.text("selector", l.selector())
	}
	if v.has("metric") {
		l.one(v, v.str("metric"))
	}
	for i := range l.w.HPA.Spec.Metrics {
		name, of, target := resourceOf(&l.w.HPA.Spec.Metrics[i])
		if string(name) == resource && of == container && target.AverageUtilization != nil && target.AverageValue == nil {
			l.metric = i
			return
		}
	}
	v.fault("no metric has a target of the utilization of %s %s", resource, container)
}

// resourceOf is the resource and the container of a metric of the resources of pods.
func resourceOf(m *autoscalingv2.MetricSpec) (corev1.ResourceName, string, autoscalingv2.MetricTarget) {
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType:
		return m.Resource.Name, "", m.Resource.Target
	case autoscalingv2.ContainerResourceMetricSourceType:
		return m.ContainerResource.Name, m.ContainerResource.Container, m.ContainerResource.Target
	}
	return "", "", autoscalingv2.MetricTarget{}
}

// someContainerIsMissing tells whether a sample lacks the container of the metric of that name, or of any without one.
func (l *look) someContainerIsMissing(containers []metricsv1beta1.ContainerMetrics, name string) bool {
	for i := range l.w.HPA.Spec.Metrics {
		m := &l.w.HPA.Spec.Metrics[i]
		_, container, _ := resourceOf(m)
		if container == "" || name != "" && nameOf(m) != name {
			continue
		}
		found := false
		for _, c := range containers {
			found = found || c.Name == container
		}
		if !found {
			return true
		}
	}
	return false
}
