package oracle

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kubectl-hpa/oracle/reader"
)

var (
	ours    = flag.String("oracle.ours", "", "binary of kubectl-hpa whose claims are judged")
	keep    = flag.String("oracle.keep", "", "folder that gets the case and the outcome of the first false claim of each kind")
	verbose = flag.Bool("oracle.verbose", false, "print the counts by code")
)

// seen is a step that the program explains, with or without the memory.
type seen struct {
	seed   uint64
	step   int
	memory string
	Step
	line []byte
}

// tally counts what came of the claims.
type tally struct {
	sequences, looks, claims  int
	played                    int
	checked, unchecked, wrong map[string]int
	kinds                     map[string]int
	began                     time.Time
}

// TestClaims draws sequences, lets the program explain every step, and judges its claims. It goes on after a false one, prints
// the first of each kind, and fails at the end.
func TestClaims(t *testing.T) {
	out := results(t)
	oracle, err := New(*minor)
	if err != nil {
		t.Fatal(err)
	}
	all := &tally{checked: map[string]int{}, unchecked: map[string]int{}, wrong: map[string]int{}, kinds: map[string]int{}, began: time.Now()}
	const batch = 100
	run := func(f func()) { synctest.Test(t, func(*testing.T) { f() }) }
	asked := bubbled{oracle, run}
	for from := 0; from < *count; from += batch {
		n := min(batch, *count-from)
		looks, err := drawLooks(asked, *seed+uint64(from), n)
		if err != nil {
			t.Fatal(err)
		}
		decisions, err := explained(looks)
		if err != nil {
			t.Fatal(err)
		}
		all.sequences += n
		for i := range looks {
			if err := all.judge(asked, &looks[i], decisions[i], out); err != nil {
				t.Fatalf("seed %d: %v", looks[i].seed, err)
			}
		}
	}
	all.print(out)
	if len(all.kinds) > 0 {
		t.Fail()
	}
}

// drawLooks draws n seeds: each with the memory that is drawn, which the program is given, and anew from the start of a
// controller, of whose memory the program knows nothing.
func drawLooks(asked bubbled, from uint64, n int) (looks []seen, err error) {
	for seed := from; seed < from+uint64(n); seed++ {
		var given, fresh *Sequence
		asked.run(func() { given, err = Generate(asked.oracle, *patch, seed) })
		if err == nil {
			asked.run(func() { fresh, err = GenerateFresh(asked.oracle, *patch, seed) })
		}
		if err != nil {
			return nil, fmt.Errorf("seed %d: %w", seed, err)
		}
		for i, step := range given.Steps {
			looks = append(looks, seen{seed, i, "given", step, step.Case})
		}
		for i, step := range fresh.Steps {
			if i > 0 && statusRefused(fresh.Steps[i-1].Case) {
				break // of what happened then the status says nothing
			}
			line, err := withoutMemory(step.Case)
			if err != nil {
				return nil, err
			}
			looks = append(looks, seen{seed, i, "taken out", step, line})
		}
	}
	return looks, nil
}

// statusRefused tells whether the write of the status failed in a case.
func statusRefused(line []byte) bool {
	c, err := compile(line)
	return err == nil && c.putStatus != nil
}

// explained is what the program prints of all looks, by one process.
func explained(looks []seen) ([]*reader.Decision, error) {
	var in, words bytes.Buffer
	for i := range looks {
		in.Write(append(looks[i].line, '\n'))
	}
	command := exec.Command(*ours, "explain", "-f", "-", "-o", "jsonl")
	command.Stdin, command.Stderr = &in, &words
	printed, _ := command.Output() // the exit code tells of the decisions
	var out []*reader.Decision
	lines := bufio.NewScanner(bytes.NewReader(printed))
	lines.Buffer(nil, 1<<30)
	for lines.Scan() {
		decoder := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		decoder.UseNumber()
		decision := &printedDecision{}
		if err := decoder.Decode(decision); err != nil {
			return nil, err
		}
		out = append(out, decision.read())
	}
	if len(out) != len(looks) {
		return nil, fmt.Errorf("%d decisions of %d cases: %s", len(out), len(looks), words.Bytes())
	}
	return out, lines.Err()
}

// printedDecision is what the program prints of a decision, as far as it is judged.
type printedDecision struct {
	DesiredReplicas      *int32
	Interval             struct{ Lowest, Highest *int32 }
	MemoryBounds         map[string]any
	Claims, Notes, Basis []map[string]any
	Outcome              struct {
		Answer string
		Claims struct {
			Replicas any
			Then     map[string]any
			Because  []map[string]any
		}
	}
	Outlook struct {
		Claims []map[string]any
	}
	SelfCheck      map[string]any
	Advice, Causes []map[string]any
	Listed         map[string]any
}

