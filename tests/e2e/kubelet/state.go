package kubelet

import (
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// State is what the kubelet says about a pod.
type State struct {
	Phase v1.PodPhase
	Ready bool
	// Started is the start of the pod, Since the time at which Ready got its value.
	Started, Since time.Time
}

// LongRunning is a pod that has been ready for ten minutes: past every initialization period.
func LongRunning() *State {
	then := time.Now().Add(-10 * time.Minute)
	return &State{Phase: v1.PodRunning, Ready: true, Started: then, Since: then}
}

// Starting is a pod that started just now and isn't ready yet.
func Starting() *State {
	now := time.Now()
	return &State{Phase: v1.PodRunning, Started: now, Since: now}
}

func (s *State) status(pod *v1.Pod) v1.PodStatus {
	since := metav1.NewTime(s.Since)
	started := metav1.NewTime(s.Started)
	ready := v1.ConditionFalse
	if s.Ready {
		ready = v1.ConditionTrue
	}
	status := v1.PodStatus{
		Phase:     s.Phase,
		HostIP:    "127.0.0.1",
		HostIPs:   []v1.HostIP{{IP: "127.0.0.1"}},
		StartTime: &started,
		Conditions: []v1.PodCondition{
			{Type: v1.PodScheduled, Status: v1.ConditionTrue, LastTransitionTime: started},
			{Type: v1.PodInitialized, Status: v1.ConditionTrue, LastTransitionTime: started},
			{Type: v1.ContainersReady, Status: ready, LastTransitionTime: since},
			{Type: v1.PodReady, Status: ready, LastTransitionTime: since},
		},
	}
	if s.Phase == v1.PodRunning {
		status.ContainerStatuses = containers(pod, s.Ready, started)
	}
	return status
}

func containers(pod *v1.Pod, ready bool, started metav1.Time) []v1.ContainerStatus {
	begun := true
	statuses := make([]v1.ContainerStatus, 0, len(pod.Spec.Containers))
	for _, container := range pod.Spec.Containers {
		statuses = append(statuses, v1.ContainerStatus{
			Name: container.Name, Image: container.Image, Ready: ready, Started: &begun,
			State: v1.ContainerState{Running: &v1.ContainerStateRunning{StartedAt: started}},
		})
	}
	return statuses
}

// Trim keeps of a pod what the kubelet and the metrics server need: 10,000 whole pods would fill a gigabyte.
func Trim(object any) (any, error) {
	pod, is := object.(*v1.Pod)
	if !is {
		return object, nil
	}
	small := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: pod.Name, Namespace: pod.Namespace, UID: pod.UID, ResourceVersion: pod.ResourceVersion,
			Labels: pod.Labels, DeletionTimestamp: pod.DeletionTimestamp,
		},
		Status: v1.PodStatus{Phase: pod.Status.Phase},
	}
	for _, container := range pod.Spec.Containers {
		small.Spec.Containers = append(small.Spec.Containers, v1.Container{Name: container.Name, Image: container.Image})
	}
	return small, nil
}
