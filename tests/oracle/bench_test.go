//go:build bench

package oracle

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"runtime"
	"syscall"
	"testing"
	"time"
	"unsafe"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
)

// inMemory answers with metrics that were read before.
type inMemory struct {
	metrics.MetricsClient
	next metrics.PodMetricsInfo
	at   time.Time
}

func (m *inMemory) GetResourceMetric(context.Context, corev1.ResourceName, string, labels.Selector, string) (metrics.PodMetricsInfo, time.Time, error) {
	return m.next, m.at, nil
}

// TestRound takes the processor time of the calculator alone, in one round of about half a second, on the case on standard
// input: its one Resource metric of type Utilization. It prints the nanoseconds of a call and the replicas that it proposes.
// The calculator asks for the time itself, so the case is one of now.
func TestRound(t *testing.T) {
	out := results(t)
	silence()
	line, err := io.ReadAll(os.Stdin)
	if err != nil {
		t.Fatal(err)
	}
	c, err := compile(line)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{compiled: c}
	resource := c.hpa.Spec.Metrics[0].Resource
	selector, err := labels.Parse(c.scale.Status.Selector)
	if err != nil {
		t.Fatal(err)
	}
	ctx, namespace := context.Background(), c.hpa.Namespace
	read, at, err := w.metrics().GetResourceMetric(ctx, resource.Name, namespace, selector, "")
	if err != nil {
		t.Fatal(err)
	}
	client := &inMemory{at: at}
	calculator := podautoscaler.NewReplicaCalculator(client, podLister{w: w}, c.settings.cpuInitialization, c.settings.readyDelay)
	tolerances := bothWays(c.settings.tolerance)
	// The calculator changes the metrics that it is given, so each call has a copy of its own, which is made beforehand: a
	// real client would build it from the answer of the API.
	call := func() (int32, time.Duration) {
		client.next = maps.Clone(read)
		start := spent(t)
		replicas, _, _, _, err := calculator.GetResourceReplicas(ctx, c.scale.Spec.Replicas,
			*resource.Target.AverageUtilization, resource.Name, tolerances, namespace, selector, "")
		took := spent(t) - start
		if err != nil {
			t.Fatal(err)
		}
		return replicas, took
	}
	runtime.LockOSThread()
	for start := spent(t); spent(t)-start < 100*time.Millisecond; {
		call()
	}
	var replicas int32
	var total time.Duration
	calls := 0
	for ; total < 400*time.Millisecond; calls++ {
		proposed, took := call()
		replicas, total = proposed, total+took
	}
	fmt.Fprintln(out, total.Nanoseconds()/int64(calls), replicas)
}

// spent is the processor time of this thread, of which other work on the machine and the garbage collector's own threads
// take none.
func spent(t *testing.T) time.Duration {
	var spec syscall.Timespec
	const thread = 3 // CLOCK_THREAD_CPUTIME_ID of Linux
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, thread, uintptr(unsafe.Pointer(&spec)), 0); errno != 0 {
		t.Fatal(errno)
	}
	return time.Duration(spec.Nano())
}

// bothWays is one tolerance in both directions. The type's fields are unexported.
func bothWays(tolerance float64) (out podautoscaler.Tolerances) {
	fields := reflect.ValueOf(&out).Elem()
	for i := range fields.NumField() {
		field := fields.Field(i)
		*(*float64)(field.Addr().UnsafePointer()) = tolerance
	}
	return out
}
