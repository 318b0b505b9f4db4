package reader

import (
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

var choiceChecks = map[string]check{
	"only-metric": func(l *look, v *values) {
		if n := len(l.w.HPA.Spec.Metrics); n != 1 || l.propose(0).failure == "" {
			v.fault("spec.metrics has %d entries, %d fail", n, len(l.failing()))
		}
		l.stays(v)
	},
	"no-metric-works": func(l *look, v *values) {
		v.is("metrics", int64(len(l.w.HPA.Spec.Metrics)))
		if n := len(l.failing()); n != len(l.w.HPA.Spec.Metrics) {
			v.fault("only %d metrics fail", n)
		}
		l.stays(v)
	},
	"alone-would-be": func(l *look, v *values) {
		replicas := v.int("replicas")
		if replicas >= int64(l.w.current()) {
			v.fault("%d are not fewer than now", replicas)
		}
		name, found := v.str("metric"), false
		for _, i := range l.w.named(name) {
			found = found || l.propose(i).failure == "" && int64(l.propose(i).replicas) == replicas
			l.trulyProposes(v, i)
		}
		if !found {
			v.fault("%s does not propose %d", name, replicas)
		}
		if best, _ := l.taken(); best == nil || int64(best.replicas) != replicas {
			v.fault("of the metrics that work %+v is taken", best)
		}
	},
	"never-down": func(l *look, v *values) {
		if len(l.failing()) == 0 || l.desired() < l.w.current() {
			v.fault("%d metrics fail, and the replicas become %d", len(l.failing()), l.desired())
		}
	},
	"only-up": func(l *look, v *values) {
		// Those without a value at 0 are in a claim of their own.
		names, failing := v.strs("metrics"), slices.DeleteFunc(l.failing(), l.idleAtZero)
		var named []int
		for _, name := range names {
			all := l.w.named(name)
			named = append(named, all...)
			if !slices.ContainsFunc(all, func(i int) bool { return slices.Contains(failing, i) }) {
				v.fault("%s does not fail", name)
			}
		}
		for _, i := range failing {
			if !slices.Contains(named, i) {
				v.fault("metric %d fails too: %s", i, l.propose(i).failure)
			}
		}
		if n := len(failing); n != len(names) || n == len(l.w.HPA.Spec.Metrics) {
			v.fault("%d of %d metrics fail", n, len(l.w.HPA.Spec.Metrics))
		}
	},
	"no-value-at-zero": func(l *look, v *values) {
		l.zero(v)
		for _, name := range v.strs("metrics") {
			i := l.one(v, name)
			if i < 0 {
				continue
			}
			if m := l.w.HPA.Spec.Metrics[i].Type; m == autoscalingv2.ObjectMetricSourceType || m == autoscalingv2.ExternalMetricSourceType {
				v.fault("%s is not read of pods", name)
			}
			if l.propose(i).failure == "" {
				v.fault("%s has a value", name)
			}
		}
	},
}

// idleAtZero tells whether a metric is read of pods of which there are to be none.
func (l *look) idleAtZero(i int) bool {
	switch l.w.HPA.Spec.Metrics[i].Type {
	case autoscalingv2.ObjectMetricSourceType, autoscalingv2.ExternalMetricSourceType:
		return false
	}
	f := l.propose(i).failure
	if l.w.current() != 0 || f != emptyList && f != noPods {
		return false
	}
	var ignored []string
	_, decides := l.wants(newValues(nil, "", &ignored), func(*World) {})
	return decides
}

// failing are the metrics that give nothing.
func (l *look) failing() (out []int) {
	for i := range l.w.HPA.Spec.Metrics {
		if l.propose(i).failure != "" {
			out = append(out, i)
		}
	}
	return out
}

// trulyProposes holds our own arithmetic against what the real controller recommends for a metric alone: less than 0
// counts as 0.
func (l *look) trulyProposes(v *values, i int) {
	if !l.readsMetrics() || l.w.current() == 0 {
		return
	}
	real, works := l.wants(v, func(w *World) { w.HPA.Spec.Metrics = w.HPA.Spec.Metrics[i : i+1] })
	p := l.propose(i)
	if works != (p.failure == "") || works && real != max(0, p.replicas) {
		v.fault("the real controller proposes %d (%v) for metric %d alone; the reader %d %s", real, works, i, p.replicas, p.failure)
	}
}
