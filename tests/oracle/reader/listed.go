package reader

import (
	"slices"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
)

// listedChecks are of the state and the reason that a list gives.
var listedChecks = map[string]check{
	"left-out": inState("broken held scaling", func(l *look, v *values) {
		if !l.w.Controller.LeftOut {
			v.fault("--controllers leaves nothing out")
		}
	}),
	"not-at-work":             inState("broken held scaling", saysOf("never-synced", "no-sync-since-start", "lease-expired")),
	"several-controllers":     inState("broken held scaling", saysOf("several-controllers")),
	"lacks-right":             inState("broken held scaling", func(l *look, v *values) { l.denied(v) }),
	"update-refused":          inState("broken held scaling", quotes("FailedUpdateScale")),
	"last-sync-without-scale": inState("broken held scaling", quotes("FailedGetScale")),
	"last-sync-without-value": inState("broken held scaling", func(l *look, v *values) {
		empty := func(m autoscalingv2.MetricStatus) bool { return m.Type == "" }
		failed := func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool {
			return c.Type == autoscalingv2.ScalingActive && c.Status == corev1.ConditionFalse && strings.HasPrefix(c.Reason, "Failed")
		}
		status := l.w.HPA.Status
		v.wanted(slices.ContainsFunc(status.CurrentMetrics, empty) || slices.ContainsFunc(status.Conditions, failed), "the status has a value of each metric")
	}),
	"last-sync-failed": inState("broken", quotes("")),
	"cannot-scale": inState("broken", func(l *look, v *values) {
		v.text("kind", l.w.HPA.Spec.ScaleTargetRef.Kind)
		l.withoutScale(v)
	}),
	"invalid-api-version": inState("broken", func(l *look, v *values) {
		if l.w.apiVersionParses() {
			v.fault("it can be parsed")
		}
	}),
	"unknown-kind": inState("broken", func(l *look, v *values) { v.wanted(l.w.MappingErr != nil, "the kind is known") }),
	"no-target":    inState("broken", func(l *look, v *values) { v.wanted(l.w.targetIsAbsent(), "the target exists") }),
	"scale-failed": inState("broken", func(l *look, v *values) {
		v.status(l.w.ScaleErr, l.w.MappingErr)
		v.wanted(l.w.Scale == nil || l.w.ScaleErr != nil, "the scale can be read")
	}),
	"write-fails": inState("broken", func(l *look, v *values) {
		v.status(l.w.PutScale)
		if v.bool("may") {
			v.wanted(l.decision.Open, "the memory is known")
			return
		}
		l.able(v, "FailedUpdateScale")
	}),
	"no-selector": inState("broken", func(l *look, v *values) {
		l.inactive(v, "InvalidSelector")
		v.wanted(l.selector() == "", "there is a selector")
	}),
	"invalid-selector": inState("broken", func(l *look, v *values) {
		l.inactive(v, "InvalidSelector")
		v.wanted(l.selector() != "", "there is no selector")
	}),
	"ambiguous-selector": inState("broken", func(l *look, v *values) { l.inactive(v, "AmbiguousSelector") }),
	"pods-unlisted":      inState("broken", func(l *look, v *values) { v.wanted(l.w.PodsErr != nil, "the pods can be listed") }),
	"no-pod-runs": inState("broken", func(l *look, v *values) {
		pods, _ := l.w.matched()
		v.is("pods", int64(len(pods)))
		v.wanted(l.noneRuns(), "a pod runs")
		waits := !slices.ContainsFunc(pods, func(p *corev1.Pod) bool { return unscheduled(p) == "" || unscheduled(p) == "SchedulingGated" })
		v.flag("unscheduled", waits)
		ended := len(pods) > 0 && !slices.ContainsFunc(pods, func(p *corev1.Pod) bool {
			return p.Status.Phase != corev1.PodFailed && p.Status.Phase != corev1.PodSucceeded
		})
		for _, reason := range v.strs("reasons") {
			if !(reason == "ended" && ended) && !slices.ContainsFunc(pods, func(p *corev1.Pod) bool { return stuckFor(p) == reason }) {
				v.fault("no pod waits for %s", reason)
			}
		}
	}),
	"metrics-api": inState("broken", func(l *look, v *values) {
		l.failsSo(apiFailed, v)
		all := []error{l.w.PodMetrics.Err}
		for _, query := range l.w.Custom {
			all = append(all, query.Answer.Err)
		}
		for _, query := range l.w.External {
			all = append(all, query.Answer.Err)
		}
		v.status(all...)
	}),
	"nothing-returned": inState("broken", failing(emptyList)),
	"not-one-value": inState("broken", func(l *look, v *values) {
		l.failsSo(notOne, v)
		v.wanted(v.int("values") != 1, "that is one")
	}),
	"no-pods":                  inState("broken", failing(noPods, noPodsToMultiply)),
	"sample-without-container": inState("broken", failing(lacksContainer)),
	"container-metrics-off":    inState("broken", failing(gateOff)),
	"crash":                    inState("broken", func(l *look, v *values) { v.wanted(l.real.Panic != "", "it does not panic") }),
	"no-sample-counts":         inState("broken", failing(noneUsable)),
	"without-container":        inState("broken", func(l *look, v *values) { l.lacksIn(v, "container") }),
	"without-request":          inState("broken", func(l *look, v *values) { l.lacksIn(v, "resource") }),
	"requests-zero":            inState("broken", failing(requestsZero)),
	"no-target-value":          inState("broken", failing(noTarget)),
	"invalid-metric-selector":  inState("broken", failing(selectorInvalid)),

	"unscheduled": inState("held scaling", func(l *look, v *values) {
		waiting, gated := int64(0), int64(0)
		for _, pod := range l.unreadyPods() {
			switch unscheduled(pod) {
			case "":
			case "SchedulingGated":
				gated++
			default:
				waiting++
			}
		}
		v.is("waiting", waiting)
		v.is("gated", gated)
	}),
	"stuck": inState("held scaling", func(l *look, v *values) {
		pods, _ := l.w.matched()
		there := 0
		reasons := map[string]bool{}
		for _, pod := range pods {
			if reason := stuckFor(pod); reason != "" {
				there++
				reasons[reason] = true
			}
		}
		if n := v.int("pods"); n < 1 || n > int64(there) {
			v.fault("%d pods have a container that waits", there)
		}
		for _, reason := range v.strs("reasons") {
			v.wanted(reasons[reason], reason)
		}
	}),
	"missing": inState("held scaling", func(l *look, v *values) {
		best := l.winner(v)
		v.is("pods", int64(len(best.groups.missing)))
		v.wanted(slices.ContainsFunc(l.w.HPA.Spec.Metrics, func(m autoscalingv2.MetricSpec) bool {
			return strings.Replace(nameOf(&m), " of container ", " of ", 1) == v.str("metric")
		}), "no metric has that name")
	}),
	"unready": inState("held scaling", func(l *look, v *values) {
		p := l.winner(v)
		v.is("pods", int64(len(p.groups.unready)))
		v.flag("counted", p.ratio > 1)
	}),
	"counts": inState("held scaling", func(l *look, v *values) {
		v.is("pods", int64(l.countedBy(l.winner(v))))
		v.is("replicas", int64(l.w.current()))
		v.wanted(v.int("pods") != v.int("replicas"), "they are the replicas")
	}),
	"of-others": inState("held scaling", func(l *look, v *values) {
		v.is("pods", int64(len(l.notOwn())))
	}),
	"foreign-samples": inState("held scaling", func(l *look, v *values) { v.wanted(v.int("samples") > 0, "there are none") }),
	"status-replicas": inState("held scaling", func(l *look, v *values) {
		v.wanted(l.w.Scale.Status.Replicas != l.w.current(), "status.replicas is spec.replicas")
	}),

	"wanted": inState("held at-max at-min scaling", func(l *look, v *values) {
		if wanted, reads := l.wants(v, func(*World) {}); !reads || v.int("wanted") != int64(wanted) {
			v.fault("%d are wanted", wanted)
		}
		if v.has("keptBy") {
			l.keptBy(v.object("keptBy"))
		}
	}),
	"kept": inState("held", func(l *look, v *values) {
		v.wanted(l.w.current() > l.w.max() || l.w.current() < l.w.min(), "the replicas are within the bounds")
		l.keptBy(v.object("by"))
	}),
	"above-max": inState("at-max", func(l *look, v *values) { v.wanted(l.w.current() > l.w.max(), "they are within") }),
	"below-min": inState("at-min", func(l *look, v *values) { v.wanted(l.w.current() < l.w.min(), "they are within") }),
	"no-room":   inState("at-max", func(l *look, v *values) { l.wantsJust(v, l.w.max()) }),
	"above-target": inState("scaling", func(l *look, v *values) {
		v.wanted(l.w.current() > 0 && l.winner(v).lastRatio() > 1 && l.desired() > l.w.current(), "it is not above")
	}),
	"below-target": inState("scaling", func(l *look, v *values) {
		v.wanted(l.winner(v).lastRatio() < 1 && l.desired() < l.w.current(), "it is not below")
	}),
	"within-tolerance": inState("idle", func(l *look, v *values) {
		l.wantsJust(v, l.w.current())
		if missing := len(l.winner(v).groups.missing); v.bool("missing") && missing == 0 {
			v.fault("each pod has a sample")
		}
	}),
	"on-target": inState("idle", func(l *look, v *values) {
		l.wantsJust(v, l.w.current())
		v.wanted(l.winner(v).ratio == 1, "the ratio is not 1")
	}),
	"as-wanted":   inState("idle at-min", func(l *look, v *values) { l.wantsJust(v, l.w.current()) }),
	"none-wanted": inState("asleep", func(l *look, v *values) { v.wanted(l.desired() == 0, "there are replicas") }),

	"zero-of-keda": inState("switched-off", func(l *look, v *values) {
		l.pauses(v)
		v.wanted(l.w.scaledObject() != "", "no ScaledObject controls the HPA")
	}),
	"zero-with-gate-off": inState("switched-off", func(l *look, v *values) {
		l.pauses(v)
		v.wanted(!l.w.gate("HPAScaleToZero"), "the gate is on")
	}),
	"zero": inState("switched-off", (*look).pauses),

	"kind-not-found": inState("unknown", func(l *look, v *values) { l.notRead(v) }),
	"not-given":      inState("unknown", func(l *look, v *values) { v.str("status"); l.notRead(v) }),
	"not-read": inState("unknown", func(l *look, v *values) {
		if v.has("status") {
			v.str("status")
		}
		l.notRead(v)
	}),
	"by-status": inState("broken held at-max asleep at-min scaling idle switched-off unknown", func(l *look, v *values) {
		l.notRead(v)
		if v.has("reason") {
			v.wanted(slices.ContainsFunc(l.w.HPA.Status.Conditions, func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool {
				return c.Reason == v.str("reason")
			}), "no condition has the reason")
		}
		v.wanted(!v.bool("failed") || v.str("state") == "broken" && !v.has("reason"), "it is not broken")
	}),
}

