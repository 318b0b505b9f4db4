package e2e

import (
	"fmt"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// edit changes fields of the HPA's spec, and says so in the story.
func (h *hostile) edit(fields map[string]any) {
	h.Helper()
	h.tell("patch of the HPA: %s", compact(fields))
	h.amend(fields)
}

// bounds draws a minReplicas that the HPA's metrics allow, and a maxReplicas.
func (h *hostile) bounds() (low, high int32) {
	low = 1 + h.random.Int32N(4)
	return low, low + 2 + h.random.Int32N(10)
}

func (h *hostile) editBounds() {
	low, high := h.bounds()
	switch h.random.IntN(3) {
	case 0:
		h.edit(map[string]any{"maxReplicas": max(high, least(h.see().hpa))})
	case 1:
		h.edit(map[string]any{"minReplicas": min(low, h.see().hpa.Spec.MaxReplicas)})
	default:
		h.edit(map[string]any{"minReplicas": low, "maxReplicas": high})
	}
}

func least(hpa *autoscaling.HorizontalPodAutoscaler) int32 {
	if hpa.Spec.MinReplicas == nil {
		return 1
	}
	return *hpa.Spec.MinReplicas
}

// squeeze moves the bounds twice in a moment: each edit brings a sync at once, so that two rescales may fall into one second.
func (h *hostile) squeeze() {
	now := h.see()
	low, high := least(now.hpa), now.hpa.Spec.MaxReplicas
	h.edit(map[string]any{"maxReplicas": max(1, low, now.replicas-1-h.random.Int32N(3))})
	h.pause(300 * time.Millisecond)
	h.edit(map[string]any{"minReplicas": min(high, now.replicas+1), "maxReplicas": high})
	h.pause(300 * time.Millisecond)
	h.edit(map[string]any{"minReplicas": low})
}

// editTarget changes the target of the first metric, in the form that it has.
func (h *hostile) editTarget() {
	metrics := h.spec().Metrics
	switch metric := &metrics[0]; {
	case metric.Resource != nil:
		metric.Resource.Target = cpuUtilization(30 + h.random.Int32N(50)).Resource.Target
	case metric.Pods != nil:
		metric.Pods.Target = average(h.drawn(5, 14))
	case metric.Object != nil:
		metric.Object.Target = average(h.drawn(5, 16))
	case metric.External != nil && metric.External.Target.Value != nil:
		metric.External.Target = value(h.drawn(12, 30))
	default:
		metric.External.Target = average(h.drawn(4, 9))
	}
	h.edit(map[string]any{"metrics": metrics})
}

func (h *hostile) drawn(from, to int) string { return fmt.Sprint(from + h.random.IntN(to-from+1)) }

// editMetrics adds a metric, or takes the last one out again.
func (h *hostile) editMetrics() {
	metrics := h.spec().Metrics
	if len(metrics) > 1 {
		h.edit(map[string]any{"metrics": metrics[:len(metrics)-1]})
		return
	}
	added := []autoscaling.MetricSpec{externalMetric("queue", average("7")), objectMetric("hits", average("11")), podsMetric("rps", average("9"))}
	h.edit(map[string]any{"metrics": append(metrics, added[h.random.IntN(len(added))])})
}

// rules draws rules of one direction, in full: what is not said would be kept by a patch.
func (h *hostile) rules() *autoscaling.HPAScalingRules {
	windows, periods := []int32{0, 0, 5, 15, 30, 60}, []int32{15, 30, 60}
	rules := limited(window(windows[h.random.IntN(len(windows))]))
	rules.SelectPolicy = new(autoscaling.MaxChangePolicySelect)
	for range 1 + h.random.IntN(2) {
		period := periods[h.random.IntN(len(periods))]
		if h.random.IntN(2) == 0 {
			rules.Policies = append(rules.Policies, policy(autoscaling.PodsScalingPolicy, 1+h.random.Int32N(4), period))
		} else {
			rules.Policies = append(rules.Policies, policy(autoscaling.PercentScalingPolicy, 20+10*h.random.Int32N(9), period))
		}
	}
	switch h.random.IntN(8) {
	case 0:
		return disabled(rules)
	case 1:
		return smaller(rules)
	}
	return rules
}

func (h *hostile) editBehavior() {
	behavior := map[string]any{"scaleDown": h.rules()}
	switch h.random.IntN(3) {
	case 0:
		behavior = map[string]any{"scaleUp": h.rules()}
	case 1:
		behavior["scaleUp"] = h.rules()
	}
	h.edit(map[string]any{"behavior": behavior})
}

// annotateBehavior sets it through autoscaling/v1, where it is an annotation and must be complete.
func (h *hostile) annotateBehavior() {
	h.Helper()
	patch := compact(map[string]any{"spec": map[string]any{"behavior": map[string]any{"scaleDown": h.rules()}}})
	hpa, err := h.Client.AutoscalingV2().HorizontalPodAutoscalers(h.namespace).Patch(h.Context(), web, types.MergePatchType,
		[]byte(patch), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	h.must(hpa, err)
	behavior := compact(hpa.Spec.Behavior)
	h.tell("behavior through v1: %s", behavior)
	patch = compact(map[string]any{"metadata": map[string]any{"annotations": map[string]any{
		"autoscaling.alpha.kubernetes.io/behavior": behavior}}})
	h.must(h.Client.AutoscalingV1().HorizontalPodAutoscalers(h.namespace).Patch(h.Context(), web, types.MergePatchType,
		[]byte(patch), metav1.PatchOptions{}))
}

func (h *hostile) dropBehavior() { h.edit(map[string]any{"behavior": nil}) }

// touch writes what no decision depends on.
func (h *hostile) touch() {
	h.Helper()
	h.must(h.Client.AutoscalingV2().HorizontalPodAutoscalers(h.namespace).Patch(h.Context(), web, types.MergePatchType,
		fmt.Appendf(nil, `{"metadata":{"annotations":{"touched":"%d"}}}`, h.random.IntN(1000)), metav1.PatchOptions{}))
}

// writers write the HPA so often that some of the controller's status writes meet a newer version.
func (h *hostile) writers() {
	h.tell("writers write the HPA all the time")
	for end := time.Now().Add(2 * syncPeriod); time.Now().Before(end); time.Sleep(4 * time.Millisecond) {
		h.touch()
	}
}

// anew deletes the HPA and creates it again with the same spec, which inherits the memory if the controller hasn't synced
// in between.
func (h *hostile) anew(later time.Duration) {
	h.Helper()
	if h.dropped {
		return
	}
	h.renewed = true
	h.tell("HPA deleted, made anew after %s", later)
	spec, hpas := h.spec(), h.Client.AutoscalingV2().HorizontalPodAutoscalers(h.namespace)
	h.must(nil, hpas.Delete(h.Context(), web, metav1.DeleteOptions{}))
	if later > 0 {
		h.eventually("the HPA is gone", h.isGone)
		time.Sleep(later)
	}
	h.must(hpas.Create(h.Context(), &autoscaling.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Name: web}, Spec: spec}, metav1.CreateOptions{}))
	h.eventually("the first decision", h.hasStatus)
}
