package e2e

import (
	"fmt"
	"slices"
	"strings"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// truth is what the controller did next.
type truth struct {
	replicas int32
	stopped  bool // nothing is decided, as the controller's status says
	harmed   bool // nobody can say that it is fine: a pause at zero counts, too
}

func (b *believer) truth(before snapshot, asked time.Time) (truth, bool) {
	after, known := b.synced(before, asked)
	if !known {
		b.ledger.setAside("changed")
		return truth{}, false
	}
	isPaused := before.replicas == 0 || after.replicas == 0
	now := truth{after.replicas, b.absent || stopped(before.hpa) && stopped(after.hpa), b.absent || b.harmed || isPaused || stopped(after.hpa)}
	if isRefused(after.hpa) && !isRefused(before.hpa) {
		// Nothing has shown before that the update is refused: what was to be written is judged.
		size, is := b.refusedSize(asked)
		if !is {
			b.ledger.setAside("refused for the first time")
			return truth{}, false
		}
		now = truth{replicas: size, harmed: true}
	}
	if b.rivaled && before.replicas != after.replicas {
		size, own := b.rescaled(before.replicas, asked)
		if !own {
			b.ledger.setAside("a rival came first")
			return truth{}, false
		}
		now.replicas = size
	}
	return now, true
}

// synced is what there is after the first sync from a moment on, which the journal shows if nothing else does.
func (b *believer) synced(before snapshot, asked time.Time) (after snapshot, known bool) {
	after, known = b.outcome(before)
	if known && !before.decided(after) && !b.absent {
		after = b.await(patience, func(now snapshot) bool {
			return before.decided(now) || before.inputs() != now.inputs() || b.lines(asked.Add(2*caughtUp)) >= b.linesOfSync()
		})
	}
	if before.decided(after) {
		time.Sleep(caughtUp)
	}
	after = b.see()
	return after, known && before.precedes(after)
}

// linesOfSync is how many lines there are at least once this HPA has been synced: a sync logs up to three.
func (b *believer) linesOfSync() int {
	if b.rivaled {
		return 4
	}
	return 1
}

// rescaled is the size to which the controller scaled first since a moment, if that was for this HPA.
func (b *believer) rescaled(from int32, since time.Time) (size int32, own bool) {
	entries, err := b.journal.since(b.namespace, since)
	b.must(entries, err)
	for _, one := range entries {
		if strings.Contains(one.text, `"Successfully rescaled" `) {
			was, size, own := b.rescale(one.text)
			return size, own && was == from
		}
	}
	return 0, false
}

// stopped tells whether the controller's status says that it decides nothing.
func stopped(hpa *autoscaling.HorizontalPodAutoscaler) bool {
	for _, condition := range hpa.Status.Conditions {
		if condition.Status == v1.ConditionFalse && condition.Reason != "ScalingDisabled" &&
			(condition.Type == autoscaling.AbleToScale || condition.Type == autoscaling.ScalingActive) {
			return true
		}
	}
	return false
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
