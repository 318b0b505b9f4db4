package oracle

import (
	"math"
	"strconv"
)

func (s *sequence) drawReplicas() {
	d := s.dice
	s.replicas = int32(s.size)
	if s.aim == aimEnds {
		s.drawEndReplicas()
		return
	}
	if s.aimed(aimFills, 60) {
		s.replicas, s.statusReplicas = 1, 1
		return
	}
	if s.aimed(aimZero, 50) || s.aimed(aimSigns, 35) {
		s.replicas, s.statusReplicas = 0, 0
		return
	}
	if s.aimed(aimHuge, 85) {
		s.replicas = int32(max(0, pick(d, s.hugeCount(), s.hugeCount(), s.max, s.max/2+d.between(-1, 1))))
		s.statusReplicas = pick(d, s.replicas, s.replicas, int32(s.hugeCount()), 0, 1)
		return
	}
	switch d.weighted(86, 3, 3, 3, 5) {
	case 1:
		s.replicas = 0
	case 4:
		// Many more than there are pods: what a percentage of them comes to is seen better.
		s.replicas = pick[int32](d, 10, 25, 50, 77, 100, 1000)
		s.max = max(s.max, int64(s.replicas)+pick[int64](d, 0, 1, 100))
	case 2:
		s.replicas = int32(d.between(0, 12))
	case 3:
		s.replicas = int32(min(pick(d, s.max, s.max+1, s.max-1, math.MaxInt32, 1<<30), math.MaxInt32))
	}
	s.statusReplicas = s.replicas
	if d.chance(12) {
		s.statusReplicas = int32(max(0, min(math.MaxInt32, int64(s.replicas)+pick[int64](d, 1, -1, 2, 3, -int64(s.replicas)))))
	}
}

func (s *sequence) drawSelector() {
	d := s.dice
	s.selector = "app=web"
	if s.aimed(aimFormats, 15) {
		s.selector = pick(d, "app=%d", "app in (%s,100%)", "%[1]d", "100% sure", "a%20b=c")
		return
	}
	switch d.weighted(86, 9, 1, 3, 1) {
	case 1:
		s.selector = pick(d, "app in (web,api)", "app", "app!=api", "app notin (db, api)", "app==web,!old", "app,app!=x", " app = web ")
	case 2:
		s.selector = ""
	case 3:
		s.selector = pick(d, "app in", "a=b=c", "=x", "app in web)", "app=web,", "-bad=1", "app=@", "app in ()", "app>x", ",", "app=(web)", "!")
	case 4:
		s.selector = pick(d, "app=nothing", "app>1", "!app", "app in (,web)")
	}
}

// drawOthers draws other HPAs that the controller knows. At most one of them may match: it names more in a random order,
// so that even whether the message is a new one would be random.
func (s *sequence) drawOthers() {
	d := s.dice
	if !d.chance(6) && !s.aimed(aimOthers, 70) {
		return
	}
	matching := 1
	for i := range d.between(1, 3) {
		selector := pick(d, "app=db", "app=db", "!app", "tier", "", "a=b=c")
		if matching > 0 && d.chance(45) {
			selector = pick(d, "app=web", "app", "app in (web,x)")
			matching--
		}
		other := object{
			"hpa":   object{"metadata": object{"namespace": s.namespace, "name": pick(d, "a", "z") + strconv.Itoa(int(i))}},
			"scale": object{"object": object{"status": object{"selector": selector}}},
		}
		if d.chance(15) {
			other["scale"] = object{"error": s.failure()}
		}
		if d.chance(10) {
			other["hpa"] = object{"metadata": object{"namespace": "elsewhere", "name": "web"}}
		}
		s.others = append(s.others, other)
	}
}
