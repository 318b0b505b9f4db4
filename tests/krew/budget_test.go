package krew

import (
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"
)

const (
	largest   = 14_000_000            // bytes of the release binary
	startTime = 10 * time.Millisecond // of --help
	startPeak = 15_000                // KB of memory at peak, of --help
	runs      = 31
)

func TestBinaryIsSmall(t *testing.T) {
	file, err := os.Stat(binary(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes of %d", file.Size(), largest)
	if file.Size() > largest {
		t.Fatalf("the binary has grown to %d bytes", file.Size())
	}
}

// Beside `kubectl version --client`, run by run in turn. On a machine that is busy with something else kubectl takes
// longer too: then a tenth of its time will do.
func TestStartIsQuick(t *testing.T) {
	var ours, kubectl []time.Duration
	var peak int64
	for range runs {
		took, kilobytes := timed(t, binary(t), "--help")
		ours, peak = append(ours, took), max(peak, kilobytes)
		took, _ = timed(t, "kubectl", "version", "--client")
		kubectl = append(kubectl, took)
	}
	t.Logf("--help %v, kubectl version --client %v (medians of %d); at peak %d KB", median(ours), median(kubectl), runs, peak)
	if median(ours) > max(startTime, median(kubectl)/10) {
		t.Errorf("--help takes %v", median(ours))
	}
	if peak > startPeak {
		t.Errorf("--help needs %d KB", peak)
	}
}

func timed(t *testing.T, program string, args ...string) (time.Duration, int64) {
	t.Helper()
	command := exec.Command(program, args...)
	begin := time.Now()
	if err := command.Run(); err != nil {
		t.Fatal(err)
	}
	return time.Since(begin), command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}
