package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes/scheme"
	metricsapi "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/demo"
	"kubectl-hpa.local/e2e/metrics"
	"kubectl-hpa.local/e2e/parts"
)

const (
	hpasVariable = "KUBECTL_HPA_HPAS"
	fewHPAs      = 200
	manyHPAs     = 10_000 // from here on the transfer outweighs the start of a process
	podsOfEach   = 5
	hpasOfEach   = 100 // namespace
	atOnce       = 100 // writes to etcd

	dearestList = 3.0         // a list of manyHPAs, as a multiple of its lists' transfer; 1.2 is wanted
	fattestList = 200_000_000 // bytes
)

// A list of many HPAs takes hardly longer than the transfer of what it reads, in the forms in which it reads it. The objects
// are written into etcd, and no controller works on them.
// Not parallel: Go runs it to its end while the parallel scenarios wait, so that nothing else takes the processors.
func TestManyHPAs(t *testing.T) {
	path, hpas := binary(t), number(t, hpasVariable, fewHPAs)
	c, err := cluster.Start("", cluster.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop()
	c.End(parts.ControllerManager)
	fillFleet(t, c, hpas)
	fetches, runs, peak, size := []time.Duration{}, []time.Duration{}, int64(0), int64(0)
	for round := range rounds + 1 {
		fetch, bytes := fetchLists(t, c.Config, fleetLists)
		run := listMany(t, path, c.Kubeconfig(cluster.Admin), hpas)
		peak, size = max(peak, run.peak), bytes
		if round > 0 { // the first warms up
			fetches, runs = append(fetches, fetch), append(runs, run.wall)
		}
	}
	fetch, run := median(fetches), median(runs)
	ratio := run.Seconds() / fetch.Seconds()
	t.Logf("%d HPAs over %d pods (%.0f MB of lists): curl %.3f s, list -A %.3f s (medians of %d), ratio %.2f, peak memory %.0f MB",
		hpas, hpas*podsOfEach, float64(size)/1e6, fetch.Seconds(), run.Seconds(), rounds, ratio, float64(peak)/1e6)
	t.Logf("curl %v, lists %v", fetches, runs)
	if peak > fattestList {
		t.Errorf("peak memory %d bytes, more than %d", peak, fattestList)
	}
	if hpas >= manyHPAs && ratio > dearestList {
		t.Errorf("%.2f times the fetch, more than %.2f", ratio, dearestList)
	}
}

// fillFleet writes HPAs, each with a Deployment and its pods, which use half of what they request, as they are to.
func fillFleet(t *testing.T, c *cluster.Cluster, hpas int) {
	t.Helper()
	// So much at once would end its watches, and those who watch begin anew again and again.
	c.End(parts.APIServer)
	now, store := metav1.NewTime(time.Now().Add(-time.Hour)), writing{t: t, c: c}
	c.Metrics.Update(func(state *metrics.State) {
		for i := range (hpas + hpasOfEach - 1) / hpasOfEach {
			state.Loads = append(state.Loads, metrics.Load{Namespace: team(i), CPU: "50m", Memory: "64Mi"})
		}
	})
	for i := range hpas {
		namespace, name := team(i/hpasOfEach), fmt.Sprintf("web-%04d", i)
		app := map[string]string{"app": name}
		meta := func(name string) metav1.ObjectMeta {
			return metav1.ObjectMeta{
				Namespace: namespace, Name: name, UID: types.UID(namespace + "/" + name), CreationTimestamp: now, Generation: 1, Labels: app}
		}
		if i%hpasOfEach == 0 {
			store.put("namespaces/"+namespace, v1.SchemeGroupVersion, &v1.Namespace{
				ObjectMeta: metav1.ObjectMeta{Name: namespace, UID: types.UID(namespace), CreationTimestamp: now},
				Status:     v1.NamespaceStatus{Phase: v1.NamespaceActive}})
		}
		template := demo.Template()
		template.Labels = app
		store.put("deployments/"+namespace+"/"+name, apps.SchemeGroupVersion, &apps.Deployment{
			ObjectMeta: meta(name),
			Spec:       apps.DeploymentSpec{Replicas: new(int32(podsOfEach)), Selector: &metav1.LabelSelector{MatchLabels: app}, Template: *template},
			Status:     apps.DeploymentStatus{Replicas: podsOfEach, ReadyReplicas: podsOfEach, ObservedGeneration: 1}})
		for pod := range podsOfEach {
			store.put(fmt.Sprintf("pods/%s/%s-%d", namespace, name, pod), v1.SchemeGroupVersion, &v1.Pod{
				ObjectMeta: meta(fmt.Sprintf("%s-%d", name, pod)), Spec: template.Spec, Status: longReady(now)})
		}
		store.put("horizontalpodautoscalers/"+namespace+"/"+name, autoscaling.SchemeGroupVersion, settled(meta(name)))
	}
	store.send()
	for _, err := range []error{c.StartAPIServer(t.Context()), c.Available(t.Context(), metricsapi.GroupName, true)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	seen := 0
	if err := wait.PollUntilContextTimeout(t.Context(), time.Second, 2*time.Minute, true, func(context.Context) (bool, error) {
		pods, err := c.Kubelet.Pods().List(labels.Everything())
		seen = len(pods)
		return seen >= hpas*podsOfEach, err
	}); err != nil {
		t.Fatalf("%d of %d pods are seen: %v", seen, hpas*podsOfEach, err)
	}
}

func longReady(since metav1.Time) v1.PodStatus {
	status := v1.PodStatus{Phase: v1.PodRunning, StartTime: &since}
	for _, kind := range []v1.PodConditionType{v1.PodScheduled, v1.PodInitialized, v1.ContainersReady, v1.PodReady} {
		status.Conditions = append(status.Conditions, v1.PodCondition{Type: kind, Status: v1.ConditionTrue, LastTransitionTime: since})
	}
	return status
}

// settled is an HPA of half of the cpu request that has been satisfied for long.
func settled(meta metav1.ObjectMeta) *autoscaling.HorizontalPodAutoscaler {
	half := int32(50)
	resource := autoscaling.ResourceMetricSource{Name: v1.ResourceCPU, Target: autoscaling.MetricTarget{Type: autoscaling.UtilizationMetricType, AverageUtilization: &half}}
	condition := func(kind autoscaling.HorizontalPodAutoscalerConditionType, status v1.ConditionStatus, reason, message string) autoscaling.HorizontalPodAutoscalerCondition {
		return autoscaling.HorizontalPodAutoscalerCondition{Type: kind, Status: status, LastTransitionTime: meta.CreationTimestamp, Reason: reason, Message: message}
	}
	return &autoscaling.HorizontalPodAutoscaler{
		ObjectMeta: meta,
		Spec: autoscaling.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: meta.Name},
			MinReplicas:    new(int32(2)), MaxReplicas: 20,
			Metrics: []autoscaling.MetricSpec{{Type: autoscaling.ResourceMetricSourceType, Resource: &resource}},
		},
		Status: autoscaling.HorizontalPodAutoscalerStatus{
			ObservedGeneration: new(int64(1)), CurrentReplicas: podsOfEach, DesiredReplicas: podsOfEach,
			CurrentMetrics: []autoscaling.MetricStatus{{Type: autoscaling.ResourceMetricSourceType, Resource: &autoscaling.ResourceMetricStatus{
				Name: v1.ResourceCPU, Current: autoscaling.MetricValueStatus{AverageUtilization: &half}}}},
			Conditions: []autoscaling.HorizontalPodAutoscalerCondition{
				condition(autoscaling.AbleToScale, v1.ConditionTrue, "ReadyForNewScale", "recommended size matches current size"),
				condition(autoscaling.ScalingActive, v1.ConditionTrue, "ValidMetricFound", "the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)"),
				condition(autoscaling.ScalingLimited, v1.ConditionFalse, "DesiredWithinRange", "the desired count is within the acceptable range"),
			},
		},
	}
}

