package e2e

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/cluster"
)

const (
	decisionsVariable = "KUBECTL_HPA_DECISIONS"
	seedVariable      = "KUBECTL_HPA_SEED"
	casesVariable     = "KUBECTL_HPA_CASES"     // a folder for the case of each look that the controller contradicts
	intervalsVariable = "KUBECTL_HPA_INTERVALS" // one for the case of each look that was answered by an interval
	someDecisions     = 200
	renewal           = 10 // decisions about one HPA: a controller emits few events about one, 25 at first
)

// autoscalers are the HPAs whose loads are changed at random, each in a namespace of its own.
var autoscalers = []struct {
	name   string
	change func(*autoscaling.HorizontalPodAutoscalerSpec)
}{
	{"cpu", nil},
	{"cpu-window", func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.Behavior = down(window(10)) }},
	{"cpu-and-queue", func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Metrics = append(spec.Metrics, externalMetric("queue", average("6")))
		spec.Behavior = down(window(0))
	}},
	{"queue", func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Metrics = []autoscaling.MetricSpec{externalMetric("queue", average("6"))}
		spec.Behavior = down(window(0))
	}},
	{"queue-held", func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Metrics = []autoscaling.MetricSpec{externalMetric("queue", value("20"))}
	}},
	{"queue-from-zero", func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.MinReplicas = new(int32(0))
		spec.Metrics = []autoscaling.MetricSpec{externalMetric("queue", average("6"))}
		spec.Behavior = down(window(5))
	}},
	{"rps-policies", func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Metrics = []autoscaling.MetricSpec{podsMetric("rps", average("8"))}
		spec.Behavior = down(limited(window(0), policy(autoscaling.PercentScalingPolicy, 50, 15)))
		spec.Behavior.ScaleUp = limited(window(0), policy(autoscaling.PodsScalingPolicy, 2, 15))
	}},
	{"hits-windows", func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Metrics = []autoscaling.MetricSpec{objectMetric("hits", average("9"))}
		spec.Behavior = down(window(12))
		spec.Behavior.ScaleUp = window(8)
	}},
}

// The load of several HPAs is changed at random, again and again, and each time one look must tell what the
// controller decides next, or hold it in its interval. What may be set aside is told by judge.
func TestLiveDecisions(t *testing.T) {
	path, count := binary(t), number(t, decisionsVariable, someDecisions)
	seed := number(t, seedVariable, int(time.Now().Unix()))
	c, err := whole()
	if err != nil {
		t.Fatal(err)
	}
	known := gather(t, c)
	tallies := make([]tally, len(autoscalers))
	t.Run("of", func(t *testing.T) {
		for i, autoscaler := range autoscalers {
			t.Run(autoscaler.name, func(t *testing.T) {
				t.Parallel()
				l := &live{
					world: inCluster(t, c), monitor: known.monitor, journal: known.journal, logged: known.journal.last, path: path, tally: &tallies[i], cases: t.TempDir(),
					random: rand.New(rand.NewPCG(uint64(seed), uint64(i))),
				}
				l.begin(autoscaler.change)
				for l.tally.judged < (count+i)/len(autoscalers) {
					if l.tally.judged > 0 && l.tally.judged%renewal == 0 {
						l.renew(autoscaler.change)
					}
					l.round()
				}
			})
		}
	})
	sum := tally{}
	for i, one := range tallies {
		t.Logf("%-16s %s", autoscalers[i].name, one)
		sum.add(one)
	}
	t.Logf("seed %d, all: %s", seed, sum)
}

func number(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text, given := os.LookupEnv(variable)
	if !given {
		return otherwise
	}
	value, err := strconv.Atoi(text)
	if err != nil || value < 1 {
		t.Fatalf("%s=%q: a number from 1 on is needed", variable, text)
	}
	return value
}

// live is a world whose load changes, and the looks at it.
type live struct {
	*world
	monitor        *monitor
	path           string
	tally          *tally
	random         *rand.Rand
	cases          string   // a folder
	story          []string // what was done to this world, where that is kept
	contradictions int
	logged         func(namespace string) string // what the controller wrote of it, if that is known
	journal        *journal                      // the same, where it logs each sync
	read           bool                          // only what the metrics read counts as an input
}

// see is what the monitor knows of this world.
func (l *live) see() snapshot {
	now := l.monitor.see(l.namespace)
	if l.Kubelet != nil || l.read && !now.readsSamples() { // those that are played change with the test alone, but for their times
		now.samples = ""
	}
	return now
}

func (l *live) begin(change func(*autoscaling.HorizontalPodAutoscalerSpec)) {
	l.deploy(2)
	l.share("100m")
	l.sampled(2)
	l.publish("rps", "8", "hits", "18", "queue", "12")
	l.autoscale(change)
	l.eventually("the first decision", l.hasStatus)
}

// renew puts a new HPA in the place of the old one. Sometimes the controller has forgotten the old one by then; if not,
// the new one inherits its memory.
func (l *live) renew(change func(*autoscaling.HorizontalPodAutoscalerSpec)) {
	l.must(nil, l.Client.AutoscalingV2().HorizontalPodAutoscalers(l.namespace).Delete(l.Context(), web, metav1.DeleteOptions{}))
	l.eventually("the HPA is gone", l.isGone)
	time.Sleep(time.Duration(l.random.Int64N(int64(2 * syncPeriod))))
	if l.see().replicas == 0 {
		l.byHand(2)
	}
	l.autoscale(change)
	l.eventually("the first decision", l.hasStatus)
}

func (l *live) isGone(context.Context) error {
	if l.see().hpa.Name != "" {
		return errors.New("still there")
	}
	return nil
}

// change draws a new load. Once in eight times the metrics other than cpu fail.
func (l *live) change() {
	l.share(fmt.Sprintf("%dm", l.random.IntN(700)))
	if l.random.IntN(8) == 0 {
		l.publish()
		return
	}
	l.publish("rps", l.draw(30), "hits", l.draw(110), "queue", l.draw(80))
}

func (l *live) draw(limit int) string { return strconv.Itoa(l.random.IntN(limit)) }

// round changes the load and judges one look: half of them at once, so that the decision to come is foretold; half
// after the controller's first answer to the change.
func (l *live) round() {
	before := l.see()
	l.change()
	moved := func(now snapshot) bool { return before.decided(now) }
	if l.random.IntN(2) == 0 {
		moved = func(now snapshot) bool { return before.inputs() != now.inputs() || before.decided(now) }
	}
	l.await(4*cluster.Resolution, moved)
	for deadline := time.Now().Add(patience); !l.look(); {
		if time.Now().After(deadline) {
			l.Fatalf("no look could be judged within %s: %s", patience, l.tally)
		}
	}
}

// await returns what is seen once it is so, or at the latest after a time.
func (l *live) await(limit time.Duration, so func(snapshot) bool) snapshot {
	for begin := time.Now(); ; time.Sleep(glance) {
		if now := l.see(); so(now) || time.Since(begin) > limit {
			return now
		}
	}
}

// look runs the binary once and tells whether the decision that belongs to what it saw is known.
func (l *live) look() bool {
	before := l.see()
	saved := filepath.Join(l.cases, fmt.Sprintf("%d-%d.yaml", l.tally.judged, l.tally.changed+l.tally.timed))
	answer := explain(l.T, l.path, web, "-n", l.namespace, "--kubeconfig", l.Kubeconfig(cluster.Admin), "--save", saved)
	if now := l.see(); before.inputs() != now.inputs() || before.decided(now) {
		l.tally.changed++
		return false
	}
	return l.judge(before, answer, saved)
}
