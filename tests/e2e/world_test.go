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

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/demo"
	"kubectl-hpa.local/e2e/metrics"
)

const (
	syncPeriod = time.Second
	patience   = 90 * time.Second // for what the controller does sooner or later
	web        = "web"            // every Deployment and HPA here
)

// settings differ from the controller's defaults in the sync period, and in what it logs.
var settings = cluster.Settings{SyncPeriod: syncPeriod, Decisions: true}

// Two clusters are shared by the scenarios that live in a namespace of their own: one with the whole pipeline, and
// one with played pods and samples, for what the real ones can't be brought to.
var (
	whole  = shared(cluster.Settings{SyncPeriod: syncPeriod, Kwok: true, Decisions: true})
	played = shared(settings)

	stops sync.Map // of the shared clusters, by themselves
)

func shared(settings cluster.Settings) func() (*cluster.Cluster, error) {
	return sync.OnceValues(func() (*cluster.Cluster, error) {
		c, err := cluster.Start("", settings)
		if err == nil {
			stops.Store(c, nil)
		}
		return c, err
	})
}

func stopShared() {
	stops.Range(func(c, _ any) bool {
		c.(*cluster.Cluster).Stop()
		return true
	})
}

// world is a namespace with a target and an HPA, and what a scenario does to them.
type world struct {
	*testing.T
	*cluster.Cluster
	namespace string
	targets   string // path of the target's kind in the API, below /apis
	load      load
}

// newWorld makes a namespace, named after the test, in the cluster with the whole pipeline.
func newWorld(t *testing.T) *world {
	t.Helper()
	return inShared(t, whole)
}

// playedWorld makes one in the cluster with played pods and samples.
func playedWorld(t *testing.T) *world {
	t.Helper()
	return inShared(t, played)
}

func inShared(t *testing.T, shared func() (*cluster.Cluster, error)) *world {
	t.Helper()
	c, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return inCluster(t, c)
}

func inCluster(t *testing.T, c *cluster.Cluster) *world {
	t.Helper()
	return inNamespace(t, c, strings.ToLower(strings.ReplaceAll(t.Name(), "/", "-")))
}

func inNamespace(t *testing.T, c *cluster.Cluster, name string) *world {
	t.Helper()
	w := &world{T: t, Cluster: c, namespace: name}
	w.targets = "apps/v1/namespaces/" + w.namespace + "/deployments"
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
func (w *world) deploy(replicas int32, changes ...func(*apps.DeploymentSpec)) []string {
	w.Helper()
	w.create(web, replicas, changes...)
	return w.running(web, int(replicas))
}

// create makes a Deployment whose pods have the label app with its name.
func (w *world) create(name string, replicas int32, changes ...func(*apps.DeploymentSpec)) {
	w.Helper()
	labels := map[string]string{"app": name}
	template := demo.Template()
	template.Labels = labels
	spec := apps.DeploymentSpec{Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: *template}
	for _, change := range changes {
		change(&spec)
	}
	w.must(w.Client.AppsV1().Deployments(w.namespace).Create(
		w.Context(), &apps.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: spec}, metav1.CreateOptions{}))
}

// running waits until as many pods of an app run, and returns their names.
func (w *world) running(app string, count int) (names []string) {
	w.Helper()
	w.eventually("the pods run", func(context.Context) error {
		names = names[:0]
		for _, pod := range w.pods(app) {
			if pod.Status.Phase == v1.PodRunning {
				names = append(names, pod.Name)
			}
		}
		if len(names) != count {
			return fmt.Errorf("%d of %d pods run", len(names), count)
		}
		return nil
	})
	return names
}

// autoscale creates the HPA: 1 to 12 replicas, half of the cpu request, unless changed.
func (w *world) autoscale(change func(*autoscaling.HorizontalPodAutoscalerSpec)) {
	w.Helper()
	w.autoscaleAs(web, web, change)
}

// autoscaleAs creates an HPA of this name for a Deployment.
func (w *world) autoscaleAs(name, target string, change func(*autoscaling.HorizontalPodAutoscalerSpec)) {
	w.Helper()
	hpa := &autoscaling.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: autoscaling.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: target},
			MaxReplicas:    12,
			Metrics:        []autoscaling.MetricSpec{cpuUtilization(50)},
		},
	}
	if change != nil {
		change(&hpa.Spec)
	}
	w.must(w.Client.AutoscalingV2().HorizontalPodAutoscalers(w.namespace).Create(w.Context(), hpa, metav1.CreateOptions{}))
}

// fail makes a metrics API fail for this namespace.
func (w *world) fail(failure metrics.Error) {
	failure.Namespace = w.namespace
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