// inState holds the state beside a reason: it is one of those, and the replicas are as it says.
func inState(states string, reason check) check {
	return func(l *look, v *values) {
		state := v.str("state")
		if !slices.Contains(strings.Fields(states), state) {
			v.fault("the state is %s", state)
		}
		if l.decision.Desired != nil && l.w.PutScale == nil && !l.idle() {
			l.ends(v, state)
		}
		reason(l, v)
	}
}

// ends holds what a state says of the replicas, where the decision is known.
func (l *look) ends(v *values, state string) {
	desired, current := l.desired(), l.w.current()
	good := map[string]bool{
		"at-max": desired == l.w.max(), "at-min": desired == l.w.min(), "asleep": desired == 0, "scaling": desired != current,
		"idle": desired == current, "switched-off": current == 0, "held": desired == current, "broken": true, "unknown": false,
	}
	if !good[state] {
		v.fault("%d replicas become %d, within %d to %d", current, desired, l.w.min(), l.w.max())
	}
}

func (v *values) wanted(holds bool, otherwise string) {
	if !holds {
		v.fault("%s", otherwise)
	}
}

// status holds the few words of an error against those that there are.
func (v *values) status(all ...error) {
	if !v.has("status") {
		return
	}
	text := v.str("status")
	for _, err := range all {
		if err == nil {
			continue
		}
		parts := errorParts(err)
		if slices.Contains([]string{"no answer", "unusable answer", "an error", parts[0]}, text) || strings.HasPrefix(text, "proxy answered ") {
			return
		}
		if len(parts) > 1 && (text == parts[1] || text == parts[0]+" "+parts[1]) {
			return
		}
	}
	v.fault("no API answered %q", text)
}

