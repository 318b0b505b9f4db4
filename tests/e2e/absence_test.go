package e2e

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/parts"
)

// orphans are the HPAs whose controller goes away.
var orphans = []struct {
	name   string
	change func(*autoscaling.HorizontalPodAutoscalerSpec)
}{
	{"cpu", func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.Behavior = down(window(0)) }},
	{"cpu-window", func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.Behavior = down(window(8)) }},
	{"queue", meeting("external.metrics.k8s.io")},
	{"hits", meeting("custom.metrics.k8s.io")},
	{"policies", meeting("")},
}

// phase is something that is done to the controller of all worlds at once.
type phase struct {
	name   string
	absent bool
	begin  func(context.Context, *cluster.Cluster) error
}

// phases of a controller, in order. (Once a second controller has ended, nothing shows what only that one knew; so nobody looks
// until both have.)
var phases = []phase{
	{"controller dead", true, func(ctx context.Context, c *cluster.Cluster) error {
		c.End(parts.ControllerManager)
		return expired(ctx, c)
	}},
	{"controller back", false, func(ctx context.Context, c *cluster.Cluster) error { return c.StartControllerManager(ctx) }},
	{"controller manager without this loop", true, func(ctx context.Context, c *cluster.Cluster) error {
		c.End(parts.ControllerManager)
		return c.StartControllerManager(ctx, cluster.HPAController)
	}},
	{"two controllers", false, func(ctx context.Context, c *cluster.Cluster) error {
		c.End(parts.ControllerManager)
		if err := c.StartControllerManager(ctx); err != nil {
			return err
		}
		return c.AddControllerManager(ctx)
	}},
}

// expired returns once the Lease is over, and a moment more.
func expired(ctx context.Context, c *cluster.Cluster) error {
	lease, err := c.Leader(ctx)
	if err != nil {
		return err
	}
	if lease.Spec.RenewTime == nil || lease.Spec.LeaseDurationSeconds == nil {
		return errors.New("the Lease has no times")
	}
	over := lease.Spec.RenewTime.Add(time.Duration(*lease.Spec.LeaseDurationSeconds) * time.Second)
	time.Sleep(time.Until(over.Add(syncPeriod)))
	return nil
}

// withoutController judges HPAs while nothing, or more than one, syncs them.
func withoutController(t *testing.T, l *ledger, count, seed int) {
	binary(t)
	c, err := cluster.Start("", cluster.Settings{SyncPeriod: syncPeriod, Elected: true, Lease: shortLease, Decisions: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	known := gather(t, c)
	worlds := make([]*believer, len(orphans))
	for i, one := range orphans {
		worlds[i] = newBeliever(inNamespace(t, c, one.name), known, l, seed, i)
		worlds[i].begins(one.change)
	}
	for _, one := range worlds[:len(worlds)/watchers] {
		defer one.isWatched()()
	}
	for l.judged() < count {
		for _, phase := range phases {
			if err := phase.begin(t.Context(), c); err != nil {
				t.Fatal(phase.name, ": ", err)
			}
			var looking sync.WaitGroup
			for _, one := range worlds {
				looking.Go(func() { one.lives(phase) })
			}
			looking.Wait()
		}
		if err := c.DropControllerManager(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// lives through a phase.
func (b *believer) lives(now phase) {
	b.absent = now.absent
	b.does(now.name, func() {})
	if !now.absent {
		b.met()
	}
	b.does(now.name, b.newLoad)
	if now.absent || b.random.IntN(2) == 0 {
		b.judges(b.look)
	}
	b.tires()
	b.judges(b.look)
	if b.random.IntN(3) == 0 {
		b.judges(b.foresees)
	}
}
