package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/cluster"
)

const (
	defaultBinary = "../../target/release/kubectl-hpa"
	attempts      = 20 // to find the world at rest around a run of the binary
)

// notCompared counts the comparisons that were skipped for want of a binary.
var notCompared atomic.Int32

// decision is what is compared of the output of `kubectl-hpa explain -o json`.
type decision struct {
	DesiredReplicas *int32         `json:"desiredReplicas"`
	Interval        *interval      `json:"interval"`
	Status          map[string]any `json:"status"`
	Events          []event        `json:"events"`
	Rescaled        bool           `json:"rescaled"`
	StatusChanged   bool           `json:"statusChanged"`
	MemoryBefore    struct {
		Evidence string `json:"evidence"`
	} `json:"memoryBefore"`
}

// interval stands in place of desiredReplicas where the controller's memory leaves more than one answer.
type interval struct {
	Lowest  int32 `json:"lowest"`
	Highest int32 `json:"highest"`
}

type event struct {
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// agrees runs the binary and compares its decision with what the controller wrote. As the world is at rest, the
// next sync must leave it as it is, so the status must agree to the last field, times included.
func (w *world) agrees(moment string) {
	w.Helper()
	w.agreesOn(moment, web)
}

// agreesOn does so with another name of the HPA.
func (w *world) agreesOn(moment, name string) {
	w.Helper()
	w.Run(moment, func(t *testing.T) {
		path := binary(t)
		for range attempts {
			before := w.rest(t)
			output := explain(t, path, name, "-n", w.namespace, "--kubeconfig", w.Kubeconfig(cluster.Admin))
			if after := w.observe(t); before.same(after) {
				w.compare(t, output, before)
				return
			}
		}
		t.Fatalf("the world changed around each of %d runs", attempts)
	})
}

// binary is the path of the kubectl-hpa to be tested; without one there is nothing to compare.
func binary(t *testing.T) string {
	t.Helper()
	named, isNamed := os.LookupEnv("KUBECTL_HPA_BIN")
	if !isNamed {
		named = defaultBinary
	}
	path, err := filepath.Abs(named)
	if err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat(path)
	switch {
	case err == nil:
		return path
	case isNamed || os.Getenv("KUBECTL_HPA_REQUIRED") == "1":
		t.Fatalf("no kubectl-hpa to compare with the controller: %v", err)
	default:
		notCompared.Add(1)
		t.Skipf("NOT COMPARED: no kubectl-hpa at %s; build it, or set KUBECTL_HPA_BIN", path)
	}
	return ""
}

func explain(t *testing.T, path string, args ...string) (answer decision) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), path, append([]string{"explain", "-o", "json"}, args...)...)
	command.Stdout, command.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if err := json.Unmarshal(stdout.Bytes(), &answer); err != nil {
		t.Fatalf("%s: %v\nexit code %d\nstdout: %s\nstderr: %s", command, err, command.ProcessState.ExitCode(), &stdout, &stderr)
	}
	return answer
}

func (w *world) compare(t *testing.T, answer decision, seen observed) {
	t.Helper()
	if !answer.holds(seen.replicas) {
		t.Errorf("replicas: kubectl-hpa %s or %s, the controller %s",
			indented(answer.DesiredReplicas), indented(answer.Interval), indented(seen.replicas))
	}
	ordered(answer.Status)
	random := ordered(seen.Status)
	for _, field := range fields(answer.Status, seen.Status) {
		if !reflect.DeepEqual(answer.Status[field], seen.Status[field]) {
			t.Errorf("status.%s\nkubectl-hpa %s\nthe controller %s", field, indented(answer.Status[field]), indented(seen.Status[field]))
		}
	}
	if answer.Rescaled || answer.StatusChanged && !random {
		t.Errorf("the world is at rest, but rescaled %t, statusChanged %t", answer.Rescaled, answer.StatusChanged)
	}
	w.compareEvents(t, answer)
}

// holds tells whether that many replicas were said. Without a target there is nothing to say.
func (d decision) holds(replicas *int32) bool {
	switch {
	case d.DesiredReplicas != nil && replicas != nil:
		return *d.DesiredReplicas == *replicas
	case d.Interval != nil && replicas != nil:
		return d.Interval.Lowest <= *replicas && *replicas <= d.Interval.Highest
	default:
		return d.DesiredReplicas == nil && d.Interval == nil && replicas == nil
	}
}

// compareEvents finds every event of the decision among the controller's. Not the other way round, as those of
// earlier syncs are kept; but if the HPA fails, there must be one for each reason that the controller gives.
func (w *world) compareEvents(t *testing.T, answer decision) {
	t.Helper()
	list, err := w.Client.CoreV1().Events(w.namespace).List(t.Context(), metav1.ListOptions{
		FieldSelector: "involvedObject.kind=HorizontalPodAutoscaler",
	})
	if err != nil {
		t.Fatal(err)
	}
	emitted, reasons := map[event]bool{}, map[string]bool{}
	for _, e := range list.Items {
		emitted[event{e.Type, e.Reason, inOrder(e.Message)}] = true
		if e.Type == v1.EventTypeWarning && answer.fails() {
			reasons[e.Reason] = true
		}
	}
	for _, e := range answer.Events {
		e.Message = inOrder(e.Message)
		if !emitted[e] {
			t.Errorf("kubectl-hpa expects the event\n%s\nof the controller's\n%v", indented(e), emitted)
		}
	}
	for reason := range reasons {
		if !slices.ContainsFunc(answer.Events, func(e event) bool { return e.Reason == reason }) {
			t.Errorf("kubectl-hpa doesn't expect the controller's event %s", reason)
		}
	}
}

// fails tells whether the decision's status says that the HPA can't compute a replica count.
func (d decision) fails() bool {
	conditions, _ := d.Status["conditions"].([]any)
	return slices.ContainsFunc(conditions, func(condition any) bool {
		c, _ := condition.(map[string]any)
		return c["type"] == string(autoscaling.ScalingActive) && c["status"] == string(v1.ConditionFalse)
	})
}

// fields are the names of all fields that either status has.
func fields(one, other map[string]any) (names []string) {
	for name := range one {
		names = append(names, name)
	}
	for name := range other {
		if _, both := one[name]; !both {
			names = append(names, name)
		}
	}
	return names
}

func indented(value any) string {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err.Error()
	}
	return string(text)
}
