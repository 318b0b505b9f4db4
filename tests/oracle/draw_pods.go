package oracle

import (
	"maps"
	"strconv"
	"time"
)

// drawnPod is one pod and what its sample looks like.
type drawnPod struct {
	name     string
	object   object
	requests map[string]int64 // of the whole pod, in thousandths, as far as the draws need them
	sample   sampleKind
	taken    time.Time
	window   time.Duration
	labels   object
}

type sampleKind int

const (
	sampleFine sampleKind = iota
	sampleAbsent
	sampleEmpty     // no containers in it
	samplePartial   // a container is lacking
	sampleUseless   // a container without the resources
	sampleLabeled   // has the pod's labels
	sampleElsewhere // has labels that the selector doesn't match
)

// container is one container of the pods of a sequence.
type container struct {
	name     string
	requests map[string]string
	milli    map[string]int64
	always   bool   // a restartable init container
	restarts string // another policy of an init container's own
}

// template is what the pods of a sequence have in common.
type template struct {
	containers, init []container
	level            object
	levelMilli       map[string]int64
	overhead         object
}

var longAgo = "2026-11-21T09:00:00Z"

func (s *sequence) drawTemplate() {
	d := s.dice
	t := template{containers: []container{s.drawContainerRequests("app")}}
	if d.chance(0.7) || s.aimed(aimEnds, 15) {
		// Four of these come to 2^64, which is nothing.
		for name := range t.containers[0].requests {
			t.containers[0].requests[name], t.containers[0].milli[name] = "4611686018427387904m", 1<<62
		}
		s.size, s.oddPods = 4, 60
		s.template = t
		return
	}
	if s.aimed(aimBrink, 40) {
		// All of them come to about where 64 bits end.
		milli := s.brinkParts(max(1, s.size))[0]
		for name := range t.containers[0].requests {
			t.containers[0].requests[name], t.containers[0].milli[name] = plain(milli), milli
		}
		s.template = t
		return
	}
	if d.chance(30) {
		t.containers = append(t.containers, s.drawContainerRequests("side"))
	}
	if d.chance(10) || s.aimed(aimSidecars, 70) {
		c := s.drawContainerRequests("init")
		c.always = d.chance(60)
		t.init = append(t.init, c)
		if d.chance(25) {
			c := s.drawContainerRequests("late")
			c.always = d.chance(50)
			t.init = append(t.init, c)
		}
	}
	if s.aim == aimNames {
		t.init = append(t.init, s.drawRestarts())
	}
	if s.minor() >= 32 && (d.chance(13) || s.aimed(aimSidecars, 40)) {
		t.level, t.levelMilli = object{}, map[string]int64{}
		for _, name := range pick(d, []string{"cpu", "memory"}, []string{"cpu"}, []string{"memory"}, []string{"hugepages-2Mi"}, []string{"example.com/x"}) {
			milli := s.drawRequest(name)
			t.level[name], t.levelMilli[name] = plain(milli), milli
		}
		if d.chance(30) {
			t.overhead = object{"cpu": "25m", "memory": "16Mi"}
		}
		if d.chance(30) {
			// The pods' own requests are all that there is.
			for i := range t.containers {
				t.containers[i].requests, t.containers[i].milli = nil, nil
			}
		}
	} else if d.chance(2) {
		t.overhead = object{"cpu": "25m"}
	}
	s.template = t
}

func (s *sequence) drawContainerRequests(name string) container {
	d := s.dice
	c := container{name: name, requests: map[string]string{}, milli: map[string]int64{}}
	for _, resource := range s.resourceNames() {
		if d.chance(2.5) {
			continue
		}
		milli := s.drawRequest(resource)
		c.milli[resource], c.requests[resource] = milli, plain(milli)
		if d.chance(25) {
			c.requests[resource] = d.quantity(milli)
		}
		if d.chance(0.8) {
			c.requests[resource] = pick(d, pick(d, extremes...), pick(d, "0", "-0"))
		}
	}
	return c
}

func (s *sequence) drawRequest(resource string) int64 {
	d := s.dice
	switch resource {
	case "cpu":
		return pick(d, 100, 100, 200, 250, 500, 1000, 1, 3, 10, 70, d.between(1, 4000), pick[int64](d, 100, 0))
	}
	return pick[int64](d, 64<<20, 128<<20, 100<<20, 1<<30, 50_000_000, d.between(1, 1<<32), pick[int64](d, 1<<20, 0)) * 1000
}

// resourceNames are the resources that the HPA's metrics ask for.
func (s *sequence) resourceNames() []string {
	names, seen := []string{}, map[string]bool{}
	for _, m := range s.metrics {
		if m.resource != "" && !seen[m.resource] {
			names, seen[m.resource] = append(names, m.resource), true
		}
	}
	if len(s.metrics) == 0 {
		names = append(names, "cpu")
	}
	return names
}

func (c *container) object() object {
	out := object{"name": c.name}
	if len(c.requests) > 0 {
		out["resources"] = object{"requests": c.requests}
	}
	if c.always {
		out["restartPolicy"] = "Always"
	} else if c.restarts != "" {
		out["restartPolicy"] = c.restarts
	}
	return out
}

// drawPod draws one pod. In a calm sequence most pods have been ready for long.
func (s *sequence) drawPod() *drawnPod {
	d := s.dice
	s.podCount++
	p := &drawnPod{name: "p" + strconv.Itoa(s.podCount), requests: map[string]int64{}, window: 30 * time.Second}
	p.taken = s.sampled
	odd := d.chance(s.oddPods)
	meta := object{"name": p.name, "namespace": s.namespace, "labels": s.podLabels()}
	spec := s.drawPodSpec(p, odd && d.chance(10))
	status := object{"phase": "Running", "startTime": longAgo, "conditions": []object{ready("True", longAgo)}}
	if odd {
		s.disturb(p, meta, status)
	}
	for odd && (d.chance(15) || s.aimed(aimMixes, 50)) {
		s.disturb(p, meta, status)
	}
	p.object = object{"metadata": meta, "spec": spec, "status": status}
	s.drawSampleKind(p, odd)
	return p
}

