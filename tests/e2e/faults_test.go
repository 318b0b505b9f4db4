package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	autoscaling "k8s.io/api/autoscaling/v2"
	rbac "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/metrics"
)

// fault keeps the HPA controller alone, or its writes, from something.
type fault struct {
	name   string
	change func(*autoscaling.HorizontalPodAutoscalerSpec) // of an HPA that may meet it
	begin  func(*believer)
	end    func(*believer)
	// shown says that the API shows its end at once, to whoever asks for the controller's rights.
	shown bool
	// harmless says that no sync meets it.
	harmless bool
}

// forbidden is an adapter that refuses the controller alone.
func forbidden(group string) fault {
	return fault{
		name: group + " forbids the controller", change: meeting(group),
		begin: func(b *believer) {
			b.fail(metrics.Error{API: group, User: cluster.HPAUser, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden, Message: "not for controllers"})
		},
		end: func(b *believer) { b.Metrics.Update(func(state *metrics.State) { state.Recover(b.namespace) }) },
	}
}

// refused is an admission that the namespace's label turns on.
func refused(name, label string) fault {
	set := func(b *believer, value any) {
		b.Helper()
		patch := compact(map[string]any{"metadata": map[string]any{"labels": map[string]any{admissionLabel: value}}})
		b.must(b.Client.CoreV1().Namespaces().Patch(b.Context(), b.namespace, types.MergePatchType, []byte(patch), metav1.PatchOptions{}))
		b.eventually("the admission", func(ctx context.Context) error {
			scale, err := b.Client.AppsV1().Deployments(b.namespace).GetScale(ctx, web, metav1.GetOptions{})
			if err != nil {
				return err
			}
			scale.Spec.Replicas = mostAdmitted + 1
			_, err = b.Client.AppsV1().Deployments(b.namespace).UpdateScale(ctx, web, scale, metav1.UpdateOptions{DryRun: []string{metav1.DryRunAll}})
			if refuses := err != nil; refuses != (value != nil) {
				return fmt.Errorf("refused: %t (%w)", refuses, err)
			}
			return nil
		})
	}
	return fault{
		name: name, change: meeting(""),
		begin: func(b *believer) { set(b, label) }, end: func(b *believer) { set(b, nil) },
	}
}

// someOf is a fault for an HPA that has another metric, too, which works.
func someOf(one fault) fault {
	change := one.change
	one.name += ", one of two metrics"
	one.change = func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		change(spec)
		spec.Metrics = append(spec.Metrics, cpuUtilization(50))
	}
	return one
}

// suffers begins the fault of a world with rights of its own, or ends it, and judges looks afterwards.
func (b *believer) suffers(one fault, ends bool) {
	switch {
	case !b.harmed:
		b.does(one.name, func() { one.begin(b) })
		b.harmed = !one.harmless
	case ends:
		b.does(one.name+", ended", func() { one.end(b) })
		b.harmed = false
		if one.shown {
			b.judges(b.look)
		}
	}
	if b.random.IntN(4) > 0 {
		b.does(b.kind, b.newLoad)
	}
	b.met()
	b.judges(b.look)
	b.tires()
	b.judges(b.look)
	if b.random.IntN(3) == 0 {
		b.judges(b.foresees)
	}
}

// everyFault is each right withheld, and each other fault.
func everyFault(rules []rbac.PolicyRule) []fault {
	all := withheld(rules)
	for _, group := range []string{"metrics.k8s.io", "custom.metrics.k8s.io", "external.metrics.k8s.io"} {
		all = append(all, forbidden(group))
	}
	all = append(all, refused("a policy refuses the size", refusing), refused("a policy refuses sizes over 6", capping), refused("a webhook is down", hanging))
	for _, one := range all {
		if strings.Contains(one.name, "external.metrics.k8s.io") && !one.harmless {
			all = append(all, someOf(one))
		}
	}
	return all
}
