package oracle

// follow lets the target make as many pods as its replicas say.
func (p *player) follow() {
	if p.rolling {
		p.stepRollout()
		return
	}
	active := p.activePods()
	if missing := int(p.replicas) - len(active); missing > 0 {
		p.create(missing)
	} else {
		p.delete(active, int64(-missing))
	}
}

// beginRollout makes every active pod an old one.
func (p *player) beginRollout() {
	p.rolling = true
	for _, pod := range p.activePods() {
		pod.old = true
	}
}

func (p *player) oldPods() []*playedPod {
	return p.podsThat(func(pod *playedPod) bool { return pod.isActive() && pod.old })
}

func (p *player) newPods() []*playedPod {
	return p.podsThat(func(pod *playedPod) bool { return pod.isActive() && !pod.old })
}

// unready are those of the pods that are not ready.
func unready(pods []*playedPod) (out []*playedPod) {
	for _, pod := range pods {
		if !pod.isReady() {
			out = append(out, pod)
		}
	}
	return out
}

// stepRollout brings old pods and new ones one step further.
func (p *player) stepRollout() {
	replicas, surge, unavailable := int64(p.replicas), p.world.Rollout.Surge, p.world.Rollout.Unavailable
	count := func(pods []*playedPod) int64 { return int64(len(pods)) }

	all := count(p.activePods())
	p.create(int(max(0, min(replicas-count(p.newPods()), replicas+surge-all))))

	all = count(p.activePods())
	p.delete(unready(p.oldPods()), all-(replicas-unavailable)-count(unready(p.newPods())))

	readyOld := p.podsThat(func(pod *playedPod) bool { return pod.isReady() && pod.old })
	p.delete(readyOld, count(p.readyPods())-(replicas-unavailable))

	p.delete(p.newPods(), count(p.newPods())-replicas)
	p.rolling = count(p.oldPods()) > 0
}
