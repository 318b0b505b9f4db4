package oracle

import (
	"slices"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// reading is what was read at one instant.
type reading struct {
	visible int64
	items   []metricsv1beta1.PodMetrics
	answers map[*playedLoad]any // of the metrics that are no container's
}

// nextReading is when the next reading after now is made.
func (p *player) nextReading() int64 {
	m := p.world.Metrics
	if p.now < m.First {
		return m.First
	}
	return p.now + m.Resolution - (p.now-m.First)%m.Resolution
}

// read makes the reading that is due.
func (p *player) read() {
	m := p.world.Metrics
	if p.now < m.First || (p.now-m.First)%m.Resolution != 0 {
		return
	}
	for _, load := range p.loads {
		load.move(p.now, int64(len(p.readyPods())))
	}
	for _, pod := range p.pods {
		if pod.isRunning() {
			pod.readings++
		}
	}
	r := &reading{visible: p.now + m.Lag, answers: map[*playedLoad]any{}}
	usages := map[*playedLoad]map[*playedPod]int64{}
	for _, load := range p.loads {
		switch {
		case load.spec == nil:
			usages[load] = p.amounts(load)
		case load.spec.Type == autoscalingv2.PodsMetricSourceType:
			r.answers[load] = p.podValues(load)
		default:
			r.answers[load] = p.value(load)
		}
	}
	for _, pod := range p.pods {
		if p.hasSample(pod) {
			r.items = append(r.items, p.item(pod, usages))
		}
	}
	p.readings = append(p.readings, r)
}

// item is the sample of a pod.
func (p *player) item(pod *playedPod, usages map[*playedLoad]map[*playedPod]int64) metricsv1beta1.PodMetrics {
	out := metricsv1beta1.PodMetrics{Timestamp: p.seconds()}
	out.Name, out.Namespace = pod.Name, pod.Namespace
	out.Window = metav1.Duration{Duration: time.Duration(p.world.Metrics.Resolution) * time.Millisecond}
	for _, container := range slices.Concat(pod.Spec.Containers, pod.Spec.InitContainers) {
		usage := corev1.ResourceList{}
		for load, amounts := range usages {
			if load.Container == container.Name {
				usage[corev1.ResourceName(load.Resource)] = milli(amounts[pod])
			}
		}
		if len(usage) > 0 {
			out.Containers = append(out.Containers, metricsv1beta1.ContainerMetrics{Name: container.Name, Usage: usage})
		}
	}
	return out
}

// podValues answers a metric of type Pods.
func (p *player) podValues(l *playedLoad) []customv1beta2.MetricValue {
	amounts := p.amounts(l)
	var out []customv1beta2.MetricValue
	for _, pod := range p.pods {
		if amount, read := amounts[pod]; read {
			out = append(out, customv1beta2.MetricValue{
				DescribedObject: corev1.ObjectReference{Kind: "Pod", Name: pod.Name},
				Timestamp:       p.seconds(), Value: milli(amount)})
		}
	}
	return out
}

// value answers a metric of type Object or External.
func (p *player) value(l *playedLoad) any {
	value := p.total(l)
	if l.Spread == "shared" {
		value /= max(1, int64(len(p.readyPods())))
	}
	if object := l.spec.Object; object != nil {
		ref := object.DescribedObject
		return []customv1beta2.MetricValue{{
			DescribedObject: corev1.ObjectReference{APIVersion: ref.APIVersion, Kind: ref.Kind, Name: ref.Name},
			Timestamp:       p.seconds(), Value: milli(value)}}
	}
	return []externalv1beta1.ExternalMetricValue{{Timestamp: p.seconds(), Value: milli(value)}}
}
