package oracle

import (
	"strconv"
	"time"
)

// ago is an instant before the play, in whole seconds.
func (p *playDraw) ago(ms int64) string {
	return stamp(p.at.Add(-time.Duration(ms) * time.Millisecond).Truncate(time.Second))
}

// drawPlayedPods draws the pods of the case and what the metrics APIs show of them.
func (p *playDraw) drawPlayedPods(out object) {
	d := p.dice
	count := p.size
	if d.chance(8) {
		count = max(0, count+pick(d, 1, -1, 2, -2))
	}
	odd := pick[float64](d, 0, 0, 0, 15, 30, 50)
	p.oddPods = odd
	pods, sampled := []object{}, []string{}
	p.existing = []object{}
	for i := range count {
		name := "p" + strconv.Itoa(i+1)
		meta := object{"name": name, "namespace": p.namespace, "labels": object{"app": "web"}}
		status := object{"phase": "Running", "startTime": longAgo, "conditions": []object{ready("True", longAgo)}}
		shown := true
		if d.chance(odd) {
			shown = p.drawState(name, meta, status)
		}
		pods = append(pods, object{"metadata": meta, "spec": p.podSpec(), "status": status})
		if shown {
			sampled = append(sampled, name)
		}
	}
	out["pods"] = object{"items": pods}
	p.drawAnswers(out, sampled)
}

func (p *playDraw) podSpec() object {
	spec := object{}
	containers, init := []object{}, []object{}
	for _, c := range p.template.containers {
		containers = append(containers, c.object())
	}
	for _, c := range p.template.init {
		init = append(init, c.object())
	}
	spec["containers"] = containers
	if len(init) > 0 {
		spec["initContainers"] = init
	}
	return spec
}

// drawState draws a pod that is not just ready, and what becomes of it. It tells whether the pod has a sample.
func (p *playDraw) drawState(name string, meta, status object) bool {
	d := p.dice
	out := object{"name": name}
	times := p.instants(3)
	if d.chance(70) {
		first := d.between(1, p.period*3)
		times = []int64{first, first + d.between(0, p.period*3), first + d.between(3*p.period, 8*p.period)}
	}
	come := func(index int, what string, percent float64) {
		if d.chance(percent) {
			out[what] = times[index]
		}
	}
	defer func() {
		if len(out) > 1 {
			p.existing = append(p.existing, out)
		}
	}()
	started := p.ago(d.between(0, 20*p.period))
	switch d.weighted(20, 12, 16, 16, 5, 4, 15, 12) {
	case 0:
		status["phase"] = "Pending"
		delete(status, "startTime")
		delete(status, "conditions")
		come(0, "scheduled", 85)
		come(1, "running", 90)
		come(2, "ready", 90)
		return false
	case 1:
		status["phase"], status["startTime"] = "Pending", started
		delete(status, "conditions")
		come(0, "scheduled", 25)
		come(1, "running", 90)
		come(2, "ready", 90)
		return false
	case 2:
		status["startTime"] = started
		status["conditions"] = []object{ready("False", started)}
		come(0, "scheduled", 20) // which it is already
		come(1, "running", 20)
		come(2, "ready", 75)
		return d.chance(50)
	case 3:
		meta["deletionTimestamp"] = started
		come(0, "gone", 75)
	case 4:
		status["phase"] = "Failed"
		return d.chance(30)
	case 5:
		status["phase"], status["conditions"] = "Succeeded", []object{ready("False", longAgo)}
		return false
	case 6:
		out["silent"] = true
		return d.chance(60)
	case 7:
		status["startTime"] = started
		status["conditions"] = []object{ready("True", p.ago(d.between(0, p.period*2)))}
		come(1, "running", 30)
		come(2, "ready", 50)
		return d.chance(70)
	}
	return true
}
