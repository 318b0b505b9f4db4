package e2e

import (
	"testing"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"

	"kubectl-hpa.local/e2e/kubelet"
	"kubectl-hpa.local/e2e/metrics"
)

// A load that is constant in sum brings the HPA to rest: 400m over eight pods is the target exactly. A greater one
// is met with all that maxReplicas allows.
func TestScaleUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.deploy(2)
	w.share("400m")
	w.autoscale(nil)
	w.settles(expectation{8, 8, []string{cpuIs(50, "50m")}, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	w.agrees("settled")
	w.share("1200m")
	w.settles(expectation{12, 12, []string{cpuIs(100, "100m")}, []string{readyForNewScale, cpuIsValid, tooMany, notScaledToZero}})
	w.agrees("limited-by-maxReplicas")
}

// The load is gone, but six pods were right a moment ago: the controller's own window of five minutes holds them.
func TestScaleDownHeldByFlag(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.deploy(6)
	w.share("300m")
	w.autoscale(nil)
	w.settles(expectation{6, 6, []string{cpuIs(50, "50m")}, []string{readyForNewScale, cpuIsValid, withinRange}})
	w.share("120m")
	w.settles(expectation{6, 6, []string{cpuIs(20, "20m")}, []string{heldDown, cpuIsValid, withinRange}})
	w.agrees("held")
}

// The same with a window of the HPA's own, up to its end.
func TestScaleDownHeldByBehavior(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.deploy(6)
	w.share("300m")
	w.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Behavior = &autoscaling.HorizontalPodAutoscalerBehavior{
			ScaleDown: &autoscaling.HPAScalingRules{StabilizationWindowSeconds: new(int32(45))},
		}
	})
	w.settles(expectation{6, 6, []string{cpuIs(50, "50m")}, []string{readyForNewScale, cpuIsValid, withinRange}})
	w.share("120m")
	w.settles(expectation{6, 6, []string{cpuIs(20, "20m")}, []string{heldDown, cpuIsValid, withinRange}})
	w.agrees("held")
	w.settles(expectation{3, 3, []string{cpuIs(40, "40m")}, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	w.agrees("released")
}

// Of four pods one isn't ready and one has no sample. They don't count in the reading, but they do in the decision.
func TestUnreadyAndMissing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pods := w.deploy(4)
	minuteAgo := time.Now().Add(-time.Minute) // the initialization period is five
	w.must(nil, w.Kubelet.Set(t.Context(), w.namespace, pods[2], &kubelet.State{Phase: v1.PodRunning, Started: minuteAgo, Since: minuteAgo}))
	held := []string{readyForNewScale, cpuIsValid, withinRange}

	w.eachUses(map[string]string{pods[0]: "60m", pods[1]: "60m", pods[2]: "900m"})
	w.autoscale(nil)
	w.settles(expectation{4, 4, []string{cpuIs(60, "60m")}, held}) // with two more at 0 no scale-up is left of it
	w.agrees("scale-up-outweighed")

	w.eachUses(map[string]string{pods[0]: "30m", pods[1]: "30m", pods[2]: "900m"})
	w.settles(expectation{4, 4, []string{cpuIs(30, "30m")}, held}) // with one more at its request no scale-down
	w.agrees("scale-down-outweighed")

	w.eachUses(map[string]string{pods[0]: "150m", pods[1]: "150m", pods[2]: "900m"})
	w.settles(expectation{6, 6, []string{cpuIs(150, "150m")}, append(held, notScaledToZero)}) // two more without a sample
	w.agrees("scaled-up")
}

// What was scaled up to isn't ready yet: the new pods burn cpu while they start, but count as idle.
func TestNewPodsStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pods := w.deploy(2)
	w.Kubelet.Plan(w.namespace, func(*v1.Pod) *kubelet.State { return kubelet.Starting() })
	w.Metrics.Update(func(state *metrics.State) {
		state.Loads = append(state.Loads, metrics.Load{Namespace: w.namespace, CPU: "900m"})
	})
	w.eachUses(map[string]string{pods[0]: "150m", pods[1]: "150m"})
	w.autoscale(nil)
	w.settles(expectation{6, 6, []string{cpuIs(150, "150m")}, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	w.agrees("starting")
}
