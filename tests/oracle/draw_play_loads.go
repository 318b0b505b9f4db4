package oracle

import "math"

// drawPlayedLoads draws what drives each metric. A few metrics have no load.
func (p *playDraw) drawPlayedLoads() {
	d := p.dice
	p.loads = []object{}
	seen := map[string]bool{}
	for i, m := range p.metrics {
		level := p.level
		if i > 0 && (p.lively || d.chance(60)) {
			level *= 0.2 + d.Float64()
		}
		if len(p.metrics) > 1 && d.chance(6) || d.chance(0.5) || seen[m.resource] {
			continue
		}
		if m.resource != "" {
			seen[m.resource] = true
			p.drawUsages(m, level)
			continue
		}
		load := p.drawLoad(m, m.target, level)
		load["metric"] = i
		p.loads = append(p.loads, load)
	}
}

// drawUsages draws the loads of all containers for the resource of a metric.
func (p *playDraw) drawUsages(m *drawnMetric, level float64) {
	d := p.dice
	all := append([]container{}, p.template.containers...)
	for _, c := range p.template.init {
		if c.always {
			all = append(all, c)
		}
	}
	var request int64
	for _, c := range all {
		if m.container == "" || m.container == c.name {
			request += c.milli[m.resource]
		}
	}
	target := m.target
	if m.percent {
		target = request * m.target / 100
	}
	left := target
	for i, c := range all {
		part := left
		switch {
		case m.container != "" && c.name != m.container:
			part = target / 3
		case m.container == "" && i < len(all)-1:
			part = int64(float64(left) * (0.5 + d.Float64()/2))
			left -= part
		}
		if d.chance(3) {
			continue
		}
		load := p.drawLoad(m, part, level)
		load["container"], load["resource"] = c.name, m.resource
		p.loads = append(p.loads, load)
	}
}

// drawLoad draws a load that asks for about so many replicas of a metric, of which one should do `target`.
func (p *playDraw) drawLoad(m *drawnMetric, target int64, level float64) object {
	d := p.dice
	perPod := m.kind != "Object" && m.kind != "External"
	spread := "shared"
	switch {
	case perPod && d.chance(pick[float64](d, 0, 30)):
		spread = "each"
	case !perPod && (m.perPod || d.chance(30)) && d.chance(92):
		spread = "whole"
	}
	// What stays the same however many pods there are runs away unless it goes up and down.
	wild := spread == "each" || !perPod && m.perPod == (spread == "shared")
	demand := float64(target) * level
	if wild {
		demand = float64(target) * (0.9 + 0.5*d.Float64())
	}
	load := object{"spread": spread}
	if d.chance(14) {
		demand = p.exact(target, wild)
		if p.lively || d.chance(50) {
			load["curve"] = p.drawEdges()
		}
	} else if d.chance(94) {
		load["curve"] = p.drawCurve(wild)
	}
	load["demand"] = int64(math.Ceil(demand)) + pick[int64](d, 0, 0, 0, 0, 1)
	if perPod {
		p.drawLimits(load, target)
	}
	if p.zero && m.resource == "" && d.chance(50) {
		p.pause(load)
	}
	if m.resource == "" && spread != "each" && d.chance(30) {
		p.drawBacklog(load, target, level)
	}
	return load
}

// exact is a demand that meets the target, or an end of the tolerance, with so many pods as there are.
func (p *playDraw) exact(target int64, wild bool) float64 {
	ratio := pick(p.dice, 1, 1, 1, 1+p.toleranceUp, 1-p.toleranceDown)
	pods := float64(max(1, p.size))
	if wild {
		pods = 1
	}
	return max(0, float64(target)*ratio*pods)
}

// drawLimits draws what a pod uses at least, at most and while it starts.
func (p *playDraw) drawLimits(load object, target int64) {
	d := p.dice
	part := func(least, most float64) int64 { return int64(float64(target) * (least + (most-least)*d.Float64())) }
	if d.chance(30) {
		load["idle"] = part(0, 0.3)
	}
	if d.chance(30) {
		load["ceiling"] = pick(d, part(1.2, 2.5), part(1.3, 1.5))
		if !p.lively && d.chance(40) {
			load["ceiling"] = part(0.5, 1.1)
		}
	}
	if d.chance(40) {
		load["starting"] = part(0, pick(d, 0.5, 2.5))
	}
}

// drawBacklog makes the demand an amount a second, of which a pod does a part.
func (p *playDraw) drawBacklog(load object, target int64, level float64) {
	d := p.dice
	if target == 0 {
		return
	}
	rate := max(1, int64(float64(target)*1000/float64(p.period)*(0.05+d.Float64())))
	start := int64(float64(target) * float64(p.size) * pick(d, 0, 1, 1, 2, d.Float64()))
	load["backlog"] = object{"start": start, "rate": rate}
	load["demand"] = int64(float64(rate) * level)
}
