package oracle

import (
	"fmt"
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// playedLoad is a load, the metric that it is of, and its backlog.
type playedLoad struct {
	*loadFile
	spec    *autoscalingv2.MetricSpec // nil for a container's usage
	backlog int64
	moved   int64 // when the backlog last did
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
