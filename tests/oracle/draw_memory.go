package oracle

import (
	"math"
	"time"
)

// drawMemory draws recommendations and scale events at the edges of the windows that will look at them.
func (s *sequence) drawMemory() {
	d := s.dice
	s.memory = memoryFile{Recommendations: []recommendationFile{}, ScaleUpEvents: []scaleEventFile{}, ScaleDownEvents: []scaleEventFile{}}
	if d.chance(25) && s.aim != aimEvents {
		return
	}
	count := pick(d, 1, 1, 2, 3, 4)
	if d.chance(4) {
		count = 12
	}
	if s.aim == aimMemory {
		count = int(d.between(8, 24))
	}
	// Without a recommendation of late, nothing holds a decision back.
	outdated := d.chance(40)
	for range count {
		replicas := int32(max(0, min(math.MaxInt32, int64(s.replicas)+d.between(-3, 4))))
		at := s.inWindow(s.windows())
		if outdated || s.aimed(aimMemory, 40) {
			at = s.at.Add(-2 * time.Hour)
		}
		s.memory.Recommendations = append(s.memory.Recommendations, recommendationFile{replicas, stamp(at)})
	}
	if s.behavior == nil && d.chance(90) && s.aim != aimMemory {
		return
	}
	s.memory.ScaleUpEvents = s.drawEvents("scaleUp")
	s.memory.ScaleDownEvents = s.drawEvents("scaleDown")
}

func (s *sequence) drawEvents(direction string) []scaleEventFile {
	d := s.dice
	out := []scaleEventFile{}
	count := pick(d, 0, 0, 1, 1, 2, 3)
	if s.aim == aimEvents {
		count = pick(d, 1, 2, 3)
	}
	outdated := 10.0
	if s.aim == aimMemory {
		count, outdated = int(d.between(4, 9)), 40
	}
	for range count {
		change := int32(d.between(1, 4))
		if d.chance(1) || s.aimed(aimHuge, 40) {
			change = int32(s.hugeCount())
		}
		if s.aimed(aimEnds, 80) {
			change = int32(pick(d, ends...))
		}
		out = append(out, scaleEventFile{change, stamp(s.inWindow(s.periods())), d.chance(outdated)})
	}
	return out
}

// inWindow is an instant at the far edge of one of the windows, or somewhere inside or outside.
func (s *sequence) inWindow(windows []time.Duration) time.Time {
	d := s.dice
	window := pick(d, windows...)
	switch d.weighted(45, 35, 20) {
	case 0:
		if t := d.edge(s.at.Add(-window)); !t.After(s.at) {
			return t
		}
	case 1:
		return s.at.Add(-time.Duration(d.Float64() * float64(window))).Truncate(time.Second)
	}
	return s.at.Add(-window - time.Duration(d.between(1, 600))*time.Second)
}

func (s *sequence) windows() []time.Duration {
	// As the window of a behavior the flag counts in whole seconds.
	out := []time.Duration{s.downscale, s.downscale.Truncate(time.Second)}
	for _, direction := range []string{"scaleUp", "scaleDown"} {
		if rules, ok := s.behavior[direction].(object); ok && rules["stabilizationWindowSeconds"] != nil {
			out = append(out, time.Duration(rules["stabilizationWindowSeconds"].(int))*time.Second)
		}
	}
	return out
}

func (s *sequence) periods() []time.Duration {
	out := []time.Duration{15 * time.Second}
	for _, direction := range []string{"scaleUp", "scaleDown"} {
		rules, _ := s.behavior[direction].(object)
		policies, _ := rules["policies"].([]object)
		for _, p := range policies {
			out = append(out, time.Duration(p["periodSeconds"].(int))*time.Second)
		}
	}
	return out
}
