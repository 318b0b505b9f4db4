package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/parts"
)

const (
	rareness  = 100              // of so many rounds one begins with an act that concerns the whole cluster
	reconnect = 15 * time.Second // what clients take at most to go on after an outage
)

// Acts that concern all worlds: nobody looks meanwhile, and everybody afterwards.
var (
	restarted = act{name: "restart"} // of the controller manager
	crashed   = act{name: "crash"}   // the same, and it stays away for a while
	outage    = act{name: "outage"}  // of the API server
)

// upheaval is a cluster of its own, and what is done to the whole of it.
type upheaval struct {
	*cluster.Cluster
	monitor *monitor
	canary  *world // tells whether the controller is at work
	context context.Context
	lock    sync.RWMutex // held for reading by whoever acts or looks
	past    []string     // what was done, in order
}

// hostileSettings are those of a cluster to which everything is done.
var hostileSettings = cluster.Settings{SyncPeriod: syncPeriod, Kwok: true, Elected: true, Decisions: true}

func newUpheaval(t *testing.T, settings cluster.Settings) *upheaval {
	t.Helper()
	c, err := cluster.Start("", settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	u := &upheaval{Cluster: c, monitor: watch(t.Context(), c.Client), canary: inNamespace(t, c, "canary"), context: t.Context()}
	t.Cleanup(u.monitor.running.Wait)
	u.canary.create(web, 0)
	u.canary.autoscale(nil)
	return u
}

// draw returns one of these acts, in turns; mostly none.
func (u *upheaval) draw(random *rand.Rand) *act {
	if random.IntN(rareness) > 0 {
		return nil
	}
	u.lock.RLock()
	defer u.lock.RUnlock()
	return &[]act{outage, restarted, crashed}[len(u.past)%3]
}

// quietly does something while nothing happens to the whole cluster.
func (u *upheaval) quietly(do func()) {
	u.lock.RLock()
	defer u.lock.RUnlock()
	do()
}

// alone does one of these acts while nobody looks, and returns once the controller is at work again.
func (u *upheaval) alone(ctx context.Context, act act) error {
	u.lock.Lock()
	defer u.lock.Unlock()
	begin := time.Now()
	if err := u.upheave(ctx, act); err != nil {
		return err
	}
	u.past = append(u.past, fmt.Sprintf("%s from %s to %s", act.name, begin.UTC().Format(storyTime), time.Now().UTC().Format(storyTime)))
	return nil
}

func (u *upheaval) upheave(ctx context.Context, act act) error {
	switch act.name {
	case restarted.name:
		if err := u.RestartControllerManager(ctx, 0); err != nil {
			return err
		}
	case crashed.name:
		if err := u.RestartControllerManager(ctx, 4*syncPeriod); err != nil {
			return err
		}
	default:
		if err := u.RestartAPIServer(ctx, time.Second); err != nil {
			return err
		}
		time.Sleep(reconnect)
		if _, err := u.ReviveControllerManager(ctx); err != nil {
			return err
		}
		u.monitor.follow(u.context)
	}
	return u.atWork(ctx)
}

// atWork returns once the controller has answered to an edit of an HPA.
func (u *upheaval) atWork(ctx context.Context) error {
	hpas := u.Client.AutoscalingV2().HorizontalPodAutoscalers(u.canary.namespace)
	hpa, err := hpas.Get(ctx, web, metav1.GetOptions{})
	if err != nil {
		return err
	}
	hpa, err = hpas.Patch(ctx, web, types.MergePatchType,
		fmt.Appendf(nil, `{"spec":{"maxReplicas":%d}}`, hpa.Spec.MaxReplicas+1), metav1.PatchOptions{})
	for begin := time.Now(); err == nil && !worked(hpa); time.Sleep(50 * time.Millisecond) {
		if time.Since(begin) > patience {
			return errors.New("the controller doesn't come back to work")
		}
		hpa, err = hpas.Get(ctx, web, metav1.GetOptions{})
	}
	return err
}

// worked tells whether the controller has decided on the newest spec.
func worked(hpa *autoscaling.HorizontalPodAutoscaler) bool {
	return hpa.Status.ObservedGeneration != nil && *hpa.Status.ObservedGeneration >= hpa.Generation
}

// decisions are the last lines that the controller logged about a namespace.
func (u *upheaval) decisions(namespace string) string {
	text, err := os.ReadFile(u.Log(parts.ControllerManager))
	if err != nil {
		return err.Error()
	}
	lines := []string{}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "/"+namespace+"/") || strings.Contains(line, `"`+namespace+`/`) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-2*remembered):], "")
}

func compact(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
