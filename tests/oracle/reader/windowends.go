package reader

import (
	"slices"
	"time"
)

// windowActs holds that the real controller decides otherwise if only the recommendation of now is in the window.
func (l *look) windowActs(v *values, acts bool) {
	wanted, ok := l.wants(v, func(*World) {})
	if !ok {
		v.fault("the real controller recommends nothing")
		return
	}
	out := l.rerun(v, func(w *World) { w.Memory.Recommendations = []Recommendation{{wanted, w.At}} })
	if acts && out != nil && out.Desired != nil && *out.Desired == l.desired() {
		v.fault("without the window the real controller decides %d too", *out.Desired)
	}
}

// after holds what keeps the replicas when the window has ended, if anything.
func (l *look) after(v *values) bool {
	if !v.has("then") {
		return false
	}
	then := v.object("then")
	switch by := then.str("by"); by {
	case "disabled":
		if rules := l.rules()[then.str("direction")]; !disabled(rules) {
			v.fault("selectPolicy of %s is not Disabled", then.str("direction"))
		}
	case "bound":
		l.bound(then)
	case "rate":
		if then.has("until") && !then.time("until").After(l.w.At) {
			v.fault("the rate ends before now")
		}
		l.stillKept(v)
	default:
		v.fault("unknown by %q", by)
	}
	return true
}

func (l *look) bound(v *values) {
	switch field := v.str("field"); field {
	case "minReplicas":
		v.is("replicas", int64(l.w.min()))
	case "maxReplicas":
		v.is("replicas", int64(l.w.max()))
	default:
		v.fault("no bound is called %s", field)
	}
	l.stillKept(v)
}

// stillKept holds that the real controller decides the same when the window has ended: of the world of now, so not if pods
// become ready until then.
func (l *look) stillKept(v *values) {
	at := l.w.At
	if v.has("until") && v.time("until").After(at) {
		at = v.time("until")
	}
	wanted, ok := l.wants(v, func(*World) {})
	if !ok || l.pastReadiness(at) {
		return
	}
	out := l.rerun(v, func(w *World) {
		w.At, w.Memory.Recommendations = at, []Recommendation{{wanted, at}}
	})
	if out != nil && out.Desired != nil && *out.Desired != l.desired() {
		v.fault("without the window the real controller decides %d, not %d", *out.Desired, l.desired())
	}
}

// effect holds what the highest recommendation does to the replicas.
func (l *look) effect(v *values) {
	if text, ok := v.in["effect"].(string); ok {
		v.has("effect")
		rises := l.desired() > l.w.current()
		if text == "raises" != rises || text != "raises" && text != "holds" {
			v.fault("it %s, and the real controller goes from %d to %d", text, l.w.current(), l.desired())
		}
		return
	}
	trimmed := v.object("effect")
	trimmed.is("trimmed", int64(l.w.max()))
	if l.desired() != l.w.max() {
		v.fault("the real controller decides %d", l.desired())
	}
}

// latest lets the real controller sync again just after the instant by which the replicas move, with the same load.
func (l *look) latest(v *values) {
	at, replicas := v.time("at"), v.int("replicas")
	falls, rests := v.bool("falls"), v.bool("rests")
	if at.Before(l.w.At) {
		v.fault("%v is before now", at)
	}
	if moved := l.desired() - l.w.current(); moved != 0 {
		if falls != (moved < 0) {
			v.fault("the real controller goes from %d to %d now", l.w.current(), l.desired())
		}
		return
	}
	if l.pastReadiness(at) || l.real.Panic != "" {
		return
	}
	out := l.rerun(v, func(w *World) {
		w.Memory, w.At = l.real.Memory, at.Add(time.Nanosecond)
		w.HPA.Status, w.PutScale = l.real.Status, nil
	})
	if out == nil || out.Desired == nil {
		return
	}
	now, next := int64(l.w.current()), int64(*out.Desired)
	if falls && next >= now || !falls && next <= now {
		v.fault("at %v the real controller goes from %d to %d", at, now, next)
	}
	// What is said of the end is after several syncs, if a rate limits them.
	if rests && (falls && next < replicas || !falls && next > replicas) {
		v.fault("at %v the real controller decides %d, past %d", at, next, replicas)
	}
}

// pastReadiness tells whether a pod may be treated in another way at a later instant.
func (l *look) pastReadiness(at time.Time) bool {
	pods, _ := l.w.matched()
	for _, pod := range pods {
		if started := pod.Status.StartTime; started != nil {
			end := started.Add(l.w.Initialization)
			if end.After(l.w.At) && !end.After(at) {
				return true
			}
		}
	}
	return slices.Contains([]time.Duration{0}, at.Sub(l.w.At))
}
