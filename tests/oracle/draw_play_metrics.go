package oracle

import "strconv"

// drawPlayedMetrics draws one to three metrics, of which no two ask the same question.
func (p *playDraw) drawPlayedMetrics() {
	d := p.dice
	p.metrics = nil
	for range []int{1, 2, 3}[d.weighted(55, 30, 15)] {
		if p.zero && d.chance(60) {
			p.addMetric(pick(d, "Object", "External"))
			continue
		}
		p.addMetric([]string{"Resource", "ContainerResource", "Pods", "Object", "External"}[d.weighted(42, 13, 16, 15, 14)])
	}
	if p.zero && !p.hasObjectOrExternal() {
		p.addMetric(pick(d, "Object", "External"))
	}
}

func (p *playDraw) addMetric(kind string) {
	d := p.dice
	m := &drawnMetric{kind: kind}
	if kind == "Resource" || kind == "ContainerResource" {
		m.resource = pick(d, "cpu", "cpu", "cpu", "memory")
		source := object{"name": m.resource, "target": p.drawShare(m)}
		field := "resource"
		if kind == "ContainerResource" {
			m.container = pick(d, p.template.containers...).name
			source["container"], field = m.container, "containerResource"
		}
		m.spec = object{"type": kind, field: source}
		p.metrics = append(p.metrics, m)
		return
	}
	m.identity = object{"name": kind + "-" + strconv.Itoa(len(p.metrics))}
	if d.chance(25) {
		m.identity["selector"] = pick(d, object{}, object{"matchLabels": object{"verb": "GET", "app": "web"}},
			object{"matchExpressions": []object{{"key": "zone", "operator": "In", "values": []string{"b", "a"}}}})
	}
	m.target = pick(d, 1000, 10_000, 100_000, 30_000, 1500, d.between(100, 100_000))
	target := object{"type": "AverageValue", "averageValue": plain(m.target)}
	m.perPod = true
	if kind != "Pods" && d.chance(50) {
		target, m.perPod = object{"type": "Value", "value": plain(m.target)}, false
	}
	source := object{"metric": m.identity, "target": target}
	if kind == "Object" {
		m.described = pick(d, object{"apiVersion": "v1", "kind": "Service", "name": "front"},
			object{"apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "name": "main"})
		source["describedObject"] = m.described
	}
	field := map[string]string{"Pods": "pods", "Object": "object", "External": "external"}[kind]
	m.spec = object{"type": kind, field: source}
	p.metrics = append(p.metrics, m)
}

// drawShare draws the target of a resource.
func (p *playDraw) drawShare(m *drawnMetric) object {
	d := p.dice
	if d.chance(65) {
		m.percent, m.target = true, pick(d, 50, 80, 60, 100, 30, 75, 150, d.between(5, 200))
		return object{"type": "Utilization", "averageUtilization": m.target}
	}
	m.target = pick(d, 100, 250, 500, 1000, d.between(20, 2000))
	if m.resource == "memory" {
		m.target = pick[int64](d, 64<<20, 100<<20, 1<<30, d.between(1<<20, 1<<31)) * 1000
	}
	return object{"type": "AverageValue", "averageValue": plain(m.target)}
}
