package reader

import (
	"math"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// becauseMetric is about the metric that decides.
var becauseMetric = map[string]check{
	"bounds": func(l *look, v *values) {
		v.is("minReplicas", int64(l.w.min()))
		v.is("maxReplicas", int64(l.w.max()))
	},
	"assumed": (*look).assumedPods,
	"counts": func(l *look, v *values) {
		p := l.deciding(v)
		v.is("pods", int64(l.countedBy(p)))
		v.is("replicas", int64(l.w.current()))
		l.holds(v)
		if v.int("pods") == v.int("replicas") {
			v.fault("they are the replicas")
		}
	},
	"foreign-samples": func(l *look, v *values) {
		l.deciding(v)
		v.is("samples", int64(l.foreign(v)))
	},
	"keeps-status-replicas": func(l *look, v *values) {
		p := l.deciding(v)
		v.is("replicas", int64(l.w.Scale.Status.Replicas))
		if !p.kept || p.replicas != l.w.Scale.Status.Replicas {
			v.fault("it proposes %d at a ratio of %v", p.replicas, p.ratio)
		}
	},
	"divided-by-status-replicas": func(l *look, v *values) {
		p := l.deciding(v)
		if p.kind != "average" && p.kind != "negative-sum" || l.w.Scale.Status.Replicas == l.w.current() {
			v.fault("status.replicas is %d, and it reads a %s", l.w.Scale.Status.Replicas, p.kind)
		}
	},
	"within-tolerance": func(l *look, v *values) {
		for _, i := range l.w.named(v.str("metric")) {
			p := l.propose(i)
			ratio := p.lastRatio()
			if p.failure == "" && (l.w.within(ratio) || math.IsNaN(ratio) || l.w.within(p.ratio)) && (ratio != 1 || p.ratio != 1) {
				return
			}
		}
		v.fault("its ratio is outside, or 1")
	},
	"on-target": func(l *look, v *values) {
		if p := l.deciding(v); p.ratio != 1 {
			v.fault("the ratio is %v", p.ratio)
		}
	},
	"reads": (*look).readsSo,
}

// deciding is the proposal that the controller takes, of the metric that is named.
func (l *look) deciding(v *values) *proposal {
	best, _ := l.taken()
	for _, i := range l.w.named(v.str("metric")) {
		if p := l.propose(i); p == best || best != nil && p.failure == "" && p.replicas == best.replicas && p.kind == best.kind && p.value == best.value {
			l.metric = i
			return best
		}
	}
	v.fault("%s is not the metric that decides", v.str("metric"))
	return &proposal{}
}

func (p *proposal) lastRatio() float64 {
	if p.filled {
		return p.second
	}
	return p.ratio
}

// holds holds whether the replicas stay for that.
func (l *look) holds(v *values) {
	if v.bool("held") && l.desired() != l.w.current() {
		v.fault("the real controller goes from %d to %d", l.w.current(), l.desired())
	}
}

// assumedPods holds the pods for which a usage is assumed.
func (l *look) assumedPods(v *values) {
	p := l.deciding(v)
	l.holds(v)
	missing, unready := 0, 0
	if p.fillsMissing != "" {
		missing = len(p.groups.missing)
	}
	if p.ratio > 1 {
		unready = len(p.groups.unready)
	}
	v.is("missing", int64(missing))
	v.is("unready", int64(unready))
	unscheduled := v.object("unscheduled")
	if waiting, gated := l.unscheduled(p); len(p.groups.missing) == 0 && waiting+gated == int64(len(p.groups.unready)) {
		unscheduled.is("waiting", waiting)
		unscheduled.is("gated", gated)
	} else {
		unscheduled.is("waiting", 0)
		unscheduled.is("gated", 0)
	}
	l.stuckPods(v.object("stuck"), p, missing > 0, unready > 0)
	turns := p.kept && !l.w.within(p.second) || p.second > 1 != (p.ratio > 1) && !l.w.within(p.second)
	switch kind := v.str("turns"); kind {
	case "no":
	case "up-into-down":
		turns = turns && p.ratio > 1 && p.second <= 1
	case "down-into-up":
		turns = turns && p.ratio <= 1 && p.second > 1
	case "otherwise":
	default:
		v.fault("unknown turns %q", kind)
	}
	if !turns && v.str("turns") != "no" {
		v.fault("the ratios are %v and %v", p.ratio, p.second)
	}
}

// stuckPods holds the assumed pods, if each of them has a container that waits, and no sample.
func (l *look) stuckPods(v *values, p *proposal, missing, unready bool) {
	samples := l.samples(v)
	assumed := map[string]bool{}
	for _, name := range p.groups.missing {
		assumed[name] = missing
	}
	for _, name := range p.groups.unready {
		assumed[name] = unready
	}
	n, reasons := int64(0), map[string]bool{}
	pods, _ := l.w.matched()
	for _, pod := range pods {
		if !assumed[pod.Name] {
			continue
		}
		_, sampled := samples[pod.Name]
		reason := stuckFor(pod)
		if sampled || reason == "" {
			n, reasons = 0, nil
			break
		}
		n++
		reasons[reason] = true
	}
	v.is("pods", n)
	v.set("reasons", reasons)
}

// unscheduled counts the unready pods of a proposal that have no node, and why.
func (l *look) unscheduled(p *proposal) (waiting, gated int64) {
	unready := map[string]bool{}
	for _, name := range p.groups.unready {
		unready[name] = true
	}
	pods, _ := l.w.matched()
	for _, pod := range pods {
		switch reason := unscheduled(pod); {
		case reason == "" || !unready[pod.Name]:
		case reason == "SchedulingGated":
			gated++
		default:
			waiting++
		}
	}
	return waiting, gated
}

// foreign are the samples of a metric of pods that the selector does not match.
func (l *look) foreign(v *values) (n int) {
	samples := l.samples(v)
	pods, _ := l.w.matched()
	for _, pod := range pods {
		delete(samples, pod.Name)
	}
	return len(samples)
}

// samples are those of the metric that is looked at.
func (l *look) samples(v *values) map[string]sample {
	if l.metric < 0 {
		return nil
	}
	m := &l.w.HPA.Spec.Metrics[l.metric]
	resource, container, _ := resourceOf(m)
	var metric *autoscalingv2.MetricIdentifier
	if m.Pods != nil {
		metric = &m.Pods.Metric
	}
	samples, failed := l.w.samplesOf(resource, container, metric)
	if failed.failure != "" {
		v.fault("it has no samples: %s", failed.failure)
	}
	return samples
}

// readsSo holds what the metric reads, and its target.
func (l *look) readsSo(v *values) {
	p := l.deciding(v)
	v.is("replicas", int64(l.w.current()))
	kind, amount := "value", p.value
	switch p.kind {
	case "utilization":
		kind = "percent"
	case "mean":
		kind = "per-pod"
	case "average", "negative-sum":
		if kind = "per-replica"; l.w.Scale.Status.Replicas != 0 {
			amount = p.average
		} else {
			kind = "value"
		}
	}
	l.seen(v.object("now"), kind, amount)
	if v.has("target") {
		if p.kind == "average" || p.kind == "negative-sum" {
			kind = "per-replica"
		}
		l.seen(v.object("target"), kind, p.target)
	}
	if v.has("exact") {
		v.near("exact", l.exact(p, p.lastRatio()))
		if int32(math.Ceil(v.float("exact"))) != l.w.current() {
			v.fault("rounded up it is not the %d replicas", l.w.current())
		}
	}
}