func (s *sequence) podLabels() object {
	if s.dice.chance(1) {
		return object{"app": "api"}
	}
	return object{"app": "web"}
}

func ready(status, since string) object {
	out := object{"type": "Ready", "status": status}
	if since != "" {
		out["lastTransitionTime"] = since
	}
	return out
}

func (s *sequence) drawPodSpec(p *drawnPod, odd bool) object {
	d := s.dice
	t := s.template
	containers, init := []object{}, []object{}
	for i, c := range t.containers {
		if odd && i == 0 {
			switch d.IntN(3) {
			case 0:
				c.name = "other"
			case 1:
				c.requests, c.milli = nil, nil
			case 2:
				c.requests, c.milli = maps.Clone(c.requests), maps.Clone(c.milli)
				for name := range c.requests {
					c.requests[name], c.milli[name] = "1", 1000
				}
			}
		}
		containers = append(containers, c.object())
		p.add(c.milli)
	}
	for _, c := range t.init {
		init = append(init, c.object())
		if c.always {
			p.add(c.milli)
		}
	}
	spec := object{"containers": containers}
	if len(init) > 0 {
		spec["initContainers"] = init
	}
	if t.level != nil {
		spec["resources"] = object{"requests": t.level}
		if s.podLevel {
			maps.Copy(p.requests, t.levelMilli)
		}
	}
	if t.overhead != nil {
		spec["overhead"] = t.overhead
	}
	return spec
}

func (p *drawnPod) add(milli map[string]int64) {
	for name, value := range milli {
		p.requests[name] += value
	}
}

// disturb makes a pod one of those that the controller treats in a way of its own.
func (s *sequence) disturb(p *drawnPod, meta, status object) {
	d := s.dice
	switch d.weighted(6, 5, 9, 4, 3, 5, 5, 8, 22, 22, 5, 3) {
	case 0:
		meta["deletionTimestamp"] = stamp(s.at.Add(-5 * time.Second))
	case 1:
		status["phase"] = "Failed"
	case 2:
		status["phase"] = "Pending"
		if d.chance(60) {
			delete(status, "startTime")
			delete(status, "conditions")
		}
	case 3:
		status["phase"] = "Succeeded"
		status["conditions"] = []object{ready("False", longAgo)}
	case 4:
		status["phase"] = pick(d, "Unknown", "")
	case 5:
		delete(status, "startTime")
	case 6:
		status["conditions"] = pick(d, []object{}, []object{{"type": "Initialized", "status": "True"}})
	case 7:
		status["conditions"] = []object{ready(pick(d, "False", "Unknown", ""), pick(d, longAgo, "", "2026-11-21T09:30:00Z"))}
	case 8:
		s.atInitialization(p, status)
	case 9:
		s.atReadiness(p, status)
	case 10:
		first := ready(pick(d, "True", "False"), longAgo)
		status["conditions"] = []object{{"type": "PodScheduled", "status": "True"}, first, ready("False", stamp(s.at))}
	case 11:
		status["startTime"] = stamp(s.at.Add(time.Minute))
	}
}

// atInitialization puts the start at the end of the CPU initialization period and the sample one window after readiness.
func (s *sequence) atInitialization(p *drawnPod, status object) {
	d := s.dice
	start := d.edge(s.at.Add(-s.initialization))
	if d.chance(40) {
		start = s.at.Add(-time.Duration(d.Float64() * float64(s.initialization)))
	}
	since := start.Add(pick(d, 0, 5*time.Second, 20*time.Second))
	status["startTime"] = stamp(start)
	status["conditions"] = []object{ready(pick(d, "True", "True", "True", "False", "Unknown"), stamp(since))}
	p.window = pick(d, 0, 10*time.Second, 30*time.Second, time.Minute, 1500*time.Millisecond)
	p.taken = d.edge(since.Add(p.window))
}

// atReadiness makes a pod unready since the end of the initial readiness delay.
func (s *sequence) atReadiness(p *drawnPod, status object) {
	d := s.dice
	start := d.edge(s.at.Add(-s.initialization - pick(d, 0, 0, time.Minute, time.Hour)))
	since := d.edge(start.Add(s.readiness))
	status["startTime"] = stamp(start)
	status["conditions"] = []object{ready(pick(d, "False", "False", "False", "True", "Unknown"), stamp(since))}
}

func (s *sequence) drawSampleKind(p *drawnPod, odd bool) {
	d := s.dice
	missing := 2.0
	if odd {
		missing = 18
	}
	if s.aim == aimShares || s.aim == aimValues || s.aim == aimFills {
		missing = 25
	}
	if s.aim == aimContainers {
		missing = 10
	}
	switch {
	case d.chance(missing):
		p.sample = sampleAbsent
	case d.chance(missing / 3):
		p.sample = pick(d, sampleEmpty, samplePartial, sampleUseless)
	case d.chance(2):
		p.sample = pick(d, sampleLabeled, sampleElsewhere)
	}
}

// drawPodList draws as many pods as the target should have, more or less.
func (s *sequence) drawPodList() {
	d := s.dice
	n := s.size + []int{0, 1, -1, 2}[d.weighted(86, 5, 6, 3)]
	s.pods = nil
	for range max(0, n) {
		s.pods = append(s.pods, s.drawPod())
	}
}

func (s *sequence) podList() []object {
	out := []object{}
	for _, p := range s.pods {
		out = append(out, p.object)
	}
	return out
}
