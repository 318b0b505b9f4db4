package e2e

import (
	"fmt"
	"slices"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// foresees simulates a change of maxReplicas, makes it, and judges what was said by what the controller does then.
func (b *believer) foresees() bool {
	b.Helper()
	b.settle()
	before, saved := b.see(), b.newCase()
	high := max(2+b.random.Int32N(11), least(before.hpa))
	change := []string{"--max", fmt.Sprint(high)}
	b.explained(saved)
	answer := said{command: "simulate", decision: b.supposed(append(b.reader(), web), change)}
	answer.text = fmt.Sprint(change, compact(answer.decision.DesiredReplicas), compact(answer.decision.Interval))
	if now := b.see(); before.inputs() != now.inputs() || before.decided(now) {
		b.ledger.setAside("changed")
		return false
	}
	late, asked := time.Since(b.acted) > lateness, time.Now()
	now, known := b.changed(before, high, asked)
	if !known {
		return false
	}
	dated := saved + ".later.yaml"
	b.must(nil, postdate(saved, dated))
	lowest, highest := b.supposed([]string{"-f", dated}, change).bounds()
	if low, top := answer.bounds(); answer.is() == exactly && (low != lowest || top != highest) {
		b.ledger.setAside("by time alone")
		return false
	}
	b.judge(answer, now, late, saved)
	return true
}

// supposed is what simulate says of a change.
func (b *believer) supposed(of, change []string) *decision {
	answer := b.simulated(append(of, change...)...)
	return &answer.Then
}

// changed changes maxReplicas, and is what the controller then does first; not known if that may be of the old spec.
func (b *believer) changed(before snapshot, high int32, asked time.Time) (truth, bool) {
	b.Helper()
	b.amend(map[string]any{"maxReplicas": high})
	edited, err := b.hpa(b.Context())
	b.must(edited, err)
	b.acted = time.Now()
	before.hpa = edited
	b.await(patience, func(now snapshot) bool { return atLeast(now.hpa.ResourceVersion, edited.ResourceVersion) })
	now, known := b.truth(before, asked)
	if known && isRefused(b.see().hpa) && !isRefused(before.hpa) {
		// Nothing has shown that before: what was to be written is judged.
		now.replicas, known = b.refusedSize(asked)
	}
	if !known || now.replicas == before.replicas {
		return now, known
	}
	after := b.await(syncPeriod, func(now snapshot) bool { return now.hpa.ResourceVersion != edited.ResourceVersion })
	if after.hpa.ResourceVersion != edited.ResourceVersion && (!worked(after.hpa) || after.hpa.Status.CurrentReplicas != before.replicas) {
		b.ledger.setAside("decided on the old spec")
		return truth{}, false
	}
	return now, true
}

// isRefused tells whether the last sync could not update the scale.
func isRefused(hpa *autoscaling.HorizontalPodAutoscaler) bool {
	return slices.ContainsFunc(hpa.Status.Conditions, func(it autoscaling.HorizontalPodAutoscalerCondition) bool {
		return it.Type == autoscaling.AbleToScale && it.Reason == "FailedUpdateScale"
	})
}

// refusedSize is the size of the last update that was refused, by its event.
func (b *believer) refusedSize(since time.Time) (size int32, known bool) {
	list, err := b.Client.CoreV1().Events(b.namespace).List(b.Context(), metav1.ListOptions{FieldSelector: "reason=FailedRescale,involvedObject.name=" + web})
	b.must(list, err)
	last := since.Truncate(time.Second)
	for _, event := range list.Items {
		if at := event.LastTimestamp.Time; !at.Before(last) {
			_, err := fmt.Sscanf(event.Message, "New size: %d;", &size)
			last, known = at, err == nil
		}
	}
	return size, known
}
