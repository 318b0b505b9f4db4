package oracle

import (
	"bufio"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	profile = flag.String("oracle.profile", "", "coverage profile of the controller's package")
	source  = flag.String("oracle.source", "", "folder of that package")
)

// outside are the functions that are no part of a reconcile: what builds the controller, feeds its queue and takes keys
// from it.
var outside = []string{
	"NewHorizontalController", "Run", "updateHPA", "enqueueHPA", "enqueueRateLimited", "enqueueImmediate", "deleteHPA",
	"worker", "processNextWorkItem", "reconcileKey", "NewReplicaCalculator", "String",
}

// block is a run of statements as a profile counts them.
type block struct {
	file                   string
	line, column, end, eol int
	statements, hits       int
}

// TestCoverage prints, of a profile, how many statements of the functions that a reconcile calls were run, and the lines
// of the others.
func TestCoverage(t *testing.T) {
	if *profile == "" {
		t.Skip("started by the run script only")
	}
	out := results(t)
	for _, file := range []string{"horizontal.go", "replica_calculator.go"} {
		functions := functionsOf(t, filepath.Join(*source, file))
		run, all, rest := 0, 0, []string{}
		for _, b := range blocks(t, file) {
			name := functions[b.line]
			if slices.Contains(outside, name) {
				continue
			}
			all += b.statements
			if b.hits > 0 {
				run += b.statements
			} else if b.statements > 0 {
				rest = append(rest, fmt.Sprintf("%s:%d in %s (%d)", file, b.line, name, b.statements))
			}
		}
		fmt.Fprintf(out, "| %s | %s | %d of %d | %.1f %% |\n", *patch, file, run, all, 100*float64(run)/float64(all))
		for _, line := range rest {
			fmt.Fprintf(out, "not run: %s\n", line)
		}
	}
}

// functionsOf names the function of each line of a file.
func functionsOf(t *testing.T, path string) map[int]string {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[int]string{}
	for _, declared := range parsed.Decls {
		if function, ok := declared.(*ast.FuncDecl); ok {
			for line := files.Position(function.Pos()).Line; line <= files.Position(function.End()).Line; line++ {
				names[line] = function.Name.Name
			}
		}
	}
	return names
}

// blocks reads those of one file, in order.
func blocks(t *testing.T, file string) []block {
	in, err := os.Open(*profile)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out []block
	for lines := bufio.NewScanner(in); lines.Scan(); {
		b := block{file: file}
		_, place, found := strings.Cut(lines.Text(), "/podautoscaler/"+file+":")
		if !found {
			continue
		}
		if _, err := fmt.Sscanf(place, "%d.%d,%d.%d %d %d", &b.line, &b.column, &b.end, &b.eol, &b.statements, &b.hits); err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b block) int { return a.line - b.line })
	return out
}
