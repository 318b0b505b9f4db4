package e2e

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
)

// ledger counts the answers of several commands in several kinds of worlds.
type ledger struct {
	lock   sync.Mutex
	counts map[[2]string]*account // by kind and command
	looks  int
	aside  map[string]int // looks by why they were set aside
}

// account counts answers that were judged.
type account struct {
	exact, interval, silent int // silent: neither replicas nor an interval
	late, lateExact         int // of them those from two syncs after the last act on
	wrong                   int
}

func newLedger() *ledger { return &ledger{counts: map[[2]string]*account{}, aside: map[string]int{}} }

// judgment is what became of one answer.
type judgment struct {
	said  answered
	late  bool
	wrong bool
}

// answered is how much an answer says.
type answered int

const (
	silent answered = iota
	ranged
	exactly
)

func (l *ledger) enter(kind, command string, one judgment) {
	l.lock.Lock()
	defer l.lock.Unlock()
	key := [2]string{kind, command}
	if l.counts[key] == nil {
		l.counts[key] = &account{}
	}
	l.counts[key].count(one)
}

func (a *account) count(one judgment) {
	switch one.said {
	case exactly:
		a.exact++
	case ranged:
		a.interval++
	default:
		a.silent++
	}
	if one.late {
		a.late++
	}
	if one.late && one.said == exactly {
		a.lateExact++
	}
	if one.wrong {
		a.wrong++
	}
}

func (a *account) add(o account) {
	a.exact, a.interval, a.silent = a.exact+o.exact, a.interval+o.interval, a.silent+o.silent
	a.late, a.lateExact, a.wrong = a.late+o.late, a.lateExact+o.lateExact, a.wrong+o.wrong
}

func (a account) judged() int { return a.exact + a.interval + a.silent }

func (a account) String() string {
	return fmt.Sprintf("%d judged (%d exact, %d intervals, %d neither), %d wrong; %d of %d exact from two syncs after an act on",
		a.judged(), a.exact, a.interval, a.silent, a.wrong, a.lateExact, a.late)
}

// add adds what another ledger has counted, to which nothing is entered any more.
func (l *ledger) add(o *ledger) {
	for key, one := range o.counts {
		if l.counts[key] == nil {
			l.counts[key] = &account{}
		}
		l.counts[key].add(*one)
	}
	for why, looks := range o.aside {
		l.aside[why] += looks
	}
	l.looks += o.looks
}

// looked counts a look that was judged.
func (l *ledger) looked() {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.looks++
}

// setAside counts one that was not.
func (l *ledger) setAside(why string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.aside[why]++
}

func (l *ledger) judged() int {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.looks
}

// report prints all by kind and by command, and returns the sum for each command.
func (l *ledger) report(t *testing.T) map[string]*account {
	t.Helper()
	l.lock.Lock()
	defer l.lock.Unlock()
	kinds, commands := map[string]*account{}, map[string]*account{}
	for key, one := range l.counts {
		for name, in := range map[string]map[string]*account{key[0]: kinds, key[1]: commands} {
			if in[name] == nil {
				in[name] = &account{}
			}
			in[name].add(*one)
		}
	}
	all := account{}
	for _, sums := range []map[string]*account{kinds, commands} {
		for _, name := range slices.Sorted(maps.Keys(sums)) {
			t.Logf("%-52s %s", name, sums[name])
		}
	}
	for _, one := range commands {
		all.add(*one)
	}
	t.Logf("%d looks; set aside: %v; answers: %s", l.looks, l.aside, all)
	return commands
}
