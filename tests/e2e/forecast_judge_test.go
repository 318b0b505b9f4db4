package e2e

import (
	"fmt"
	"math"
	"strings"
	"time"
)

const (
	leastEqual   = 95  // percent of the syncs that must have the predicted replicas
	leastPaired  = 90  // percent of the changes, of those predicted and of those that came
	mostLag      = 2   // syncs between a predicted change and the same one that came
	sameChange   = 15  // syncs beyond which it is another one
	fewestSyncs  = 200 // of the controller about each load
	fewestShifts = 40  // that came, of all loads together
)

// shift is a change of the replicas. It belongs to the first second in whose middle the replicas are the new ones: the controller's
// syncs may fall anywhere in a second.
type shift struct {
	sync     int
	from, to int32
}

// course is how many replicas there are, second by second.
type course struct {
	first  int32
	shifts []shift // in the order of time
}

// to adds a change at a time.
func (c *course) to(at time.Duration, replicas int32) {
	from := c.first
	if len(c.shifts) > 0 {
		from = c.shifts[len(c.shifts)-1].to
	}
	if from != replicas {
		c.shifts = append(c.shifts, shift{int(math.Ceil(at.Seconds() - 0.5)), from, replicas})
	}
}

func (c *course) at(sync int) int32 {
	replicas := c.first
	for _, shift := range c.shifts {
		if shift.sync <= sync {
			replicas = shift.to
		}
	}
	return replicas
}

// verdict is what comes of a comparison, or of several.
type verdict struct {
	syncs, equal            int // seconds, as many as predicted syncs
	decided                 int // what the controller made of them: slightly fewer
	predicted, came, paired int // changes
	lag                     int // the largest of a change that came with the same from and to
	apart                   []string
}

// judge compares a forecast with what came, over some syncs.
func judge(forecast, real course, syncs int) (v verdict) {
	v.syncs = syncs
	for sync := range syncs {
		if forecast.at(sync) == real.at(sync) {
			v.equal++
		}
	}
	v.predicted, v.came = len(forecast.shifts), len(real.shifts)
	taken := map[int]bool{}
	for _, came := range real.shifts {
		nearest := nearest(came, forecast.shifts, taken)
		if nearest < 0 {
			v.apart = append(v.apart, fmt.Sprintf("%s was not predicted", came))
			continue
		}
		taken[nearest] = true
		lag := came.sync - forecast.shifts[nearest].sync
		v.lag = max(v.lag, lag, -lag)
		if max(lag, -lag) > mostLag {
			v.apart = append(v.apart, fmt.Sprintf("%s was predicted at %d", came, forecast.shifts[nearest].sync))
			continue
		}
		v.paired++
	}
	for i, predicted := range forecast.shifts {
		if !taken[i] {
			v.apart = append(v.apart, fmt.Sprintf("%s never came", predicted))
		}
	}
	return v
}

// nearest is the place of the same change that is nearest in time, among those that are not taken; -1 if there is none.
func nearest(came shift, forecast []shift, taken map[int]bool) int {
	best, least := -1, sameChange+1
	for i, predicted := range forecast {
		away := max(came.sync-predicted.sync, predicted.sync-came.sync)
		if !taken[i] && predicted.from == came.from && predicted.to == came.to && away < least {
			best, least = i, away
		}
	}
	return best
}

func (c course) String() string {
	words := []string{fmt.Sprint(c.first)}
	for _, shift := range c.shifts {
		words = append(words, shift.String())
	}
	return strings.Join(words, ", ")
}

func (s shift) String() string { return fmt.Sprintf("%d → %d at %d", s.from, s.to, s.sync) }

func (v *verdict) add(other verdict) {
	v.syncs += other.syncs
	v.equal += other.equal
	v.predicted += other.predicted
	v.came += other.came
	v.paired += other.paired
	v.lag = max(v.lag, other.lag)
}

func (v verdict) String() string {
	return fmt.Sprintf("%4d of %4d syncs equal (%5.1f %%); %2d changes predicted, %2d came, %2d of them as predicted; largest lag %d",
		v.equal, v.syncs, 100*float64(v.equal)/float64(max(v.syncs, 1)), v.predicted, v.came, v.paired, v.lag)
}

// The bars.
var (
	tooUnequal  = fmt.Sprintf("fewer than %d %% of the syncs have the predicted replicas", leastEqual)
	unpredicted = fmt.Sprintf("fewer than %d %% of the changes were predicted", leastPaired)
	neverCame   = fmt.Sprintf("fewer than %d %% of the predicted changes came", leastPaired)
	tooQuiet    = fmt.Sprintf("fewer than %d changes came", fewestShifts)
)

// faults are the bars that all loads together miss.
func (v verdict) faults() (faults []string) {
	for _, bar := range []struct {
		isMet bool
		fault string
	}{
		{v.equal*100 >= v.syncs*leastEqual, tooUnequal},
		{v.paired*100 >= v.came*leastPaired, unpredicted},
		{v.paired*100 >= v.predicted*leastPaired, neverCame},
		{v.came >= fewestShifts, tooQuiet},
	} {
		if !bar.isMet {
			faults = append(faults, bar.fault)
		}
	}
	return faults
}
