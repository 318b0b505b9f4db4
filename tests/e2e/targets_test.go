package e2e

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-hpa.local/e2e/cluster"
)

// A queue without work needs no pod, if the HPA may go to zero; with work it comes back.
func TestScaleToZeroAndBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.deploy(2)
	w.publish("queue", "30")
	w.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.MinReplicas = new(int32(0))
		spec.Metrics = []autoscaling.MetricSpec{externalMetric("queue", average("6"))}
		spec.Behavior = down(window(0))
	})
	w.settles(expectation{5, 5, nil, []string{readyForNewScale, valid, withinRange, notScaledToZero}})
	w.agrees("at-work")
	w.publish("queue", "0")
	w.settles(expectation{0, 0, nil, nil})
	w.agrees("at-zero")
	w.publish("queue", "12")
	w.settles(expectation{2, 2, nil, nil})
	w.agrees("back")
}

// Somebody scales the target to zero by hand: the HPA is off until it is scaled up again.
func TestPausedByHand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(3, "145m")
	w.autoscale(nil)
	w.settles(expectation{3, 3, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
	w.byHand(0)
	w.settles(expectation{0, 0, nil, nil})
	w.agrees("paused")
	w.byHand(2)
	w.running(web, 2)
	w.settles(expectation{3, 3, nil, nil})
	w.agrees("resumed")
}

func (w *world) byHand(replicas int32) {
	w.Helper()
	scale, err := w.Client.AppsV1().Deployments(w.namespace).GetScale(w.Context(), web, metav1.GetOptions{})
	w.must(scale, err)
	scale.Spec.Replicas = replicas
	w.must(w.Client.AppsV1().Deployments(w.namespace).UpdateScale(w.Context(), web, scale, metav1.UpdateOptions{}))
}

// Pods that two HPAs select are nobody's: both are off.
func TestAmbiguousSelector(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(2, "100m")
	w.intrude("other", 2, "50m")
	w.autoscale(nil)
	w.settles(expectation{2, 2, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
	w.must(w.Client.AutoscalingV2().HorizontalPodAutoscalers(w.namespace).Create(w.Context(), &autoscaling.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Name: "other"},
		Spec: autoscaling.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "other"},
			MaxReplicas:    12, Metrics: []autoscaling.MetricSpec{cpuUtilization(50)},
		},
	}, metav1.CreateOptions{}))
	w.settles(expectation{2, 2, nil, []string{"AbleToScale True", "ScalingActive False AmbiguousSelector", withinRange}})
	w.agrees("ambiguous")
}

const widgets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.e2e.example}
spec:
  group: e2e.example
  names: {kind: Widget, plural: widgets, singular: widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}
