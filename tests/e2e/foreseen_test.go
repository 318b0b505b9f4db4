package e2e

import (
	"fmt"
	"time"
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
