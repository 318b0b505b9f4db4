package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	autoscaling "k8s.io/api/autoscaling/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	api "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"kubectl-hpa.local/e2e/parts"
)

// rested is how long inputs must have been the same for the controller to have synced on them for sure.
const rested = syncPeriod + syncPeriod*8/10

// journals are those of the clusters, by their paths.
var journals sync.Map

// observed is the HPA as the API server prints it, and what the controller reads for its decision.
type observed struct {
	metav1.ObjectMeta `json:"metadata"`
	Status            map[string]any `json:"status"`
	replicas          *int32         // asked of the target, if there is one
	inputs            string
}

// same tells whether neither the inputs nor the outcome have changed.
func (o observed) same(other observed) bool {
	return o.ResourceVersion == other.ResourceVersion && o.inputs == other.inputs
}

// rest waits until the inputs have been the same for longer than a sync takes, and for the sync itself if the
// controller logs it: on a busy machine one may come late. That has an end, for not each sync is logged.
func (w *world) rest(t *testing.T) (last observed) {
	t.Helper()
	last = w.observe(t)
	for since, begin := time.Now(), time.Now(); time.Since(since) < rested ||
		time.Since(since) < rested+lateness && !w.logged(t, since.Add(syncPeriod/2)); {
		if time.Since(begin) > patience {
			t.Fatalf("the world doesn't come to rest within %s", patience)
		}
		time.Sleep(50 * time.Millisecond)
		seen := w.observe(t)
		if seen.inputs != last.inputs {
			since = time.Now()
		}
		last = seen
	}
	return last
}

// logged tells whether the controller has logged anything about this world after a moment.
func (w *world) logged(t *testing.T, moment time.Time) bool {
	t.Helper()
	path := w.Log(parts.ControllerManager)
	known, _ := journals.LoadOrStore(path, newJournal(path))
	later, err := known.(*journal).since(w.namespace, moment)
	if err != nil {
		t.Fatal(err)
	}
	return len(later) > 0
}

func (w *world) observe(t *testing.T) (seen observed) {
	t.Helper()
	w.read(t, "/apis/autoscaling/v2/namespaces/"+w.namespace+"/horizontalpodautoscalers/"+web, &seen)
	seen.inputs = fmt.Sprint(seen.Generation, w.podVersions(t), w.samples(t))
	if scale := w.scale(t); scale != nil {
		seen.replicas = &scale.Spec.Replicas
		seen.inputs += fmt.Sprint(scale.Spec, scale.Status)
	}
	return seen
}

func (w *world) read(t *testing.T, path string, into any) {
	t.Helper()
	text, err := w.Client.Discovery().RESTClient().Get().AbsPath(path).SetHeader("Accept", "application/json").DoRaw(t.Context())
	if err != nil {
		t.Fatal(path, ": ", err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(path, ": ", err)
	}
}

// scale is the target's, if there is one.
func (w *world) scale(t *testing.T) (scale *autoscaling.Scale) {
	t.Helper()
	list := struct {
		Items []metav1.PartialObjectMetadata
	}{}
	w.read(t, "/apis/"+w.targets, &list)
	if slices.ContainsFunc(list.Items, func(one metav1.PartialObjectMetadata) bool { return one.Name == web }) {
		w.read(t, "/apis/"+w.targets+"/"+web+"/scale", &scale)
	}
	return scale
}

func (w *world) podVersions(t *testing.T) (versions []string) {
	t.Helper()
	list, err := w.Client.CoreV1().Pods(w.namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, pod := range list.Items {
		versions = append(versions, pod.Name+" "+pod.ResourceVersion)
	}
	return versions
}

// samples are the metrics of the pods. Those that are played change with the test alone, but for their times.
func (w *world) samples(t *testing.T) (samples []string) {
	t.Helper()
	if w.Kubelet != nil {
		return nil
	}
	var list api.PodMetricsList
	w.read(t, "/apis/metrics.k8s.io/v1beta1/namespaces/"+w.namespace+"/pods", &list)
	for _, item := range list.Items {
		samples = append(samples, sampleLine(item))
	}
	return samples
}

func sampleLine(item api.PodMetrics) string {
	containers := []string{}
	for _, container := range item.Containers {
		containers = append(containers, fmt.Sprint(container.Name, " ", container.Usage.Cpu(), " ", container.Usage.Memory()))
	}
	slices.Sort(containers) // the metrics server has no order for them
	return fmt.Sprint(item.Name, " ", item.Timestamp, containers)
}

// sampled waits until the metrics server knows as many pods of the namespace.
func (w *world) sampled(count int) {
	w.Helper()
	w.eventually("samples", func(context.Context) error {
		if seen := w.samples(w.T); len(seen) != count {
			return fmt.Errorf("%d pods have samples, not %d", len(seen), count)
		}
		return nil
	})
}

// pods are those with a label of the app.
func (w *world) pods(app string) []v1.Pod {
	w.Helper()
	list, err := w.Client.CoreV1().Pods(w.namespace).List(w.Context(), metav1.ListOptions{LabelSelector: "app=" + app})
	w.must(list, err)
	return list.Items
}
