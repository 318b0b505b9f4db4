package reader

import (
	"math"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

var limitChecks = map[string]check{
	"limited-by-max": func(l *look, v *values) {
		v.is("maxReplicas", int64(l.w.max()))
		l.decides(v, l.w.max())
		l.limited(v, "TooManyReplicas")
	},
	"limited-by-min": func(l *look, v *values) {
		v.is("minReplicas", int64(l.w.min()))
		l.decides(v, l.w.min())
		l.limited(v, "TooFewReplicas")
	},
	"stays-at-min": func(l *look, v *values) {
		v.is("minReplicas", int64(l.w.min()))
		l.decides(v, l.w.min())
		l.stays(v)
		l.limited(v, "TooFewReplicas")
		if v.has("isNormal") {
			v.bool("isNormal")
		}
	},
	"at-most-doubled": func(l *look, v *values) {
		limit := int32(math.Max(2*float64(l.w.current()), 4))
		v.is("replicas", int64(limit))
		if l.w.HPA.Spec.Behavior != nil {
			v.fault("spec.behavior is set")
		}
		l.decides(v, limit)
		l.limited(v, "ScaleUpLimit")
	},
}

func (l *look) decides(v *values, want int32) {
	if l.real.Panic != "" || l.desired() != want {
		v.fault("the real controller decides %d", l.desired())
	}
}

// limited holds the reason of the real condition ScalingLimited.
func (l *look) limited(v *values, want string) {
	if reason, status := l.real.condition(autoscalingv2.ScalingLimited); reason != want {
		v.fault("the real condition ScalingLimited is %s %s", status, reason)
	}
}
