package oracle

import (
	"time"
)

// carry takes over what the decision left behind.
func (s *sequence) carry(o *Outcome, fail failing) {
	s.memory = o.Memory
	if o.StatusChanged && !fail.status {
		s.status = o.Status
	}
	if o.Rescaled {
		s.replicas = *o.DesiredReplicas
	}
}

// advance moves the cluster on to the next reconcile.
func (s *sequence) advance() error {
	d := s.dice
	s.at = s.nextInstant()
	if d.chance(12) {
		return nil // nothing has changed but the clock
	}
	if d.chance(6) {
		if err := s.edit(); err != nil {
			return err
		}
	}
	if d.chance(85) {
		s.statusReplicas = s.replicas
	}
	if s.oddPods >= 40 && len(s.pods) > 0 {
		// Put one pod at the edges of this instant.
		i := d.IntN(len(s.pods))
		s.pods[i] = s.drawPod()
	}
	if d.chance(80) && s.replicas <= 12 {
		s.follow(int(s.replicas))
	}
	s.drawSamples()
	return nil
}

// follow lets the target's controller start or stop pods.
func (s *sequence) follow(replicas int) {
	for len(s.pods) < replicas {
		s.pods = append(s.pods, s.drawPod())
	}
	s.pods = s.pods[:max(0, replicas)]
}

// edit changes the spec as a user would.
func (s *sequence) edit() error {
	d := s.dice
	before := *s
	switch d.IntN(3) {
	case 0:
		s.behavior = s.drawBehavior()
	case 1:
		s.max = max(1, s.max+d.between(-2, 3))
	case 2:
		s.min = d.between(1, s.max)
	}
	s.generation++
	if s.valid() != nil {
		*s = before
		return nil
	}
	s.readTolerances()
	return nil
}

// nextInstant is one sync period later, or just when something remembered reaches the edge of a window.
func (s *sequence) nextInstant() time.Time {
	d := s.dice
	if d.chance(45) {
		return s.at.Add(pick(d, 15*time.Second, 15*time.Second, 30*time.Second, time.Minute, 301*time.Second, time.Hour, time.Nanosecond, 0))
	}
	type candidate struct {
		at      string
		windows []time.Duration
	}
	var from []candidate
	for _, r := range s.memory.Recommendations {
		from = append(from, candidate{r.At, s.windows()})
	}
	for _, e := range append(append([]scaleEventFile{}, s.memory.ScaleUpEvents...), s.memory.ScaleDownEvents...) {
		from = append(from, candidate{e.At, s.periods()})
	}
	for range 8 {
		if len(from) == 0 {
			break
		}
		c := pick(d, from...)
		at, err := time.Parse(time.RFC3339Nano, c.at)
		if err != nil {
			panic(err)
		}
		if next := d.edge(at.Add(pick(d, c.windows...))); next.After(s.at) {
			return next
		}
	}
	return s.at.Add(15 * time.Second)
}
