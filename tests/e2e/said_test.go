package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// said is what one command answered.
type said struct {
	command  string
	text     string
	decision *decision // of explain and the watch
	row      *row      // of list
	met      *bool     // of wait --for not-broken
}

// bounds are the replicas that were said; if none were, both are -1.
func (s said) bounds() (lowest, highest int32) {
	switch {
	case s.decision != nil:
		return s.decision.bounds()
	case s.row != nil && s.row.NextReplicas != nil:
		return s.row.NextReplicas.Lowest, s.row.NextReplicas.Highest
	default:
		return -1, -1
	}
}

func (s said) is() answered {
	lowest, highest := s.bounds()
	switch {
	case s.met != nil:
		return exactly
	case lowest < 0:
		return silent
	case lowest < highest || s.decision != nil && s.decision.DesiredReplicas == nil:
		return ranged
	default:
		return exactly
	}
}

// wrong is how the answer contradicts what the controller did, if it does.
func (s said) wrong(now truth) string {
	lowest, highest := s.bounds()
	switch {
	case s.is() != silent && s.met == nil && (now.replicas < lowest || highest < now.replicas):
		return fmt.Sprintf("%s said %s came %d", s.command, strings.ReplaceAll(fmt.Sprint(lowest, " to ", highest), fmt.Sprint(lowest, " to ", lowest), fmt.Sprint(lowest)), now.replicas)
	case s.row != nil && now.stopped && (s.row.State == "scaling" || s.row.State == "idle"):
		return fmt.Sprintf("%s said %s but it is stopped", s.command, s.row.State)
	case s.met != nil && *s.met && now.stopped:
		return s.command + " said not broken but it is stopped"
	case s.met != nil && !*s.met && !now.harmed:
		return s.command + " said broken but it works"
	default:
		return ""
	}
}

// explained asks explain, and saves its case.
func (b *believer) explained(saved string) said {
	answer := explain(b.T, b.path, append([]string{web, "--save", saved}, b.reader()...)...)
	return said{command: "explain", text: compact(answer.DesiredReplicas) + compact(answer.Interval), decision: &answer}
}

// listed asks list.
func (b *believer) listed() said {
	b.Helper()
	text, _ := b.exit("list", web, "-o", "json")
	var answer struct{ Items []row }
	b.must(nil, json.Unmarshal([]byte(text), &answer))
	if len(answer.Items) != 1 {
		b.Fatalf("list: %s", text)
	}
	return said{command: "list", text: compact(answer.Items[0]), row: &answer.Items[0]}
}

// waited asks wait, for one look.
func (b *believer) waited() said {
	_, code := b.exit("wait", web, "--for", "not-broken", "--timeout", "0")
	met := code == 0
	return said{command: "wait", text: fmt.Sprint("exit code ", code), met: &met}
}

// overheard is what the watch has said last, if it has looked since anything changed.
func (b *believer) overheard(asked time.Time) []said {
	b.watched.lock.Lock()
	defer b.watched.lock.Unlock()
	last := b.watched.saidBefore(asked)
	switch {
	case last == nil || len(b.watched.looks) == 0 || b.watched.changedBefore(asked) || b.acted.After(b.watched.looks[len(b.watched.looks)-1]):
		b.ledger.setAside("the watch has not looked since")
		return nil
	case last.Outlook.Next != nil && last.Outlook.Next.At.Add(b.watched.lag()).Before(asked.Add(rested)):
		b.ledger.setAside("the watch says that it changes by time alone")
		return nil
	}
	return []said{{command: "watch", text: string(last.text), decision: &last.decision}}
}

// copied copies a file.
func copied(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}
