package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"testing"

	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/cluster"
)

// simulation is what is looked at of the output of `kubectl-hpa simulate -o json`.
type simulation struct {
	Now        *decision `json:"now"`
	Then       decision  `json:"then"`
	Projection struct {
		Steps []struct {
			Replicas int32 `json:"replicas"`
		} `json:"steps"`
	} `json:"projection"`
}

// end is where it leads, if the load stays.
func (s simulation) end() int32 {
	if steps := s.Projection.Steps; len(steps) > 0 {
		return steps[len(steps)-1].Replicas
	}
	if s.Then.DesiredReplicas == nil {
		return -1
	}
	return *s.Then.DesiredReplicas
}

// simulates runs the binary; its exit code must be the one for another decision, or where the memory leaves an interval in which
// today's replicas lie, the one for what is not known.
func (w *world) simulates(args ...string) (answer simulation) {
	w.Helper()
	const different = 3
	var stdout, stderr bytes.Buffer
	args = append([]string{"simulate", "-n", w.namespace, "-o", "json", "--kubeconfig", w.Kubeconfig(cluster.Admin)}, args...)
	command := exec.CommandContext(w.Context(), binary(w.T), args...)
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	code := command.ProcessState.ExitCode()
	if code != different && code != notKnown {
		w.Fatalf("%s: %v\nexit code %d\nstdout: %s\nstderr: %s", command, err, code, &stdout, &stderr)
	}
	w.must(nil, json.Unmarshal(stdout.Bytes(), &answer))
	isKnown := answer.Then.DesiredReplicas != nil && (answer.Now == nil || answer.Now.DesiredReplicas != nil)
	if code == notKnown && isKnown {
		w.Fatalf("%s: exit code %d, and both sides are known\n%s", command, code, &stdout)
	}
	return answer
}

// An HPA that isn't there yet: its first reconcile does what was said of it, and it ends where that leads.
func TestManifestBeforeItExists(t *testing.T) {
	t.Parallel()
	w := playedWorld(t)
	w.deploy(2)
	w.share("400m")
	hpa := autoscaling.HorizontalPodAutoscaler{
		TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"},
		ObjectMeta: metav1.ObjectMeta{Name: web},
		Spec: autoscaling.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: web},
			MaxReplicas:    12,
			Metrics:        []autoscaling.MetricSpec{cpuUtilization(50)},
		},
	}
	said := w.simulates("-f", w.manifest(hpa.Spec))
	if said.Now != nil {
		t.Errorf("there is no HPA, but it decides %s", indented(said.Now))
	}
	first := said.Then
	if first.DesiredReplicas == nil || *first.DesiredReplicas != 4 || !first.Rescaled || len(first.Events) != 1 {
		t.Fatalf("two pods at four times the target are doubled at first; kubectl-hpa says %s", indented(first))
	}

	w.must(w.Client.AutoscalingV2().HorizontalPodAutoscalers(w.namespace).Create(t.Context(), &hpa, metav1.CreateOptions{}))
	w.settles(expectation{8, 8, []string{cpuIs(50, "50m")}, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	if said.end() != 8 {
		t.Errorf("kubectl-hpa says that it ends at %d, the controller does at 8", said.end())
	}
	if got := w.firstEvent(); got != first.Events[0] {
		t.Errorf("the first event\nkubectl-hpa %s\nthe controller %s", indented(first.Events[0]), indented(got))
	}
	if got := w.observe(t); first.Status["observedGeneration"] != got.Status["observedGeneration"] {
		t.Errorf("observedGeneration: kubectl-hpa %v, the controller %v", first.Status["observedGeneration"], got.Status["observedGeneration"])
	}
}

// firstEvent is the earliest event that the controller emitted about the HPA.
func (w *world) firstEvent() (first event) {
	w.Helper()
	list, err := w.Client.CoreV1().Events(w.namespace).List(w.Context(), metav1.ListOptions{
		FieldSelector: "involvedObject.kind=HorizontalPodAutoscaler",
	})
	w.must(list, err)
	var earliest *v1.Event
	for i, e := range list.Items {
		if earliest == nil || e.FirstTimestamp.Before(&earliest.FirstTimestamp) {
			earliest = &list.Items[i]
		}
	}
	if earliest != nil {
		first = event{earliest.Type, earliest.Reason, earliest.Message}
	}
	return first
}

// A target and a bound that were simulated, and then are really changed, end at the simulated replicas.
func TestSimulatedTarget(t *testing.T) {
	t.Parallel()
	w := playedWorld(t)
	w.deploy(2)
	w.share("200m")
	w.autoscale(nil)
	w.settles(expectation{4, 4, []string{cpuIs(50, "50m")}, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	for _, step := range []struct {
		percent, max, end int32
		metrics           string
		limited           string
	}{
		{40, 12, 5, cpuIs(40, "40m"), withinRange},
		{25, 7, 7, cpuIs(28, "28m"), tooMany},
	} {
		said := w.simulates(web, "--target", fmt.Sprint(step.percent), "--max", fmt.Sprint(step.max))
		if said.end() != step.end {
			t.Errorf("at %d %%, up to %d, kubectl-hpa ends at %d, not %d", step.percent, step.max, said.end(), step.end)
		}
		w.amend(map[string]any{"maxReplicas": step.max, "metrics": []autoscaling.MetricSpec{cpuUtilization(step.percent)}})
		w.settles(expectation{step.end, step.end, []string{step.metrics}, []string{readyForNewScale, cpuIsValid, step.limited, notScaledToZero}})
	}
	w.agrees("changed")
}
