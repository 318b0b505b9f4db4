package e2e

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/parts"
)

const (
	lateness = 2*syncPeriod + syncPeriod/2 // after an act: more than two syncs have begun since
	still    = 150 * time.Millisecond      // nothing has changed for so long before a look
	caughtUp = 100 * time.Millisecond      // each watch of the monitor has what the others have
)

// believer is a world whose controller can't do all that the reader can, or does what the reader doesn't see.
type believer struct {
	live
	ledger  *ledger
	watched *vigil    // nil if nobody watches
	kind    string    // what was done last
	acted   time.Time // when
	harmed  bool      // something keeps the controller from its work
	absent  bool      // no controller is at work
	rivaled bool      // another HPA may scale the target
	numbers int       // of cases
}

// evidence is what the controller's decisions are known from, for all worlds of a cluster.
type evidence struct {
	monitor *monitor
	journal *journal
}

func gather(t *testing.T, c *cluster.Cluster) evidence {
	t.Helper()
	known := evidence{watch(t.Context(), c.Client), newJournal(c.Log(parts.ControllerManager))}
	t.Cleanup(known.monitor.running.Wait)
	return known
}

// newBeliever makes one of a world, with randomness of its own.
func newBeliever(w *world, known evidence, l *ledger, seed, number int) *believer {
	return &believer{ledger: l, acted: time.Now(), live: live{
		world: w, monitor: known.monitor, path: binary(w.T), tally: &tally{}, cases: w.TempDir(),
		random: rand.New(rand.NewPCG(uint64(seed), uint64(number))), journal: known.journal, logged: known.journal.last,
	}}
}

// begins with a Deployment of two pods, and an HPA that has decided.
func (b *believer) begins(change func(*autoscaling.HorizontalPodAutoscalerSpec)) {
	b.Helper()
	b.deploy(2)
	b.wants(2)
	b.autoscale(change)
	b.eventually("the first decision", b.hasStatus)
}

// does something, of a kind that answers are counted by from now on.
func (b *believer) does(kind string, act func()) {
	act()
	b.kind, b.acted = kind, time.Now()
	b.story = append(b.story, b.acted.UTC().Format(storyTime)+" "+kind)
}

// wants changes the load to one for which all metrics want so many replicas, or would within the tolerance.
func (b *believer) wants(replicas int) {
	b.Helper()
	b.share(fmt.Sprintf("%dm", 50*replicas-20))
	b.publish("hits", fmt.Sprint(9*replicas-4), "queue", fmt.Sprint(6*replicas-3))
}

// newLoad wants clearly other replicas than there are.
func (b *believer) newLoad() {
	replicas := int(b.see().replicas)
	wanted := replicas
	for abs := 0; abs < 2; abs = max(wanted-replicas, replicas-wanted) {
		wanted = 1 + b.random.IntN(12)
	}
	b.story = append(b.story, fmt.Sprint("load for ", wanted))
	b.wants(wanted)
}

// met waits until the controller has begun and ended a sync after the last act.
func (b *believer) met() {
	b.Helper()
	b.await(patience, func(snapshot) bool { return b.lines(b.acted.Add(2*caughtUp)) > 0 })
}

// tires waits until more than two syncs have begun after the last act.
func (b *believer) tires() { time.Sleep(time.Until(b.acted.Add(lateness))) }

// settle waits until nothing has changed for a moment.
func (b *believer) settle() {
	last, since := b.see(), time.Now()
	b.await(2*syncPeriod, func(now snapshot) bool {
		if now.inputs() != last.inputs() || last.decided(now) {
			since = time.Now()
		}
		last = now
		return time.Since(since) > still
	})
}
