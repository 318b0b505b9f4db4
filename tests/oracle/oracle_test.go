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
