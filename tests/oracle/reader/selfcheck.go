package reader

import (
	"slices"
	"strconv"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
)

// selfChecks are by what the status shows beside the decision.
var selfChecks = map[string]check{
	"not-written":      (*look).beside,
	"too-little":       (*look).beside,
	"agrees":           (*look).beside,
	"agrees-undecided": (*look).beside,
	"other-conditions": (*look).beside,
	"differs":          (*look).beside,
}

// beside holds the values of the self-check, and that its code is the one for them.
func (l *look) beside(v *values) {
	status := l.w.HPA.Status
	v.is("desired", int64(status.DesiredReplicas))
	least, most := v.int("least"), v.int("most")
	if n := int64(l.real.Status.DesiredReplicas); n < least || n > most {
		v.fault("the real controller writes %d, not %d to %d", n, least, most)
	}
	l.certain(v, least, most)
	l.asAnswered(v)
	written := l.w.statusWritten()
	v.instant("written", written)
	if status.LastScaleTime != nil {
		v.instant("scaled", status.LastScaleTime.Time)
	} else {
		v.instant("scaled", time.Time{})
	}
	if v.has("because") != (v.str("code") == "differs" || v.str("code") == "other-conditions") {
		v.fault("because is there: %v", v.has("because"))
	}
	within := int64(status.DesiredReplicas) >= least && int64(status.DesiredReplicas) <= most
	active := l.before(autoscalingv2.ScalingActive)
	want := "agrees"
	switch {
	case len(status.Conditions) == 0 && status.LastScaleTime == nil && written.IsZero() && status.CurrentReplicas == 0 &&
		status.DesiredReplicas == 0 && len(status.CurrentMetrics) == 0:
		want = "not-written"
	case l.before(autoscalingv2.AbleToScale).Type == "" && active.Type == "":
		want = "too-little"
	case !within:
		want = "differs"
	case !l.sameConditions():
		want = "other-conditions"
	case active.Status == corev1.ConditionFalse && l.w.Scale != nil && status.DesiredReplicas != l.w.current():
		want = "agrees-undecided"
	}
	if v.has("reason") != (want == "agrees-undecided") {
		v.fault("reason is there: %v", v.has("reason"))
	} else if v.has("reason") {
		v.text("reason", active.Reason)
	}
	if v.has("contradicted") && v.bool("contradicted") && slices.Equal(told(l.real.Status), told(status)) &&
		l.real.Status.DesiredReplicas == status.DesiredReplicas {
		v.fault("the memory that it has explains the status")
	}
	if code := v.str("code"); code != want {
		v.fault("it is %s: the real controller writes %d %v, and the status has %d %v", want, l.real.Status.DesiredReplicas,
			told(l.real.Status), status.DesiredReplicas, told(status))
	}
}

// asAnswered holds that the replicas are those of the answer, or between those: of a controller at work.
func (l *look) asAnswered(v *values) {
	least, most := v.int("least"), v.int("most")
	for _, claim := range slices.Concat(l.decision.Then, l.decision.Because) {
		var ignored []string
		answer := newValues(claim, "", &ignored)
		switch code := claim["code"]; {
		case code == "between":
			v.is("least", answer.int("least"))
			v.is("most", answer.int("most"))
			return
		case code == "would-be":
			if least > answer.int("least") || most < answer.int("most") {
				v.fault("%d to %d has not all that the answer has", least, most)
			}
			return
		case code == "write-may-fail":
			least, most = l.kept(answer)
			v.is("least", least)
			v.is("most", most)
			return
		}
	}
	if least != most && !l.idle() {
		v.fault("it is %d to %d, and the answer leaves nothing open", least, most)
	}
}

// kept are what a refused write leaves: what was there, or the current replicas, for which none is needed.
func (l *look) kept(wanted *values) (least, most int64) {
	was, now := int64(l.w.HPA.Status.DesiredReplicas), int64(l.w.current())
	if now < wanted.int("least") || now > wanted.int("most") {
		return was, was
	}
	return min(was, now), max(was, now)
}

// mayNeedNoWrite tells whether the program does not know if the write that is refused is needed.
func (l *look) mayNeedNoWrite() bool {
	asked := quietly()
	asked.in = l.decision.Then[0]
	if asked.in["code"] == "stays" {
		of := func(claim map[string]any) bool { return claim["code"] == "memory-unknown" }
		i := slices.IndexFunc(l.decision.Claims, of)
		if i < 0 || l.w.PutScale == nil {
			return false
		}
		asked.in = l.decision.Claims[i]
	} else if asked.in["code"] != "write-may-fail" {
		return false
	}
	now := int64(l.w.current())
	return asked.int("least") <= now && now <= asked.int("most")
}

