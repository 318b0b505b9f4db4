package oracle

// drawPlayedSpec draws until the API server would admit the HPA.
func (p *playDraw) drawPlayedSpec() error {
	var err error
	for range 50 {
		p.drawPlayedBounds()
		p.drawPlayedTemplate()
		p.drawPlayedMetrics()
		p.behavior = p.drawPlayedBehavior()
		p.target = object{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
		if err = p.valid(); err == nil {
			p.readTolerances()
			return nil
		}
	}
	return err
}

func (p *playDraw) drawPlayedBounds() {
	d := p.dice
	n := int64(p.size)
	p.zero = n == 0 && d.chance(93) || d.chance(10)
	p.min = pick[any](d, nil, 1, 1, 2, max(1, n/2), max(1, n))
	p.max = pick(d, n+2, n+5, 2*n+3, 10, 20, 30, 30)
	p.max = max(p.max, n, 2)
	if p.lively {
		p.min, p.max = pick[any](d, nil, 1, 1, 2, max(1, n/2)), n+d.between(3, 20)
	}
	switch d.weighted(88, 4, 4, 2) {
	case 1:
		p.max = max(2, n-2) // it is above
	case 2:
		p.min, p.max = n+1, n+6 // it is below
	case 3:
		p.min, p.max = max(1, n), max(1, n)+1
	}
	if least, ok := p.min.(int64); ok && least > p.max {
		p.min = p.max
	}
	if least, ok := p.min.(int); ok && int64(least) > p.max {
		p.min = 1
	}
	if p.zero {
		p.min = 0
		if p.minor() < 37 {
			p.switchOn("HPAScaleToZero")
		}
	}
	p.level = float64(d.between(1, p.max))
	if p.lively {
		p.level = float64(p.max) * (0.3 + 0.4*d.Float64())
	}
	switch d.weighted(80, 8, 4, 3) {
	case 1:
		p.level = float64(max(1, n))
	case 2:
		p.level = float64(p.max) * 1.7
	case 3:
		p.level = 0.4
	}
}

func (p *playDraw) switchOn(gate string) {
	p.gates[gate] = true
	gates, _ := p.controller["featureGates"].(object)
	if gates == nil {
		gates = object{}
	}
	gates[gate] = object{"value": true}
	p.controller["featureGates"] = gates
}

func (p *playDraw) drawPlayedTemplate() {
	d := p.dice
	one := func(name string) container {
		cpu := pick(d, 100, 200, 250, 500, 1000, d.between(10, 2000))
		memory := pick[int64](d, 64<<20, 128<<20, 1<<30, d.between(1<<20, 1<<31)) * 1000
		c := container{name: name, milli: map[string]int64{"cpu": cpu, "memory": memory}}
		c.requests = map[string]string{"cpu": plain(cpu), "memory": plain(memory)}
		return c
	}
	p.template = template{containers: []container{one("app")}}
	if d.chance(30) {
		p.template.containers = append(p.template.containers, one("side"))
	}
	if d.chance(10) {
		c := one("init")
		c.always = d.chance(70)
		p.template.init = append(p.template.init, c)
	}
	if d.chance(2) {
		delete(p.template.containers[0].requests, "cpu")
	}
}

func (p *playDraw) drawPlayedBehavior() object {
	switch p.dice.weighted(40, 12, 12, 36) {
	case 1:
		return object{"scaleUp": p.drawPlayedRules(true)}
	case 2:
		return object{"scaleDown": p.drawPlayedRules(false)}
	case 3:
		return object{"scaleUp": p.drawPlayedRules(true), "scaleDown": p.drawPlayedRules(false)}
	}
	return nil
}

func (p *playDraw) drawPlayedRules(up bool) object {
	d := p.dice
	out := object{}
	if d.chance(75) {
		out["stabilizationWindowSeconds"] = p.seconds(0, 3600)
	}
	if d.chance(35) {
		out["selectPolicy"] = pick(d, "Max", "Max", "Min", "Min", "Disabled", "Disabled")
	}
	if p.minor() >= 33 && d.chance(30) {
		out["tolerance"] = pick(d, "0", "50m", "0.2", "0.333333", "0.01", "174m", "0.5", "29m")
	}
	if d.chance(75) {
		policies := []object{}
		for range pick(d, 1, 1, 1, 2, 2, 3) {
			policy := object{"type": "Pods", "value": pick(d, 1, 1, 2, 4, 10), "periodSeconds": p.seconds(1, 1800)}
			if d.chance(50) {
				policy["type"], policy["value"] = "Percent", pick(d, 10, 20, 30, 50, 100)
				if up {
					policy["value"] = pick(d, 10, 50, 100, 150, 200)
				}
			}
			policies = append(policies, policy)
		}
		out["policies"] = policies
	}
	return out
}
