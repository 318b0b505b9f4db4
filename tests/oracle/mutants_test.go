//go:build mutants

package oracle

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
)

var (
	mutants = flag.String("oracle.mutants", "", "file with the mutants of this build")
	part    = flag.Int("oracle.part", 0, "which of the parts to do: every mutant belongs to one")
	parts   = flag.Int("oracle.parts", 1, "how many parts there are")
)

// hunt looks for a difference between each mutant and the real controller.
type hunt struct {
	oracle *Oracle
	alive  []int // mutants that nothing has told from the real controller yet
	met    []bool
	noted  func(id int, fate map[string]any)
}

// TestMutants draws sequences and puts each step before every mutant that its reconcile reaches, until the outcome is
// another one. It prints where each was noticed.
func TestMutants(t *testing.T) {
	out := results(t)
	oracle, err := New(*minor)
	if err != nil {
		t.Fatal(err)
	}
	h := &hunt{oracle: oracle, noted: func(id int, fate map[string]any) {
		fate["id"] = id
		fmt.Fprintf(out, "%s\n", encode(fate))
	}}
	if err := h.read(*mutants); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < *count && len(h.alive) > 0; i++ {
		at := *seed + uint64(i)
		var drawn *Sequence
		synctest.Test(t, func(*testing.T) { drawn, err = Generate(oracle, *patch, at) })
		for n := 0; err == nil && n < len(drawn.Steps); n++ {
			synctest.Test(t, func(*testing.T) { err = h.step(drawn.Steps[n].Case, at) })
		}
		if err != nil {
			t.Fatalf("seed %d: %v", at, err)
		}
	}
	for _, id := range h.alive {
		h.noted(id, map[string]any{"reached": h.met[id]})
	}
}

func (h *hunt) read(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var all []struct{ ID int }
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	for _, m := range all {
		if m.ID%*parts == *part {
			h.alive = append(h.alive, m.ID)
		}
	}
	h.met = make([]bool, len(all)+1)
	metrics.Reached = make([]bool, len(all)+1)
	return nil
}

// step puts one case before the real controller and before the mutants that it reaches.
func (h *hunt) step(line []byte, seed uint64) error {
	c, err := compile(line)
	if err != nil {
		return err
	}
	clear(metrics.Reached)
	real := h.outcome(c, 0)
	reached := slices.Clone(metrics.Reached)
	h.alive = slices.DeleteFunc(h.alive, func(id int) bool {
		if !reached[id] {
			return false
		}
		h.met[id] = true
		changed := h.outcome(c, id)
		if bytes.Equal(real, changed) {
			return false
		}
		h.noted(id, map[string]any{"seed": seed})
		return true
	})
	if again := h.outcome(c, 0); !bytes.Equal(real, again) {
		return fmt.Errorf("a mutant changed the case: %s and then %s", real, again)
	}
	return nil
}

// outcome is what the controller, or a mutant of it, makes of a case.
func (h *hunt) outcome(c *compiled, id int) []byte {
	metrics.Mutant = id
	defer func() { metrics.Mutant = 0 }()
	outcome, err := h.oracle.Judge(c)
	if err != nil {
		return []byte(err.Error())
	}
	if !time.Now().Equal(c.at) {
		return []byte("the clock moved")
	}
	return encode(outcome)
}
