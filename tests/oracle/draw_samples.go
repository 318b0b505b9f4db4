package oracle

import (
	"maps"
	"math"
)

var failures = []object{
	{"code": 503, "reason": "ServiceUnavailable", "message": "the server is currently unable to handle the request"},
	{"code": 404, "reason": "NotFound", "message": "the server could not find the requested resource"},
	{"code": 500, "reason": "InternalError", "message": "boom: 100% \"sure\" %d %s\nsecond line"},
	{"code": 403, "reason": "Forbidden", "message": "pods.metrics.k8s.io is forbidden: User \"x\" cannot list"},
	{"code": 504, "reason": "Timeout", "message": "naïve <timeout> & more: context deadline exceeded"},
}

// usage is what one pod should use of a resource, so that the driving metric comes out near a ratio of its target.
type usage struct {
	metric *drawnMetric
	ratio  float64
}

func (s *sequence) drawRatio() float64 {
	switch {
	case s.idle:
		return 0
	case s.aimed(aimBounds, 70):
		return pick(s.dice, 1+s.toleranceUp, 1-s.toleranceDown)
	case s.aimed(aimValues, 60), s.aimed(aimFills, 30):
		return 1
	case s.rush:
		return pick[float64](s.dice, 0.01, 1000, 1000)
	}
	return s.dice.ratio(s.toleranceDown, s.toleranceUp)
}

// drawSamples draws all metrics anew.
func (s *sequence) drawSamples() {
	s.podMetrics, s.custom, s.external = nil, nil, nil
	s.idle = s.zero && s.dice.chance(45)
	drivers := map[string]usage{}
	for _, m := range s.metrics {
		if _, taken := drivers[m.resource]; m.resource != "" && !taken {
			drivers[m.resource] = usage{m, s.drawRatio()}
		}
	}
	if len(s.metrics) == 0 {
		drivers["cpu"] = usage{&drawnMetric{resource: "cpu", target: 80, percent: true}, s.drawRatio()}
	}
	if len(drivers) > 0 || s.dice.chance(3) {
		s.podMetrics = s.drawPodMetrics(drivers)
	}
	for _, m := range s.metrics {
		switch m.kind {
		case "Pods":
			s.custom = s.addQuery(s.custom, m, s.drawPodValues)
		case "Object":
			s.custom = s.addQuery(s.custom, m, s.drawObjectValues)
		case "External":
			s.external = s.addQuery(s.external, m, s.drawExternalValues)
		}
	}
}

func (s *sequence) drawPodMetrics(drivers map[string]usage) object {
	d := s.dice
	if d.chance(2.5) || s.aimed(aimFormats, 40) {
		return object{"error": s.failure()}
	}
	items := []object{}
	if d.chance(1.5) {
		return object{"items": items}
	}
	spread := d.chance(45) && !s.aimed(aimValues, 80)
	values := map[string][]int64{}
	for _, name := range s.resourceNames() {
		values[name] = s.spread(drivers[name], spread)
	}
	for i, p := range s.pods {
		if p.sample != sampleAbsent {
			items = append(items, s.sampleOf(p, i, values))
		}
	}
	if d.chance(3) {
		stranger := &drawnPod{name: "gone", taken: s.sampled, window: s.calmWindow}
		stranger.requests = map[string]int64{}
		if d.chance(30) {
			stranger.sample = pick(d, sampleLabeled, sampleElsewhere)
		}
		items = append(items, s.sampleOf(stranger, 0, values))
	}
	return object{"items": items}
}

