package e2e

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// curve is how a load goes on: as --load-curve takes it, and as it is driven. The latter is written from what
// src/core/play/over.md says of the former.
type curve struct {
	typed string
	at    func(seconds float64) float64 // a share of the load of the beginning
}

func level() curve {
	return curve{"constant", func(float64) float64 { return 1 }}
}

// ramp leads from one percentage to another one, which stays.
func ramp(from, to, length float64) curve {
	return curve{fmt.Sprintf("ramp:%g%%..%g%%/%gs", from, to, length), func(now float64) float64 {
		return (from + (to-from)*min(now/length, 1)) / 100
	}}
}

// steps are pairs of a percentage and the second from which on it is so.
func steps(pairs ...float64) curve {
	typed := []string{}
	for i := 0; i < len(pairs); i += 2 {
		typed = append(typed, fmt.Sprintf("%g%%@%gs", pairs[i], pairs[i+1]))
	}
	return curve{"step:" + strings.Join(typed, ","), func(now float64) float64 {
		share := 1.0
		for i := 0; i < len(pairs) && now >= pairs[i+1]; i += 2 {
			share = pairs[i] / 100
		}
		return share
	}}
}

// sine begins in the middle and rises.
func sine(low, high, period float64) curve {
	return curve{fmt.Sprintf("sine:%g%%..%g%%/%gs", low, high, period), func(now float64) float64 {
		return (low + high + (high-low)*math.Sin(2*math.Pi*now/period)) / 200
	}}
}

// spike lasts for a while.
func spike(percent, at, length float64) curve {
	return curve{fmt.Sprintf("spike:%g%%@%gs/%gs", percent, at, length), func(now float64) float64 {
		if at <= now && now < at+length {
			return percent / 100
		}
		return 1
	}}
}

// every begins it anew after so many seconds.
func (c curve) every(seconds float64) curve {
	return curve{fmt.Sprintf("%s,every=%gs", c.typed, seconds), func(now float64) float64 { return c.at(math.Mod(now, seconds)) }}
}

// demand is what a load asks for some time after its beginning.
func (c curve) demand(whole int64, since time.Duration) int64 {
	return int64(float64(whole) * c.at(max(since, 0).Seconds()))
}
