package reader

import (
	"slices"
	"strings"
	"time"
)

var controllerChecks = map[string]check{
	"controller-left-out": func(l *look, v *values) {
		if !l.w.Controller.LeftOut {
			v.fault("--controllers does not leave it out")
		}
	},
	"lease-expired": func(l *look, v *values) {
		if l.w.Controller.Holder != "" || v.has("holder") {
			v.text("holder", l.w.Controller.Holder)
		}
		l.leaseExpired(v)
	},
	"no-sync-since-start": (*look).noSyncSinceStart,
	"several-controllers": func(l *look, v *values) {
		want := map[string]bool{}
		for _, name := range l.w.Controller.Unelected {
			want[name] = true
		}
		v.set("controllers", want)
		if len(want) < 2 {
			v.fault("not several controllers run: %v", want)
		}
	},
	"never-synced": (*look).neverSynced,
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
	"earlier-rival-may-be-known": (*look).earlierRivals,
	"rival-not-compared": func(l *look, v *values) {
		for _, name := range v.strs("hpas") {
			l.rival(v, name)
		}
		l.lastSet(v)
		if reason, _ := l.active(); reason == "AmbiguousSelector" {
			v.fault("the real controller knows it: %s", reason)
		}
	},
	"same-target": func(l *look, v *values) {
		l.lastSet(v)
		for _, name := range v.strs("hpas") {
			if !slices.ContainsFunc(l.w.Others, func(o Other) bool {
				return o.Name == bare(name) && o.Target.Kind == l.w.HPA.Spec.ScaleTargetRef.Kind && o.Target.Name == l.w.HPA.Spec.ScaleTargetRef.Name
			}) {
				v.fault("HPA %s has another target", name)
			}
		}
	},
	"otherwise": func(l *look, v *values) {
		v.str("with")
		l.between(v, v.int("least"), v.int("most"))
	},
	"write-refused": func(l *look, v *values) {
		v.failed("error", l.w.PutScale)
		l.able(v, "FailedUpdateScale")
	},
	"write-would-be-refused": func(l *look, v *values) {
		v.failed("error", l.w.PutScale)
		if l.decision.Then[0]["code"] == "write-fails" {
			v.fault("the decision is known")
		}
	},
}

// A standby takes over so long after a Lease has expired, at the latest.
const takeover = 10 * time.Second

// idle tells whether it is certain that no controller is at work.
func (l *look) idle() bool {
	c := l.w.Controller
	return c.LeftOut || !c.Renewed.IsZero() && c.Renewed.Add(c.Lasts+takeover).Before(l.w.At)
}

func (l *look) leaseExpired(v *values) {
	if c := l.w.Controller; c.Renewed.IsZero() || !c.Renewed.Add(c.Lasts).Before(l.w.At) {
		v.fault("the Lease was renewed at %v for %v", c.Renewed, c.Lasts)
	}
}

func (l *look) neverSynced(v *values) {
	if len(l.w.HPA.Status.Conditions) > 0 || l.w.HPA.CreationTimestamp.IsZero() {
		v.fault("the HPA has a status, or it is not known when it was made")
	}
}

func (l *look) noSyncSinceStart(v *values) {
	if v.has("started") && !v.time("started").Equal(l.w.Controller.Started) {
		v.fault("the controller started at %v", l.w.Controller.Started)
	}
	if written := l.w.statusWritten(); l.w.Controller.Started.IsZero() || !written.Before(l.w.Controller.Started) {
		v.fault("the controller started at %v, and the status was written at %v", l.w.Controller.Started, written)
	}
}

// statusWritten is when the status was last written, by the managed fields.
func (w *World) statusWritten() (at time.Time) {
	for _, m := range w.HPA.ManagedFields {
		if m.Subresource == "status" && m.Time != nil && m.Time.After(at) {
			at = m.Time.Time
		}
	}
	return at
}

// earlierRivals are HPAs that match none of the pods now.
func (l *look) earlierRivals(v *values) {
	for _, name := range v.strs("hpas") {
		named := func(other string) bool { return bare(other) == bare(name) }
		if slices.ContainsFunc(l.rivals(true), named) {
			v.fault("HPA %s matches the pods now", name)
		}
		if !slices.ContainsFunc(l.w.Others, func(o Other) bool { return o.Name == bare(name) }) {
			v.fault("there is no HPA %s", name)
		}
	}
}

// lastSet is the last rescale of one of the HPAs, by its status.
func (l *look) lastSet(v *values) {
	if v.has("last") {
		v.object("last").skip()
		l.unchecked = true
	}
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
