package e2e

import (
	"encoding/json"
	"testing"

	autoscaling "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func window(seconds int32) *autoscaling.HPAScalingRules {
	return &autoscaling.HPAScalingRules{StabilizationWindowSeconds: &seconds}
}

func policy(kind autoscaling.HPAScalingPolicyType, value, seconds int32) autoscaling.HPAScalingPolicy {
	return autoscaling.HPAScalingPolicy{Type: kind, Value: value, PeriodSeconds: seconds}
}

func limited(rules *autoscaling.HPAScalingRules, policies ...autoscaling.HPAScalingPolicy) *autoscaling.HPAScalingRules {
	rules.Policies = policies
	return rules
}

func smaller(rules *autoscaling.HPAScalingRules) *autoscaling.HPAScalingRules {
	rules.SelectPolicy = new(autoscaling.MinChangePolicySelect)
	return rules
}

func disabled(rules *autoscaling.HPAScalingRules) *autoscaling.HPAScalingRules {
	rules.SelectPolicy = new(autoscaling.DisabledPolicySelect)
	return rules
}

func up(policies ...autoscaling.HPAScalingPolicy) *autoscaling.HorizontalPodAutoscalerBehavior {
	return &autoscaling.HorizontalPodAutoscalerBehavior{ScaleUp: &autoscaling.HPAScalingRules{Policies: policies}}
}

func down(rules *autoscaling.HPAScalingRules) *autoscaling.HorizontalPodAutoscalerBehavior {
	return &autoscaling.HorizontalPodAutoscalerBehavior{ScaleDown: rules}
}

// amend changes fields of the HPA's spec.
func (w *world) amend(fields map[string]any) {
	w.Helper()
	patch, err := json.Marshal(map[string]any{"spec": fields})
	w.must(patch, err)
	w.must(w.Client.AutoscalingV2().HorizontalPodAutoscalers(w.namespace).Patch(
		w.Context(), web, types.MergePatchType, patch, metav1.PatchOptions{}))
}

// The bounds are moved under an HPA at rest: it follows at once, whatever the window says.
func TestBoundsMoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(6, "300m")
	w.autoscale(nil)
	w.settles(expectation{6, 6, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
	w.amend(map[string]any{"maxReplicas": 4})
	w.settles(expectation{4, 4, nil, []string{readyForNewScale, cpuIsValid, tooMany, notScaledToZero}})
	w.agrees("max-below-current")
	w.amend(map[string]any{"minReplicas": 8, "maxReplicas": 12})
	w.settles(expectation{8, 8, nil, nil})
	w.agrees("min-above-current")
}

// A tolerance of the HPA's own: 1.4 times the target is still within it; then it is narrowed.
func TestTolerance(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(4, "280m")
	wide := func(tolerance string) *autoscaling.HorizontalPodAutoscalerBehavior {
		return &autoscaling.HorizontalPodAutoscalerBehavior{
			ScaleUp: &autoscaling.HPAScalingRules{Tolerance: new(resource.MustParse(tolerance))},
		}
	}
	w.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.Behavior = wide("0.5") })
	w.settles(expectation{4, 4, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
	w.agrees("tolerated")
	w.amend(map[string]any{"behavior": wide("0.2")})
	w.settles(expectation{6, 6, nil, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	w.agrees("scaled-up")
}