// saysOf holds that Why says it, too.
func saysOf(codes ...string) check {
	return func(l *look, v *values) { v.wanted(l.claims(codes...), "Why says none of "+strings.Join(codes, ", ")) }
}

// quotes holds that a condition of the last status is False with a reason.
func quotes(reason string) check {
	return func(l *look, v *values) {
		v.wanted(slices.ContainsFunc(l.w.HPA.Status.Conditions, func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool {
			return c.Status == corev1.ConditionFalse && strings.HasPrefix(c.Reason, reason) ||
				reason != "FailedGetScale" && reason != "FailedUpdateScale" && strings.Contains(c.Message, "invalid metrics")
		}), "no condition says so")
	}
}

// denied holds that an error or a condition denies a right.
func (l *look) denied(v *values) {
	verb, resource := v.str("verb"), v.str("resource")
	resource, _, _ = strings.Cut(resource, ".")
	said := []string{}
	for _, c := range l.w.HPA.Status.Conditions {
		said = append(said, c.Message)
	}
	for _, err := range []error{l.w.ScaleErr, l.w.PodsErr, l.w.PodMetrics.Err, l.w.PutScale} {
		if err != nil {
			said = append(said, err.Error())
		}
	}
	v.wanted(slices.ContainsFunc(said, func(text string) bool {
		return strings.Contains(text, "cannot "+verb+" resource") && strings.Contains(text, resource)
	}), "nothing denies it")
}

