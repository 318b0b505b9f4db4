package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
)

// tally counts looks.
type tally struct {
	judged, exact, interval int // judged: all, of them exact answers and intervals
	foretold                int // judged, and the controller then wrote something
	unsure                  int // exact, but what the unknown memory has a say in was said otherwise
	wrong, misstated        int // judged, and the controller asked for other replicas, or wrote another status
	changed, timed          int // set aside: what was seen changed, or time alone was about to change the answer
	contradictions          []string
}

func (t *tally) add(o tally) {
	t.judged, t.exact, t.interval, t.foretold = t.judged+o.judged, t.exact+o.exact, t.interval+o.interval, t.foretold+o.foretold
	t.changed, t.timed, t.unsure = t.changed+o.changed, t.timed+o.timed, t.unsure+o.unsure
	t.wrong, t.misstated = t.wrong+o.wrong, t.misstated+o.misstated
	t.contradictions = append(t.contradictions, o.contradictions...)
}

// since is what was counted since another moment.
func (t tally) since(o tally) tally {
	return tally{
		judged: t.judged - o.judged, exact: t.exact - o.exact, interval: t.interval - o.interval, foretold: t.foretold - o.foretold,
		unsure: t.unsure - o.unsure, wrong: t.wrong - o.wrong, misstated: t.misstated - o.misstated,
		changed: t.changed - o.changed, timed: t.timed - o.timed,
	}
}

func (t tally) String() string {
	told := fmt.Sprintf("%d decisions (%d exact, %d intervals; %d before the controller wrote them; %d with another reason); set aside: %d changed meanwhile, %d by time alone; %d wrong, %d with another status",
		t.judged, t.exact, t.interval, t.foretold, t.unsure, t.changed, t.timed, t.wrong, t.misstated)
	return strings.Join(append([]string{told}, t.contradictions...), "\n")
}

// judge waits for the decision on what a look saw, and compares. That is what the controller writes first after the
// look; or, if it writes nothing for longer than a sync takes, that nothing is to change. If an input changes before
// either, the controller may have decided on something else, and the look is set aside; so it is if what it saw gives
// another answer at the time of the decision, as time alone has changed it. What the controller decides has no part in that.
func (l *live) judge(before snapshot, answer decision, saved string) bool {
	after, known := l.outcome(before)
	if !known {
		l.tally.changed++
		return false
	}
	if l.outdated(answer, saved) {
		l.tally.timed++
		return false
	}
	l.tally.judged++
	if before.decided(after) {
		l.tally.foretold++
	}
	contradictions := l.contradictions
	l.confront(before, after, answer, saved)
	if !answer.holds(&after.replicas) {
		l.tally.wrong++
	} else if l.contradictions > contradictions {
		l.tally.misstated++
	}
	return true
}

// outcome is what there is after the decision on what was seen; not known if an input changed before. That there was a
// sync, the journal shows where there is one: on a busy machine one may come late.
func (l *live) outcome(before snapshot) (after snapshot, known bool) {
	begin := time.Now()
	changed := func(now snapshot) bool { return before.decided(now) || before.inputs() != now.inputs() }
	after = l.await(rested, changed)
	if l.journal != nil && !changed(after) {
		l.await(lateness, func(now snapshot) bool { return changed(now) || l.lines(begin) > 0 })
		time.Sleep(caughtUp)
		after = l.see()
	}
	// Samples are asked for once more, as the controller may have had newer ones.
	known = before.samples == l.sampledSince(time.Now()).samples && before.precedes(after)
	return after, known && !l.skipped(before, after)
}

// skipped tells whether the controller rescaled twice before anybody looked: on a busy machine a second sync may come first.
func (l *live) skipped(before, after snapshot) bool {
	if l.journal == nil || before.replicas == after.replicas {
		return false
	}
	entries, err := l.journal.since(l.namespace, before.asked)
	l.must(entries, err)
	for _, one := range entries {
		if was, size, own := l.rescale(one.text); own && was == before.replicas {
			return size != after.replicas
		}
	}
	return false
}

// rescale is what a line of the controller's log says of a rescale by this world's HPA.
func (l *live) rescale(line string) (was, size int32, own bool) {
	_, told, is := strings.Cut(line, `"Successfully rescaled" `)
	if !is || !strings.Contains(told, fmt.Sprintf(`HPA="%s/%s"`, l.namespace, web)) {
		return 0, 0, false
	}
	_, numbers, _ := strings.Cut(told, "currentReplicas=")
	_, err := fmt.Sscanf(numbers, "%d desiredReplicas=%d", &was, &size)
	return was, size, err == nil
}

// lines is how many the controller has logged about this world since a moment.
func (l *live) lines(since time.Time) int {
	later, err := l.journal.since(l.namespace, since)
	l.must(later, err)
	return len(later)
}

// outdated tells whether time alone has changed an answer since.
func (l *live) outdated(answer decision, saved string) bool {
	later := l.later(saved)
	if reflect.DeepEqual(answer.Interval, later.Interval) && reflect.DeepEqual(answer.DesiredReplicas, later.DesiredReplicas) {
		return false
	}
	l.story = append(l.story, fmt.Sprintf("by time alone %s %s became %s %s",
		compact(answer.DesiredReplicas), compact(answer.Interval), compact(later.DesiredReplicas), compact(later.Interval)))
	return true
}

