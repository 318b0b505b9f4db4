package oracle

import (
	"fmt"
	"slices"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// playedLoad is a load, the metric that it is of, and its backlog.
type playedLoad struct {
	*loadFile
	spec    *autoscalingv2.MetricSpec // nil for a container's usage
	backlog int64
	moved   int64 // when the backlog last did
}

// reading is what was read at one instant.
type reading struct {
	visible int64
	items   []metricsv1beta1.PodMetrics
	answers map[*playedLoad]any // of the metrics that are no container's
}

// takeLoads finds each load's metric.
func (p *player) takeLoads() error {
	for i := range p.world.Loads {
		load := &playedLoad{loadFile: &p.world.Loads[i]}
		if load.Metric != nil {
			if *load.Metric < 0 || *load.Metric >= len(p.first.hpa.Spec.Metrics) {
				return fmt.Errorf("loads: there is no metric %d", *load.Metric)
			}
			load.spec = &p.first.hpa.Spec.Metrics[*load.Metric]
		}
		if load.Backlog != nil {
			load.backlog = load.Backlog.Start
		}
		p.loads = append(p.loads, load)
	}
	return nil
}

// sampledInCase tells whether a pod has a sample in the case.
func (p *player) sampledInCase(name string) bool {
	if p.first.podMetrics != nil {
		for _, item := range p.first.podMetrics.items {
			if item.Name == name {
				return true
			}
		}
	}
	for _, q := range p.first.custom {
		for _, item := range q.answer.items {
			if q.object == nil && item.DescribedObject.Name == name {
				return true
			}
		}
	}
	return false
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

// move brings the backlog to the present.
func (l *playedLoad) move(now, ready int64) {
	if l.Backlog == nil {
		return
	}
	passed := now - l.moved
	arrived := mulDiv(mulDiv(l.Demand, l.Curve.ppm(now), 1_000_000), passed, 1000)
	l.backlog = max(0, l.backlog+arrived-mulDiv(ready*l.Backlog.Rate, passed, 1000))
	l.moved = now
}

// total is what the page calls D.
func (p *player) total(l *playedLoad) int64 {
	if l.Backlog != nil {
		return l.backlog
	}
	return mulDiv(l.Demand, l.Curve.ppm(p.now), 1_000_000)
}

func (p *player) hasSample(pod *playedPod) bool {
	return pod.isRunning() && !pod.silent && pod.readings >= p.world.Metrics.Readings
}

// amounts are those of the pods that are read.
func (p *player) amounts(l *playedLoad) map[*playedPod]int64 {
	out := map[*playedPod]int64{}
	ready := p.readyPods()
	for _, pod := range p.pods {
		if !p.hasSample(pod) {
			continue
		}
		amount := l.Starting
		if i := slices.Index(ready, pod); i >= 0 {
			amount = l.Idle + p.part(l, int64(i), int64(len(ready)))
		} else if pod.deleted() {
			amount = l.Idle
		}
		if l.Ceiling != nil {
			amount = min(amount, *l.Ceiling)
		}
		out[pod] = amount
	}
	return out
}

// part is what one of so many ready pods does.
func (p *player) part(l *playedLoad, index, ready int64) int64 {
	total := p.total(l)
	if l.Spread == "each" {
		return total
	}
	part := total / ready
	if index < total%ready {
		part++
	}
	return part
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
