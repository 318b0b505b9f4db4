package reader

import (
	"fmt"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
)

// complete holds the claims against what the real conditions name: each reason that this sync set must be told by one of
// the claims for it.
func (l *look) complete() (out []Fault) {
	if l.real.Panic != "" {
		return l.told(nil, "panic", "controller-crash")
	}
	// After a refused write the program decides what the replicas still are.
	if d := l.decision.Desired; d != nil && *d != l.desired() && (l.w.PutScale == nil && !l.idle() || *d != l.w.current()) {
		out = append(out, Fault{"decision", fmt.Sprintf("the program decides %d, the real controller %d", *d, l.desired()), l.texts()})
	}
	if l.decision.Desired == nil && l.claims("kind-not-found", "not-given", "not-read-here", "not-recomputed", "only-described") {
		return out
	}
	if len(l.decision.Claims) == 0 {
		return append(out, Fault{"no-claim", "the decision has no claim", ""})
	}
	able, _ := l.real.condition(autoscalingv2.AbleToScale)
	if able == "FailedGetScale" {
		return l.told(out, able, "target-api-version-invalid", "target-kind-unknown", "target-cannot-scale", "scale-unreadable")
	}
	if able == "FailedUpdateScale" && l.w.PutScale != nil {
		out = l.told(out, able, "write-refused", "write-would-be-refused")
	}
	if l.w.current() != 0 && !l.readsMetrics() {
		return l.told(out, "outside of the bounds", "above-max", "below-min")
	}
	reason, status := l.active()
	for _, e := range l.real.Events {
		if reason != "InvalidSelector" && strings.HasPrefix(e, "FailedComputeMetricsReplicas ") && l.unlisted() && strings.Contains(e, l.w.PodsErr.Error()) {
			return l.told(out, "list of pods", "pods-unlisted", "pods-unlisted-for")
		}
	}
	if codes := inactiveCodes(reason); status == corev1.ConditionFalse && len(codes) > 0 && !l.crowded() {
		return l.told(out, reason, codes...)
	}
	if reason != "ValidMetricFound" || !l.readsMetrics() {
		return out
	}
	out = l.told(out, reason, "reads")
	if l.crowded() {
		return out
	}
	out = l.toldWindow(out)
	return l.toldLimit(out)
}

// unlisted tells whether the controller comes as far as a list of pods that fails: for the selector since 1.26, else for metrics.
func (l *look) unlisted() bool {
	for i := range l.w.HPA.Spec.Metrics {
		if l.w.PodsErr != nil && (l.w.Minor >= 26 || l.propose(i).failure == podsUnlisted) {
			return true
		}
	}
	return false
}

// crowded tells whether what only the controller meets has left no room in Why for windows, limits and failures.
func (l *look) crowded() bool {
	n := 0
	for _, claim := range l.decision.Claims {
		if code, _ := claim["code"].(string); controllerChecks[code] != nil {
			n++
		}
	}
	return n > 1 && len(l.decision.Claims) >= most
}

// most are the sentences that Why has.
const most = 4

// inactiveCodes are the claims for a reason of ScalingActive.
func inactiveCodes(reason string) []string {
	switch reason {
	case "ScalingDisabled":
		return []string{"zero-is-pause", "waits-for-keda", "waits-for-replica"}
	case "InvalidSelector":
		return []string{"selector-missing", "selector-invalid", "pods-unlisted"}
	case "AmbiguousSelector":
		return []string{"selector-ambiguous"}
	case "FailedGetResourceMetric", "FailedGetContainerResourceMetric", "FailedGetPodsMetric", "FailedGetObjectMetric", "FailedGetExternalMetric":
		return []string{"metric-api-error", "nothing-to-measure", "no-samples", "not-one-value", "no-pods", "no-pods-to-count",
			"pods-unlisted-for", "pods-unlisted", "sample-without-container", "no-usable-samples", "requests-missing",
			"requests-add-up-to-zero", "target-without-value", "metric-selector-invalid", "container-missing", "no-value-at-zero", "container-metrics-off"}
	}
	return nil
}

func (l *look) told(out []Fault, reason string, codes ...string) []Fault {
	if l.claims(codes...) {
		return out
	}
	return append(out, Fault{"untold " + reason, "no claim tells what the real controller met", l.texts()})
}

func (l *look) texts() (out string) {
	for _, claim := range l.decision.Claims {
		text, _ := claim["text"].(string)
		out += "[" + text + "] "
	}
	return out
}

var unknownMemory = []string{"memory-unknown", "either-way", "window-by-status"}

// toldWindow holds that a window which changes the real decision is told.
func (l *look) toldWindow(out []Fault) []Fault {
	var ignore []string
	v := newValues(nil, "", &ignore)
	wanted, ok := l.wants(v, func(*World) {})
	if !ok {
		return out
	}
	other := l.rerun(v, func(w *World) { w.Memory.Recommendations = []Recommendation{{wanted, w.At}} })
	if other == nil || other.Desired == nil || *other.Desired == l.desired() {
		return out
	}
	return l.told(out, "window", append([]string{"stabilized", "highest-counts", "memory-empty"}, unknownMemory...)...)
}

// toldLimit holds that the limit which the real condition ScalingLimited names is told.
func (l *look) toldLimit(out []Fault) []Fault {
	reason, status := l.real.condition(autoscalingv2.ScalingLimited)
	if status != corev1.ConditionTrue {
		return out
	}
	switch reason {
	case "TooManyReplicas":
		return l.told(out, reason, append([]string{"limited-by-max", "highest-counts"}, unknownMemory...)...)
	case "TooFewReplicas":
		return l.told(out, reason, append([]string{"limited-by-min", "stays-at-min", "zero-to-min"}, unknownMemory...)...)
	case "ScaleUpLimit", "ScaleDownLimit":
		return l.told(out, reason, append([]string{"at-most-doubled", "one-policy", "policies", "direction-disabled", "zero-to-min"}, unknownMemory...)...)
	}
	return out
}
