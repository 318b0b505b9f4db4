package oracle

import (
	"bufio"
	"errors"
	"flag"
	"os"
	"testing"
	"testing/synctest"
)

// Results go to file descriptor 3, where the run script reads them: standard output belongs to the test framework.
var (
	minor = flag.String("oracle.version", "", "minor version that this binary is built with")
	patch = flag.String("oracle.patch", "", "its full version, as the cases name it")
	seed  = flag.Uint64("oracle.seed", 1, "seed of the first sequence, pair or play; each next one has the next number")
	count = flag.Int("oracle.count", 0, "number of sequences, pairs or plays")
)

func results(t *testing.T) *bufio.Writer {
	if *minor == "" {
		t.Skip("started by the run script only")
	}
	out := bufio.NewWriterSize(os.NewFile(3, "results"), 1<<20)
	t.Cleanup(func() {
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
	})
	return out
}

// TestExplain judges each line of standard input by itself.
func TestExplain(t *testing.T) {
	out := results(t)
	oracle, err := New(*minor)
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<30)
	for in.Scan() {
		var answer any
		synctest.Test(t, func(*testing.T) { answer = explain(oracle, in.Bytes()) })
		out.Write(append(encode(answer), '\n'))
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
}

func explain(oracle *Oracle, line []byte) any {
	c, err := compile(line)
	if err == nil {
		var outcome *Outcome
		if outcome, err = oracle.Judge(c); err == nil {
			return outcome
		}
	}
	if panicked := (*Panic)(nil); errors.As(err, &panicked) {
		return panicked
	}
	return map[string]string{"refused": err.Error()}
}

// TestSequences draws sequences and prints them with the controller's outcomes.
func TestSequences(t *testing.T) {
	draw(t, func(oracle *Oracle, seed uint64) (any, error) { return Generate(oracle, *patch, seed) })
}

// TestChanges draws cases with changes and prints them with the controller's outcomes on the changed cases.
func TestChanges(t *testing.T) {
	draw(t, func(oracle *Oracle, seed uint64) (any, error) { return GeneratePair(oracle, *patch, seed) })
}

// TestPlays draws plays and prints them with what the controller did at each sync.
func TestPlays(t *testing.T) {
	draw(t, func(oracle *Oracle, seed uint64) (any, error) { return GeneratePlay(oracle, *patch, seed) })
}

func draw(t *testing.T, one func(*Oracle, uint64) (any, error)) {
	out := results(t)
	oracle, err := New(*minor)
	if err != nil {
		t.Fatal(err)
	}
	for i := range *count {
		var drawn any
		synctest.Test(t, func(*testing.T) { drawn, err = one(oracle, *seed+uint64(i)) })
		if err != nil {
			t.Fatalf("seed %d: %v", *seed+uint64(i), err)
		}
		if _, err := out.Write(append(encode(drawn), '\n')); err != nil {
			t.Fatal(err) // whoever reads has seen enough
		}
	}
}
