// Package kubelet plays the nodes: it starts the pods that controllers create and ends those that are deleted,
// by writing their status. No container ever runs.
package kubelet

import (
	"context"
	"encoding/json"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	corev1 "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

const workers = 32

// Kubelet watches all pods. Create it with New, then Run it.
type Kubelet struct {
	client   kubernetes.Interface
	informer cache.SharedIndexInformer
	queue    workqueue.TypedRateLimitingInterface[string]

	lock  sync.Mutex
	plans map[string]func(pod *v1.Pod) *State // by namespace
}

// New returns a kubelet that makes every new pod run, as if it had done so for ten minutes (see LongRunning).
func New(client kubernetes.Interface, informer cache.SharedIndexInformer) (*Kubelet, error) {
	k := &Kubelet{
		client:   client,
		informer: informer,
		queue:    workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		plans:    map[string]func(*v1.Pod) *State{},
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    k.enqueue,
		UpdateFunc: func(_, pod any) { k.enqueue(pod) },
	})
	return k, err
}

// Pods are those that the kubelet sees, without the fields that nobody here needs (see Trim).
func (k *Kubelet) Pods() corev1.PodLister { return corev1.NewPodLister(k.informer.GetIndexer()) }

// Plan decides what becomes of each new pod of a namespace; nil leaves it pending, until Set is called for it.
func (k *Kubelet) Plan(namespace string, plan func(pod *v1.Pod) *State) {
	k.lock.Lock()
	defer k.lock.Unlock()
	k.plans[namespace] = plan
}

func (k *Kubelet) planned(pod *v1.Pod) *State {
	k.lock.Lock()
	plan, is := k.plans[pod.Namespace]
	k.lock.Unlock()
	if !is {
		return LongRunning()
	}
	return plan(pod)
}

// Set writes the state of a pod, whatever it was before.
func (k *Kubelet) Set(ctx context.Context, namespace, name string, state *State) error {
	object, exists, err := k.informer.GetIndexer().GetByKey(namespace + "/" + name)
	if err != nil {
		return err
	}
	if !exists {
		return errors.NewNotFound(v1.Resource("pods"), name)
	}
	return k.write(ctx, object.(*v1.Pod), state)
}

// Run works until the context ends.
func (k *Kubelet) Run(ctx context.Context) {
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			for k.next(ctx) {
			}
		})
	}
	<-ctx.Done()
	k.queue.ShutDown()
	working.Wait()
}

func (k *Kubelet) enqueue(object any) {
	pod, is := object.(*v1.Pod)
	if is && (pod.DeletionTimestamp != nil || pod.Status.Phase == v1.PodPending) {
		k.queue.Add(pod.Namespace + "/" + pod.Name)
	}
}

func (k *Kubelet) next(ctx context.Context) bool {
	name, down := k.queue.Get()
	if down {
		return false
	}
	defer k.queue.Done(name)
	err := k.sync(ctx, name)
	if err == nil || errors.IsNotFound(err) || errors.IsConflict(err) || ctx.Err() != nil {
		k.queue.Forget(name) // a conflict means that a newer version is on its way here
		return true
	}
	klog.ErrorS(err, "pod status not written", "pod", name)
	k.queue.AddRateLimited(name)
	return true
}

func (k *Kubelet) sync(ctx context.Context, name string) error {
	object, exists, err := k.informer.GetIndexer().GetByKey(name)
	if err != nil || !exists {
		return err
	}
	pod := object.(*v1.Pod)
	if pod.DeletionTimestamp != nil {
		now := int64(0)
		return k.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{
			GracePeriodSeconds: &now, Preconditions: metav1.NewUIDPreconditions(string(pod.UID)),
		})
	}
	if pod.Status.Phase != v1.PodPending {
		return nil
	}
	state := k.planned(pod)
	if state == nil {
		return nil
	}
	return k.write(ctx, pod, state)
}

// write patches the status alone: the informer's copy of a pod lacks fields, so it can't be sent back.
func (k *Kubelet) write(ctx context.Context, pod *v1.Pod, state *State) error {
	patch, err := json.Marshal(map[string]any{"status": state.status(pod)})
	if err != nil {
		return err
	}
	_, err = k.client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}
