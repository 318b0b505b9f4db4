package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"

	autoscaling "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"kubectl-hpa.local/e2e/cluster"
)

// proposal is a change of the HPA: as flags of simulate, and as a patch of its spec.
type proposal struct {
	flags []string
	spec  map[string]any
	whole bool // the flags name a manifest, and no HPA
}

func (h *hostile) proposal() proposal {
	now := h.see().hpa.Spec
	low, high := h.bounds()
	switch h.random.IntN(6) {
	case 5:
		if now.Behavior != nil {
			return h.unruly(now)
		}
		fallthrough
	case 0:
		high = max(high, least(h.see().hpa))
		return proposal{flags: []string{"--max", fmt.Sprint(high)}, spec: map[string]any{"maxReplicas": high}}
	case 1:
		low = min(low, now.MaxReplicas)
		return proposal{flags: []string{"--min", fmt.Sprint(low)}, spec: map[string]any{"minReplicas": low}}
	case 2:
		if len(now.Metrics) == 1 && now.Metrics[0].Resource != nil {
			target := 30 + h.random.Int32N(50)
			return proposal{flags: []string{"--target", fmt.Sprint(target)},
				spec: map[string]any{"metrics": []autoscaling.MetricSpec{cpuUtilization(target)}}}
		}
		fallthrough
	case 3:
		rules := h.rules()
		return proposal{flags: []string{"--scale-up", typed(rules)}, spec: map[string]any{"behavior": map[string]any{"scaleUp": rules}}}
	default:
		rules := h.rules()
		return proposal{flags: []string{"--scale-down", typed(rules)}, spec: map[string]any{"behavior": map[string]any{"scaleDown": rules}}}
	}
}

// unruly takes the behavior out, which no flag does: as a manifest.
func (h *hostile) unruly(spec autoscaling.HorizontalPodAutoscalerSpec) proposal {
	h.Helper()
	spec.Behavior = nil
	path := filepath.Join(h.cases, "unruly.json")
	h.must(nil, os.WriteFile(path, []byte(compact(autoscaling.HorizontalPodAutoscaler{
		TypeMeta:   metav1.TypeMeta{APIVersion: autoscaling.SchemeGroupVersion.String(), Kind: "HorizontalPodAutoscaler"},
		ObjectMeta: metav1.ObjectMeta{Name: web, Namespace: h.namespace}, Spec: spec,
	})), 0o600))
	return proposal{flags: []string{"-f", path}, spec: map[string]any{"behavior": nil}, whole: true}
}

// typed are rules as a person types them.
func typed(rules *autoscaling.HPAScalingRules) string {
	words := []string{}
	for _, policy := range rules.Policies {
		words = append(words, fmt.Sprintf("%s=%d/%ds", policy.Type, policy.Value, policy.PeriodSeconds))
	}
	words = append(words, fmt.Sprintf("select=%s", *rules.SelectPolicy), fmt.Sprintf("window=%ds", *rules.StabilizationWindowSeconds))
	return strings.Join(words, ",")
}

// foresee simulates a change, makes it, and judges the controller's first decision after it. What is set aside is set
// aside for the same reasons as a look.
func (h *hostile) foresee() bool {
	h.Helper()
	h.settle()
	if !h.see().isWhole() { // while metrics fail the status keeps an earlier desired count: no decision can be told from none
		return true
	}
	proposal, before := h.proposal(), h.see()
	h.foreseen++
	saved := filepath.Join(h.cases, fmt.Sprintf("simulated-%d.yaml", h.foreseen))
	live := []string{"-n", h.namespace, "--kubeconfig", h.Kubeconfig(cluster.Admin)}
	explain(h.T, h.path, append([]string{web, "--save", saved}, live...)...)
	asked := append(live, proposal.flags...)
	if !proposal.whole {
		asked = append(asked, web)
	}
	said := h.simulated(asked...)
	if now := h.see(); before.inputs() != now.inputs() || before.decided(now) {
		h.foresight.changed++
		return false
	}
	h.edit(proposal.spec)
	hpa, err := h.hpa(h.Context())
	h.must(hpa, err)
	after := h.await(2*rested, func(now snapshot) bool {
		return now.hpa.Generation >= hpa.Generation && worked(now.hpa) && now.isWhole() || before.inputs() != now.inputs() && before.replicas == now.replicas
	})
	// What it decided on is what was seen, unless it was deciding on the old spec at that very moment.
	if !worked(after.hpa) || !after.isWhole() || after.hpa.Status.CurrentReplicas != before.replicas ||
		before.samples != h.sampledSince(after.asked).samples || !before.precedes(after) {
		h.foresight.changed++
		return false
	}
	if h.timed(said, saved, proposal) {
		h.foresight.timed++
		return false
	}
	h.foresight.judged++
	if said.Then.DesiredReplicas == nil {
		h.foresight.interval++
	} else {
		h.foresight.exact++
	}
	if !said.Then.holds(&after.replicas) {
		h.foresight.wrong++
		h.contradicted(saved, fmt.Sprintf("simulate %s: %s %s, the controller %d",
			proposal.flags, compact(said.Then.DesiredReplicas), compact(said.Then.Interval), after.replicas))
	}
	return true
}

// timed tells whether time alone has changed what was said.
func (h *hostile) timed(said simulation, saved string, proposal proposal) bool {
	h.Helper()
	dated := saved + ".later.yaml"
	h.must(nil, postdate(saved, dated))
	var later decision
	if proposal.whole { // a manifest can't be put before a case
		h.must(nil, takeBehavior(dated))
		later = explain(h.T, h.path, "-f", dated)
	} else {
		later = h.simulated(append([]string{"-f", dated}, proposal.flags...)...).Then
	}
	return !reflect.DeepEqual(said.Then.Interval, later.Interval) || !reflect.DeepEqual(said.Then.DesiredReplicas, later.DesiredReplicas)
}

// takeBehavior takes the behavior out of a case's HPA, as if the controller had not seen that yet.
func takeBehavior(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var stored struct {
		HPA     map[string]any `json:"hpa"`
		History map[string]any `json:"history,omitempty"`
	}
	whole := map[string]any{}
	if err := errors.Join(yaml.Unmarshal(text, &stored), yaml.Unmarshal(text, &whole)); err != nil {
		return err
	}
	spec, _ := stored.HPA["spec"].(map[string]any)
	before := maps.Clone(spec)
	delete(spec, "behavior")
	if stored.History == nil {
		stored.History = map[string]any{}
	}
	stored.History["syncedSpec"] = before
	whole["hpa"], whole["history"] = stored.HPA, stored.History
	text, err = yaml.Marshal(whole)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// simulated runs simulate, whose exit code tells whether the decision is another one.
func (l *live) simulated(args ...string) (answer simulation) {
	l.Helper()
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(l.Context(), l.path, append([]string{"simulate", "-o", "json"}, args...)...)
	command.Stdout, command.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		l.Fatal(err)
	}
	if err := json.Unmarshal(stdout.Bytes(), &answer); err != nil {
		l.Fatalf("%s: %v\nexit code %d\nstdout: %s\nstderr: %s", command, err, command.ProcessState.ExitCode(), &stdout, &stderr)
	}
	return answer
}
