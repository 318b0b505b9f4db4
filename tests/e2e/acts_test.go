package e2e

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-hpa.local/e2e/metrics"
)

// act is one thing that people or clusters do to an HPA and its target. A new one is one function and one line here.
type act struct {
	name   string
	weight int
	do     func(*hostile)
	lasts  bool // nothing else is done before the look
}

var acts = []act{
	{name: "load", weight: 9, do: (*hostile).newLoad},
	{name: "nothing", weight: 5, do: func(*hostile) {}},
	{name: "overdone", weight: 14, do: (*hostile).overdone, lasts: true},
	{name: "scale", weight: 5, do: func(h *hostile) { h.scaleTo(h.size()) }},
	{name: "scale-again", weight: 4, do: (*hostile).scaleAgain},
	{name: "scale-same", weight: 1, do: func(h *hostile) { h.scaleTo(h.see().replicas) }},
	{name: "helm", weight: 3, do: func(h *hostile) { h.resetBy("helm", types.MergePatchType) }},
	{name: "argocd", weight: 2, do: func(h *hostile) { h.resetBy("argocd-controller", types.ApplyPatchType) }},
	{name: "flap", weight: 2, do: (*hostile).flap},
	{name: "pause", weight: 1, do: func(h *hostile) { h.scaleTo(0) }},
	{name: "fail", weight: 2, do: (*hostile).failing},
	{name: "pod-gone", weight: 2, do: (*hostile).podGone},
	{name: "bounds", weight: 3, do: (*hostile).editBounds},
	{name: "squeeze", weight: 2, do: (*hostile).squeeze},
	{name: "target", weight: 2, do: (*hostile).editTarget},
	{name: "metrics", weight: 1, do: (*hostile).editMetrics},
	{name: "behavior", weight: 4, do: (*hostile).editBehavior},
	{name: "v1", weight: 2, do: (*hostile).annotateBehavior},
	{name: "no-behavior", weight: 2, do: (*hostile).dropBehavior},
	{name: "touch", weight: 1, do: (*hostile).touch},
	{name: "writers", weight: 1, do: (*hostile).writers},
	{name: "events-gone", weight: 2, do: (*hostile).dropEvents},
	{name: "foreign-event", weight: 2, do: (*hostile).foreignEvent},
	{name: "status", weight: 1, do: (*hostile).editStatus},
	{name: "renew", weight: 2, do: func(h *hostile) { h.anew(0) }},
	{name: "renew-later", weight: 1, do: func(h *hostile) { h.anew(time.Duration(1+h.random.IntN(4)) * syncPeriod) }},
	wake, restarted, crashed, outage, // the first is done to what is paused, the others are drawn by upheaval
}

// wake ends a pause.
var wake = act{name: "wake", do: func(h *hostile) { h.scaleTo(1 + h.random.Int32N(6)) }}

func drawn(random *rand.Rand) act {
	sum := 0
	for _, one := range acts {
		sum += one.weight
	}
	at := random.IntN(sum)
	for _, one := range acts {
		if at -= one.weight; at < 0 {
			return one
		}
	}
	panic("not reached: a number below the sum of all weights")
}

// newLoad is the tame world's change; and whatever failed works again.
func (h *hostile) newLoad() {
	h.Metrics.Update(func(state *metrics.State) { state.Recover(h.namespace) })
	h.change()
	h.tell("load %dm", h.load.milli.Load())
}

// size draws a number of replicas, sometimes beyond maxReplicas.
func (h *hostile) size() int32 { return 1 + h.random.Int32N(14) }

// scaleTo does what kubectl scale does.
func (h *hostile) scaleTo(replicas int32) {
	h.Helper()
	h.tell("kubectl scale --replicas=%d (from %d)", replicas, h.see().replicas)
	h.must(h.Client.AppsV1().Deployments(h.namespace).Patch(h.Context(), web, types.MergePatchType,
		fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, replicas), v1.PatchOptions{FieldManager: "kubectl"}, "scale"))
}