// instant holds an instant that is there if it is known.
func (v *values) instant(key string, want time.Time) {
	if v.has(key) == want.IsZero() {
		v.fault("%s is there: %v, and the objects show %v", key, v.has(key), want)
	} else if !want.IsZero() && !v.time(key).Equal(want) {
		v.fault("%s is %v, and the objects show %v", key, v.time(key), want)
	}
}

// sameConditions tells whether the status agrees with the real one in its conditions. If it is not known whether the write that
// is refused is needed, AbleToScale may be True or False.
func (l *look) sameConditions() bool {
	real := l.real.Status
	if l.mayNeedNoWrite() {
		if able := l.before(autoscalingv2.AbleToScale).Status; able == corev1.ConditionTrue || able == corev1.ConditionFalse {
			real = *real.DeepCopy()
			for i := range real.Conditions {
				if real.Conditions[i].Type == autoscalingv2.AbleToScale {
					real.Conditions[i].Status = able
				}
			}
		}
	}
	return sameConditions(real, l.w.HPA.Status)
}

// sameConditions tells whether two statuses agree in what is compared of their conditions.
func sameConditions(a, b autoscalingv2.HorizontalPodAutoscalerStatus) bool {
	of := func(kind autoscalingv2.HorizontalPodAutoscalerConditionType) (one, other string, same bool) {
		first, second := Outcome{Status: a}, Outcome{Status: b}
		one, is := first.condition(kind)
		other, was := second.condition(kind)
		return one, other, is == was
	}
	reason, before, sameActive := of(autoscalingv2.ScalingActive)
	_, _, sameAble := of(autoscalingv2.AbleToScale)
	return reason == before && sameActive && sameAble
}

func told(status autoscalingv2.HorizontalPodAutoscalerStatus) (out []string) {
	for _, c := range status.Conditions {
		out = append(out, string(c.Type)+" "+string(c.Status)+" "+c.Reason)
	}
	return out
}

// guesses are the reasons why the status is another one, in order, as far as the reader can tell of each whether it holds.
var guesses = []struct {
	code  string
	holds func(*look) bool
}{
	{"controller-meets", nil},
	{"old-spec", func(l *look) bool {
		seen := l.w.HPA.Status.ObservedGeneration
		return seen != nil && *seen < l.w.HPA.Generation
	}},
	{"other-replicas", func(l *look) bool { return l.w.Scale != nil && l.w.HPA.Status.CurrentReplicas != l.w.current() }},
	{"stopped-at-zero", (*look).stoppedAtZero},
	{"new-trouble", (*look).stops},
	{"other-bounds", func(l *look) bool {
		low := l.w.HPA.Status.DesiredReplicas < l.w.min() && l.before(autoscalingv2.ScalingActive).Status == corev1.ConditionTrue
		return low || l.w.current() > l.w.max() || l.w.current() != 0 && l.w.current() < l.w.min()
	}},
	{"restarted", func(l *look) bool { return l.idle() || l.w.Controller.Started.After(l.w.statusWritten()) }},
	{"time-passed", nil},
	{"other-status-replicas", (*look).otherStatusReplicas},
	{"other-metrics", (*look).otherMetrics},
	{"hidden-at-zero", (*look).hiddenAtZero},
	{"stopped-then", func(l *look) bool {
		return len(l.w.HPA.Status.CurrentMetrics) == 0 && l.before(autoscalingv2.ScalingActive).Status == corev1.ConditionFalse
	}},
	{"metrics-not-shown", func(l *look) bool { return len(l.w.HPA.Status.CurrentMetrics) == 0 }},
	{"window-passed", (*look).windowPassed},
	{"unknown-memory", func(l *look) bool { return l.decision.Desired == nil }},
	{"other-flag", nil},
	{"not-visible", func(*look) bool { return true }},
}

// guessChecks hold the values of a reason, that it holds, and that none before it does.
var guessChecks = map[string]check{}

func init() {
	hold := map[string]check{
		"controller-meets": (*look).meets,
		"old-spec": func(l *look, v *values) {
			if seen := l.w.HPA.Status.ObservedGeneration; seen != nil {
				v.is("seen", *seen)
			}
			v.is("newest", l.w.HPA.Generation)
		},
		"other-replicas": func(l *look, v *values) {
			v.is("then", int64(l.w.HPA.Status.CurrentReplicas))
			v.is("now", int64(l.w.current()))
		},
		"time-passed": func(l *look, v *values) {
			at := v.time("at")
			if at.After(l.w.At) || at.Before(l.w.At.Add(-2*syncPeriod)) {
				v.fault("%v is not of the last syncs", at)
			}
			l.explains(v, func(w *World) { w.At = at })
		},
		"other-status-replicas": func(l *look, v *values) {
			v.is("spec", int64(l.w.current()))
			v.is("status", int64(l.w.Scale.Status.Replicas))
		},
		"other-flag":   (*look).otherFlag,
		"stopped-then": func(l *look, v *values) { v.text("reason", l.before(autoscalingv2.ScalingActive).Reason) },
	}
	for _, guess := range guesses {
		guessChecks[guess.code] = func(l *look, v *values) {
			if one := hold[guess.code]; one != nil {
				one(l, v)
			}
			for _, other := range guesses {
				if other.code == guess.code {
					if other.holds != nil && !other.holds(l) {
						v.fault("it does not hold")
					}
					return
				}
				if other.holds != nil && other.holds(l) {
					v.fault("%s holds, too", other.code)
				}
			}
		}
	}
}

