package oracle

import (
	"cmp"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

func (p *player) remove(pod *playedPod) {
	p.pods = slices.DeleteFunc(p.pods, func(other *playedPod) bool { return other == pod })
}

// create makes so many new pods.
func (p *player) create(count int) {
	for range count {
		pod := &playedPod{Pod: &corev1.Pod{}, order: len(p.first.pods) + p.created, gone: never}
		if err := p.world.Template.decode(pod.Pod); err != nil {
			panic(err)
		}
		delay := p.world.Delays[p.created%len(p.world.Delays)]
		pod.scheduled, pod.running, pod.ready = p.now+delay.Scheduled, p.now+delay.Running, p.now+delay.Ready
		p.created++
		pod.Name, pod.Namespace = "played-"+strconv.Itoa(p.created), p.first.hpa.Namespace
		pod.Status = corev1.PodStatus{Phase: corev1.PodPending}
		p.pods = append(p.pods, pod)
		p.changePod(pod)
	}
}

// delete deletes the first so many of these pods in the deletion order.
func (p *player) delete(pods []*playedPod, count int64) {
	slices.SortFunc(pods, deletionOrder)
	for _, pod := range pods[:max(0, min(count, int64(len(pods))))] {
		now := p.seconds()
		pod.DeletionTimestamp, pod.gone = &now, p.now+p.world.Termination
		if p.world.Termination == 0 {
			p.remove(pod)
		}
	}
}

// deletionOrder compares active pods: the lesser one is deleted first.
func deletionOrder(a, b *playedPod) int {
	first := func(a, b bool) int {
		if a == b {
			return 0
		} else if a {
			return -1
		}
		return 1
	}
	return cmp.Or(
		first(a.Status.StartTime == nil, b.Status.StartTime == nil),
		first(!a.isRunning(), !b.isRunning()),
		first(!a.isReady(), !b.isReady()),
		b.readySince()-a.readySince(),
		b.order-a.order,
	)
}

// readySince is when a ready pod became so, in seconds; nothing for others.
func (pod *playedPod) readySince() int {
	if !pod.isReady() {
		return 0
	}
	return int(pod.readiness().LastTransitionTime.Unix())
}
