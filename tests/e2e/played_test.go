package e2e

import (
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"

	"kubectl-hpa.local/e2e/kubelet"
	"kubectl-hpa.local/e2e/metrics"
)

// With exact samples: of four pods one isn't ready and one has no sample. They don't count in the reading, but they do in the decision.
func TestUnreadyAndMissing(t *testing.T) {
	t.Parallel()
	w := playedWorld(t)
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
	w := playedWorld(t)
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
