package e2e

import (
	"slices"
	"testing"
	"time"
)

// courseOf is a course from pairs of a second and the replicas from then on.
func courseOf(first int32, pairs ...int) (made course) {
	made.first = first
	for i := 0; i < len(pairs); i += 2 {
		made.to(time.Duration(pairs[i])*time.Second, int32(pairs[i+1]))
	}
	return made
}

// moved is a course whose changes come later.
func moved(c course, syncs int) course {
	c.shifts = slices.Clone(c.shifts)
	for i := range c.shifts {
		c.shifts[i].sync += syncs
	}
	return c
}

// swings goes up for one sync and down again, so many times: for 99 of 100 syncs nothing is any different.
func swings(count int) course {
	pairs := []int{}
	for at := range count {
		pairs = append(pairs, 10+50*at, 3, 11+50*at, 2)
	}
	return courseOf(2, pairs...)
}

// rises goes up by one every 20 syncs.
func rises() course {
	pairs := []int{}
	for at := range 48 {
		pairs = append(pairs, 10+20*at, 2+at)
	}
	return courseOf(1, pairs...)
}

// resized is a course of which some swings are larger.
func resized(c course, count int) course {
	c = moved(c, 0)
	for i := range count {
		c.shifts[2*i].to, c.shifts[2*i+1].from = 9, 9
	}
	return c
}

// The judge of forecasts is not content with one that says nothing, or something else.
func TestForecastJudge(t *testing.T) {
	const syncs = 2100
	for name, one := range map[string]struct {
		forecast, real course
		faults         []string
		lag            int
	}{
		"the same":            {swings(24), swings(24), nil, 0},
		"nothing happens":     {swings(0), swings(24), []string{unpredicted}, 0},
		"two other sizes":     {resized(swings(24), 2), swings(24), nil, 0},
		"three other sizes":   {resized(swings(24), 3), swings(24), []string{unpredicted, neverCame}, 0},
		"three never came":    {swings(24), swings(21), []string{neverCame}, 0},
		"three not predicted": {swings(21), swings(24), []string{unpredicted}, 0},
		"two syncs late":      {rises(), moved(rises(), 2), nil, 2},
		"two syncs early":     {rises(), moved(rises(), -2), nil, 2},
		"three syncs late":    {rises(), moved(rises(), 3), []string{tooUnequal, unpredicted, neverCame}, 3},
		"another level":       {courseOf(4, 200, 5), courseOf(3, 200, 4), []string{tooUnequal, unpredicted, neverCame, tooQuiet}, 0},
		"few changes":         {swings(19), swings(19), []string{tooQuiet}, 0},
	} {
		v := judge(one.forecast, one.real, syncs)
		if faults := v.faults(); !slices.Equal(faults, one.faults) || v.lag != one.lag {
			t.Errorf("%s: %s, %q", name, v, faults)
		}
	}
}

// A change belongs to the second in whose middle it can be seen first.
func TestForecastSeconds(t *testing.T) {
	var real course
	for at, replicas := range []int32{3, 4, 5} {
		real.to(time.Duration(1000*at+300*at+200)*time.Millisecond, replicas) // 0.2, 1.5 and 2.8 s
	}
	for sync, replicas := range []int32{3, 4, 4, 5} {
		if got := real.at(sync); got != replicas {
			t.Errorf("sync %d: %d replicas, not %d", sync, got, replicas)
		}
	}
}
