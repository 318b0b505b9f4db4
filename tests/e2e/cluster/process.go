package cluster

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// process is a part that runs as a child, with its output in a file.
type process struct {
	name string
	log  string
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
}

// nursery starts children from one thread that lives as long as this process. The kernel ends each child with its
// parent (Pdeathsig), so that nothing survives a crash here; but "parent" means the thread that started it.
var nursery = func() chan func() {
	births := make(chan func())
	go func() {
		runtime.LockOSThread()
		for birth := range births {
			birth()
		}
	}()
	return births
}()

// spawn runs this very executable again as the named part.
func spawn(dir, name string, args []string) (*process, error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{name: name, log: filepath.Join(dir, name+".log"), done: make(chan struct{})}
	output, err := os.OpenFile(p.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600) // a part that is restarted goes on
	if err != nil {
		return nil, err
	}
	defer output.Close()
	p.cmd = exec.Command(executable, append([]string{PartWord, name}, args...)...)
	p.cmd.Stdout, p.cmd.Stderr = output, output
	p.cmd.Env = append(os.Environ(), "HOME="+dir) // kwok would read settings from there
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	started := make(chan error)
	nursery <- func() { started <- p.cmd.Start() }
	if err := <-started; err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is in its log
		close(p.done)
	}()
	return p, nil
}

// kill ends the process at once: all that it could save is thrown away with the run.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended already
	<-p.done
}

// until asks again and again until the answer is nil, the process has ended or the context has.
func (p *process) until(ctx context.Context, ask func(context.Context) error) error {
	for {
		err := ask(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("%s has ended: %s", p.name, tail(p.log))
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w: %s", p.name, err, tail(p.log))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func tail(path string) []byte {
	text, err := os.ReadFile(path)
	if err != nil {
		return []byte(err.Error())
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-12):], []byte("\n"))
}
