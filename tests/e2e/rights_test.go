package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	authorization "k8s.io/api/authorization/v1"
	rbac "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"kubectl-hpa.local/e2e/cluster"
)

// printed is what `kubectl hpa rbac` prints: the rules in the namespace, and those in kube-system.
func (w *world) printed(args ...string) (here, system []rbac.PolicyRule) {
	w.Helper()
	command := exec.CommandContext(w.Context(), binary(w.T), append([]string{"rbac", "-n", w.namespace}, args...)...)
	output, err := command.Output()
	w.must(output, err)
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(output), 4096)
	for {
		var role rbac.Role
		err := decoder.Decode(&role)
		if err == io.EOF {
			return here, system
		}
		w.must(role, err)
		switch role.Namespace {
		case w.namespace:
			here = role.Rules
		case metav1.NamespaceSystem:
			system = role.Rules
		default:
			w.Fatalf("a role in %q", role.Namespace)
		}
	}
}

// as lets the viewer do what the rules say, and nothing else.
func (w *world) as(here, system []rbac.PolicyRule) string {
	w.Helper()
	for namespace, rules := range map[string][]rbac.PolicyRule{w.namespace: here, metav1.NamespaceSystem: system} {
		roles, bindings := w.Client.RbacV1().Roles(namespace), w.Client.RbacV1().RoleBindings(namespace)
		role := &rbac.Role{ObjectMeta: metav1.ObjectMeta{Name: "viewer"}, Rules: rules}
		w.must(roles.Update(w.Context(), role, metav1.UpdateOptions{})) // a role is made by its update, too
		_, err := bindings.Create(w.Context(), &rbac.RoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "viewer"},
			RoleRef:    rbac.RoleRef{APIGroup: rbac.GroupName, Kind: "Role", Name: role.Name},
			Subjects:   []rbac.Subject{{APIGroup: rbac.GroupName, Kind: rbac.UserKind, Name: cluster.Viewer}},
		}, metav1.CreateOptions{})
		if !apierrors.IsAlreadyExists(err) {
			w.must(nil, err)
		}
		w.knows(namespace, rules)
	}
	return w.Kubeconfig(cluster.Viewer)
}

