package e2e

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	api "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/demo"
	"kubectl-hpa.local/e2e/metrics"
)

const (
	syncPeriod = time.Second
	patience   = 90 * time.Second // for what the controller does sooner or later
	web        = "web"            // every Deployment and HPA here
)

// settings differ from the controller's defaults in the sync period only.
var settings = cluster.Settings{SyncPeriod: syncPeriod}

// shared is the one cluster of the scenarios that live in a namespace of their own.
var shared = sync.OnceValues(func() (*cluster.Cluster, error) {
	c, err := cluster.Start("", settings)
	if err == nil {
		stopShared = c.Stop
	}
	return c, err
})

var stopShared = func() {} // until there is one

// world is a namespace with a Deployment and an HPA, and what a scenario does to them.
type world struct {
	*testing.T
	*cluster.Cluster
	namespace string
}

// newWorld makes a namespace, named after the test, in the shared cluster.
func newWorld(t *testing.T) *world {
	t.Helper()
	c, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return inCluster(t, c)
}

func inCluster(t *testing.T, c *cluster.Cluster) *world {
	t.Helper()
	w := &world{T: t, Cluster: c, namespace: strings.ToLower(strings.ReplaceAll(t.Name(), "/", "-"))}
	w.must(c.Client.CoreV1().Namespaces().Create(
		t.Context(), &v1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}, metav1.CreateOptions{}))
	return w
}

func (w *world) must(_ any, err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// deploy starts pods that request 100m of cpu each, and returns their names once all run.
func (w *world) deploy(replicas int32) []string {
	w.Helper()
	labels := map[string]string{"app": web}
	template := demo.Template()
	template.Labels = labels
	w.must(w.Client.AppsV1().Deployments(w.namespace).Create(w.Context(), &apps.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: web},
		Spec: apps.DeploymentSpec{
			Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: *template,
		},
	}, metav1.CreateOptions{}))
	var names []string
	w.eventually("the pods run", func(ctx context.Context) error {
		pods, err := w.Client.CoreV1().Pods(w.namespace).List(ctx, metav1.ListOptions{LabelSelector: "app=" + web})
		if err != nil {
			return err
		}
		names = names[:0]
		for _, pod := range pods.Items {
			if pod.Status.Phase == v1.PodRunning {
				names = append(names, pod.Name)
			}
		}
		if len(names) != int(replicas) {
			return fmt.Errorf("%d of %d pods run", len(names), replicas)
		}
		return nil
	})
	return names
}

// autoscale creates the HPA: 1 to 12 replicas, half of the cpu request, unless changed.
func (w *world) autoscale(change func(*autoscaling.HorizontalPodAutoscalerSpec)) {
	w.Helper()
	hpa := &autoscaling.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Name: web},
		Spec: autoscaling.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: web},
			MaxReplicas:    12,
			Metrics:        []autoscaling.MetricSpec{cpuUtilization(50)},
		},
	}
	if change != nil {
		change(&hpa.Spec)
	}
	w.must(w.Client.AutoscalingV2().HorizontalPodAutoscalers(w.namespace).Create(w.Context(), hpa, metav1.CreateOptions{}))
}

func cpuUtilization(percent int32) autoscaling.MetricSpec {
	return autoscaling.MetricSpec{
		Type: autoscaling.ResourceMetricSourceType,
		Resource: &autoscaling.ResourceMetricSource{
			Name:   v1.ResourceCPU,
			Target: autoscaling.MetricTarget{Type: autoscaling.UtilizationMetricType, AverageUtilization: &percent},
		},
	}
}

// share sets the sum of the cpu that all pods use together.
func (w *world) share(cpu string) {
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

// fail makes the resource metrics API fail for this namespace.
func (w *world) fail(failure metrics.Error) {
	failure.API, failure.Namespace = api.GroupName, w.namespace
	w.Metrics.Update(func(state *metrics.State) { state.Errors = append(state.Errors, failure) })
}

func (w *world) hpa(ctx context.Context) (*autoscaling.HorizontalPodAutoscaler, error) {
	return w.Client.AutoscalingV2().HorizontalPodAutoscalers(w.namespace).Get(ctx, web, metav1.GetOptions{})
}

func (w *world) eventually(what string, try func(context.Context) error) {
	w.Helper()
	deadline := time.Now().Add(patience)
	for {
		err := try(w.Context())
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			w.Fatalf("%s: not within %s: %v", what, patience, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