// failing holds that a metric fails so.
func failing(all ...failure) check {
	return func(l *look, v *values) {
		v.wanted(slices.ContainsFunc(l.failing(), func(i int) bool { return slices.Contains(all, l.propose(i).failure) }), "no metric fails so")
	}
}

func (l *look) failsSo(f failure, v *values) { failing(f)(l, v) }

// lacksIn holds how many pods lack what a metric needs.
func (l *look) lacksIn(v *values, key string) {
	l.failsSo(requestMissing, v)
	pods, _ := l.w.matched()
	if n := v.int("pods"); n < 1 || n > int64(len(pods)) {
		v.fault("%d pods match", len(pods))
	}
	name := v.str(key)
	v.wanted(slices.ContainsFunc(l.failing(), func(i int) bool {
		m := l.w.HPA.Spec.Metrics[i]
		resource, container, _ := resourceOf(&m)
		return key == "resource" && string(resource) == name || key == "container" && container == name
	}), "no metric that fails is of it")
}

// winner is the proposal that decides.
func (l *look) winner(v *values) *proposal {
	best, _ := l.taken()
	if best == nil {
		v.fault("no metric decides")
		return &proposal{}
	}
	return best
}

func (l *look) wantsJust(v *values, replicas int32) {
	if wanted, reads := l.wants(v, func(*World) {}); reads && wanted != replicas {
		v.fault("%d are wanted", wanted)
	}
}

func (l *look) unreadyPods() []*corev1.Pod {
	best, _ := l.taken()
	pods, _ := l.w.matched()
	return slices.DeleteFunc(slices.Clone(pods), func(p *corev1.Pod) bool {
		return best == nil || !slices.Contains(best.groups.unready, p.Name)
	})
}

// keptBy holds what keeps the replicas from those that are wanted.
func (l *look) keptBy(v *values) {
	switch kind := v.str("kind"); kind {
	case "controller":
		inner := newValues(v.in, v.path, v.faults)
		inner.in = map[string]any{}
		for key, value := range v.in {
			inner.in[key] = value
		}
		inner.in["state"] = "held"
		delete(inner.in, "kind")
		if found := tables["listed "][v.str("code")]; found != nil {
			found(l, inner)
		}
		v.skip()
	case "rival":
		v.bool("earlier")
		name := v.str("hpa")
		v.wanted(slices.ContainsFunc(l.w.Others, func(o Other) bool { return o.Name == name }), "there is no such HPA")
	case "doubt", "memory":
		v.wanted(l.decision.Open || l.decision.Desired == nil || kind == "doubt", "the memory is known")
	case "floor":
		l.zero(v)
	case "min":
		v.wanted(l.desired() == l.w.min(), "the decision is another")
	case "disabled":
		v.wanted(disabled(l.rules()[v.str("direction")]), "its selectPolicy is not Disabled")
	case "window":
		if v.has("until") {
			until := v.time("until")
			known := append(slices.Clone(l.w.Memory.Recommendations), Recommendation{l.w.current(), l.w.At})
			left := slices.ContainsFunc(known, func(r Recommendation) bool {
				for _, window := range l.windows() {
					if r.At.Add(window).Equal(until) {
						return true
					}
				}
				return false
			})
			v.wanted(left, "no recommendation leaves a window then")
		}
	case "rate":
		if v.has("until") {
			v.wanted(v.time("until").After(l.w.At.Add(-time.Second)), "that is over")
		}
	default:
		v.fault("unknown kind %s", kind)
	}
}