// knows waits until the API server goes by the rules: it hears of a new role a moment later.
func (w *world) knows(namespace string, rules []rbac.PolicyRule) {
	w.Helper()
	sorted := func(rules []rbac.PolicyRule) string {
		lines := []string{}
		for _, rule := range rules {
			for _, verb := range rule.Verbs {
				for _, resource := range rule.Resources {
					lines = append(lines, fmt.Sprint(rule.APIGroups, resource, verb))
				}
			}
		}
		slices.Sort(lines)
		return strings.Join(slices.Compact(lines), "\n")
	}
	config := rest.CopyConfig(w.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: cluster.Viewer, Groups: []string{"system:authenticated"}}
	client, err := kubernetes.NewForConfig(config)
	w.must(client, err)
	w.eventually("the rules", func(ctx context.Context) error {
		review := &authorization.SelfSubjectRulesReview{Spec: authorization.SelfSubjectRulesReviewSpec{Namespace: namespace}}
		review, err := client.AuthorizationV1().SelfSubjectRulesReviews().Create(ctx, review, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		var got []rbac.PolicyRule
		for _, rule := range review.Status.ResourceRules {
			if !slices.ContainsFunc(rule.Resources, func(resource string) bool { return strings.HasPrefix(resource, "selfsubject") }) {
				got = append(got, rbac.PolicyRule{APIGroups: rule.APIGroups, Resources: rule.Resources, Verbs: rule.Verbs})
			}
		}
		if sorted(got) != sorted(rules) {
			return fmt.Errorf("%s, not %s", sorted(got), sorted(rules))
		}
		return nil
	})
}

func rule(group, resources, verbs string) rbac.PolicyRule {
	return rbac.PolicyRule{APIGroups: []string{group}, Resources: strings.Fields(resources), Verbs: strings.Fields(verbs)}
}

// notKnown is the exit code if the decision is not known.
const notKnown = 4

// Six roles, from the least to all that `kubectl hpa rbac` prints: each gets the best answer that it allows, and is told what
// is missing by its verb, resource and namespace. The last one is the administrator's answer.
func TestLeastRights(t *testing.T) {
	t.Parallel()
	c, err := cluster.Start("", settings) // the rights in kube-system are the whole cluster's
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	w := inCluster(t, c)
	w.deploy(2)
	w.share("200m")
	w.autoscale(nil)
	w.settles(expectation{4, 4, []string{cpuIs(50, "50m")}, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})

	here, system := w.printed()
	in := " in namespace " + w.namespace
	lists := rule("autoscaling", "horizontalpodautoscalers", "get list")
	scales, pods := rule("*", "*/scale", "get"), rule("", "pods", "list")
	for _, role := range []struct {
		name         string
		here, system []rbac.PolicyRule
		replicas     any // the decision, where it is known
		missing      string
	}{
		{"get one kind", []rbac.PolicyRule{rule("autoscaling", "horizontalpodautoscalers", "get")}, nil, nil, "get deployments/scale of apps" + in},
		{"the other HPAs", []rbac.PolicyRule{lists}, nil, nil, "get deployments/scale of apps" + in},
		{"the scale", []rbac.PolicyRule{lists, scales}, nil, nil, "list pods" + in},
		{"the pods", []rbac.PolicyRule{lists, scales, pods}, nil, nil, "list pods of metrics.k8s.io" + in},
		{"the metrics", here, nil, 4.0, "list pods in namespace kube-system"},
		{"everything", here, system, 4.0, ""},
	} {
		kubeconfig := w.as(role.here, role.system)
		code := 0
		if role.replicas == nil {
			code = notKnown
		}
		stdout, stderr := w.appliesAs(kubeconfig, code, "explain", web, "-o", "json")
		var answer map[string]any
		w.must(nil, json.Unmarshal([]byte(stdout), &answer))
		if got := answer["desiredReplicas"]; got != role.replicas {
			t.Errorf("%s: %v replicas, not %v", role.name, got, role.replicas)
		}
		text, _ := w.appliesAs(kubeconfig, code, "explain", web)
		words := strings.Join(strings.Fields(text+stderr), " ")
		if !strings.Contains(words, role.missing) {
			t.Errorf("%s: nothing tells of %q:\n%s", role.name, role.missing, text)
		}
		if role.missing == "" && strings.Contains(words, "Not allowed") {
			t.Errorf("%s: a permission is missing:\n%s", role.name, text)
		}
	}

	// Without any right there is no answer, and the error says which one it takes.
	_, stderr := w.appliesAs(w.as(nil, nil), 1, "explain", web)
	if !strings.Contains(stderr, "needed: the permission to get horizontalpodautoscalers of autoscaling"+in) {
		t.Errorf("no rights: %s", stderr)
	}

	// No rule is too many: without it less is known.
	whole, _ := w.appliesAs(w.as(here, system), 0, "explain", web)
	without := func(left rbac.PolicyRule, here, system []rbac.PolicyRule) {
		stdout, stderr, _ := w.tries(w.as(here, system), "explain", web)
		if lines(stdout) == lines(whole) || !strings.Contains(stdout+stderr, "Not allowed") && !strings.Contains(stderr, "needed: the permission") {
			t.Errorf("without %s nothing is missing:\n%s", indented(left), stdout)
		}
	}
	fewer := func(rules []rbac.PolicyRule, i int) []rbac.PolicyRule {
		return slices.Concat(rules[:i], rules[i+1:])
	}
	for i, left := range here {
		if left.APIGroups[0] == "custom.metrics.k8s.io" || left.APIGroups[0] == "external.metrics.k8s.io" {
			continue // this HPA has no such metric
		}
		if left.APIGroups[0] == "apps" {
			continue // who set the replicas last only narrows an answer that hangs on the memory
		}
		without(left, fewer(here, i), system)
	}
	for i, left := range system {
		if left.APIGroups[0] == "coordination.k8s.io" {
			continue // this controller takes no part in an election
		}
		without(left, here, fewer(system, i))
	}

	// With what --apply needs, it applies; without, it says so.
	change := []string{"simulate", web, "--max", "9", "--apply", "--yes"}
	if _, talk := w.appliesAs(w.as(here, system), 1, change...); !strings.Contains(talk, "needed: the permission to patch horizontalpodautoscalers of autoscaling"+in) {
		t.Errorf("a reader applies: %s", talk)
	}
	here, system = w.printed("--apply")
	_, talk := w.appliesAs(w.as(here, system), 0, change...)
	if !strings.Contains(talk, "web patched") || strings.Contains(talk, "not known") {
		t.Errorf("a writer applies: %s", talk)
	}
	w.share("400m")
	_, talk = w.appliesAs(w.as(here, system), 0, "explain", web, "--apply", "--dry-run=server")
	if strings.Contains(talk, "not known") {
		t.Errorf("a writer scales: %s", talk)
	}
}

// lines are those that do not change with the time of day.
func lines(text string) string {
	_, text, _ = strings.Cut(text, "\n")
	return text
}

func (w *world) tries(kubeconfig string, args ...string) (stdout, stderr string, code int) {
	w.Helper()
	var out, talk bytes.Buffer
	command := w.command(kubeconfig, args...)
	command.Stdout, command.Stderr = &out, &talk
	_ = command.Run()
	return out.String(), talk.String(), command.ProcessState.ExitCode()
}