// read makes a claim of what becomes of the replicas, as everything else is.
func (d *printedDecision) read() *reader.Decision {
	then := maps.Clone(d.Outcome.Claims.Then)
	then["code"], then["text"] = then["kind"], d.Outcome.Answer
	delete(then, "kind")
	maps.DeleteFunc(then, func(_ string, value any) bool { return value == nil })
	if d.Outcome.Claims.Replicas != nil {
		then["replicas"] = d.Outcome.Claims.Replicas
	}
	out := &reader.Decision{Desired: d.DesiredReplicas, Lowest: d.Interval.Lowest, Highest: d.Interval.Highest, Open: d.MemoryBounds != nil, Claims: d.Claims, Notes: d.Notes, Basis: d.Basis,
		Then: []map[string]any{then}, Because: d.Outcome.Claims.Because, Outlook: d.Outlook.Claims, Advice: d.Advice}
	for _, cause := range d.Causes {
		cause["code"] = cause["kind"]
		for _, judgedElsewhere := range []string{"kind", "removal", "wanted", "weight", "ends"} {
			delete(cause, judgedElsewhere)
		}
		out.Causes = append(out.Causes, cause)
	}
	out.Listed = []map[string]any{d.Listed}
	if d.SelfCheck != nil {
		out.Check = []map[string]any{d.SelfCheck}
		if guess, ok := d.SelfCheck["because"].(map[string]any); ok {
			out.Guess = []map[string]any{guess}
		}
	}
	return out
}

// judge judges one look and prints the first fault of each kind: of a code and the words without their numbers.
func (a *tally) judge(asked bubbled, look *seen, decision *reader.Decision, out *bufio.Writer) error {
	verdict, err := judgeClaims(asked, look.Step, decision)
	if err != nil {
		return err
	}
	a.looks++
	a.claims += len(decision.Claims) + len(decision.Then) + len(decision.Because) + len(decision.Notes) + len(decision.Basis) +
		len(decision.Outlook) + len(decision.Check) + len(decision.Guess) + len(decision.Advice) + len(decision.Causes) + len(decision.Listed)
	a.played += verdict.Played
	for code, n := range verdict.Checked {
		a.checked[code] += n
	}
	for code, n := range verdict.Unchecked {
		a.unchecked[code] += n
	}
	for _, f := range verdict.Faults {
		a.wrong[f.Code]++
		kind := f.Code + ": " + details.ReplaceAllString(f.What, "N")
		if a.kinds[kind]++; a.kinds[kind] == 1 {
			fmt.Fprintf(out, "false: %s, seed %d, step %d, memory %s: %s\n\t%s\n", f.Code, look.seed, look.step, look.memory, f.What, f.Text)
			out.Flush()
			if err := look.keep(); err != nil {
				return err
			}
		}
	}
	return nil
}

// keep writes the case as the program got it, and the real outcome.
func (s *seen) keep() error {
	if *keep == "" {
		return nil
	}
	name := fmt.Sprintf("%s/%s-%d-%d-%s", *keep, *patch, s.seed, s.step, strings.ReplaceAll(s.memory, " ", "-"))
	if err := os.WriteFile(name+".case.json", s.line, 0o644); err != nil {
		return err
	}
	return os.WriteFile(name+".outcome.json", encode(s.Step), 0o644)
}

var details = regexp.MustCompile(`"[^"]*"|\[.*\]|[-+]?\d[\d.e+-]*`)

// print writes a row, and what needs attention below it.
func (a *tally) print(out *bufio.Writer) {
	faults := 0
	for _, n := range a.kinds {
		faults += n
	}
	fmt.Fprintf(out, "| %s | %d–%d | %d | %d | %d | %.0f |\n", *patch, *seed, *seed+uint64(*count)-1, a.looks, a.claims, faults, time.Since(a.began).Seconds())
	for _, code := range slices.Sorted(maps.Keys(a.unchecked)) {
		fmt.Fprintf(out, "unchecked: %s (%d)\n", code, a.unchecked[code])
	}
	often := func(x, y string) int { return cmp.Or(a.kinds[y]-a.kinds[x], cmp.Compare(x, y)) }
	for _, kind := range slices.SortedFunc(maps.Keys(a.kinds), often) {
		fmt.Fprintf(out, "%6d of %s\n", a.kinds[kind], kind)
	}
	var never []string
	for _, code := range reader.Codes() {
		if n := a.checked[code] + a.unchecked[code]; n == 0 {
			never = append(never, code)
		} else if *verbose {
			fmt.Fprintf(out, "%6d claims of %s\n", n, code)
		}
	}
	if *verbose {
		fmt.Fprintf(out, "%6d pieces of advice played to their end\n", a.played)
	}
	fmt.Fprintf(out, "never met: %s\n", strings.Join(never, ", "))
}
