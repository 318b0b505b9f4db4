package e2e

import (
	"testing"

	autoscaling "k8s.io/api/autoscaling/v2"
)

// start runs pods that share a load, and waits until all have samples.
func (w *world) start(replicas int32, cpu string) {
	w.Helper()
	w.deploy(replicas)
	w.share(cpu)
	w.sampled(int(replicas))
}

// A load that is constant in sum brings the HPA to rest: 390m over eight pods is just below the target. A greater one
// is met with all that maxReplicas allows, a smaller one with fewer. (The samples of a real metrics server differ by
// a few thousandths from what the pods use, so no load here is at the edge between two counts.)
func TestScaleUpAndDown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(2, "390m")
	w.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.Behavior = down(window(0)) })
	w.settles(expectation{8, 8, nil, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	w.agrees("scaled-up")
	w.share("1200m")
	w.settles(expectation{12, 12, nil, []string{readyForNewScale, cpuIsValid, tooMany, notScaledToZero}})
	w.agrees("limited-by-maxReplicas")
	w.share("190m")
	w.settles(expectation{4, 4, nil, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	w.agrees("scaled-down")
}

// The load is gone, but six pods were right a moment ago: the controller's own window of five minutes holds them.
func TestScaleDownHeldByFlag(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(6, "300m")
	w.autoscale(nil)
	w.settles(expectation{6, 6, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
	w.share("120m")
	w.settles(expectation{6, 6, nil, []string{heldDown, cpuIsValid, withinRange}})
	w.agrees("held")
}

// The same with a window of the HPA's own, up to its end.
func TestScaleDownHeldByBehavior(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(6, "300m")
	w.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.Behavior = down(window(45)) })
	w.settles(expectation{6, 6, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
	w.share("120m")
	w.settles(expectation{6, 6, nil, []string{heldDown, cpuIsValid, withinRange}})
	w.agrees("held")
	w.settles(expectation{3, 3, nil, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	w.agrees("released")
}

// A scale-up may have a window too.
func TestScaleUpHeldByBehavior(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(4, "200m")
	w.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Behavior = &autoscaling.HorizontalPodAutoscalerBehavior{ScaleUp: window(40)}
	})
	w.settles(expectation{4, 4, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
	w.share("390m")
	w.settles(expectation{4, 4, nil, []string{"AbleToScale True ScaleUpStabilized", cpuIsValid, withinRange}})
	w.agrees("held")
	w.settles(expectation{8, 8, nil, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	w.agrees("released")
}

// What a policy lets happen in ten minutes happens at once; then it forbids the rest.
func TestPolicies(t *testing.T) {
	t.Parallel()
	const tenMinutes = 600
	for name, step := range map[string]struct {
		replicas, end int32
		cpu           string
		behavior      *autoscaling.HorizontalPodAutoscalerBehavior
		limited       string
	}{
		"up-by-pods": {2, 3, "400m", up(policy(autoscaling.PodsScalingPolicy, 1, tenMinutes)), "ScalingLimited True ScaleUpLimit"},
		"up-by-percent": {4, 6, "600m", up(policy(autoscaling.PercentScalingPolicy, 50, tenMinutes)),
			"ScalingLimited True ScaleUpLimit"},
		"down-by-percent": {8, 4, "100m", down(limited(window(0), policy(autoscaling.PercentScalingPolicy, 50, tenMinutes))),
			"ScalingLimited True ScaleDownLimit"},
		"down-by-the-smaller": {8, 7, "100m", down(smaller(limited(window(0), policy(autoscaling.PercentScalingPolicy, 50, tenMinutes),
			policy(autoscaling.PodsScalingPolicy, 1, tenMinutes)))), "ScalingLimited True ScaleDownLimit"},
		"down-disabled": {5, 5, "100m", down(disabled(window(0))), "ScalingLimited True ScaleDownLimit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.start(step.replicas, step.cpu)
			w.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.Behavior = step.behavior })
			conditions := []string{readyForNewScale, cpuIsValid, step.limited}
			if step.replicas != step.end {
				conditions = append(conditions, notScaledToZero)
			}
			w.settles(expectation{step.end, step.end, nil, conditions})
			w.agrees("limited")
		})
	}
}
