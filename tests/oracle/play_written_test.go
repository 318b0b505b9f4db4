package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
)

// TestPlaysWritten writes the case of every sync as JSON and judges it by itself: it must come out as in the play, so
// what the player shows to the controller is what a complete case would.
func TestPlaysWritten(t *testing.T) {
	out := results(t)
	oracle, err := New(*minor)
	if err != nil {
		t.Fatal(err)
	}
	var drawn *Play
	syncs := 0
	for i := range *count {
		var lines, expected [][]byte
		playedSeed := *seed + uint64(i)
		synctest.Test(t, func(t *testing.T) {
			judge := func(c *compiled) (*Outcome, error) {
				lines = append(lines, written(t, c, drawn.Case))
				outcome, err := oracle.Judge(c)
				expected = append(expected, encode(outcome))
				return outcome, err
			}
			if drawn, err = drawPlay(*patch, playedSeed); err != nil {
				t.Fatal(err)
			}
			if drawn.Syncs, err = play(judge, drawn.Case, drawn.World); err != nil {
				t.Fatal(err)
			}
		})
		synctest.Test(t, func(t *testing.T) {
			for k, line := range lines {
				if alone := encode(explain(oracle, line)); !bytes.Equal(alone, expected[k]) {
					t.Fatalf("seed %d, sync %d: %s\nbut in the play %s\nof %s", playedSeed, k, alone, expected[k], line)
				}
			}
		})
		syncs += len(lines)
	}
	fmt.Fprintf(out, "%d syncs of %d plays come out the same by themselves\n", syncs, *count)
}

// written is the case of a sync as a file.
func written(t *testing.T, c *compiled, first []byte) []byte {
	var out object
	if err := json.Unmarshal(first, &out); err != nil {
		t.Fatal(err)
	}
	out["at"], out["memory"] = stamp(c.at), c.memory
	out["hpa"].(object)["status"] = c.hpa.Status
	out["scale"] = object{"object": c.scale}
	out["pods"] = object{"items": c.pods}
	if c.podMetrics != nil && c.podMetrics.err == nil {
		out["podMetrics"] = object{"items": c.podMetrics.items}
	}
	for i, q := range c.custom {
		if q.answer.err == nil {
			out["customMetrics"].([]any)[i].(object)["items"] = q.answer.items
		}
	}
	for i, q := range c.external {
		if q.answer.err == nil {
			out["externalMetrics"].([]any)[i].(object)["items"] = q.answer.items
		}
	}
	return encode(out)
}
