package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/cluster"
)

const (
	defaultBinary = "../../target/release/kubectl-hpa"
	attempts      = 10 // to find the world at rest around a run of the binary
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
	w.Run(moment, func(t *testing.T) {
		path := binary(t)
		for range attempts {
			before, resting := w.observe(t)
			output := explain(t, path, w.Kubeconfig(cluster.Admin), w.namespace)
			after, _ := w.observe(t)
			if resting && before.ResourceVersion == after.ResourceVersion {
				w.compare(t, output, before)
				return
			}
			time.Sleep(syncPeriod)
		}
		t.Fatalf("the controller changed its status around each of %d runs", attempts)
	})
}

// observed is the HPA as the API server prints it, and the replicas asked of its target.
type observed struct {
	metav1.ObjectMeta `json:"metadata"`
	Status            map[string]any `json:"status"`
	replicas          int32
}

// observe reads the HPA and tells whether its target has as many pods as it should.
func (w *world) observe(t *testing.T) (seen observed, resting bool) {
	t.Helper()
	path := fmt.Sprintf("/apis/autoscaling/v2/namespaces/%s/horizontalpodautoscalers/%s", w.namespace, web)
	text, err := w.Client.Discovery().RESTClient().Get().AbsPath(path).SetHeader("Accept", "application/json").DoRaw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &seen); err != nil {
		t.Fatal(err)
	}
	scale, err := w.Client.AppsV1().Deployments(w.namespace).GetScale(t.Context(), web, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	seen.replicas = scale.Spec.Replicas
	return seen, scale.Spec.Replicas == scale.Status.Replicas
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

func explain(t *testing.T, path, kubeconfig, namespace string) (answer decision) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), path, "explain", web, "-n", namespace, "-o", "json", "--kubeconfig", kubeconfig)
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
	if answer.Interval != nil && answer.DesiredReplicas == nil {
		if seen.replicas < answer.Interval.Lowest || seen.replicas > answer.Interval.Highest {
			t.Errorf("interval: kubectl-hpa %s, the controller %d", indented(answer.Interval), seen.replicas)
		}
	} else if answer.DesiredReplicas == nil || *answer.DesiredReplicas != seen.replicas {
		t.Errorf("desiredReplicas: kubectl-hpa %s, the controller %d", indented(answer.DesiredReplicas), seen.replicas)
	}
	for _, field := range fields(answer.Status, seen.Status) {
		if !reflect.DeepEqual(answer.Status[field], seen.Status[field]) {
			t.Errorf("status.%s\nkubectl-hpa %s\nthe controller %s", field, indented(answer.Status[field]), indented(seen.Status[field]))
		}
	}
	if answer.Rescaled || answer.StatusChanged {
		t.Errorf("the world is at rest, but rescaled %t, statusChanged %t", answer.Rescaled, answer.StatusChanged)
	}
	w.compareEvents(t, answer)
}

// compareEvents finds every event of the decision among the controller's. Not the other way round, as those of
// earlier syncs are kept; but a decision at rest has events only if the HPA fails, and then one for each reason.
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
		emitted[event{e.Type, e.Reason, e.Message}] = true
		if e.Type == v1.EventTypeWarning && answer.fails() {
			reasons[e.Reason] = true
		}
	}
	for _, e := range answer.Events {
		if !emitted[e] || !reasons[e.Reason] {
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
