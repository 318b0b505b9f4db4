package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	api "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// glance is the time between two looks at what a monitor knows.
const glance = 20 * time.Millisecond

// monitor watches everything that decisions are made on, and what becomes of them, in all namespaces.
type monitor struct {
	client                  kubernetes.Interface
	hpas, deployments, pods cache.SharedIndexInformer
	running                 sync.WaitGroup
	unfollow                context.CancelFunc

	lock    sync.Mutex
	samples map[string][]string // of the pods, by namespace
	asked   time.Time           // when they were asked for
}

func watch(ctx context.Context, client kubernetes.Interface) *monitor {
	m := &monitor{client: client}
	m.follow(ctx)
	m.running.Go(func() {
		for ; ctx.Err() == nil; time.Sleep(2 * glance) {
			m.sample(ctx)
		}
	})
	return m
}

// follow begins to watch, or begins anew: after an outage of the API server the old watches take their time to go on.
func (m *monitor) follow(ctx context.Context) {
	if m.unfollow != nil {
		m.unfollow()
	}
	ctx, m.unfollow = context.WithCancel(ctx)
	factory := informers.NewSharedInformerFactory(m.client, 0)
	m.hpas = factory.Autoscaling().V2().HorizontalPodAutoscalers().Informer()
	m.deployments = factory.Apps().V1().Deployments().Informer()
	m.pods = factory.Core().V1().Pods().Informer()
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
}

// sample asks for the samples of all pods. They have no watch; a failure leaves the last ones.
func (m *monitor) sample(ctx context.Context) {
	var list api.PodMetricsList
	asked := time.Now()
	text, err := m.client.Discovery().RESTClient().Get().AbsPath("/apis/metrics.k8s.io/v1beta1/pods").
		SetHeader("Accept", "application/json").DoRaw(ctx)
	if err != nil || json.Unmarshal(text, &list) != nil {
		return
	}
	samples := map[string][]string{}
	for _, item := range list.Items {
		samples[item.Namespace] = append(samples[item.Namespace], sampleLine(item))
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	m.samples, m.asked = samples, asked
}

// snapshot is what a monitor knows of one world.
type snapshot struct {
	hpa      *autoscaling.HorizontalPodAutoscaler
	replicas int32             // asked of the target
	target   string            // its version
	pods     string            // their versions, and what the target says of their number
	running  map[string]string // the version of each that is not being deleted
	samples  string
	asked    time.Time // when the samples were
}

// inputs are all that a decision is made on, but for what the test sets.
func (s snapshot) inputs() string { return s.pods + s.samples }

// readsSamples tells whether any metric is of the metrics server; without metrics it is cpu.
func (s snapshot) readsSamples() bool {
	metrics := s.hpa.Spec.Metrics
	return len(metrics) == 0 || slices.ContainsFunc(metrics, func(metric autoscaling.MetricSpec) bool {
		return metric.Resource != nil || metric.ContainerResource != nil
	})
}

// decided tells whether the controller has written something since.
func (s snapshot) decided(later snapshot) bool {
	return s.replicas != later.replicas || s.hpa.ResourceVersion != later.hpa.ResourceVersion
}

// precedes tells whether the pods are the same, or as a rescale alone leaves them: others beside them, or some deleted.
func (s snapshot) precedes(later snapshot) bool {
	if s.replicas == later.replicas {
		return s.pods == later.pods
	}
	for name, version := range s.running {
		if now, is := later.running[name]; is && now != version {
			return false
		}
	}
	return true
}

// isWhole tells whether the target is as the status says: each has a watch of its own, and one may be behind.
func (s snapshot) isWhole() bool { return s.replicas == s.hpa.Status.DesiredReplicas }

func (m *monitor) see(namespace string) (seen snapshot) {
	lines := []string{}
	seen.running = map[string]string{}
	for _, object := range m.pods.GetStore().List() {
		if pod := object.(*v1.Pod); pod.Namespace == namespace {
			lines = append(lines, pod.Name+" "+pod.ResourceVersion)
			if pod.DeletionTimestamp == nil {
				seen.running[pod.Name] = pod.ResourceVersion
			}
		}
	}
	if object, exists, err := m.deployments.GetStore().GetByKey(namespace + "/" + web); err == nil && exists {
		deployment := object.(*apps.Deployment)
		seen.replicas, seen.target = *deployment.Spec.Replicas, deployment.ResourceVersion
		lines = append(lines, fmt.Sprint("status ", deployment.Status.Replicas))
	}
	seen.hpa = &autoscaling.HorizontalPodAutoscaler{}
	if object, exists, err := m.hpas.GetStore().GetByKey(namespace + "/" + web); err == nil && exists {
		seen.hpa = object.(*autoscaling.HorizontalPodAutoscaler)
	}
	slices.Sort(lines)
	seen.pods = fmt.Sprint(lines)
	m.lock.Lock()
	defer m.lock.Unlock()
	samples := slices.Sorted(slices.Values(m.samples[namespace]))
	seen.samples, seen.asked = fmt.Sprint(samples), m.asked
	return seen
}
