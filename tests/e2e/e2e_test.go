// Package e2e compares kubectl-hpa with the real controller on a real control plane.
package e2e

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/demo"
	"kubectl-hpa.local/e2e/parts"
)

// TestMain lets the one executable be everything: a part of the control plane, `run up`, or the tests.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == cluster.PartWord {
		os.Exit(parts.Run(os.Args[2], os.Args[3:]))
	}
	if len(os.Args) > 1 && os.Args[1] == "up" {
		if err := demo.Up(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "up:", err)
			os.Exit(1)
		}
		return
	}
	if signal.Ignored(syscall.SIGINT) { // by a shell that started this in the background: a watch would inherit it
		signal.Notify(make(chan os.Signal, 1), syscall.SIGINT)
	}
	code := m.Run()
	stopShared()
	if skipped := notCompared.Load(); skipped > 0 {
		fmt.Fprintf(os.Stderr, "\nNOT COMPARED: %d comparisons skipped, only the controller was watched; there is no kubectl-hpa\n", skipped)
	}
	os.Exit(code)
}
