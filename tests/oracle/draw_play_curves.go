package oracle

import (
	"math"
	"slices"
)

const whole = 1_000_000 // millionths

// instant is a time within the play: often that of a sync or of a reading.
func (p *playDraw) instant() int64 {
	d := p.dice
	switch d.weighted(35, 20, 45) {
	case 0:
		return p.period * d.between(1, int64(p.syncs))
	case 1:
		return p.first + p.resolution*d.between(0, p.length/p.resolution)
	}
	return d.between(1, p.length)
}

// instants are so many times in order.
func (p *playDraw) instants(count int) []int64 {
	out := []int64{}
	for range count {
		out = append(out, p.instant())
	}
	slices.Sort(out)
	return out
}

// height is a part of the demand.
func (p *playDraw) height(wild bool) int64 {
	d := p.dice
	if wild {
		return pick(d, whole, d.between(whole/2, whole*3/2), d.between(whole*8/10, whole*13/10), d.between(0, whole*2), d.between(0, whole*2))
	}
	if p.lively {
		return pick(d, d.between(0, 2*whole), d.between(0, whole/2), d.between(whole, 2*whole), d.between(whole/2, whole*3/2), 0)
	}
	return pick(d, whole, d.between(0, 2*whole), d.between(whole/2, whole*3/2), d.between(whole/10, 3*whole), pick[int64](d, 0, whole/3))
}

func (p *playDraw) drawCurve(wild bool) object {
	d := p.dice
	height := func() int64 { return p.height(wild) }
	points := [][2]int64{}
	var repeat int64
	weights := []int{4, 16, 20, 20, 16, 12, 12}
	if p.lively {
		weights = []int{0, 4, 14, 32, 6, 26, 18}
	}
	switch d.weighted(weights...) {
	case 0:
		points = append(points, [2]int64{0, height()})
	case 1: // a ramp, from the beginning or after a while
		at := p.instants(2)
		points = append(points, [2]int64{0, height()})
		if d.chance(50) {
			points = append(points, [2]int64{at[0], points[0][1]})
		}
		points = append(points, [2]int64{at[1], height()})
	case 2: // steps
		points = append(points, [2]int64{0, height()})
		for _, at := range p.instants(int(d.between(1, 5))) {
			points = append(points, [2]int64{at, points[len(points)-1][1]}, [2]int64{at, height()})
		}
	case 3:
		points, repeat = p.sine(wild)
	case 4: // a spike
		at := p.instants(2)
		low, high := height(), height()*2
		end := at[0] + max(1, min(at[1]-at[0], p.span()))
		points = append(points, [2]int64{0, low}, [2]int64{at[0], low}, [2]int64{at[0], high}, [2]int64{end, high}, [2]int64{end, low})
	case 5: // steps or teeth, again and again
		repeat = max(2, p.span()+p.period*d.between(2, 12))
		points = append(points, [2]int64{0, height()})
		middle := d.between(1, repeat-1)
		if d.chance(50) {
			points = append(points, [2]int64{middle, points[0][1]})
		}
		points = append(points, [2]int64{middle, height()}, [2]int64{repeat, pick(d, points[0][1], height())})
	case 6: // as somebody measured it
		points = append(points, [2]int64{0, height()})
		for _, at := range p.instants(int(d.between(4, 30))) {
			points = append(points, [2]int64{at, height()})
		}
	}
	out := object{"points": points}
	if repeat > 0 {
		out["repeat"] = repeat
	}
	return out
}

// drawEdges makes steps between ratios that are exactly at the ends of the tolerance, or right beside them.
func (p *playDraw) drawEdges() object {
	d := p.dice
	height := func() int64 {
		edge := pick(d, 1, 1+p.toleranceUp, 1-p.toleranceDown, 1+p.toleranceUp, 1-p.toleranceDown, 2, 0.5)
		return max(0, int64(math.Round(edge*whole))+pick[int64](d, 0, 0, 0, 1, -1))
	}
	points := [][2]int64{{0, height()}}
	if d.chance(40) {
		// A fall, or a rise, of a few millionths from the very end: a rounding decides when it is left.
		end := max(0, points[0][1]+pick[int64](d, -1, -1, -2, -5, 1, 3))
		return object{"points": append(points, [2]int64{p.length, end})}
	}
	for _, at := range p.instants(int(d.between(2, 6))) {
		points = append(points, [2]int64{at, points[len(points)-1][1]}, [2]int64{at, height()})
	}
	return object{"points": points}
}

// pause takes the demand away for a while.
func (p *playDraw) pause(load object) {
	d := p.dice
	begin := p.instant() / 2
	end := begin + p.length*d.between(20, 60)/100
	load["curve"] = object{"points": [][2]int64{{0, p.height(false)}, {begin, whole}, {begin, 0}, {end, 0}, {end, p.height(false)}}}
}

// sine is a wave, sampled.
func (p *playDraw) sine(wild bool) ([][2]int64, int64) {
	d := p.dice
	turn := max(32, p.period*d.between(6, max(8, int64(p.syncs)/2)))
	swing := 0.3 + 0.7*d.Float64()
	if wild {
		swing *= 0.6
	}
	count := d.between(8, 24)
	points := [][2]int64{}
	for i := range count + 1 {
		height := 1 + swing*math.Sin(2*math.Pi*float64(i)/float64(count))
		points = append(points, [2]int64{turn * i / count, int64(height * whole)})
	}
	if d.chance(25) {
		return points, 0
	}
	return points, turn
}
