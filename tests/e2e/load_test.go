package e2e

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/metrics"
)

// load is the cpu that all running pods of a namespace use together, dealt out by a goroutine.
type load struct {
	milli   atomic.Int64
	dealing sync.Once
}

// share sets the sum of the cpu that all pods use together.
func (w *world) share(cpu string) {
	w.Helper()
	if w.Kubelet != nil {
		w.shareAsPlayed(cpu)
		return
	}
	total := resource.MustParse(cpu)
	w.load.milli.Store(total.MilliValue())
	w.load.dealing.Do(func() {
		var running sync.WaitGroup
		running.Go(w.deal)
		w.Cleanup(running.Wait) // the context of the test has ended by then
	})
}

// deal divides the load anew whenever it or the number of pods changes, until the test ends.
func (w *world) deal() {
	worked := time.Now()
	for dealt := int64(-1); w.Context().Err() == nil; time.Sleep(100 * time.Millisecond) {
		list, err := w.Client.CoreV1().Pods(w.namespace).List(w.Context(), metav1.ListOptions{LabelSelector: "app=" + web})
		if err != nil {
			continue
		}
		count := int64(0)
		for _, pod := range list.Items {
			if pod.Status.Phase == v1.PodRunning && pod.DeletionTimestamp == nil {
				count++
			}
		}
		each := w.load.milli.Load() / max(count, 1)
		if each == dealt {
			continue
		}
		if err := w.UseOfPods(w.Context(), w.namespace, allUse(fmt.Sprintf("%dm", each))); err != nil {
			if w.Context().Err() == nil && time.Since(worked) > patience { // an API server may be restarted meanwhile
				w.Error(err)
			}
			continue
		}
		dealt, worked = each, time.Now()
	}
}

func (w *world) shareAsPlayed(cpu string) {
	w.Metrics.Update(func(state *metrics.State) {
		for i := range state.Loads {
			if state.Loads[i].Namespace == w.namespace {
				state.Loads[i].CPU = cpu
				return
			}
		}
		state.Loads = append(state.Loads, metrics.Load{Namespace: w.namespace, CPU: cpu, Shared: true})
	})
}

// eachUses sets the cpu of single pods; those that aren't named have no sample, unless there is a load.
func (w *world) eachUses(cpu map[string]string) {
	w.Metrics.Update(func(state *metrics.State) {
		others := []metrics.Pod{}
		for _, pod := range state.Pods {
			if pod.Namespace != w.namespace {
				others = append(others, pod)
			}
		}
		for name, use := range cpu {
			others = append(others, metrics.Pod{Namespace: w.namespace, Name: name, CPU: use})
		}
		state.Pods = others
	})
}

// allUse is the use of pods whose containers are all alike.
func allUse(cpu string) map[string]cluster.Use {
	return map[string]cluster.Use{"": {"cpu": cpu, "memory": "64Mi"}}
}

// use sets what each pod of the namespace consumes by itself.
func (w *world) use(cpu string) {
	w.Helper()
	w.must(nil, w.UseOfPods(w.Context(), w.namespace, allUse(cpu)))
}
