package reader

import (
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
)

var zeroChecks = map[string]check{
	"zero-of-keda": func(l *look, v *values) {
		l.zero(v)
		v.is("minReplicas", int64(l.w.min()))
		owner := v.str("scaledObject")
		for _, o := range l.w.HPA.OwnerReferences {
			if o.Kind == "ScaledObject" && o.Name == owner {
				return
			}
		}
		v.fault("no ScaledObject %q owns the HPA", owner)
	},
	"waits-for-keda":    (*look).pauses,
	"waits-for-replica": (*look).pauses,
	"zero-is-pause":     (*look).pauses,
	"zero-with-gate-off": func(l *look, v *values) {
		l.zero(v)
		if l.w.min() != 0 && l.w.zeroCondition() != string(corev1.ConditionTrue) || l.w.gate("HPAScaleToZero") {
			v.fault("minReplicas is %d, the gate is %v", l.w.min(), l.w.gate("HPAScaleToZero"))
		}
	},
	"zero-without-metric": func(l *look, v *values) {
		l.zero(v)
		if l.w.outside() {
			v.fault("a metric is of type Object or External")
		}
	},
	"zero-below-min": func(l *look, v *values) {
		l.zero(v)
		v.is("minReplicas", int64(l.w.min()))
		if l.w.min() <= 0 {
			v.fault("minReplicas is %d", l.w.min())
		}
	},
	"zero-not-own": func(l *look, v *values) {
		l.zero(v)
		got := "missing"
		if v.has("condition") {
			got = v.str("condition")
		}
		if want := l.w.zeroCondition(); got != want || want == string(corev1.ConditionTrue) {
			v.fault("condition is %q, and the object shows %q", got, want)
		}
	},
	"zero-is-last": func(l *look, v *values) {
		if l.desired() != 0 || l.w.gate("HPAScaleToZero") {
			v.fault("the decision is %d, the gate is %v", l.desired(), l.w.gate("HPAScaleToZero"))
		}
		out := l.rerun(v, func(w *World) {
			w.Scale.Spec.Replicas, w.PutScale, w.HPA.Status, w.Memory = 0, nil, l.real.Status, l.real.Memory
		})
		if out == nil || out.Rescaled || activeReason(out) != "ScalingDisabled" {
			v.fault("the next real sync is %+v", out)
		}
	},
	"zero-to-min": func(l *look, v *values) {
		l.zero(v)
		v.is("minReplicas", int64(l.w.min()))
		if l.desired() != l.w.min() || l.w.Minor >= 36 && !l.w.ownZero() {
			v.fault("the decision is %d, the condition %s", l.desired(), l.w.zeroCondition())
		}
	},
}

func activeReason(o *Outcome) string {
	reason, _ := o.condition(autoscalingv2.ScalingActive)
	return reason
}

func (l *look) zero(v *values) {
	if l.w.Scale == nil || l.w.current() != 0 {
		v.fault("scale.spec.replicas is %d", l.w.current())
	}
}

// pauses holds that the controller reads no metric and sets nothing.
func (l *look) pauses(v *values) {
	l.zero(v)
	l.stays(v)
	if reason, status := l.active(); !strings.HasPrefix(reason, "ScalingDisabled") || status != corev1.ConditionFalse {
		v.fault("the real condition ScalingActive is %s %s", status, reason)
	}
}
