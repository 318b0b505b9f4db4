package reader

import (
	"slices"
	"strconv"
	"time"

	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// basisChecks are what a decision rests on beside what was read.
var basisChecks = map[string]check{
	"measured": func(l *look, v *values) {
		pods, _ := l.w.matched()
		there, last := map[string]bool{}, map[string]metricsv1beta1.PodMetrics{}
		for _, pod := range pods {
			there[pod.Name] = true
		}
		// Of several samples of a pod the last counts.
		for _, item := range l.w.matchedSamples() {
			if there[item.Name] {
				last[item.Name] = item
			}
		}
		var from, to time.Time
		var longest time.Duration
		for _, item := range last {
			if item.Timestamp.IsZero() {
				continue
			}
			begin, end := item.Timestamp.Add(-item.Window.Duration), item.Timestamp.Time
			if from.IsZero() || begin.Before(from) {
				from = begin
			}
			if end.After(to) {
				to = end
			}
			longest = max(longest, item.Window.Duration)
		}
		if !v.time("from").Equal(from) || !v.time("to").Equal(to) || v.duration("longest") != longest {
			v.fault("the samples are from %v to %v, over at most %v", from, to, longest)
		}
		if period := v.duration("syncPeriod"); v.bool("assumed") && period != syncPeriod {
			v.fault("the default of the sync period is %v", syncPeriod)
		}
	},
	"of-limits": func(l *look, v *values) {
		i := l.one(v, v.str("metric"))
		if i < 0 {
			return
		}
		p, limits := l.propose(i), int64(0)
		name, only, target := resourceOf(&l.w.HPA.Spec.Metrics[i])
		pods, _ := l.w.matched()
		for _, pod := range pods {
			if slices.Contains(slices.Concat(p.groups.missing, p.groups.unready, p.groups.ignored), pod.Name) {
				continue
			}
			for _, c := range l.w.runningContainers(pod) {
				limit := c.Resources.Limits[name]
				if only == "" || c.Name == only {
					limits += limit.MilliValue()
				}
			}
		}
		if limits == 0 || limits == p.requested || target.AverageUtilization == nil {
			v.fault("the limits add up to %d, the requests to %d", limits, p.requested)
			return
		}
		v.is("target", int64(*target.AverageUtilization))
		v.is("targetOfLimit", int64(*target.AverageUtilization)*p.requested/limits)
		v.is("now", p.value)
		v.is("nowOfLimit", p.sum*100/limits)
	},
	"made-by-keda": func(l *look, v *values) {
		v.text("scaledObject", l.w.scaledObject())
		v.is("minReplicas", int64(l.w.min()))
		v.is("maxReplicas", int64(l.w.max()))
	},
	"default-metrics": func(l *look, v *values) {
		metrics := v.objects("metrics")
		if len(metrics) != 1 || len(l.w.HPA.Spec.Metrics) != 1 {
			v.fault("the API server's default is one metric")
			return
		}
		metrics[0].text("name", "cpu")
		metrics[0].text("value", "80%")
		if m := l.w.HPA.Spec.Metrics[0]; m.Resource == nil || m.Resource.Name != "cpu" || *m.Resource.Target.AverageUtilization != 80 {
			v.fault("the metric is another one")
		}
	},
	"flags-assumed": func(l *look, v *values) {
		if v.has("error") {
			v.str("error") // the reader's own
		}
		for _, flag := range v.objects("flags") {
			name, value := flag.str("name"), flag.str("value")
			if name == "tolerance" {
				if said, err := strconv.ParseFloat(value, 64); err != nil || said != l.w.Tolerance || said != 0.1 {
					v.fault("the tolerance is %v", l.w.Tolerance)
				}
				continue
			}
			set := map[string][2]time.Duration{
				"cpu-initialization-period": {l.w.Initialization, 5 * time.Minute},
				"initial-readiness-delay":   {l.w.ReadyDelay, 30 * time.Second},
				"downscale-stabilization":   {l.w.Downscale, 5 * time.Minute},
			}[name]
			if said, err := time.ParseDuration(value); err != nil || said != set[0] || said != set[1] {
				v.fault("%s is %v, and its default %v", name, set[0], set[1])
			}
		}
	},
	"memory-without-effect": func(l *look, v *values) {
		sources := v.strs("sources")
		// Whatever it is, the controller does not go elsewhere with an empty one.
		if out := l.rerun(v, func(w *World) { w.Memory = Memory{} }); out != nil && out.Desired != nil && *out.Desired != l.desired() &&
			slices.Contains(sources, "a status without conditions") {
			v.fault("with an empty memory the real controller decides %d", *out.Desired)
		}
		if v.has("started") && !v.time("started").Equal(l.w.Controller.Started) {
			v.fault("the controller started at %v", l.w.Controller.Started)
		}
		l.untold(v)
	},
	"memory-bounded": func(l *look, v *values) {
		v.strs("sources")
		l.untold(v)
		v.flag("contradicted", slices.ContainsFunc(l.decision.Because, func(b map[string]any) bool { return b["code"] == "contradiction" }))
		if v.has("events") {
			v.str("events")
		}
		if v.has("sizeUnknown") {
			at := v.time("sizeUnknown")
			if !slices.ContainsFunc(l.w.Rescales, func(r Rescale) bool { return !r.At.Before(at) && r.At.Before(at.Add(time.Second)) }) {
				v.fault("no event shows a rescale at %v", at)
			}
		}
		v.bool("watchHelps")
	},
	"recommendations-unknown": func(l *look, v *values) {
		window := v.duration("window")
		if window != l.windows()["scaleDown"] {
			v.fault("the window of scaleDown is %v", l.windows()["scaleDown"])
		}
		if until := v.time("until"); !until.Equal(l.w.At.Add(window)) {
			v.fault("it ends at %v", l.w.At.Add(window))
		}
		l.untold(v)
	},
	"events-unread": nothing, "lease-unread": nothing, "others-unknown": nothing,
	"rights-missing":  func(_ *look, v *values) { v.strs("rights") },
	"memory-inferred": func(*look, *values) {},
}

// untold holds that the case does not tell the controller's memory.
func (l *look) untold(v *values) {
	if !l.decision.Open {
		v.fault("the memory is told")
	}
}

// nothing can be held against the objects: it is an error of the reader's own.
func nothing(_ *look, v *values) { v.str("error") }
