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
}

var acts = []act{
	{"load", 16, (*hostile).newLoad},
	{"nothing", 2, func(*hostile) {}},
	{"scale", 5, func(h *hostile) { h.scaleTo(h.size()) }},
	{"scale-again", 4, (*hostile).scaleAgain},
	{"scale-same", 1, func(h *hostile) { h.scaleTo(h.see().replicas) }},
	{"helm", 3, func(h *hostile) { h.resetBy("helm", types.MergePatchType) }},
	{"argocd", 2, func(h *hostile) { h.resetBy("argocd-controller", types.ApplyPatchType) }},
	{"flap", 2, (*hostile).flap},
	{"pause", 1, func(h *hostile) { h.scaleTo(0) }},
	{"fail", 2, (*hostile).failing},
	{"pod-gone", 2, (*hostile).podGone},
	{"bounds", 3, (*hostile).editBounds},
	{"squeeze", 2, (*hostile).squeeze},
	{"target", 2, (*hostile).editTarget},
	{"metrics", 1, (*hostile).editMetrics},
	{"behavior", 4, (*hostile).editBehavior},
	{"no-behavior", 2, (*hostile).dropBehavior},
	{"touch", 1, (*hostile).touch},
	{"writers", 1, (*hostile).writers},
	{"renew", 2, func(h *hostile) { h.anew(0) }},
	{"renew-later", 1, func(h *hostile) { h.anew(time.Duration(1+h.random.IntN(4)) * syncPeriod) }},
	wake, restarted, crashed, outage, // the first is done to what is paused, the others are drawn by upheaval
}

// wake ends a pause.
var wake = act{"wake", 0, func(h *hostile) { h.scaleTo(1 + h.random.Int32N(6)) }}

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

// resetBy sets the replicas with a patch of the whole Deployment, as tools do that know its manifest.
func (h *hostile) resetBy(manager string, kind types.PatchType) {
	h.Helper()
	replicas, options := h.size(), v1.PatchOptions{FieldManager: manager}
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