`

// owns defines a kind of its own, which is known by nothing but its scale, and makes a target of it.
func (w *world) owns(kind string) {
	w.Helper()
	plural := strings.ToLower(kind) + "s"
	definition := strings.NewReplacer("Widget", kind, "widget", strings.ToLower(kind)).Replace(widgets)
	w.must(nil, w.Define(w.Context(), []byte(definition)))
	w.targets = "e2e.example/v1/namespaces/" + w.namespace + "/" + plural
	objects := w.Dynamic.Resource(schema.GroupVersionResource{Group: "e2e.example", Version: "v1", Resource: plural}).Namespace(w.namespace)
	object, err := objects.Create(w.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "e2e.example/v1", "kind": kind, "metadata": map[string]any{"name": web}, "spec": map[string]any{"replicas": int64(3)},
	}}, metav1.CreateOptions{})
	w.must(object, err)
	w.must(objects.Patch(w.Context(), web, types.MergePatchType, []byte(`{"status": {"replicas": 3, "selector": "app=web"}}`), metav1.PatchOptions{}, "status"))
}

func scaling(kind string) func(*autoscaling.HorizontalPodAutoscalerSpec) {
	return func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "e2e.example/v1", Kind: kind, Name: web}
	}
}

// The target is of a kind of its own, known by nothing but its scale. Who wrote it forgot the operator: the pods stay.
func TestCustomTarget(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.owns("Widget")
	w.start(3, "240m")
	w.autoscale(scaling("Widget"))
	w.settles(expectation{5, 5, nil, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	w.agrees("by-the-hpa")
	w.agreesOn("by-the-target", "widgets.e2e.example/web")
}

// The kind is defined when the controller has looked for it already. It lists the kinds again every 30 seconds; until then its
// syncs stop, although everybody else can read the scale.
func TestKindDefinedLater(t *testing.T) {
	t.Parallel()
	w, path := newWorld(t), binary(t)
	w.start(3, "240m")
	w.autoscale(scaling("Gadget"))
	lacks := func(hpa *autoscaling.HorizontalPodAutoscaler) bool {
		for _, condition := range hpa.Status.Conditions {
			if condition.Type == autoscaling.AbleToScale {
				return condition.Status == v1.ConditionFalse && strings.Contains(condition.Message, "no matches for kind \"Gadget\"")
			}
		}
		return false
	}
	look := func(ctx context.Context) *autoscaling.HorizontalPodAutoscaler {
		hpa, err := w.hpa(ctx)
		w.must(hpa, err)
		return hpa
	}
	w.eventually("the controller does not find the kind", func(ctx context.Context) error {
		if hpa := look(ctx); !lacks(hpa) {
			return fmt.Errorf("%v", hpa.Status.Conditions)
		}
		return nil
	})
	w.owns("Gadget")
	looks := 0
	w.eventually("the controller finds the kind", func(ctx context.Context) error {
		before := look(ctx)
		if !lacks(before) {
			return nil
		}
		answer := explain(t, path, web, "-n", w.namespace, "--kubeconfig", w.Kubeconfig(cluster.Admin))
		if look(ctx).ResourceVersion == before.ResourceVersion {
			looks++
			if answer.Interval != nil || answer.DesiredReplicas != nil {
				t.Fatalf("the kind is not found yet, and it is answered %s %s", indented(answer.DesiredReplicas), indented(answer.Interval))
			}
		}
		return fmt.Errorf("%v", before.Status.Conditions)
	})
	t.Logf("%d looks before the controller found the kind", looks)
	w.settles(expectation{5, 5, nil, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	w.agrees("found")
}

// The target is deleted under its HPA, and made again. Then the HPA is, which forgets what it was about.
func TestDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(3, "145m")
	w.autoscale(nil)
	w.settles(expectation{3, 3, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
	deployments := w.Client.AppsV1().Deployments(w.namespace)
	w.must(nil, deployments.Delete(t.Context(), web, metav1.DeleteOptions{}))
	w.settles(expectation{3, 3, nil, []string{"AbleToScale False FailedGetScale", cpuIsValid, withinRange}})
	w.agrees("without-target")
	w.running(web, 0)
	w.deploy(2)
	w.settles(expectation{3, 3, nil, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	w.agrees("with-a-new-one")

	w.must(nil, w.Client.AutoscalingV2().HorizontalPodAutoscalers(w.namespace).Delete(t.Context(), web, metav1.DeleteOptions{}))
	w.nothingToExplain()
	w.share("270m")
	w.autoscale(nil)
	w.settles(expectation{6, 6, nil, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	w.agrees("with-a-new-hpa")
}

// nothingToExplain runs the binary, which must say that there is no HPA.
func (w *world) nothingToExplain() {
	w.Helper()
	w.Run("without-hpa", func(t *testing.T) {
		command := exec.CommandContext(t.Context(), binary(t), "explain", web, "-n", w.namespace, "--kubeconfig", w.Kubeconfig(cluster.Admin))
		text, err := command.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(text), `no HPA "web"`) {
			t.Errorf("%s: %v\n%s", command, err, text)
		}
	})
}
