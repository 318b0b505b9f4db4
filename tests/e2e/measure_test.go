package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
	"time"
)

// measured is one run of a program.
type measured struct {
	output []byte
	wall   time.Duration
	peak   int64 // of its resident memory, in bytes
}

func measure(t *testing.T, path string, arguments ...string) measured {
	t.Helper()
	var stdout watched
	var stderr bytes.Buffer
	stdout.command = exec.CommandContext(t.Context(), path, arguments...)
	stdout.command.Stdout, stdout.command.Stderr = &stdout, &stderr
	begin := time.Now()
	err := stdout.command.Run()
	wall := time.Since(begin)
	if err != nil {
		t.Fatalf("%s: %v\n%s", stdout.command, err, &stderr)
	}
	if stdout.peak == 0 {
		t.Fatal("the output is too short: the program had ended before its memory was looked at")
	}
	return measured{output: stdout.text.Bytes(), wall: wall, peak: stdout.peak}
}

// watched takes a program's output and looks at its peak memory with each part. The program can't end before its
// output has left the pipe, so only what it allocates after the last few parts is missed. The Maxrss of an ended
// child would be of no use: Linux counts into it what the parent held when it started the child.
type watched struct {
	text    bytes.Buffer // not embedded: its ReadFrom would go past Write
	command *exec.Cmd
	peak    int64
}

func (w *watched) Write(part []byte) (int, error) {
	if peak, err := peakMemory(w.command.Process.Pid); err == nil {
		w.peak = peak // it never falls
	}
	return w.text.Write(part)
}

var highWater = regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`)

func peakMemory(pid int) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	found := highWater.FindSubmatch(status)
	if found == nil {
		return 0, fmt.Errorf("process %d has ended", pid)
	}
	kilobytes, err := strconv.ParseInt(string(found[1]), 10, 64)
	return kilobytes << 10, err
}
