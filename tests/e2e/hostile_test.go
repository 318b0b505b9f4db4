package e2e

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"

	"kubectl-hpa.local/e2e/cluster"
)

const (
	mostSetAside = 30 // percent of the looks
	mostTries    = 12 // in one state
	mostStuck    = 3  // such states in one world
	simulations  = 6  // of so many rounds one is a simulation
	calm         = 350 * time.Millisecond
	justNow      = 150 * time.Millisecond
	fresh        = 800 * time.Millisecond // how old samples may be at a look: the next ones come after 3 s
	remembered   = 60                     // lines of a world's story that are kept with a case
	storyTime    = "0102-15:04:05.000"
)

// besieged are the HPAs that hostile acts are done to: those of the tame world, and some that remember for longer.
var besieged = append(slices.Clone(autoscalers), []struct {
	name   string
	change func(*autoscaling.HorizontalPodAutoscalerSpec)
}{
	{"cpu-two-a-minute", func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Behavior = down(limited(window(0), policy(autoscaling.PodsScalingPolicy, 2, 60)))
	}},
	{"queue-both-ways", func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Metrics = []autoscaling.MetricSpec{externalMetric("queue", average("6"))}
		spec.Behavior = down(limited(window(20), policy(autoscaling.PercentScalingPolicy, 50, 45)))
		spec.Behavior.ScaleUp = limited(window(0), policy(autoscaling.PercentScalingPolicy, 100, 30), policy(autoscaling.PodsScalingPolicy, 3, 30))
	}},
	{"queue-one-down", func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Metrics = []autoscaling.MetricSpec{externalMetric("queue", average("6"))}
		spec.Behavior = down(smaller(limited(window(0),
			policy(autoscaling.PodsScalingPolicy, 3, 30), policy(autoscaling.PercentScalingPolicy, 25, 60))))
	}},
	{"hits-slow", func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Metrics = []autoscaling.MetricSpec{objectMetric("hits", average("9"))}
		spec.Behavior = down(window(45))
		spec.Behavior.ScaleUp = limited(window(30), policy(autoscaling.PodsScalingPolicy, 4, 60))
	}},
}...)

// What people and clusters do between two looks must never make an exact answer wrong, or an interval too narrow. What
// is judged, and how, is as in TestLiveDecisions; acts are in a table.
func TestHostileDecisions(t *testing.T) {
	path, count := binary(t), number(t, decisionsVariable, someDecisions)
	seed := number(t, seedVariable, int(time.Now().Unix()))
	u := newUpheaval(t, hostileSettings)
	worlds := make([]*hostile, len(besieged))
	t.Run("of", func(t *testing.T) {
		for i, autoscaler := range besieged {
			t.Run(autoscaler.name, func(t *testing.T) {
				t.Parallel()
				h := u.newHostile(t, seed, i)
				h.path, worlds[i] = path, h
				u.quietly(func() { h.begin(autoscaler.change) })
				for h.tally.judged < (count+i)/len(besieged) {
					h.round()
				}
			})
		}
	})
	report(t, worlds, seed)
}

// report prints the tallies by HPA and by act. (An act counts for the first look after it, and several may precede one.)
func report(t *testing.T, worlds []*hostile, seed int) {
	all, foresight, byAct := tally{}, tally{}, map[string]*tally{}
	for i, h := range worlds {
		if h == nil {
			continue
		}
		t.Logf("%-18s %s", besieged[i].name, h.tally)
		all.add(*h.tally)
		foresight.add(*h.foresight)
		for name, one := range h.byAct {
			entry(byAct, name).add(*one)
		}
	}
	for _, act := range acts {
		t.Logf("after %-14s %s", act.name, entry(byAct, act.name))
	}
	t.Logf("simulated, then done: %s", foresight)
	t.Logf("seed %d, all: %s", seed, all)
	if aside := all.changed + all.timed; aside*100 > (all.judged+aside)*mostSetAside {
		t.Errorf("%d of %d looks were set aside, more than %d %%", aside, all.judged+aside, mostSetAside)
	}
}

func entry(of map[string]*tally, name string) *tally {
	if of[name] == nil {
		of[name] = &tally{}
	}
	return of[name]
}

