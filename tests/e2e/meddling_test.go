package e2e

import (
	"fmt"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// dropEvents does what kubectl delete events --all does. Not where the HPA was made anew: nothing else tells of one that was
// there before.
func (h *hostile) dropEvents() {
	h.Helper()
	if h.renewed {
		return
	}
	h.tell("all events deleted")
	h.dropped = true
	h.must(nil, h.Client.CoreV1().Events(h.namespace).DeleteCollection(h.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}))
}

// foreignEvent has somebody else tell of a rescale that never was.
func (h *hostile) foreignEvent() {
	h.Helper()
	size, hpa := h.size(), h.see().hpa
	ago := metav1.NewTime(time.Now().Add(-time.Duration(h.random.IntN(60)) * time.Second))
	h.tell("an event of somebody else: New size: %d", size)
	h.must(h.Client.CoreV1().Events(h.namespace).Create(h.Context(), &v1.Event{
		ObjectMeta: metav1.ObjectMeta{GenerateName: web + ".", Namespace: h.namespace},
		InvolvedObject: v1.ObjectReference{
			Kind: "HorizontalPodAutoscaler", APIVersion: "autoscaling/v2", Namespace: h.namespace, Name: web, UID: hpa.UID,
		},
		Type: v1.EventTypeNormal, Reason: "SuccessfulRescale", Message: fmt.Sprintf("New size: %d; reason: All metrics below target", size),
		Source: v1.EventSource{Component: "somebody"}, Count: 1, FirstTimestamp: ago, LastTimestamp: ago,
	}, metav1.CreateOptions{}))
}

// editStatus writes a part of the status by hand.
func (h *hostile) editStatus() {
	h.Helper()
	ago := time.Now().Add(-time.Duration(h.random.IntN(100)) * time.Second).UTC().Format(time.RFC3339)
	status := []map[string]any{
		{"lastScaleTime": nil}, {"lastScaleTime": ago}, {"desiredReplicas": h.size()}, {"conditions": nil},
	}[h.random.IntN(4)]
	h.tell("status by hand: %s", compact(status))
	h.must(h.Client.AutoscalingV2().HorizontalPodAutoscalers(h.namespace).Patch(h.Context(), web, types.MergePatchType,
		[]byte(compact(map[string]any{"status": status})), metav1.PatchOptions{FieldManager: "kubectl-edit"}, "status"))
}