// confront holds an answer against what the controller did between two moments.
func (l *live) confront(before, after snapshot, answer decision, saved string) {
	if answer.DesiredReplicas == nil {
		l.tally.interval++
		l.keep(intervalsVariable, saved, fmt.Sprintf("%s, the controller %d", compact(answer.Interval), after.replicas))
		l.judgeInterval(after, answer, saved)
		return
	}
	l.tally.exact++
	if *answer.DesiredReplicas != after.replicas {
		l.contradicted(saved, fmt.Sprintf("kubectl-hpa %d, the controller %d", *answer.DesiredReplicas, after.replicas))
		return
	}
	if before.replicas != after.replicas { // its status follows the new scale
		after = l.await(syncPeriod, func(now snapshot) bool { return before.hpa.ResourceVersion != now.hpa.ResourceVersion })
	}
	l.judgeStatus(after, answer, saved)
}

var at = regexp.MustCompile(`(?m)^at: .*$`)

// later is the answer to what a look saw, were it seen now.
func (l *live) later(saved string) decision {
	path := saved + ".later.yaml"
	l.must(nil, postdate(saved, path))
	return explain(l.T, l.path, "-f", path)
}

// postdate copies a case as if it were seen now.
func postdate(saved, path string) error {
	text, err := os.ReadFile(saved)
	if err != nil {
		return err
	}
	text = at.ReplaceAll(text, []byte("at: "+strconv.Quote(time.Now().UTC().Format(time.RFC3339Nano))))
	return os.WriteFile(path, text, 0o600)
}

func (l *live) sampledSince(moment time.Time) snapshot {
	return l.await(patience, func(now snapshot) bool { return now.asked.After(moment) })
}

func (l *live) judgeInterval(after snapshot, answer decision, saved string) {
	if answer.Interval == nil || after.replicas < answer.Interval.Lowest || after.replicas > answer.Interval.Highest {
		l.contradicted(saved, fmt.Sprintf("kubectl-hpa %s, the controller %d", indented(answer.Interval), after.replicas))
	}
	if answer.MemoryBefore.Evidence != unknown {
		l.contradicted(saved, "an interval, but the memory is "+answer.MemoryBefore.Evidence)
	}
}

// judgeStatus compares all of the status but its times, which are those of the look here and of the sync there. Two
// conditions say what held or limited the replicas. Where the answer says that the memory is unknown, that may be it or
// something else with the same outcome; then they are counted if they differ.
func (l *live) judgeStatus(after snapshot, answer decision, saved string) {
	text, err := json.Marshal(after.hpa.Status)
	l.must(text, err)
	written := map[string]any{}
	l.must(nil, json.Unmarshal(text, &written))
	if answer.MemoryBefore.Evidence == unknown && !reflect.DeepEqual(ofMemory(answer.Status), ofMemory(written)) {
		l.tally.unsure++
	}
	for _, status := range []map[string]any{answer.Status, written} {
		delete(status, "lastScaleTime")
		for _, condition := range conditions(status) {
			delete(condition, "lastTransitionTime")
			if answer.MemoryBefore.Evidence == unknown && tellsOfMemory(condition) {
				condition["status"], condition["reason"], condition["message"] = nil, nil, nil
			}
		}
	}
	for _, field := range fields(answer.Status, written) {
		if !reflect.DeepEqual(answer.Status[field], written[field]) {
			l.contradicted(saved, fmt.Sprintf("status.%s\nkubectl-hpa %s\nthe controller %s",
				field, indented(answer.Status[field]), indented(written[field])))
		}
	}
}

// unknown is the evidence for what nobody could see.
const unknown = "Unknown"

func conditions(status map[string]any) (all []map[string]any) {
	list, _ := status["conditions"].([]any)
	for _, condition := range list {
		if c, is := condition.(map[string]any); is {
			all = append(all, c)
		}
	}
	return all
}

// tellsOfMemory: AbleToScale and ScalingLimited, unless they tell of a failure.
func tellsOfMemory(condition map[string]any) bool {
	kind, reason := condition["type"], fmt.Sprint(condition["reason"])
	return (kind == string(autoscaling.AbleToScale) || kind == string(autoscaling.ScalingLimited)) && !strings.HasPrefix(reason, "Failed")
}

// ofMemory are the reasons of the conditions that tell of the memory.
func ofMemory(status map[string]any) (reasons []any) {
	for _, condition := range conditions(status) {
		if tellsOfMemory(condition) {
			reasons = append(reasons, condition["reason"])
		}
	}
	return reasons
}

// contradicted fails the test, and keeps the case.
func (l *live) contradicted(saved, how string) {
	l.Helper()
	l.contradictions++
	l.tally.contradictions = append(l.tally.contradictions, how)
	l.Error(how)
	l.keep(casesVariable, saved, how)
}

// keep copies a case into the folder that a variable names, if it does, beside what is to be said of it and what was done before.
func (l *live) keep(variable, saved, how string) {
	l.Helper()
	folder, given := os.LookupEnv(variable)
	if !given {
		return
	}
	text, err := os.ReadFile(saved)
	l.must(text, err)
	story := how + "\n\n" + strings.Join(l.story, "\n") + "\n"
	if l.logged != nil {
		story += "\n" + l.logged(l.namespace)
	}
	kept := filepath.Join(folder, l.namespace+"-"+filepath.Base(saved))
	l.must(nil, os.WriteFile(kept, text, 0o600))
	l.must(nil, os.WriteFile(kept+".txt", []byte(story), 0o600))
}

func (l *live) hasStatus(ctx context.Context) error {
	hpa, err := l.hpa(ctx)
	if err == nil && len(hpa.Status.Conditions) == 0 {
		return errors.New("no status yet")
	}
	return err
}