// spread gives each pod its usage. The sum stays what the ratio asks for, so that edges are met by uneven pods too.
func (s *sequence) spread(u usage, uneven bool) []int64 {
	d := s.dice
	if s.aimed(aimBrink, 60) {
		return s.brinkParts(max(1, len(s.pods)))
	}
	out := make([]int64, max(1, len(s.pods)))
	for i := range out {
		target := u.metric.target
		if u.metric.percent && i < len(s.pods) {
			request := s.pods[i].requests[u.metric.resource]
			if u.metric.container != "" {
				request = s.containerRequest(u.metric)
			}
			percent := float64(u.metric.target) * u.ratio
			out[i] = max(0, ceilDiv(request, percent))
			continue
		}
		out[i] = d.near(target, u.ratio)
	}
	for i := 0; uneven && i+1 < len(out); i += 2 {
		shift := int64(float64(out[i]) * d.Float64())
		out[i], out[i+1] = out[i]-shift, out[i+1]+shift
	}
	if d.chance(15) {
		out[0] = max(0, out[0]+pick[int64](d, 1, -1))
	}
	return out
}

// ceilDiv is the least usage that reaches so many percent of a request.
func ceilDiv(request int64, percent float64) int64 {
	value := math.Ceil(float64(request) * math.Floor(percent+1e-9) / 100)
	if value > 1<<60 {
		return request
	}
	return int64(value)
}

func (s *sequence) containerRequest(m *drawnMetric) int64 {
	for _, c := range append(append([]container{}, s.template.containers...), s.template.init...) {
		if c.name == m.container {
			return c.milli[m.resource]
		}
	}
	return 100
}

func (s *sequence) sampleOf(p *drawnPod, index int, values map[string][]int64) object {
	d := s.dice
	meta := object{"name": p.name, "namespace": s.namespace}
	switch p.sample {
	case sampleLabeled:
		meta["labels"] = object{"app": "web", "extra": "1"}
	case sampleElsewhere:
		meta["labels"] = object{"app": "api"}
	}
	names := []string{}
	for _, c := range s.template.containers {
		names = append(names, c.name)
	}
	for _, c := range s.template.init {
		if c.always {
			names = append(names, c.name)
		}
	}
	if p.sample == samplePartial {
		names = names[1:]
	}
	containers := []object{}
	for i, name := range names {
		use := object{}
		for _, resource := range s.resourceNames() {
			if p.sample == sampleUseless && i == 0 {
				continue
			}
			use[resource] = s.share(values[resource][index], resource, i, len(names))
		}
		containers = append(containers, object{"name": name, "usage": use})
	}
	if p.sample == sampleEmpty {
		containers = containers[:0]
	}
	containers = s.repeated(containers)
	taken := stamp(p.taken)
	if d.chance(1) {
		return object{"metadata": meta, "containers": containers}
	}
	return object{"metadata": meta, "timestamp": taken, "window": p.window.String(), "containers": containers}
}

// share divides a pod's usage among its containers. When a container drives it, each has all of it.
func (s *sequence) share(total int64, resource string, index, n int) string {
	d := s.dice
	if d.chance(0.4) {
		return pick(d, pick(d, extremes...), pick(d, belowZero...))
	}
	for _, m := range s.metrics {
		if m.resource == resource {
			if m.container == "" {
				part := total / int64(n)
				if index == 0 {
					part = total - part*int64(n-1)
				}
				total = part
			}
			break
		}
	}
	if d.chance(12) {
		return d.quantity(total)
	}
	return plain(total)
}

// addQuery answers one query; queries that the metrics APIs can't tell apart get the same answer.
func (s *sequence) addQuery(all []object, m *drawnMetric, draw func(*drawnMetric) []object) []object {
	d := s.dice
	query := object{"metric": m.identity}
	if m.described != nil {
		query["describedObject"] = m.described
	}
	entry := object{"query": query}
	for _, other := range all {
		if string(encode(other["query"])) == string(encode(query)) {
			return all
		}
		if sameQuestion(other["query"].(object), query) {
			same := maps.Clone(other)
			same["query"] = query
			return append(all, same)
		}
	}
	kind := d.weighted(90, 6, 2, 2)
	if s.aimed(aimFormats, 40) || s.aimed(aimSigns, 25) {
		kind = 1
	}
	switch kind {
	case 1:
		entry["error"] = s.failure()
	case 2:
		entry["items"] = []object{}
	case 3:
		entry["items"] = append(draw(m), draw(m)...)
	default:
		entry["items"] = draw(m)
	}
	return append(all, entry)
}

