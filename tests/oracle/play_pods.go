package oracle

import (
	"fmt"
	"math"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// playedPod is a listed pod and when it changes.
type playedPod struct {
	*corev1.Pod
	order                           int // in which the pods were created
	scheduled, running, ready, gone int64
	silent, old                     bool
	readings                        int64 // that counted for it
}

// takePods takes over the pods of the case.
func (p *player) takePods() error {
	for i, pod := range p.first.pods {
		played := &playedPod{Pod: pod.DeepCopy(), order: i, scheduled: never, running: never, ready: never, gone: never}
		if p.sampledInCase(pod.Name) {
			played.readings = math.MaxInt32
		}
		p.pods = append(p.pods, played)
	}
	for _, e := range p.world.Existing {
		i := slices.IndexFunc(p.pods, func(pod *playedPod) bool { return pod.Name == e.Name })
		if i < 0 {
			return fmt.Errorf("existing: there is no pod %q", e.Name)
		}
		pod := p.pods[i]
		for _, time := range []struct {
			in  *int64
			out *int64
		}{{e.Scheduled, &pod.scheduled}, {e.Running, &pod.running}, {e.Ready, &pod.ready}, {e.Gone, &pod.gone}} {
			if time.in != nil {
				*time.out = *time.in
			}
		}
		pod.silent = e.Silent
	}
	return nil
}

// seconds is the present as the API shows it.
func (p *player) seconds() metav1.Time {
	return metav1.NewTime(p.first.at.Add(time.Duration(p.now) * time.Millisecond).Truncate(time.Second))
}

func (pod *playedPod) deleted() bool { return pod.DeletionTimestamp != nil }

func (pod *playedPod) isActive() bool {
	return !pod.deleted() && pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed
}

func (pod *playedPod) isRunning() bool { return pod.Status.Phase == corev1.PodRunning }

// readiness is the Ready condition, if there is one.
func (pod *playedPod) readiness() *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if pod.Status.Conditions[i].Type == corev1.PodReady {
			return &pod.Status.Conditions[i]
		}
	}
	return nil
}

func (pod *playedPod) isReady() bool {
	condition := pod.readiness()
	return pod.isActive() && pod.isRunning() && condition != nil && condition.Status == corev1.ConditionTrue
}

func (p *player) podsThat(are func(*playedPod) bool) (out []*playedPod) {
	for _, pod := range p.pods {
		if are(pod) {
			out = append(out, pod)
		}
	}
	return out
}

func (p *player) activePods() []*playedPod { return p.podsThat((*playedPod).isActive) }
func (p *player) readyPods() []*playedPod  { return p.podsThat((*playedPod).isReady) }

// changePods makes the changes that are due, and tells whether there was one.
func (p *player) changePods() bool {
	changed := false
	for _, pod := range slices.Clone(p.pods) {
		if p.changePod(pod) {
			changed = true
		}
		if pod.deleted() && pod.gone == p.now {
			p.remove(pod)
			changed = true
		}
	}
	return changed
}

// changePod makes those changes of a pod that are due, but for going.
func (p *player) changePod(pod *playedPod) (changed bool) {
	if pod.deleted() {
		return false
	}
	if pod.scheduled == p.now && pod.Status.StartTime == nil {
		now := p.seconds()
		pod.Status.StartTime, changed = &now, true
	}
	if pod.running == p.now && pod.Status.Phase == corev1.PodPending {
		pod.Status.Phase, changed = corev1.PodRunning, true
		p.setReadiness(pod, corev1.ConditionFalse)
	}
	if pod.ready == p.now && pod.isRunning() && !pod.isReady() {
		changed = true
		p.setReadiness(pod, corev1.ConditionTrue)
	}
	return changed
}

func (p *player) setReadiness(pod *playedPod, status corev1.ConditionStatus) {
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: status, LastTransitionTime: p.seconds()}}
}
