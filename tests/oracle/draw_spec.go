package oracle

import "math"

// drawnMetric is one metric of the HPA with what the draws of its samples need to know.
type drawnMetric struct {
	spec      object
	kind      string // the metric type
	resource  string
	container string
	identity  object // metric name and selector
	described object
	target    int64 // thousandths, or percent for utilization
	percent   bool
	perPod    bool
}

func (s *sequence) drawSpec() {
	d := s.dice
	s.drawBounds()
	s.metrics = nil
	for range []int{0, 1, 1, 1, 1, 2, 2, 3, 4}[d.weighted(2, 20, 20, 10, 10, 12, 10, 10, 6)] {
		s.metrics = append(s.metrics, s.drawMetric())
	}
	if s.zero && !s.hasObjectOrExternal() {
		s.metrics = append(s.metrics, pick(d, s.drawObject, s.drawExternal)())
	}
	s.behavior = s.drawBehavior()
	s.target = object{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
	switch d.weighted(90, 3, 2, 2, 1, 1) {
	case 1:
		s.target["kind"] = "StatefulSet"
	case 2:
		s.target["apiVersion"], s.target["kind"] = "v1", "ReplicationController"
	case 3:
		s.target["apiVersion"], s.target["kind"] = "example.com/v1alpha1", "Rollout"
	case 4:
		s.target["apiVersion"] = pick(d, "a/b/c", "apps/v1/x", "//")
	case 5:
		s.target["apiVersion"] = pick(d, "/v1", "apps/")
	}
}

func (s *sequence) hasObjectOrExternal() bool {
	for _, m := range s.metrics {
		if m.kind == "Object" || m.kind == "External" {
			return true
		}
	}
	return false
}

// drawBounds draws the replica counts of the spec.
func (s *sequence) drawBounds() {
	d := s.dice
	n := int64(s.size)
	s.zero = d.chance(14) || s.aimed(aimZero, 60) || s.aimed(aimSigns, 40)
	s.min = pick[any](d, nil, 1, 1, 1, 2, max(1, n-1), max(1, n))
	if s.zero {
		s.min = 0
	}
	s.max = pick(d, n+1, n+2, n*2+1, 10, 20, 100)
	switch d.weighted(88, 4, 3, 3, 2) {
	case 1:
		s.max = max(1, n)
	case 2:
		s.max = max(1, n-1)
	case 3:
		s.min, s.max = n+1, n+3
	case 4:
		s.max = pick[int64](d, 2147483647, 1073741824, 2147483646)
	}
	if s.aimed(aimHuge, 90) {
		s.drawHugeBounds()
	}
	if s.aim == aimEnds {
		s.max = math.MaxInt32
	}
}

func (s *sequence) drawMetric() *drawnMetric {
	if s.aim != aimNothing && s.dice.chance(70) {
		if m := s.drawAimed(); m != nil {
			return m
		}
	}
	if s.zero && s.dice.chance(60) {
		return pick(s.dice, s.drawObject, s.drawExternal)()
	}
	return []func() *drawnMetric{s.drawResource, s.drawContainer, s.drawPods, s.drawObject, s.drawExternal}[s.dice.weighted(45, 14, 15, 12, 14)]()
}

var resources = []string{"cpu", "cpu", "cpu", "cpu", "memory", "memory", "ephemeral-storage", "hugepages-2Mi"}

func (s *sequence) drawResource() *drawnMetric {
	m := &drawnMetric{kind: "Resource", resource: pick(s.dice, resources...)}
	m.spec = object{"type": m.kind, "resource": object{"name": m.resource, "target": s.drawUtilization(m)}}
	return m
}

func (s *sequence) drawContainer() *drawnMetric {
	m := &drawnMetric{kind: "ContainerResource", resource: pick(s.dice, resources...)}
	m.container = pick(s.dice, "app", "app", "app", "app", "side", "side", "init", "nope")
	m.spec = object{"type": m.kind, "containerResource": object{
		"name": m.resource, "container": m.container, "target": s.drawUtilization(m)}}
	return m
}

func (s *sequence) drawUtilization(m *drawnMetric) object {
	d := s.dice
	if s.aimed(aimShares, 80) {
		m.percent, m.target = true, pick[int64](d, 101, 120, 150, 200, 300)
		return object{"type": "Utilization", "averageUtilization": m.target}
	}
	if d.chance(68) && !s.aimed(aimValues, 80) && !s.aimed(aimFills, 85) {
		m.percent = true
		m.target = pick(d, 50, 80, 60, 100, 10, 1, 3, 30, 70, 75, 90, 99, 101, 150, 200, 300, d.between(1, 320), 2147483647)
		if m.target == 2147483647 && d.chance(80) {
			m.target = 40
		}
		return object{"type": s.targetType("Utilization"), "averageUtilization": m.target}
	}
	m.target = s.drawTarget(m.resource)
	return object{"type": s.targetType("AverageValue"), "averageValue": s.positive(m)}
}

// targetType is the right one for the value that is set, or another: only for Object does the controller look at it.
func (s *sequence) targetType(right string) string {
	if s.dice.chance(92) {
		return right
	}
	return pick(s.dice, "Utilization", "Value", "AverageValue")
}

func (s *sequence) drawTarget(resource string) int64 {
	d := s.dice
	if s.aimed(aimFills, 80) {
		return pick[int64](d, 1, 1, 2, 3, 5, 10, 1<<62, math.MaxInt64/3)
	}
	switch resource {
	case "cpu":
		return pick(d, 100, 250, 500, 1000, 50, 1, 10, 333, d.between(1, 2000))
	case "memory", "hugepages-2Mi", "ephemeral-storage":
		return pick[int64](d, 64<<20, 100<<20, 128<<20, 1<<30, 100_000_000, d.between(1, 1<<31)) * 1000
	}
	return pick(d, 1000, 10_000, 100_000, 500, 30_000, 1, 1500, 5_000_000, d.between(1, 100_000))
}

// positive writes the target of a metric, seldom an extreme one.
func (s *sequence) positive(m *drawnMetric) string {
	if s.dice.chance(1.5) {
		m.target = 1000
		return pick(s.dice, extremes...)
	}
	return s.dice.quantity(m.target)
}

func (s *sequence) drawPods() *drawnMetric {
	m := &drawnMetric{kind: "Pods", identity: s.drawIdentity("rps", "http_requests"), target: s.drawTarget("")}
	m.spec = object{"type": m.kind, "pods": object{"metric": m.identity, "target": object{
		"type": s.targetType("AverageValue"), "averageValue": s.positive(m)}}}
	return m
}

func (s *sequence) drawObject() *drawnMetric {
	d := s.dice
	m := &drawnMetric{kind: "Object", identity: s.drawIdentity("hits", "latency"), target: s.drawTarget("")}
	m.described = pick(d,
		object{"apiVersion": "v1", "kind": "Service", "name": "front"},
		object{"apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "name": "main"},
		object{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
		object{"apiVersion": "v1", "kind": "Namespace", "name": pick(d, "shop", "other")},
		object{"kind": "Service", "name": "front"})
	if s.aimed(aimNames, 80) {
		m.described = s.drawDescribed()
	}
	target := object{}
	weights := []int{47, 40, 4, 4, 3, 2}
	if s.aim == aimObjects {
		weights = []int{20, 20, 25, 25, 5, 5}
	}
	switch d.weighted(weights...) {
	case 0:
		target["type"], target["value"] = "Value", s.positive(m)
	case 1:
		target["type"], target["averageValue"], m.perPod = "AverageValue", s.positive(m), true
	case 2:
		target["type"], target["averageValue"] = "Value", s.positive(m)
	case 3:
		target["type"], target["value"] = "AverageValue", s.positive(m)
	case 4:
		target["type"] = pick(d, "Value", "AverageValue", "Utilization")
		target["value"], target["averageValue"] = d.quantity(m.target), d.quantity(m.target)
		m.perPod = target["type"] == "AverageValue"
	case 5:
		target["type"], target["value"] = "Utilization", s.positive(m)
	}
	m.spec = object{"type": m.kind, "object": object{"describedObject": m.described, "metric": m.identity, "target": target}}
	return m
}

func (s *sequence) drawExternal() *drawnMetric {
	d := s.dice
	m := &drawnMetric{kind: "External", identity: s.drawIdentity("queue", "lag"), target: s.drawTarget("")}
	target := object{}
	if m.perPod = d.chance(50) && !s.aimed(aimSigns, 80); m.perPod {
		target["type"], target["averageValue"] = s.targetType("AverageValue"), s.positive(m)
	} else {
		target["type"], target["value"] = s.targetType("Value"), s.positive(m)
	}
	m.spec = object{"type": m.kind, "external": object{"metric": m.identity, "target": target}}
	return m
}

// drawIdentity draws a metric's name and selector, seldom a selector that can't be used.
func (s *sequence) drawIdentity(names ...string) object {
	d := s.dice
	out := object{"name": pick(d, names...)}
	requirement := func(key, operator string, values ...string) object {
		r := object{"key": key, "operator": operator}
		if values != nil {
			r["values"] = values
		}
		return object{"matchExpressions": []object{r}}
	}
	switch d.weighted(62, 6, 10, 5, 10, 4) {
	case 1:
		out["selector"] = object{}
	case 2:
		out["selector"] = object{"matchLabels": object{"verb": "GET"}}
	case 3:
		out["selector"] = object{"matchLabels": object{"verb": "GET", "app": "web", "code": ""}}
	case 4:
		out["selector"] = pick(d,
			requirement("zone", "In", "b", "a"), requirement("zone", "NotIn", "c"), requirement("zone", "Exists"),
			requirement("example.com/zone", "DoesNotExist"),
			object{"matchLabels": object{"verb": "GET"}, "matchExpressions": []object{
				{"key": "zone", "operator": "In", "values": []string{"a", "b"}}, {"key": "old", "operator": "DoesNotExist"}}})
	case 5:
		out["selector"] = pick(d,
			requirement("zone", "Equals", "a"), requirement("zone", "In"), requirement("zone", "Exists", "a"),
			requirement("-zone", "Exists"), requirement("zone", "In", "a b"), requirement("", "Exists"),
			object{"matchLabels": object{"bad key": "x"}}, object{"matchLabels": object{"zone": "-x-"}})
	}
	return out
}

func (s *sequence) drawBehavior() object {
	d := s.dice
	if s.aimed(aimEvents, 85) || s.aimed(aimMemory, 50) {
		return object{"scaleUp": s.longRules(), "scaleDown": s.longRules()}
	}
	if s.aimed(aimEnds, 80) {
		return object{"scaleUp": s.endRules(), "scaleDown": s.endRules()}
	}
	switch d.weighted(45, 6, 12, 12, 25) {
	case 0:
		return nil
	case 1:
		return object{}
	case 2:
		return object{"scaleUp": s.drawRules(true)}
	case 3:
		return object{"scaleDown": s.drawRules(false)}
	}
	return object{"scaleUp": s.drawRules(true), "scaleDown": s.drawRules(false)}
}

func (s *sequence) drawRules(up bool) object {
	d := s.dice
	out := object{}
	if d.chance(60) {
		out["stabilizationWindowSeconds"] = pick(d, 0, 0, 1, 15, 30, 60, 120, 300, 600, 3600)
	}
	if d.chance(45) {
		out["selectPolicy"] = pick(d, "Max", "Min", "Min", "Disabled")
	}
	if s.minor() < 33 {
		// There is no such field yet.
	} else if d.chance(20) {
		// As a mantissa times a power of ten these are not the nearest numbers to themselves.
		out["tolerance"] = pick(d, "59m", "118m", "174m", "235m", "412m", "564m", "690m", "0.172", "0.285")
	} else if d.chance(30) {
		out["tolerance"] = pick(d, "0", "0.05", "50m", "57m", "0.1", "100m", "0.2", "0.333333", "1", "5e-2", "1500m",
			"0.0000000001", "20u", "0.25", "200m", "1e-1", "10", "0.01", "0.001", "29m", "0.07", "+0.15", "1Ki", "0.12345678901234567890")
	}
	if s.aimed(aimEmpty, 40) {
		return out
	}
	if d.chance(70) {
		policies := []object{}
		for range pick(d, 1, 1, 1, 2, 2, 3) {
			policies = append(policies, s.drawPolicy(up))
		}
		out["policies"] = policies
	}
	return out
}

func (s *sequence) drawPolicy(up bool) object {
	d := s.dice
	value := pick(d, 1, 1, 2, 4, 5, 10)
	kind := "Pods"
	if d.chance(55) {
		kind = "Percent"
		value = pick(d, 10, 10, 20, 25, 30, 50, 80, 90, 99, 100)
		if up {
			value = pick(d, value, 100, 150, 200, 900)
		}
	}
	if d.chance(1.5) || s.aimed(aimHuge, 50) {
		value = pick(d, 2147483647, 2147483000, 100000, 1<<30)
	}
	return object{"type": kind, "value": value, "periodSeconds": pick(d, 1, 15, 15, 30, 60, 60, 120, 600, 1800)}
}

func (s *sequence) hpa() object {
	spec := object{"scaleTargetRef": s.target, "maxReplicas": s.max}
	if s.min != nil {
		spec["minReplicas"] = s.min
	}
	if len(s.metrics) > 0 {
		metrics := []object{}
		for _, m := range s.metrics {
			metrics = append(metrics, m.spec)
		}
		spec["metrics"] = metrics
	}
	if s.behavior != nil {
		spec["behavior"] = s.behavior
	}
	return object{
		"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
		"metadata": object{"namespace": s.namespace, "name": s.name, "generation": s.generation},
		"spec":     spec, "status": s.status,
	}
}