// sameQuestion tells whether the controller's requests for both are the same: it sends the selector as a string, and
// asks for any Namespace under its own namespace.
func sameQuestion(a, b object) bool {
	normal := func(q object) string {
		q = maps.Clone(q)
		metric := maps.Clone(q["metric"].(object))
		if selector, ok := metric["selector"].(object); ok && len(selector) == 0 {
			delete(metric, "selector")
		}
		q["metric"] = metric
		if described, ok := q["describedObject"].(object); ok && described["kind"] == "Namespace" {
			q["describedObject"] = "Namespace"
		}
		return string(encode(q))
	}
	return normal(a) == normal(b)
}

func (s *sequence) metricValue(milli int64) string {
	d := s.dice
	switch {
	case d.chance(2):
		return pick(d, extremes...)
	case d.chance(2):
		return pick(d, belowZero...)
	case d.chance(25):
		return d.quantity(milli)
	}
	return plain(milli)
}

func (s *sequence) drawPodValues(m *drawnMetric) []object {
	d := s.dice
	items := []object{}
	values := s.spread(usage{m, s.drawRatio()}, d.chance(45))
	for i, p := range s.pods {
		if p.sample == sampleAbsent || p.sample == sampleEmpty {
			continue
		}
		item := object{"describedObject": object{"kind": "Pod", "name": p.name}, "timestamp": stamp(p.taken), "value": s.metricValue(values[i])}
		if d.chance(3) {
			item["windowSeconds"] = pick(d, 0, 60, 30)
		}
		items = append(items, item)
	}
	if d.chance(3) {
		items = append(items, object{"describedObject": object{"kind": "Pod", "name": "gone"}, "value": s.metricValue(m.target)})
	}
	return items
}

// drawTotal draws a value for the whole target: a ratio of one pod's or of all pods' share.
func (s *sequence) drawTotal(m *drawnMetric) int64 {
	target := m.target
	if s.aimed(aimHuge, 50) {
		return s.hugeTotal(m)
	}
	if s.aimed(aimBrink, 50) {
		return int64(min(s.brink(), math.MaxInt64))
	}
	if s.aimed(aimEnds, 50) {
		return math.MaxInt64
	}
	if m.perPod {
		target *= int64(max(1, min(s.statusReplicas, 1000)))
		if s.dice.chance(40) {
			return int64(math.Round(float64(target) * pick(s.dice, 1+s.toleranceUp, 1-s.toleranceDown)))
		}
	}
	return s.dice.near(target, s.drawRatio())
}

func (s *sequence) drawObjectValues(m *drawnMetric) []object {
	return []object{{"describedObject": m.described, "value": s.metricValue(s.drawTotal(m))}}
}

func (s *sequence) drawExternalValues(m *drawnMetric) []object {
	d := s.dice
	items := []object{}
	if d.chance(3) {
		// Their sum is past the largest number.
		for range pick(d, 2, 3) {
			items = append(items, object{"value": pick(d, "9223372036854775807m", "4611686018427387904m", "9223372036854775", "1m")})
		}
		return items
	}
	if s.aimed(aimSums, 60) {
		return s.hugeSum()
	}
	if s.aimed(aimSigns, 80) {
		return s.lowSum()
	}
	if s.aimed(aimEnds, 30) {
		return s.endSum()
	}
	if s.aimed(aimBrink, 60) {
		for _, part := range s.brinkParts(int(d.between(1, 4))) {
			items = append(items, object{"value": plain(part)})
		}
		return items
	}
	left := s.drawTotal(m)
	for n := pick(d, 1, 1, 1, 2, 3); n > 1; n-- {
		part := int64(float64(left) * d.Float64())
		items = append(items, object{"value": s.metricValue(part)})
		left -= part
	}
	return append(items, object{"value": s.metricValue(left)})
}
