package e2e

import (
	"fmt"

	autoscaling "k8s.io/api/autoscaling/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// rivalAct is what may be done to the other HPA, or to both.
type rivalAct struct {
	name string
	do   func(*rivalry)
}

var (
	rivalMade = rivalAct{"rival created", func(r *rivalry) { r.make() }}
	rivalActs = []rivalAct{
		{"rival's maxReplicas below the replicas", func(r *rivalry) { r.bounds(1, max(1, r.size()-1)) }},
		{"rival's minReplicas above the replicas", func(r *rivalry) { r.bounds(r.size()+1, 14) }},
		{"rival's bounds around the replicas", func(r *rivalry) { r.bounds(1, 14) }},
		{"rival to a missing target", func(r *rivalry) { r.retarget(nowhere) }},
		{"rival to a target of none", func(r *rivalry) { r.retarget(asleep) }},
		{"rival to another target", func(r *rivalry) { r.retarget(elsewhere) }},
		{"rival back", func(r *rivalry) { r.retarget(r.target) }},
		{"rival's target scaled to zero", func(r *rivalry) { r.scales(r.target, 0) }},
		{"rival's target scaled up", func(r *rivalry) { r.scales(r.target, 2+r.random.Int32N(4)) }},
		{"rival deleted", (*rivalry).unmake},
		{"rival recreated", func(r *rivalry) { r.unmake(); r.make() }},
		{"load with a rival", func(r *rivalry) { r.newLoad() }},
		{"bounds with a rival", func(r *rivalry) { r.amend(map[string]any{"maxReplicas": 2 + r.random.Int32N(10)}) }},
	}
)

// make creates the rival, which often wants other replicas, in bounds that may be anywhere.
func (r *rivalry) make() {
	r.Helper()
	r.autoscaleAs(rival, r.target, func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Behavior = down(window(0))
		switch r.random.IntN(3) {
		case 0:
			spec.Metrics = []autoscaling.MetricSpec{externalMetric("queue", average("3"))}
		case 1:
			spec.Metrics = []autoscaling.MetricSpec{cpuUtilization(90)}
		}
		switch r.random.IntN(3) {
		case 0:
			spec.MaxReplicas = max(1, r.size()-1)
		case 1:
			spec.MinReplicas, spec.MaxReplicas = new(r.size()+1), 14
		}
	})
}

func (r *rivalry) unmake() {
	r.Helper()
	hpas := r.Client.AutoscalingV2().HorizontalPodAutoscalers(r.namespace)
	if err := hpas.Delete(r.Context(), rival, metav1.DeleteOptions{}); !apierrors.IsNotFound(err) {
		r.must(nil, err)
	}
}

// size is the replicas of the rival's target, at least one.
func (r *rivalry) size() int32 {
	scale, err := r.Client.AppsV1().Deployments(r.namespace).GetScale(r.Context(), r.target, metav1.GetOptions{})
	r.must(scale, err)
	return max(1, scale.Spec.Replicas)
}

func (r *rivalry) bounds(low, high int32) {
	r.rewrites(map[string]any{"minReplicas": low, "maxReplicas": max(low, high)})
}

func (r *rivalry) retarget(name string) {
	r.rewrites(map[string]any{"scaleTargetRef": map[string]any{"name": name}})
}

// rewrites changes fields of the rival's spec.
func (r *rivalry) rewrites(fields map[string]any) {
	r.Helper()
	r.must(r.Client.AutoscalingV2().HorizontalPodAutoscalers(r.namespace).Patch(r.Context(), rival, types.MergePatchType,
		[]byte(compact(map[string]any{"spec": fields})), metav1.PatchOptions{}))
}

func (r *rivalry) scales(name string, replicas int32) {
	r.Helper()
	r.must(r.Client.AppsV1().Deployments(r.namespace).Patch(r.Context(), name, types.MergePatchType,
		fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, replicas), metav1.PatchOptions{}, "scale"))
}
