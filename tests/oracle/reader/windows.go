package reader

import (
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

var windowChecks = map[string]check{
	"either-way": func(l *look, v *values) {
		l.windowed(v)
		v.is("replicas", int64(l.desired()))
		if out := l.rerun(v, func(w *World) { w.Memory = Memory{} }); out != nil && out.Desired != nil && int64(*out.Desired) != v.int("replicas") {
			v.fault("with an empty memory, as after a start of the controller, the real one decides %d", *out.Desired)
		}
	},
	"memory-unknown": func(l *look, v *values) {
		l.windowed(v)
		least, most := v.int("least"), v.int("most")
		l.between(v, least, most)
		if out := l.rerun(v, func(w *World) { w.Memory = Memory{} }); out != nil && out.Desired != nil {
			if n := int64(*out.Desired); n < least || n > most {
				v.fault("with an empty memory, as after a start of the controller, the real one decides %d", n)
			}
		}
		if v.has("latest") {
			l.latest(v.object("latest"))
		}
	},
	"window-by-status": func(l *look, v *values) {
		l.windowed(v)
		for _, key := range []string{"least", "most", "replicas"} {
			if v.has(key) {
				v.int(key)
			}
		}
		if v.has("direction") {
			v.str("direction")
		}
		l.windowActs(v, true)
	},
	"memory-empty": func(l *look, v *values) {
		if n := len(l.w.Memory.Recommendations); n > 0 {
			v.fault("the controller knows %d recommendations", n)
		}
		until, found := v.time("until"), false
		for _, window := range l.windows() {
			found = found || until.Equal(l.w.At.Add(window))
		}
		if !found {
			v.fault("no window that begins now ends at %v", until)
		}
		l.after(v)
	},
	"highest-counts": func(l *look, v *values) {
		if l.w.HPA.Spec.Behavior != nil {
			v.fault("spec.behavior is set")
		}
		l.counts(v, "scaleDown", false)
		l.effect(v)
	},
	"stabilized": func(l *look, v *values) {
		direction := v.str("direction")
		if l.w.HPA.Spec.Behavior == nil && direction != "scaleDown" {
			v.fault("spec.behavior is not set")
		}
		l.counts(v, direction, direction == "scaleUp")
	},
}

// windows are those of both directions; see stabilizeRecommendation in horizontal.go.
func (l *look) windows() map[string]time.Duration {
	out := map[string]time.Duration{"scaleDown": l.w.Downscale}
	if l.w.HPA.Spec.Behavior == nil {
		return out
	}
	out["scaleDown"] = l.w.Downscale.Truncate(time.Second)
	for name, rules := range l.rules() {
		if rules != nil && rules.StabilizationWindowSeconds != nil {
			out[name] = time.Duration(*rules.StabilizationWindowSeconds) * time.Second
		}
	}
	return out
}

func (l *look) rules() map[string]*autoscalingv2.HPAScalingRules {
	b := l.w.HPA.Spec.Behavior
	if b == nil {
		return nil
	}
	return map[string]*autoscalingv2.HPAScalingRules{"scaleUp": b.ScaleUp, "scaleDown": b.ScaleDown}
}

// windowed holds an optional window: it is one of a direction, or the period of a policy.
func (l *look) windowed(v *values) {
	if !v.has("window") {
		return
	}
	got := v.duration("window")
	for _, window := range l.windows() {
		if window == got {
			return
		}
	}
	for _, rules := range l.rules() {
		for _, p := range rules.Policies {
			if got == time.Duration(p.PeriodSeconds)*time.Second {
				return
			}
		}
	}
	v.fault("no window is of %v", got)
}

func (l *look) between(v *values, least, most int64) {
	if n := int64(l.desired()); n < least || n > most {
		v.fault("the real controller decides %d", n)
	}
}

// counts holds the recommendation of the window that counts.
func (l *look) counts(v *values, direction string, lowest bool) {
	window, replicas := v.duration("window"), v.int("replicas")
	since, until := v.time("since"), v.time("until")
	if want := l.windows()[direction]; window != want {
		v.fault("the window of %s is %v", direction, want)
	}
	if !until.Equal(since.Add(window)) {
		v.fault("it leaves at %v", since.Add(window))
	}
	found, beyond := false, false
	for _, r := range l.w.Memory.Recommendations {
		age := l.w.At.Sub(r.At)
		if age > window || age == window && l.w.HPA.Spec.Behavior != nil {
			continue
		}
		n := int64(r.Replicas)
		if lowest && n < replicas || !lowest && n > replicas {
			beyond = true
			if r.At.After(since) {
				v.fault("%d was recommended at %v, too", n, r.At)
			}
		}
		if n == replicas && r.At.After(since) {
			v.fault("%d was recommended at %v too", n, r.At)
		}
		found = found || n == replicas && r.At.Equal(since)
	}
	if l.w.HPA.Spec.Behavior != nil {
		v.flag("beyond", beyond)
	} else if beyond {
		v.fault("there is a higher recommendation")
	}
	if !found && !(since.Equal(l.w.At) && replicas == int64(l.w.current())) {
		v.fault("%d was not recommended at %v: %v", replicas, since, l.w.Memory.Recommendations)
	}
	l.after(v)
	reason, _ := l.real.condition(autoscalingv2.AbleToScale)
	want := map[bool]string{true: "ScaleUpStabilized", false: "ScaleDownStabilized"}[lowest]
	if reason != want && reason != "SucceededRescale" && reason != "FailedUpdateScale" {
		v.fault("the real condition AbleToScale has the reason %s", reason)
	}
}