// writing puts objects into etcd, many at once.
type writing struct {
	t    *testing.T
	c    *cluster.Cluster
	sent []any
}

func (b *writing) put(key string, version schema.GroupVersion, object runtime.Object) {
	b.t.Helper()
	var text bytes.Buffer
	encoder := scheme.Codecs.EncoderForVersion(protobuf.NewSerializer(scheme.Scheme, scheme.Scheme), version)
	if err := encoder.Encode(object, &text); err != nil {
		b.t.Fatal(err)
	}
	b.sent = append(b.sent, map[string]any{"requestPut": map[string]any{"key": []byte("/registry/" + key), "value": text.Bytes()}})
	if len(b.sent) == atOnce {
		b.send()
	}
}

func (b *writing) send() {
	b.t.Helper()
	if err := askEtcd(b.c, "txn", map[string]any{"success": b.sent}, nil); err != nil {
		b.t.Fatal(err)
	}
	b.sent = b.sent[:0]
}

// fleetLists are the long lists that a list of all HPAs reads, in the forms in which it reads them.
var fleetLists = map[string]string{
	"/apis/autoscaling/v2/horizontalpodautoscalers": asProtobuf,
	"/apis/apps/v1/deployments":                     asProtobuf,
	"/api/v1/pods?resourceVersion=0":                asProtobuf,
	"/apis/metrics.k8s.io/v1beta1/pods":             asProtobuf,
}

// listMany measures one run of the binary, whose answer must be that each HPA stays as it is.
func listMany(t *testing.T, path, kubeconfig string, hpas int) measured {
	t.Helper()
	run := measure(t, path, "list", "-A", "-o", "json", "--kubeconfig", kubeconfig)
	var answer struct{ Items []row }
	if err := json.Unmarshal(run.output, &answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Items) != hpas {
		t.Fatalf("%d HPAs, not %d", len(answer.Items), hpas)
	}
	for _, row := range answer.Items {
		if _, stays := row.holds(podsOfEach, podsOfEach); !stays || row.State != "idle" {
			t.Fatalf("%s/%s: %s (%s) → %v", row.Namespace, row.Name, row.State, row.Why, row.NextReplicas)
		}
	}
	return run
}
