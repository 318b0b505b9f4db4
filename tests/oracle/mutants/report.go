package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// fate is what became of a mutant: the seed whose sequence noticed it, or whether any step reached it.
type fate struct {
	ID      int     `json:"id"`
	Seed    *uint64 `json:"seed"`
	Reached bool    `json:"reached"`
}

// known is a row of the table of mutants that are not noticed. A star stands for any text.
type known struct {
	row   string
	cells []*regexp.Regexp // function, within, operator, original, changed
	open  bool             // decides something, all the same
	used  bool
}

// within is the cell of the statements around a mutant, of which any part is enough.
const within = 1

// tally counts mutants.
type tally struct{ noticed, equivalent, open, survived int }

func (t *tally) sum() int { return t.noticed + t.equivalent + t.open + t.survived }

func (t *tally) String() string {
	share := 100.0
	if rest := t.noticed + t.open + t.survived; rest > 0 {
		share = 100 * float64(t.noticed) / float64(rest)
	}
	return fmt.Sprintf("%d | %d | %d | %d | %.1f%%", t.noticed, t.equivalent, t.open, t.survived, share)
}

// summary is what became of all mutants.
type summary struct {
	byOperator, byFunction map[string]*tally
	all                    tally
	wrong                  []string // where the table says something else
}

// report reads fates from standard input and prints how many mutants were noticed. It fails if one was not that is not in
// the table, or if the table has one that was.
func report(mutantsFile, tableFile string) error {
	var mutants []Mutant
	text, err := os.ReadFile(mutantsFile)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &mutants); err != nil {
		return err
	}
	table, err := readTable(tableFile)
	if err != nil {
		return err
	}
	s := &summary{byOperator: map[string]*tally{}, byFunction: map[string]*tally{}}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var f fate
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			return err
		}
		s.count(&mutants[f.ID-1], f, find(table, &mutants[f.ID-1]))
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if n := s.all.sum(); n != len(mutants) {
		return fmt.Errorf("%d fates of %d mutants", n, len(mutants))
	}
	for _, k := range table {
		if !k.used {
			s.wrong = append(s.wrong, "no mutant is meant by "+k.row)
		}
	}
	s.print()
	if len(s.wrong) > 0 {
		return fmt.Errorf("the sequences and the table disagree about %d mutants or rows", len(s.wrong))
	}
	return nil
}

// find is the last row that means a mutant, if any does. Each that does is in use.
func find(table []*known, m *Mutant) (row *known) {
	for _, k := range table {
		if k.matches(m) {
			k.used, row = true, k
		}
	}
	return row
}

func (s *summary) count(m *Mutant, f fate, row *known) {
	for _, t := range []*tally{of(s.byOperator, m.Operator), of(s.byFunction, m.Function), &s.all} {
		switch {
		case f.Seed != nil:
			t.noticed++
		case row == nil:
			t.survived++
		case row.open:
			t.open++
		default:
			t.equivalent++
		}
	}
	switch {
	case row != nil && f.Seed != nil:
		s.wrong = append(s.wrong, fmt.Sprintf("noticed by seed %d, though %s has it: %s", *f.Seed, row.row, m))
	case row == nil && f.Seed == nil && !f.Reached:
		s.wrong = append(s.wrong, fmt.Sprintf("not reached: %s", m))
	case row == nil && f.Seed == nil:
		s.wrong = append(s.wrong, fmt.Sprintf("not noticed: %s", m))
	}
}

func (s *summary) print() {
	show("operator", s.byOperator)
	show("function", s.byFunction)
	fmt.Printf("| all | %s |\n", &s.all)
	slices.Sort(s.wrong)
	for _, line := range s.wrong {
		fmt.Println(line)
	}
}

func of(all map[string]*tally, name string) *tally {
	if all[name] == nil {
		all[name] = &tally{}
	}
	return all[name]
}

func show(what string, all map[string]*tally) {
	fmt.Printf("| %s | noticed | equivalent | open | survived | of those that decide |\n|---|---|---|---|---|---|\n", what)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Printf("| %s | %s |\n", name, all[name])
	}
	fmt.Println()
}

func (m *Mutant) String() string {
	return fmt.Sprintf("%s:%d %s | `%s` | %s | `%s` | `%s`", m.File, m.Line, m.Function, m.Within, m.Operator, m.Original, m.Changed)
}

// readTable reads the rows of the table's two parts; those behind the second heading are open.
func readTable(name string) ([]*known, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var out []*known
	open := false
	for number, line := range strings.Split(string(text), "\n") {
		open = open || strings.HasPrefix(line, "## Open")
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if !strings.HasPrefix(line, "| ") || cells[0] == "function" {
			continue
		}
		if len(cells) != 6 {
			return nil, fmt.Errorf("%s:%d: %d cells instead of 6", path.Base(name), number+1, len(cells))
		}
		k := &known{row: fmt.Sprintf("%s:%d", path.Base(name), number+1), open: open}
		for i, cell := range cells[:5] {
			pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.Trim(cell, "`")), `\*`, ".*")
			if i != within {
				pattern = "^" + pattern + "$"
			}
			k.cells = append(k.cells, regexp.MustCompile(pattern))
		}
		out = append(out, k)
	}
	return out, nil
}

func (k *known) matches(m *Mutant) bool {
	for i, text := range []string{m.Function, m.Within, m.Operator, m.Original, m.Changed} {
		if !k.cells[i].MatchString(text) {
			return false
		}
	}
	return true
}
