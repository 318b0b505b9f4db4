package reader

import (
	"slices"
	"strings"
)

var controllerChecks = map[string]check{
	"controller-left-out": beyond,
	"lease-expired":       beyond,
	"no-sync-since-start": beyond,
	"several-controllers": beyond,
	"never-synced": func(l *look, v *values) {
		if len(l.w.HPA.Status.Conditions) > 0 {
			v.fault("the HPA has a status")
		}
		v.skip()
	},
	"controller-says": func(l *look, v *values) {
		v.str("what")
		if len(l.w.HPA.Status.Conditions) == 0 {
			v.fault("the HPA has no condition")
		}
	},
	"may-come-again": (*look).mayComeAgain,
	"rival-may-be-known": func(l *look, v *values) {
		for _, name := range v.strs("hpas") {
			l.rival(v, name)
		}
	},
	"rival-not-compared": func(l *look, v *values) {
		for _, name := range v.strs("hpas") {
			l.rival(v, name)
		}
		if reason, _ := l.active(); reason == "AmbiguousSelector" {
			v.fault("the real controller knows it: %s", reason)
		}
	},
	"same-target": func(l *look, v *values) {
		for _, name := range v.strs("hpas") {
			if !slices.ContainsFunc(l.w.Others, func(o Other) bool {
				return o.Name == bare(name) && o.Target.Kind == l.w.HPA.Spec.ScaleTargetRef.Kind && o.Target.Name == l.w.HPA.Spec.ScaleTargetRef.Name
			}) {
				v.fault("HPA %s has another target", name)
			}
		}
	},
	"otherwise": func(l *look, v *values) { l.between(v, v.int("least"), v.int("most")) },
	"write-refused": func(l *look, v *values) {
		v.failed("error", l.w.PutScale)
		l.able(v, "FailedUpdateScale")
	},
}

// beyond is about what a case does not hold.
func beyond(l *look, v *values) {
	v.skip()
	l.unchecked = true
}

func (l *look) rival(v *values, name string) {
	for _, other := range l.rivals(true) {
		if bare(other) == bare(name) {
			return
		}
	}
	v.fault("HPA %s matches none of the pods", name)
}

// mayComeAgain holds that a condition of the status, which the sync before wrote, says the error.
func (l *look) mayComeAgain(v *values) {
	v.str("what")
	text := v.str("error")
	if strings.Contains(text, "were not read") {
		return
	}
	for _, c := range l.w.HPA.Status.Conditions {
		if strings.Contains(c.Message, text) {
			return
		}
	}
	v.fault("no condition says %q", text)
}
