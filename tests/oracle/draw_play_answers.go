package oracle

// drawAnswers draws what the metrics APIs answer at the first sync: about what the loads are at.
func (p *playDraw) drawAnswers(out object, sampled []string) {
	d := p.dice
	if d.chance(5) {
		sampled = nil // nothing has been read yet
	}
	for _, m := range p.metrics {
		if m.resource != "" {
			out["podMetrics"] = object{"items": p.firstSamples(sampled)}
			if d.chance(3) {
				out["podMetrics"] = object{"error": pick(d, failures...)}
			}
			break
		}
	}
	custom, external := []object{}, []object{}
	for i, m := range p.metrics {
		if m.identity == nil {
			continue
		}
		entry := object{"query": object{"metric": m.identity}, "items": p.firstValues(i, m, sampled)}
		if m.described != nil {
			entry["query"].(object)["describedObject"] = m.described
		}
		if m.kind != "Pods" && d.chance(4) {
			entry["items"] = []object{}
		}
		if d.chance(3) {
			delete(entry, "items")
			entry["error"] = pick(d, failures...)
		}
		if m.kind == "External" {
			external = append(external, entry)
		} else {
			custom = append(custom, entry)
		}
	}
	for name, value := range map[string][]object{"customMetrics": custom, "externalMetrics": external} {
		if len(value) > 0 {
			out[name] = value
		}
	}
}

// firstSamples are those of the pods that have one.
func (p *playDraw) firstSamples(sampled []string) []object {
	items := []object{}
	for _, name := range sampled {
		containers := []object{}
		for _, c := range append(append([]container{}, p.template.containers...), p.template.init...) {
			usage := object{}
			for _, load := range p.loads {
				if load["container"] == c.name {
					usage[load["resource"].(string)] = plain(p.firstAmount(load))
				}
			}
			if len(usage) > 0 || c.name != "init" {
				containers = append(containers, object{"name": c.name, "usage": usage})
			}
		}
		items = append(items, object{"metadata": object{"name": name, "namespace": p.namespace},
			"timestamp": p.ago(p.dice.between(0, p.resolution)), "window": "30s", "containers": containers})
	}
	return items
}

// firstAmount is what one pod does of a load, or the whole of it.
func (p *playDraw) firstAmount(load object) int64 {
	amount := load["demand"].(int64)
	if backlog, ok := load["backlog"].(object); ok {
		amount = backlog["start"].(int64)
	} else if curve, ok := load["curve"].(object); ok {
		amount = mulDiv(amount, curve["points"].([][2]int64)[0][1], whole)
	}
	if load["spread"] == "shared" {
		amount /= int64(max(1, p.size))
	}
	if idle, ok := load["idle"].(int64); ok {
		amount += idle
	}
	return amount
}

func (p *playDraw) firstValues(index int, m *drawnMetric, sampled []string) []object {
	amount := p.dice.near(m.target, 0.5+p.dice.Float64())
	for _, load := range p.loads {
		if load["metric"] == index {
			amount = p.firstAmount(load)
		}
	}
	value := object{"value": plain(amount)}
	if m.kind == "Object" {
		value["describedObject"] = m.described
	}
	if m.kind != "Pods" {
		return []object{value}
	}
	items := []object{}
	for _, name := range sampled {
		items = append(items, object{"describedObject": object{"kind": "Pod", "name": name},
			"timestamp": p.ago(p.dice.between(0, p.resolution)), "value": plain(amount)})
	}
	return items
}
