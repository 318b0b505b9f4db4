package oracle

import (
	"maps"
	"slices"
)

// drawWorld writes the world.
func (p *playDraw) drawWorld() object {
	d := p.dice
	out := object{
		"syncs": p.syncs, "syncPeriod": p.period, "loads": p.loads, "delays": p.delays,
		"metrics":     object{"resolution": p.resolution, "first": p.first, "lag": p.drawLag(), "readings": pick(d, 1, 2, 2)},
		"termination": pick(d, 0, 0, 0, 30_000, p.period, 2*p.period, d.between(1, 6*p.period)),
	}
	if len(p.existing) > 0 {
		out["existing"] = p.existing
	}
	if d.chance(25) {
		p.drawRollout(out)
	}
	out["template"] = object{"metadata": object{"labels": object{"app": "web"}}, "spec": p.podSpec()}
	return out
}

// drawFirst draws when metrics are first read: together with a sync, or not.
func (p *playDraw) drawFirst() {
	d := p.dice
	p.first = pick(d, p.resolution, p.period, p.period*2, p.period-1, d.between(1, p.resolution), d.between(1, p.resolution), 1)
}

func (p *playDraw) drawLag() int64 {
	d := p.dice
	return pick(d, 0, 0, 0, p.period, 2*p.period, p.resolution, d.between(1, p.resolution), d.between(1, 3*p.period))
}

// drawDelays draws how long new pods take: all the same, or each its own.
func (p *playDraw) drawDelays() {
	d := p.dice
	p.delays = []object{}
	one := func() int64 {
		return pick(d, 0, p.period, p.resolution, d.between(0, p.period), d.between(0, 4*p.period), 1000*d.between(0, 1+4*p.period/1000))
	}
	add := func(scheduled, running, ready int64) {
		p.delays = append(p.delays, object{"scheduled": scheduled, "running": scheduled + running, "ready": scheduled + running + ready})
	}
	switch d.weighted(25, 35, 40) {
	case 0:
		add(0, 0, 0)
	case 1:
		add(pick(d, 0, one()), pick(d, 0, one()), one())
	case 2:
		for range d.between(2, 12) {
			add(pick(d, 0, 0, one()), pick(d, 0, one()), pick(d, 0, one(), one()))
		}
	}
}

// drawRollout draws one, of which the new pods may ask for other requests.
func (p *playDraw) drawRollout(out object) {
	d := p.dice
	at := p.instant()
	if d.chance(80) {
		at = max(1, at*6/10)
	}
	if d.chance(30) {
		at = p.period * max(1, at/p.period)
	}
	surge := pick(d, 0, 1, 1, 2, 3, int64(p.size))
	unavailable := pick[int64](d, 0, 0, 1, 2)
	if surge+unavailable == 0 {
		surge = 1
	}
	out["rollout"] = object{"at": at, "surge": surge, "unavailable": unavailable}
	if d.chance(40) {
		for _, c := range p.template.containers {
			for _, resource := range slices.Sorted(maps.Keys(c.requests)) {
				c.requests[resource] = plain(max(1, c.milli[resource]*d.between(5, 20)/10))
			}
		}
	}
}