// scaleAgain scales several times between two syncs, in the end perhaps to where it was.
func (h *hostile) scaleAgain() {
	begin := h.see().replicas
	for range 1 + h.random.IntN(3) {
		h.scaleTo(h.size())
		h.pause(syncPeriod / 3)
	}
	if begin > 0 && h.random.IntN(2) == 0 {
		h.scaleTo(begin)
	}
}

// overdone has somebody scale far to one side, and then the load go to the other, so that the controller turns back by as
// much as its rules let it: what it may do next hangs on what it remembers of the sizes.
func (h *hostile) overdone() {
	size, load, others := h.size()/3+1, 600, 100
	if h.random.IntN(2) == 0 {
		size, load, others = 12-h.random.Int32N(4), h.random.IntN(150), h.random.IntN(20)
	}
	h.scaleTo(size)
	h.pause(2 * syncPeriod)
	h.tell("load %dm, others %d", load, others)
	h.share(fmt.Sprintf("%dm", load))
	h.publish("rps", strconv.Itoa(others/4), "hits", strconv.Itoa(others), "queue", strconv.Itoa(others*2/3))
	before := h.see()
	h.await(4*syncPeriod, func(now snapshot) bool { return before.replicas != now.replicas })
}

// resetBy lets a tool set the replicas that it knows.
func (h *hostile) resetBy(manager string, kind types.PatchType) { h.sets(manager, kind, h.size()) }

// sets patches the whole Deployment, as tools do that know its manifest.
func (h *hostile) sets(manager string, kind types.PatchType, replicas int32) {
	h.Helper()
	options := v1.PatchOptions{FieldManager: manager}
	if kind == types.ApplyPatchType {
		options.Force = new(true)
	}
	h.tell("%s sets replicas %d (from %d)", manager, replicas, h.see().replicas)
	h.must(h.Client.AppsV1().Deployments(h.namespace).Patch(h.Context(), web, kind, fmt.Appendf(nil,
		`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":%q},"spec":{"replicas":%d}}`, web, replicas), options))
}

// flap scales by hand again and again, and each time lets the controller answer: events about one HPA are folded from
// the tenth message on, and dropped from the 26th event on.
func (h *hostile) flap() {
	for range 3 + h.random.IntN(10) {
		h.scaleTo(h.size())
		h.caughtUp()
		before := h.see()
		h.await(syncPeriod+syncPeriod/4, func(now snapshot) bool { return before.replicas != now.replicas })
	}
}

// failing makes metrics fail: no samples of cpu, no values of the others or an error in their place.
func (h *hostile) failing() {
	h.tell("metrics fail")
	h.share("0m")
	if h.random.IntN(2) == 0 {
		h.publish()
		return
	}
	for _, api := range []string{"custom.metrics.k8s.io", "external.metrics.k8s.io"} {
		h.fail(metrics.Error{API: api, Code: 503, Reason: v1.StatusReasonServiceUnavailable, Message: "try again"})
	}
}

func (h *hostile) podGone() {
	if pods := h.pods(web); len(pods) > 0 {
		name := pods[h.random.IntN(len(pods))].Name
		h.tell("pod %s deleted", name)
		_ = h.Client.CoreV1().Pods(h.namespace).Delete(h.Context(), name, v1.DeleteOptions{}) // it may be gone by now
	}
}

// pause waits for a while, up to a limit.
func (h *hostile) pause(limit time.Duration) {
	time.Sleep(time.Duration(h.random.Int64N(int64(limit))))
}

// caughtUp waits until the monitor has seen what was just written.
func (h *hostile) caughtUp() {
	hpa, err := h.hpa(h.Context())
	h.must(hpa, err)
	deployment, err := h.Client.AppsV1().Deployments(h.namespace).Get(h.Context(), web, v1.GetOptions{})
	h.must(deployment, err)
	h.await(patience, func(now snapshot) bool {
		return atLeast(now.hpa.ResourceVersion, hpa.ResourceVersion) && now.hpa.UID == hpa.UID && atLeast(now.target, deployment.ResourceVersion)
	})
}

// atLeast tells whether a resource version is as new as another one.
func atLeast(version, other string) bool {
	one, err := strconv.ParseUint(version, 10, 64)
	two, otherErr := strconv.ParseUint(other, 10, 64)
	return err == nil && otherErr == nil && one >= two
}