// hostile is a world to which everything is done that people and clusters do.
type hostile struct {
	live
	upheaval  *upheaval
	byAct     map[string]*tally
	foresight *tally // of simulations
	upheavals int    // how many it knows of
	foreseen  int    // how many simulations there were
	renewed   bool   // whether the HPA was made anew
	dropped   bool   // whether its events were deleted
	stuck     int    // how often nothing could be judged
}

// newHostile makes a world in a namespace of its own.
func (u *upheaval) newHostile(t *testing.T, seed, number int) (h *hostile) {
	t.Helper()
	h = &hostile{upheaval: u, byAct: map[string]*tally{}, foresight: &tally{}, live: live{
		monitor: u.monitor, tally: &tally{}, cases: t.TempDir(), read: true, logged: u.decisions,
		random: rand.New(rand.NewPCG(uint64(seed), uint64(number))),
	}}
	u.quietly(func() { h.world = inCluster(t, u.Cluster) })
	return h
}

// round does one to three acts, and judges one look after them.
func (h *hostile) round() {
	done := []string{}
	if act := h.upheaval.draw(h.random); act != nil {
		h.must(nil, h.upheaval.alone(h.Context(), *act))
	}
	h.upheaval.lock.RLock()
	defer h.upheaval.lock.RUnlock()
	for _, name := range h.upheaval.past[h.upheavals:] {
		h.tell("%s", name)
		done = append(done, strings.Fields(name)[0])
	}
	h.upheavals = len(h.upheaval.past)
	for range 1 + h.random.IntN(3) {
		act := drawn(h.random)
		if h.see().replicas == 0 && h.random.IntN(3) > 0 {
			act = wake
		}
		done = append(done, act.name)
		act.do(h)
		h.caughtUp()
		if act.lasts {
			break
		}
	}
	h.tell("so far: %s", strings.Join(done, ", "))
	before := h.see()
	if h.random.IntN(2) == 0 { // half of the looks are after the controller's first answer, as in the tame world
		h.await(2*syncPeriod, func(now snapshot) bool { return before.decided(now) })
	}
	if h.random.IntN(simulations) == 0 {
		h.until(h.foresee)
		return
	}
	tallied := *h.tally
	h.until(func() bool { h.settle(); return h.look() })
	for _, name := range slices.Compact(slices.Sorted(slices.Values(done))) {
		entry(h.byAct, name).add(h.tally.since(tallied))
	}
}

// until tries again what was set aside, and counts all of it. In a state in which nothing can be judged, the next round goes on.
func (h *hostile) until(judged func() bool) {
	deadline := time.Now().Add(patience)
	for tries := 1; !judged(); tries++ {
		if tries == mostTries || time.Now().After(deadline) {
			h.stuck++
			h.Logf("nothing could be judged in %d looks: %s\n%s", tries, h.tally, strings.Join(h.story, "\n"))
			if h.stuck > mostStuck {
				h.Fatalf("nothing could be judged %d times", h.stuck)
			}
			return
		}
	}
}

// settle waits until inputs rest for a moment, the samples are fresh, and the controller has either just written or been
// silent for more than a sync, so that all lasts until a look has ended and the controller has decided. It has no part
// in what was done, or in what the controller does then.
func (h *hostile) settle() {
	last, since, sampled, written := h.see(), time.Now(), time.Time{}, time.Time{}
	h.await(2*cluster.Resolution, func(now snapshot) bool {
		if now.inputs() != last.inputs() {
			since = time.Now()
		}
		if now.samples != last.samples {
			sampled = time.Now()
		}
		if last.decided(now) {
			written = time.Now()
		}
		last = now
		silent := time.Since(written)
		return time.Since(since) > calm && (silent < justNow || silent > syncPeriod+calm) &&
			(now.samples == "" || time.Since(sampled) < fresh)
	})
}

// tell adds a line to the story of this world.
func (h *hostile) tell(format string, values ...any) {
	h.story = append(h.story, time.Now().UTC().Format(storyTime)+" "+fmt.Sprintf(format, values...))
	if extra := len(h.story) - remembered; extra > 0 {
		h.story = h.story[extra:]
	}
}
