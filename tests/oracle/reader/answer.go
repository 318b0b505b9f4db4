package reader

import (
	"slices"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// thenChecks are by the kind of what becomes of the replicas.
var thenChecks = map[string]check{
	"stays": func(l *look, v *values) {
		l.replicas(v)
		// Of a Lease that has just expired it is not known whether anybody takes it; but a refused write changes nothing.
		lease := l.w.Controller.Renewed
		expired := !lease.IsZero() && lease.Add(l.w.Controller.Lasts).Before(l.w.At)
		if !l.idle() && !(expired && l.w.PutScale != nil) {
			l.stays(v)
		}
	},
	"scales": func(l *look, v *values) {
		l.replicas(v)
		v.is("to", int64(l.desired()))
		if l.desired() == l.w.current() {
			v.fault("the real controller stays at %d", l.desired())
		}
		wanted, reads := l.wants(v, func(*World) {})
		if others := reads && wanted != l.desired(); v.bool("onlyNow") && !others {
			v.fault("the metrics want %d", wanted)
		} else if !v.bool("onlyNow") && others && !l.atBound() {
			v.fault("the metrics want %d, and no bound keeps them from it", wanted)
		}
	},
	"between": func(l *look, v *values) {
		l.replicas(v)
		least, most := v.int("least"), v.int("most")
		l.between(v, least, most)
		if n := int64(l.desired()); v.bool("either") && n != least && n != most {
			v.fault("the real controller decides %d, neither of the two", n)
		}
	},
	"wanted": func(l *look, v *values) {
		l.replicas(v)
		if wanted, _ := l.wants(v, func(*World) {}); v.int("wanted") != int64(max(wanted, l.w.min())) {
			v.fault("the metrics want %d", wanted)
		}
	},
	"write-fails": func(l *look, v *values) {
		l.replicas(v)
		v.is("to", int64(l.desired()))
		l.able(v, "FailedUpdateScale")
	},
	"write-may-fail": func(l *look, v *values) {
		l.replicas(v)
		l.between(v, v.int("least"), v.int("most"))
		if l.w.PutScale == nil {
			v.fault("no write is refused")
		}
	},
	"cannot-decide": func(l *look, v *values) {
		l.replicas(v)
		l.stays(v)
		able, _ := l.real.condition(autoscalingv2.AbleToScale)
		if _, active := l.active(); able != "FailedGetScale" && active != corev1.ConditionFalse && l.w.PodsErr == nil && l.real.Error == "" {
			v.fault("the real conditions are AbleToScale %s, ScalingActive %s", able, active)
		}
	},
	"crashes": func(l *look, v *values) {
		l.replicas(v)
		l.crashes(v)
	},
	"switched-off": func(l *look, v *values) {
		l.replicas(v)
		l.pauses(v)
	},
	"not-known": func(l *look, v *values) {
		l.replicas(v)
		l.notRead(v)
	},
	"last-decided": func(l *look, v *values) {
		l.notRead(v)
		if l.w.Scale != nil && v.int("replicas") != int64(l.w.current()) && v.int("replicas") != int64(l.w.HPA.Status.CurrentReplicas) {
			v.fault("replicas is %d, and the objects show %d", v.int("replicas"), l.w.current())
		}
		if status := l.w.HPA.Status; v.has("decided") {
			v.is("decided", int64(status.DesiredReplicas))
		} else if status.DesiredReplicas != 0 || status.LastScaleTime != nil {
			v.fault("the status shows a decision for %d", status.DesiredReplicas)
		}
		if v.has("written") && !v.time("written").Equal(l.w.statusWritten()) {
			v.fault("the status was written at %v", l.w.statusWritten())
		}
	},
}

// replicas holds the current ones, which are missing only where the scale cannot be read.
func (l *look) replicas(v *values) {
	if v.has("replicas") {
		v.is("replicas", int64(l.w.current()))
	}
	if v.has("replicas") != (l.w.Scale != nil) {
		v.fault("the scale is read: %v, replicas is there: %v", l.w.Scale != nil, v.has("replicas"))
	}
}

// atBound tells whether the decision is one of the bounds, which may be nearer than what is wanted.
func (l *look) atBound() bool {
	return l.desired() == l.w.min() || l.desired() == l.w.max()
}

// notRead holds that something which decides was not read: Why says what.
func (l *look) notRead(v *values) {
	if l.decision.Desired != nil || !l.claims("kind-not-found", "not-given", "not-read-here", "only-described") {
		v.fault("everything could be read")
	}
}

// becauseController is about what only the controller meets.
var becauseController = map[string]check{
	"controller-left-out": func(l *look, v *values) { controllerChecks["controller-left-out"](l, v) },
	"no-controller": func(l *look, v *values) {
		if v.has("since") && !v.time("since").Equal(l.w.Controller.Renewed) {
			v.fault("the Lease was renewed at %v", l.w.Controller.Renewed)
		}
		l.leaseExpired(v)
	},
	"no-sync-seen": func(l *look, v *values) {
		if v.has("since") && !v.time("since").Equal(l.w.HPA.CreationTimestamp.Time) {
			v.fault("the HPA was made at %v", l.w.HPA.CreationTimestamp)
		}
		l.neverSynced(v)
	},
	"no-sync-since-start": (*look).noSyncSinceStart,
	"would-be":            func(l *look, v *values) { l.between(v, v.int("least"), v.int("most")) },
	"lacks-right": func(l *look, v *values) {
		l.said(v, "cannot "+v.str("verb"))
		l.said(v, strings.SplitN(v.str("resource"), ".", 2)[0])
	},
	"update-refused": func(l *look, v *values) {
		if v.has("size") {
			v.int("size")
		}
		for _, word := range strings.Fields(v.str("status")) {
			if c := l.before(autoscalingv2.AbleToScale); c.Reason != "FailedUpdateScale" {
				v.fault("no condition says that a write failed with %s", word)
			}
		}
	},
	"last-sync-without-scale": func(l *look, v *values) {
		if c := l.before(autoscalingv2.AbleToScale); c.Reason != "FailedGetScale" {
			v.fault("the condition AbleToScale has the reason %s", c.Reason)
		}
	},
	"last-sync-without-value": func(l *look, v *values) {
		shown := l.w.HPA.Status.CurrentMetrics
		empty := slices.ContainsFunc(l.w.named(v.str("metric")), func(i int) bool { return i < len(shown) && shown[i].Type == "" })
		if c := l.before(autoscalingv2.ScalingActive); c.Status != corev1.ConditionFalse && !empty {
			v.fault("the condition ScalingActive is %s, and the status shows a value", c.Status)
		}
	},
	"same-selector": func(l *look, v *values) {
		for _, name := range v.strs("hpas") {
			l.rival(v, name)
		}
	},
	"earlier-selector":    (*look).earlierRivals,
	"target-cannot-scale": (*look).withoutScale,
	"scale-unreadable": func(l *look, v *values) {
		v.flag("absent", l.w.targetIsAbsent())
		l.able(v, "FailedGetScale")
	},
	"not-read-here": func(l *look, v *values) {
		v.str("what")
		l.notRead(v)
	},
	"last-status": func(l *look, v *values) {
		c := l.before(autoscalingv2.HorizontalPodAutoscalerConditionType(v.str("condition")))
		v.text("status", string(c.Status))
		v.text("reason", c.Reason)
	},
	"failing-since": func(l *look, v *values) {
		since := v.time("since")
		for _, kind := range []autoscalingv2.HorizontalPodAutoscalerConditionType{autoscalingv2.AbleToScale, autoscalingv2.ScalingActive} {
			_, now := l.real.condition(kind)
			if c := l.before(kind); c.Status == corev1.ConditionFalse && now == c.Status && c.LastTransitionTime.Time.Equal(since) {
				return
			}
		}
		v.fault("no condition has been False since %v", since)
	},
	"write-refused": func(l *look, v *values) {
		status := v.str("status")
		if l.w.PutScale == nil {
			v.fault("no write is refused")
			return
		}
		for _, part := range errorParts(l.w.PutScale)[:2] {
			if !strings.Contains(status, part) {
				v.fault("%q is not of the answer %v", status, l.w.PutScale)
			}
		}
	},
}

// before is a condition of the status that the sync before wrote.
func (l *look) before(kind autoscalingv2.HorizontalPodAutoscalerConditionType) autoscalingv2.HorizontalPodAutoscalerCondition {
	for _, c := range l.w.HPA.Status.Conditions {
		if c.Type == kind {
			return c
		}
	}
	return autoscalingv2.HorizontalPodAutoscalerCondition{}
}

// said holds that a condition of the status says some words.
func (l *look) said(v *values, words string) {
	if !slices.ContainsFunc(l.w.HPA.Status.Conditions, func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool {
		return strings.Contains(c.Message, words)
	}) {
		v.fault("no condition says %q", words)
	}
}

// failures are the codes of the steps at which a metric fails.
var failures = map[string][]failure{
	"metrics-api-error": {apiFailed}, "no-samples": {emptyList}, "not-one-value": {notOne}, "no-pods": {noPods},
	"no-pods-to-count": {noPodsToMultiply}, "pods-unlisted": {podsUnlisted}, "unmeasured-container": {lacksContainer},
	"container-metrics-off": {gateOff}, "no-usable-samples": {noneUsable}, "missing-request": {requestMissing},
	"missing-pod-request": {requestMissing}, "no-such-container": {requestMissing}, "no-known-pods": {requestsZero},
	"no-target": {noTarget}, "metric-selector-invalid": {selectorInvalid},
}

// becauseStopped is about what stops the controller.
var becauseStopped = map[string]check{
	"zero-of-keda": func(l *look, v *values) {
		l.zero(v)
		if !slices.ContainsFunc(l.w.HPA.OwnerReferences, func(o metav1.OwnerReference) bool { return o.Kind == "ScaledObject" }) {
			v.fault("no ScaledObject owns the HPA")
		}
	},
	"zero-with-gate-off": zeroChecks["zero-with-gate-off"],
	"zero-replicas":      (*look).pauses,
	"invalid-selector":   func(l *look, v *values) { l.inactive(v, "InvalidSelector") },
	"ambiguous-selector": func(l *look, v *values) { l.inactive(v, "AmbiguousSelector") },
	"pods-unlisted": func(l *look, v *values) {
		if l.w.PodsErr == nil {
			v.fault("the pods are listed")
		}
	},
	"controller-crash": (*look).crashes,
	"no-metric-works": func(l *look, v *values) {
		v.is("metrics", int64(len(l.w.HPA.Spec.Metrics)))
		apis := map[string]bool{}
		for i := range l.w.HPA.Spec.Metrics {
			switch l.propose(i).failure {
			case "":
				v.fault("metric %d works", i)
			case apiFailed:
				apis[l.apiOf(i)] = true
			}
		}
		v.set("apis", apis)
	},
	"metric-fails": func(l *look, v *values) {
		v.str("says")
		if n := len(l.w.HPA.Spec.Metrics); n != 1 {
			v.fault("there are %d metrics", n)
		}
		l.fails(v, v.str("metric"), failures[v.str("failure")]...)
	},
	"metrics-fail": func(l *look, v *values) {
		failing := slices.DeleteFunc(l.failing(), l.idleAtZero)
		names := v.strs("metrics")
		for _, name := range names {
			if !slices.ContainsFunc(l.w.named(name), func(i int) bool { return slices.Contains(failing, i) }) {
				v.fault("%s does not fail", name)
			}
		}
		if len(names) != len(failing) {
			v.fault("%v fail", failing)
		}
	},
}

// becauseHeld is about what holds or moves the replicas.
var becauseHeld = map[string]check{
	"wanted": (*look).wanted,
	"wanted-at": func(l *look, v *values) {
		l.wantsSo(v)
		l.later(v, v.time("at"), v.int("replicas"))
	},
	"follows": func(l *look, v *values) {
		last := l.w.At
		for i, step := range v.objects("steps") {
			at, replicas := step.time("at"), step.int("replicas")
			if !at.After(last) && i > 0 {
				step.fault("%v is not after %v", at, last)
			}
			if i == 0 {
				l.later(step, at, replicas)
			}
			last = at
		}
	},
	"above-max": func(l *look, v *values) {
		v.is("maxReplicas", int64(l.w.max()))
		l.decides(v, l.w.max())
		l.outsideOfBounds(v, l.w.current() > l.w.max())
	},
	"below-min": func(l *look, v *values) {
		v.is("minReplicas", int64(l.w.min()))
		l.decides(v, l.w.min())
		l.outsideOfBounds(v, l.w.current() < l.w.min())
	},
	"max": func(l *look, v *values) { l.atLimit(v, "maxReplicas", l.w.max(), "TooManyReplicas") },
	"min": func(l *look, v *values) { l.atLimit(v, "minReplicas", l.w.min(), "TooFewReplicas") },
	"straight-to-min": func(l *look, v *values) {
		zeroChecks["zero-to-min"](l, v)
	},
	"disabled": func(l *look, v *values) {
		direction := v.str("direction")
		wanted, _ := l.wants(v, func(*World) {})
		if way := wanted > l.w.current(); !disabled(l.rules()[direction]) || way != (direction == "scaleUp") || wanted == l.w.current() {
			v.fault("%d are wanted, or selectPolicy of %s is not Disabled", wanted, direction)
		}
	},
	"also-at": func(l *look, v *values) {
		l.stays(v)
		bound := l.w.max()
		if v.str("bound") == "min" {
			bound = l.w.min()
		}
		v.is("replicas", int64(bound))
		v.is("replicas", int64(l.w.current()))
	},
	"also-window": func(l *look, v *values) {
		l.stays(v)
		if l.windows()[v.str("direction")] <= 0 {
			v.fault("it has no window")
		}
	},
	"also-disabled": func(l *look, v *values) {
		l.stays(v)
		if !disabled(l.rules()[v.str("direction")]) {
			v.fault("its selectPolicy is not Disabled")
		}
	},
	"percent-of-zero": func(l *look, v *values) {
		l.zero(v)
		l.stays(v)
		rules := l.rules()["scaleUp"]
		if rules == nil || !slices.ContainsFunc(rules.Policies, func(p autoscalingv2.HPAScalingPolicy) bool {
			return p.Type == autoscalingv2.PercentScalingPolicy
		}) {
			v.fault("no policy allows a percentage")
		}
	},
	"at-latest": (*look).latest,
	"stays-after-window": func(l *look, v *values) {
		v.is("replicas", int64(l.w.current()))
		l.later(v, v.time("until"), v.int("replicas"))
	},
	"window-has": func(l *look, v *values) {
		replicas, until := v.int("replicas"), v.time("until")
		known := append(slices.Clone(l.w.Memory.Recommendations), Recommendation{l.w.current(), l.w.At})
		for _, window := range l.windows() {
			if slices.ContainsFunc(known, func(r Recommendation) bool {
				return int64(r.Replicas) == replicas && r.At.Add(window).Equal(until)
			}) {
				return
			}
		}
		v.fault("no recommendation of %d leaves a window at %v: %v", replicas, until, known)
	},
	"matches-others": func(l *look, v *values) {
		kinds, owned, loose := map[string]bool{}, int64(0), int64(0)
		pods, _ := l.w.matched()
		for _, pod := range pods {
			kind, _, _ := strings.Cut(ownerOf(pod), "/")
			switch {
			case l.own(pod) || pod.DeletionTimestamp != nil || pod.Status.Phase == corev1.PodFailed:
			case kind == "no owner":
				loose++
			default:
				owned++
				kinds[kind] = true
			}
		}
		v.is("pods", owned)
		v.is("loose", loose)
		if owned+loose == 0 || v.has("owner") != (len(kinds) == 1) || v.has("owner") && !kinds[v.str("owner")] {
			v.fault("%d pods are of others, of the kinds %v, and %d of none", owned, kinds, loose)
		}
	},
	"hidden": func(l *look, v *values) {
		name := l.hides(v)
		if name == "" {
			return
		}
		container := v.str("container")
		v.is("percent", l.shareOf(name, container))
		others := map[string]bool{}
		pods, _ := l.w.matched()
		for _, pod := range pods {
			for _, c := range withSidecars(pod) {
				if c.Name != container {
					others[c.Name] = true
				}
			}
		}
		if v.has("hiddenBy") != (len(others) == 1) || v.has("hiddenBy") && !others[v.str("hiddenBy")] {
			v.fault("the others are %v", others)
		}
	},
	"set-by-others": (*look).setByOthers,
	"flaps":         (*look).flaps,
	"contradiction": (*look).memoryOpen,
	"resized-by-whom": func(l *look, v *values) {
		v.time("at")
		l.memoryOpen(v)
	},
	"size-before-unknown": func(l *look, v *values) {
		at := v.time("at")
		if last := l.w.HPA.Status.LastScaleTime; last == nil || !last.Time.Equal(at) {
			v.fault("lastScaleTime is %v", last)
		}
		if v.has("by") {
			v.str("by")
		}
		if v.has("set") {
			v.time("set")
		}
		l.memoryOpen(v)
	},
	"event-missing":     (*look).memoryOpen,
	"events-incomplete": (*look).memoryOpen,
	"memory-unknown":    (*look).memoryOpen,
}

// memoryOpen holds that the program leaves the decision open.
func (l *look) memoryOpen(v *values) {
	if l.decision.Desired != nil && l.w.PutScale == nil {
		v.fault("the decision is known: %d", *l.decision.Desired)
	}
}

// wantsSo holds what the metrics want.
func (l *look) wantsSo(v *values) {
	replicas := v.int("replicas")
	if wanted, reads := l.wants(v, func(*World) {}); !reads || int64(wanted) != replicas {
		v.fault("the real controller wants %d (%v), not %d", wanted, reads, replicas)
	}
}

func (l *look) wanted(v *values) {
	replicas := v.int("replicas")
	if v.has("by") {
		name := v.str("by")
		if !slices.ContainsFunc(l.w.named(name), func(i int) bool {
			p := l.propose(i)
			return p.failure == "" && int64(p.replicas) == replicas
		}) {
			v.fault("%s does not propose %d", name, replicas)
		}
		if best, _ := l.taken(); best == nil || int64(best.replicas) != replicas {
			v.fault("of the metrics that work %+v is taken", best)
		}
	} else {
		l.wantsSo(v)
	}
	if v.has("pods") {
		best, _ := l.taken()
		v.is("pods", int64(l.countedBy(best)))
	}
}

// countedBy are the pods that count for a proposal: those that are not ignored, or by which a value is multiplied.
func (l *look) countedBy(p *proposal) int {
	switch {
	case p == nil || p.kind == "average" || p.kind == "negative-sum":
		return -1
	case p.kind == "value":
		pods, _ := l.w.matched()
		return runningReady(pods)
	}
	return p.matched - len(p.groups.ignored)
}

func (l *look) outsideOfBounds(v *values, is bool) {
	if !is {
		v.fault("%d is in the bounds", l.w.current())
	}
}

// atLimit holds a bound at which the replicas are or to which they go.
func (l *look) atLimit(v *values, field string, bound int32, reason string) {
	v.is(field, int64(bound))
	v.flag("at", l.w.current() == bound)
	l.decides(v, bound)
	limited, _ := l.real.condition(autoscalingv2.ScalingLimited)
	wanted, _ := l.wants(v, func(*World) {})
	if beyond := field == "maxReplicas" && wanted > bound || field == "minReplicas" && wanted < bound; limited != reason && !beyond {
		v.fault("the real condition ScalingLimited has the reason %s, and %d are wanted", limited, wanted)
	}
}

// later lets the real controller sync again at an instant, with the same load: the decision is then another. Where the
// replicas change now, or pods become ready until then, that cannot be asked.
func (l *look) later(v *values, at time.Time, replicas int64) {
	if at.Before(l.w.At) {
		v.fault("%v is before now", at)
	}
	if l.desired() != l.w.current() || l.real.Panic != "" || l.pastReadiness(at) {
		return
	}
	// What leaves at an instant counts at it, or does not: that is not the same of all that the controller remembers.
	for _, moment := range []time.Time{at, at.Add(time.Nanosecond)} {
		out := l.rerun(v, func(w *World) {
			w.Memory, w.At = l.real.Memory, moment
			w.HPA.Status, w.PutScale = l.real.Status, nil
		})
		if out == nil || out.Desired == nil || int64(*out.Desired) == replicas {
			return
		}
		if moment.After(at) {
			v.fault("at %v the real controller decides %d", at, *out.Desired)
		}
	}
}

// apiOf is the API from which a metric is read.
func (l *look) apiOf(i int) string {
	switch l.w.HPA.Spec.Metrics[i].Type {
	case autoscalingv2.PodsMetricSourceType, autoscalingv2.ObjectMetricSourceType:
		return "custom.metrics.k8s.io"
	case autoscalingv2.ExternalMetricSourceType:
		return "external.metrics.k8s.io"
	}
	return "metrics.k8s.io"
}

// seen is a value of a metric with its kind.
func (l *look) seen(v *values, kind string, amount int64) {
	for key := range v.in {
		if key != kind {
			v.fault("%s%s is not of a %s", v.path, key, kind)
		}
	}
	v.is(kind, amount)
}
