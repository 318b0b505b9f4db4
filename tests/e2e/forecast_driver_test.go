package e2e

import (
	"context"
	"fmt"
	"sync"
	"time"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/v1/pod"

	"kubectl-hpa.local/e2e/cluster"
)

const (
	tick     = 100 * time.Millisecond // between two looks at how many pods are ready
	stride   = 250 * time.Millisecond // between two amounts of a curve
	adapters = 500 * time.Millisecond // how old a value of an adapter is that asks once a second, in the mean
)

// scales follows what every Deployment is asked to have, and its pods.
type scales struct {
	pods cache.SharedIndexInformer

	lock sync.Mutex
	seen map[string][]scaled // by namespace
}

type scaled struct {
	at       time.Time
	replicas int32
}

func followScales(ctx context.Context, client kubernetes.Interface) (*scales, error) {
	factory := informers.NewSharedInformerFactory(client, 0)
	s := &scales{pods: factory.Core().V1().Pods().Informer(), seen: map[string][]scaled{}}
	_, err := factory.Apps().V1().Deployments().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    s.note,
		UpdateFunc: func(_, object any) { s.note(object) },
	})
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return s, err
}

func (s *scales) note(object any) {
	deployment := object.(*apps.Deployment)
	replicas, of := *deployment.Spec.Replicas, deployment.Namespace
	s.lock.Lock()
	defer s.lock.Unlock()
	if seen := s.seen[of]; len(seen) == 0 || seen[len(seen)-1].replicas != replicas {
		s.seen[of] = append(seen, scaled{time.Now(), replicas})
	}
}

// last is the latest change of a namespace's replicas.
func (s *scales) last(namespace string) (last scaled) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if seen := s.seen[namespace]; len(seen) > 0 {
		last = seen[len(seen)-1]
	}
	return last
}

// since is the course of the replicas from a time on, for so long.
func (s *scales) since(namespace string, origin time.Time, over time.Duration) (real course) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, one := range s.seen[namespace] {
		switch at := one.at.Sub(origin); {
		case at < 0:
			real.first = one.replicas
		case at < over:
			real.to(at, one.replicas)
		}
	}
	return real
}

// ready is how many pods of a namespace are ready.
func (s *scales) ready(namespace string) (count int64) {
	for _, object := range s.pods.GetStore().List() {
		one := object.(*v1.Pod)
		if one.Namespace == namespace && one.DeletionTimestamp == nil && one.Status.Phase == v1.PodRunning && pod.IsPodReady(one) {
			count++
		}
	}
	return count
}

// driver lets the pods use what a load asks for: its demand at the time, shared by the ready pods.
type driver struct {
	*world
	load   forecastLoad
	scales *scales
	given  [2]int64 // the demand and the pods that share it, of the last time
}

// drive sets what is used so long after the beginning, if that has changed.
func (d *driver) drive(since time.Duration) {
	d.Helper()
	ready := max(d.scales.ready(d.namespace), 1)
	if d.isAdapters() {
		since, ready = since-adapters, 1
	}
	demand := d.load.curve.demand(d.load.demand, since.Truncate(stride))
	if d.given == [2]int64{demand, ready} {
		return
	}
	d.given = [2]int64{demand, ready}
	switch each := demand * 1000 / ready; d.load.metric {
	case "cpu":
		d.uses(cluster.Use{"cpu": fmt.Sprintf("%du", each), "memory": "64Mi"})
	case "memory":
		d.uses(cluster.Use{"cpu": "100m", "memory": fmt.Sprint(idleMemory<<20 + demand<<20/ready)})
	default:
		d.publish(d.load.metric, fmt.Sprintf("%dm", demand))
	}
}

func (d *driver) isAdapters() bool { return d.load.metric != "cpu" && d.load.metric != "memory" }

func (d *driver) uses(use cluster.Use) {
	d.Helper()
	d.must(nil, d.UseOfPods(d.Context(), d.namespace, map[string]cluster.Use{"": use}))
}
