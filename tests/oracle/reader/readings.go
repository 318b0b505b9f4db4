package reader

import (
	"fmt"
	"math"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
)

var readingChecks = map[string]check{"reads": (*look).reads}

func (l *look) reads(v *values) {
	name := v.str("metric")
	lead, reading, then := v.object("lead"), v.object("reading"), v.object("then")
	candidates := l.w.named(name)
	if len(candidates) == 0 {
		v.fault("no metric is called %s", name)
		v.skip()
		return
	}
	i := l.leading(candidates)
	for _, one := range candidates {
		if p := l.propose(one); p.kind == reading.in["kind"] && fmt.Sprint(p.target) == fmt.Sprint(reading.in["target"]) {
			i = one
		}
	}
	l.metric = i
	p := l.propose(i)
	if p.failure != "" {
		v.fault("%s gives nothing: %s", name, p.failure)
		v.skip()
		return
	}
	l.trulyProposes(v, i)
	l.leads(lead, name, p)
	l.reading(reading, p)
	l.shown(reading, i)
	l.follows(then, p, p.ratio, p.filled && !math.IsNaN(p.ratio))
}

// leading is the candidate with the highest proposal.
func (l *look) leading(candidates []int) int {
	best := candidates[0]
	for _, i := range candidates {
		p, b := l.propose(i), l.propose(best)
		if p.failure == "" && (b.failure != "" || p.replicas > b.replicas) {
			best = i
		}
	}
	return best
}

// leads holds that the metric has the highest proposal; see computeReplicasForMetrics in horizontal.go for ties.
func (l *look) leads(v *values, name string, p *proposal) {
	level, higher := []int{}, 0
	for i := range l.w.HPA.Spec.Metrics {
		other := l.propose(i)
		if other.failure == "" && other.replicas > p.replicas {
			higher++
			if v.in["kind"] != "after-zero" {
				v.fault("metric %d proposes %d, more than %d", i, other.replicas, p.replicas)
			}
		}
		if other.failure == "" && other.replicas == p.replicas {
			level = append(level, i)
		}
	}
	switch kind := v.str("kind"); kind {
	case "only":
		if n := len(l.w.HPA.Spec.Metrics) - len(l.failing()); n != 1 {
			v.fault("%d metrics give a count", n)
		}
	case "most-of":
		v.is("metrics", int64(len(l.w.HPA.Spec.Metrics)-len(l.failing())))
		v.is("failed", int64(len(l.failing())))
		if len(level) != 1 {
			v.fault("%d metrics propose %d", len(level), p.replicas)
		}
	case "tied":
		v.is("replicas", int64(p.replicas))
		names := v.strs("metrics")
		if len(names) != len(level) {
			v.fault("%v are level, and %d propose %d", names, len(level), p.replicas)
		}
		end := names[0]
		if takes := v.str("takes"); takes == "last" {
			end = names[len(names)-1]
		} else if takes != "first" {
			v.fault("takes is %q", takes)
		}
		if end != name {
			v.fault("%s is not the one that counts", name)
		}
		for _, one := range names {
			if at := l.w.named(one); len(at) == 0 || l.propose(l.leading(at)).replicas != p.replicas {
				v.fault("%s does not propose %d", one, p.replicas)
			}
		}
	case "after-zero":
		v.is("metrics", int64(len(l.w.HPA.Spec.Metrics)-len(l.failing())))
		v.is("failed", int64(len(l.failing())))
		if end, zero := l.taken(); end != p || !zero || higher == 0 {
			v.fault("%d metrics propose more, and one before it proposes 0: %v", higher, zero)
		}
	default:
		v.fault("unknown lead %q", kind)
	}
}

// taken is the proposal that the controller takes: a proposal of 0 gives way to any later one; see computeReplicasForMetrics
// in horizontal.go. It also tells whether one did.
func (l *look) taken() (best *proposal, zero bool) {
	for i := range l.w.HPA.Spec.Metrics {
		p := l.propose(i)
		if p.failure != "" || best != nil && best.replicas != 0 && p.replicas <= best.replicas {
			continue
		}
		zero = zero || best != nil && best.replicas == 0
		best = p
	}
	return best, zero
}

func (l *look) reading(v *values, p *proposal) {
	v.text("kind", p.kind)
	v.is("target", p.target)
	switch p.kind {
	case "utilization":
		v.is("percent", p.value)
	case "mean":
		v.is("mean", p.value)
		v.is("samples", p.samples)
		if foreign := p.samples - int64(p.groups.ready); v.has("foreign") || foreign > 0 {
			v.is("foreign", foreign)
		}
	case "value":
		v.is("value", p.value)
	case "average":
		v.is("value", p.value)
		v.is("replicas", int64(l.w.Scale.Status.Replicas))
		if v.has("mean") {
			v.is("mean", p.average)
		}
	case "negative-sum":
		v.is("sum", p.value)
		v.is("after", int64(p.after))
		v.is("series", int64(p.series))
	}
}

// shown holds a reading against the metric in the real status.
func (l *look) shown(v *values, i int) {
	if l.real.Panic != "" || l.w.Minor < 29 && l.real.Error != "" || i >= len(l.real.Status.CurrentMetrics) || l.real.Status.CurrentMetrics[i].Type == "" || !l.readsMetrics() {
		return
	}
	current := currentOf(&l.real.Status.CurrentMetrics[i])
	if current == nil {
		return
	}
	if v.has("percent") && current.AverageUtilization != nil {
		v.is("percent", int64(*current.AverageUtilization))
	}
	for key, amount := range map[string]*resource.Quantity{"mean": current.AverageValue, "value": current.Value} {
		if v.has(key) && amount != nil && !amount.IsZero() && math.Abs(amount.AsApproximateFloat64()) < 1e15 {
			v.is(key, amount.MilliValue())
		}
	}
}

func currentOf(m *autoscalingv2.MetricStatus) *autoscalingv2.MetricValueStatus {
	switch {
	case m.Resource != nil:
		return &m.Resource.Current
	case m.ContainerResource != nil:
		return &m.ContainerResource.Current
	case m.Pods != nil:
		return &m.Pods.Current
	case m.Object != nil:
		return &m.Object.Current
	case m.External != nil:
		return &m.External.Current
	}
	return nil
}
