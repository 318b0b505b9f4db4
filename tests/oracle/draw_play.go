package oracle

import (
	"fmt"
	"time"
)

// playDraw draws a case and a world for it. Times of the world are milliseconds.
type playDraw struct {
	*sequence
	period, length int64 // between two syncs, and from the first to the last
	syncs          int
	lively         bool // the replicas should move often
	resolution     int64
	first          int64   // when metrics are first read
	level          float64 // replicas that the loads are aimed at
	loads          []object
	delays         []object
	existing       []object
}

// GeneratePlay draws a play and lets the controller judge each sync. It must run inside a synctest bubble.
func GeneratePlay(oracle *Oracle, patch string, seed uint64) (*Play, error) {
	out, err := drawPlay(patch, seed)
	if err != nil {
		return nil, err
	}
	if out.Syncs, err = play(oracle.Judge, out.Case, out.World); err != nil {
		err = fmt.Errorf("%w in %s with %s", err, out.Case, out.World)
	}
	return out, err
}

// drawPlay draws a play that is not yet played.
func drawPlay(patch string, seed uint64) (*Play, error) {
	p := &playDraw{sequence: &sequence{dice: newDice(seed), patch: patch, namespace: "shop", name: "web"}}
	if err := p.begin(); err != nil {
		return nil, err
	}
	out := &Play{Seed: seed, Case: encode(p.drawCase())}
	out.World = encode(p.drawWorld())
	return out, nil
}

// begin draws what the case and the world have in common.
func (p *playDraw) begin() error {
	d := p.dice
	p.at = time.Date(2026, 11, 21, 10, 42, 0, 0, time.UTC).Add(pick(d, 0, 0, 0, 1, 123456789, 500*time.Millisecond))
	p.generation = pick(d, 1, 3)
	p.lively = d.chance(85)
	p.drawTempo()
	p.drawController()
	p.drawSettings()
	p.size = int(pick(d, 1, 2, 3, 4, 5, 6, d.between(1, 12), d.between(1, 12)))
	switch d.weighted(87, 7, 5, 1) {
	case 1:
		p.size = 0
	case 2:
		p.size = int(d.between(15, 40))
	case 3:
		p.size = int(d.between(80, 130))
	}
	if err := p.drawPlayedSpec(); err != nil {
		return err
	}
	p.replicas, p.statusReplicas = int32(p.size), int32(p.size)
	if d.chance(6) {
		p.replicas = int32(d.between(1, int64(p.size)+3)) // somebody has just scaled it
	}
	p.selector = "app=web"
	p.drawFirst()
	p.drawDelays()
	p.drawPlayedLoads()
	return nil
}

// drawTempo draws how often the controller syncs, and how often metrics are read.
func (p *playDraw) drawTempo() {
	d := p.dice
	p.period = pick[int64](d, 15000, 15000, 15000, 15000, 15000, 10000, 30000, 30000, 5000, 60000, 20000, 7300, 12345, 2000, 1000, 1500)
	switch d.weighted(15, 75, 10) {
	case 0:
		p.syncs = int(d.between(5, 39))
	case 1:
		p.syncs = int(d.between(40, 150))
	case 2:
		p.syncs = int(d.between(151, 400))
	}
	p.length = p.period * int64(p.syncs)
	p.resolution = pick(d, p.period, p.period, p.period, 15000, 60000, 30000, 2*p.period, 4*p.period, p.period/2+1, 7300, 10000, p.period/3+7)
	p.resolution = max(500, min(p.resolution, p.length/4))
}

// drawSettings draws windows of the controller's that end within the play.
func (p *playDraw) drawSettings() {
	d := p.dice
	if p.lively && p.tolerance > 0.34 {
		p.tolerance = 0.1
		delete(p.controller, "tolerance")
	}
	if p.lively || d.chance(60) || p.length < 900_000 || p.period < 5000 {
		p.downscale = time.Duration(p.span()) * time.Millisecond
		p.controller["downscaleStabilization"] = object{"value": p.downscale.String()}
	}
	if d.chance(60) || p.length < 900_000 {
		p.initialization = time.Duration(p.span()) * time.Millisecond
		p.controller["cpuInitializationPeriod"] = object{"value": p.initialization.String()}
	}
	if d.chance(40) {
		p.readiness = time.Duration(p.span()/2) * time.Millisecond
		p.controller["initialReadinessDelay"] = object{"value": p.readiness.String()}
	}
}

// span is a time of some syncs: often of a whole number of them.
func (p *playDraw) span() int64 {
	d := p.dice
	long := 30
	if p.lively {
		long = 8
	}
	switch d.weighted(12, 40, long, 18) {
	case 0:
		return 0
	case 1:
		return p.period * d.between(1, 8)
	case 2:
		return p.period * d.between(1, max(1, min(30, int64(p.syncs)/4)))
	}
	return d.between(1, p.period*20)
}

// seconds is such a time as fields of the spec have it.
func (p *playDraw) seconds(least, most int64) int {
	return int(max(least, min(most, p.span()/1000)))
}

// drawCase writes the complete case of the first sync.
func (p *playDraw) drawCase() object {
	d := p.dice
	p.memory = memoryFile{Recommendations: []recommendationFile{}, ScaleUpEvents: []scaleEventFile{}, ScaleDownEvents: []scaleEventFile{}}
	if d.chance(20) {
		p.drawMemory()
	}
	p.status = object{}
	if d.chance(40) {
		p.status = p.drawStatus()
	}
	if p.replicas == 0 && d.chance(85) {
		// By this condition the controller knows, since 1.37, that it was the one who scaled to zero.
		p.status = object{"conditions": []object{
			{"type": "ScaledToZero", "status": "True", "reason": "R", "message": "m", "lastTransitionTime": longAgo}}}
	}
	out := object{
		"apiVersion": "kubectl-hpa/v1", "kind": "Case", "at": stamp(p.at), "controller": p.controller,
		"memory": p.memory, "hpa": p.hpa(),
		"scale": object{"object": object{"spec": object{"replicas": p.replicas},
			"status": object{"replicas": p.statusReplicas, "selector": p.selector}}},
	}
	p.drawPlayedPods(out)
	return out
}
