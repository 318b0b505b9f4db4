package e2e

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"kubectl-hpa.local/e2e/cluster"
)

const (
	beliefsVariable = "KUBECTL_HPA_BELIEFS" // how many looks
	someBeliefs     = 100
	manyBeliefs     = 500 // from so many on it is asserted how many answers are exact
	mostlyExact     = 80  // percent of them
	watchers        = 3   // of so many worlds one is watched
)

// What only the controller can't do, what it holds of rivals, and whether it is at work at all: no answer may be wrong that
// reads the controller's status, its events and its Lease.
func TestBelievesTheController(t *testing.T) {
	if os.Getenv(beliefsVariable) == "" {
		t.Skip(beliefsVariable + " says how many looks; they take minutes and want a machine of their own")
	}
	count, seed := number(t, beliefsVariable, someBeliefs), number(t, seedVariable, int(time.Now().Unix()))
	parts := []struct {
		name   string
		judges func(t *testing.T, l *ledger, count, seed int)
		share  int // of all looks
		ledger *ledger
	}{{"rights", withoutRights, 2, newLedger()}, {"rivals", withRivals, 3, newLedger()}, {"absence", withoutController, 6, newLedger()}}
	t.Run("of", func(t *testing.T) {
		for _, part := range parts {
			t.Run(part.name, func(t *testing.T) {
				t.Parallel()
				part.judges(t, part.ledger, count/part.share, seed)
			})
		}
	})
	l := newLedger()
	for _, part := range parts {
		l.add(part.ledger)
	}
	commands := l.report(t)
	t.Logf("seed %d", seed)
	if one := commands["explain"]; one != nil && count >= manyBeliefs && one.lateExact*100 < one.late*mostlyExact {
		t.Errorf("explain: only %d of %d answers are exact from two syncs after an act on", one.lateExact, one.late)
	}
}

// withoutRights has a world for each fault, in which the controller has rights of its own.
func withoutRights(t *testing.T, l *ledger, count, seed int) {
	binary(t)
	c, err := cluster.Start("", cluster.Settings{SyncPeriod: syncPeriod, Elected: true, Decisions: true, OwnRights: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	rules, err := c.HPARules(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Disperse(t.Context()); err != nil {
		t.Fatal(err)
	}
	admits(t, c)
	known := gather(t, c)
	for i, one := range everyFault(rules) {
		t.Run(fmt.Sprintf("fault-%d", i), func(t *testing.T) {
			t.Parallel()
			b := newBeliever(inCluster(t, c), known, l, seed, i)
			b.must(nil, c.Grant(t.Context(), b.namespace, rules))
			b.begins(one.change)
			if i%watchers == 0 {
				defer b.isWatched()()
			}
			for rounds := 1; l.judged() < count || rounds <= 2; rounds++ {
				b.suffers(one, rounds == 2 || b.random.IntN(3) > 0)
			}
		})
	}
}

// isWatched starts a watch of the HPA, and returns what ends it.
func (b *believer) isWatched() (end func()) {
	b.Helper()
	b.watched = &vigil{live: b.live}
	b.watched.start(b.Kubeconfig(cluster.Admin))
	return sync.OnceFunc(b.watched.stop)
}