const syncPeriod = 15 * time.Second

// meets holds a claim of the answer about what the controller met.
func (l *look) meets(v *values) {
	what := v.object("what")
	if one := becauseController[what.str("code")]; one != nil {
		one(l, what)
	} else {
		v.fault("unknown code %q", what.str("code"))
	}
}

// stops tells whether something keeps the real controller from a decision, or from carrying it out.
func (l *look) stops() bool {
	able, _ := l.real.condition(autoscalingv2.AbleToScale)
	refused := l.w.PutScale != nil && able == "FailedUpdateScale" && !l.mayNeedNoWrite()
	if l.real.Panic != "" || l.w.Scale == nil || !l.w.apiVersionParses() || refused {
		return true
	}
	if !l.readsMetrics() {
		return l.w.current() == 0
	}
	_, decides := l.wants(quietly(), func(*World) {})
	return !decides
}

func (l *look) stoppedAtZero() bool {
	reason, _ := l.active()
	return l.w.Scale != nil && l.w.current() == 0 && reason == "ScalingDisabled" && l.w.HPA.Status.CurrentReplicas == 0 &&
		l.before(autoscalingv2.ScalingActive).Status == corev1.ConditionTrue
}

// explains tells whether the real controller writes the status after a change, as far as the two are compared.
func (l *look) explains(v *values, change func(*World)) bool {
	out, status := l.rerun(v, change), l.w.HPA.Status
	if out == nil {
		return true
	}
	if out.Status.DesiredReplicas != status.DesiredReplicas || !sameMetrics(out.Status, status) || !sameConditions(out.Status, status) {
		v.fault("with it the real controller writes %d %v %v", out.Status.DesiredReplicas, out.Status.CurrentMetrics, told(out.Status))
		return false
	}
	return true
}

func sameMetrics(a, b autoscalingv2.HorizontalPodAutoscalerStatus) bool {
	return apiequality.Semantic.DeepEqual(a.CurrentMetrics, b.CurrentMetrics)
}

// quietly are values whose faults nobody sees.
func quietly() *values {
	var ignored []string
	return newValues(nil, "", &ignored)
}

func (l *look) otherStatusReplicas() bool {
	if l.w.Scale == nil || l.w.Scale.Status.Replicas == l.w.current() {
		return false
	}
	as := func(w *World) { w.Scale.Status.Replicas = w.current() }
	return l.explains(quietly(), as)
}

func (l *look) otherMetrics() bool {
	if l.w.Minor < 29 && l.mayNeedNoWrite() {
		return false
	}
	return len(l.w.HPA.Status.CurrentMetrics) > 0 && !sameMetrics(l.real.Status, l.w.HPA.Status)
}

func (l *look) hiddenAtZero() bool {
	best, _ := l.taken()
	return l.w.HPA.Status.CurrentReplicas == 0 && best != nil && (best.kind == "average" || best.kind == "negative-sum")
}

func (l *look) windowPassed() bool {
	direction, ok := map[string]string{"ScaleDownStabilized": "scaleDown", "ScaleUpStabilized": "scaleUp"}[l.before(autoscalingv2.AbleToScale).Reason]
	window, set := l.windows()[direction]
	if !ok || !set && l.w.HPA.Spec.Behavior == nil {
		return false
	}
	held := l.w.HPA.Status.DesiredReplicas
	// That of now is there, too; the memory of a first sync begins with the current replicas.
	for _, r := range l.real.Memory.Recommendations {
		age := l.w.At.Sub(r.At)
		if age > window || age == window && age > 0 && l.w.HPA.Spec.Behavior != nil {
			continue
		}
		if direction == "scaleDown" && r.Replicas >= held || direction == "scaleUp" && r.Replicas <= held {
			return false
		}
	}
	return true
}

// otherFlag lets the real controller decide with another value of a flag.
func (l *look) otherFlag(v *values) {
	flag, value := v.str("flag"), v.str("value")
	length, _ := time.ParseDuration(value)
	l.explains(v, func(w *World) {
		switch flag {
		case "tolerance":
			w.Tolerance, _ = strconv.ParseFloat(value, 64)
		case "downscale-stabilization":
			w.Downscale = length
		case "cpu-initialization-period":
			w.Initialization = length
		case "initial-readiness-delay":
			w.ReadyDelay = length
		default:
			v.fault("unknown flag %q", flag)
		}
	})
}
