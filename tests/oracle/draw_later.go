package oracle

import "math"

// drawRestarts is an init container that ends, though it says how it is restarted.
func (s *sequence) drawRestarts() container {
	c := s.drawContainerRequests("setup")
	c.restarts = pick(s.dice, "Never", "OnFailure")
	return c
}

// drawDescribed is an object that has the kind, or the name, of another one.
func (s *sequence) drawDescribed() object {
	return pick(s.dice,
		object{"apiVersion": "example.com/v1", "kind": "Namespace", "name": pick(s.dice, "shop", "other")},
		object{"apiVersion": "v1", "kind": "Service", "name": pick(s.dice, "front", "back")},
		object{"apiVersion": "example.com/v1", "kind": "Service", "name": "front"},
		object{"apiVersion": "v1", "kind": "Namespace", "name": "shop"})
}

// repeated are the containers of a sample with one more of a name that is among them.
func (s *sequence) repeated(containers []object) []object {
	if len(containers) == 0 || !s.aimed(aimNames, 40) {
		return containers
	}
	use := object{}
	for _, resource := range s.resourceNames() {
		use[resource] = s.dice.quantity(s.drawRequest(resource))
	}
	return append(containers, object{"name": pick(s.dice, containers...)["name"], "usage": use})
}

// lowSum draws values that come to less than nothing, or to nothing.
func (s *sequence) lowSum() []object {
	items := []object{}
	for range s.dice.between(1, 2) {
		items = append(items, object{"value": pick(s.dice, "-1", "-20", "-250", "-5k", "-80k", "0", "0")})
	}
	return items
}

// endSum draws values whose sum meets the largest number, or goes past it, and perhaps comes back.
func (s *sequence) endSum() []object {
	const last, before = "9223372036854775807m", "9223372036854775806m"
	items := []object{}
	for _, value := range pick(s.dice, []string{before, "1m"}, []string{before, "1m", "-1m"}, []string{last, "1m"},
		[]string{last, "-1m", "1m"}, []string{before, "2m", "-2m"}) {
		items = append(items, object{"value": value})
	}
	return items
}

// ends are the steps to the largest count that policies, replicas and scale events have in common.
var ends = []int{1, 2, 100}

// drawEndReplicas draws replicas from which a policy leads to the largest count.
func (s *sequence) drawEndReplicas() {
	s.replicas = math.MaxInt32 - int32(pick(s.dice, append([]int{0, 0, 0}, ends...)...))
	s.statusReplicas = s.replicas
}

// endRules are rules whose only policy leads there.
func (s *sequence) endRules() object {
	d := s.dice
	return object{"stabilizationWindowSeconds": 0, "selectPolicy": pick(d, "Max", "Min"),
		"policies": []object{{"type": "Pods", "value": pick(d, ends...), "periodSeconds": pick(d, 60, 1800)}}}
}
