package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	mostMemory = 60_000_000 // of a run at its peak, in bytes
	dearest    = 0.75       // a run with protobuf, in processor time of one with JSON
	enough     = 10_000     // objects, from which on the start of a process is little beside them
)

// run is what the program did with one form.
type run struct {
	file      string // the saved case
	output    []byte
	processor float64 // seconds
	peak      int64
}

// hold runs the program on the drawn cluster, once with protobuf and once without, and compares what it made of them.
func hold(program string, seed uint64, count int) error {
	folder, err := os.MkdirTemp("", "forms")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	// In a process of its own: a child's peak counts what its parent has.
	server := exec.Command(os.Args[0], "-serve", "-seed", fmt.Sprint(seed), "-count", fmt.Sprint(count))
	server.Stderr = os.Stderr
	stop, err := server.StdinPipe()
	if err != nil {
		return err
	}
	address, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	defer server.Wait()
	defer stop.Close()
	url, err := bufio.NewReader(address).ReadString('\n')
	if err != nil {
		return errors.New("the played cluster did not start")
	}
	url = strings.TrimSpace(url)
	runs := map[string]run{}
	for form, prefix := range map[string]string{"protobuf": "", "json": jsonOnly} {
		if runs[form], err = explained(program, folder, form, url+prefix); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	protobuf, json := runs["protobuf"], runs["json"]
	if err := same(protobuf, json); err != nil {
		return fmt.Errorf("seed %d: %w", seed, err)
	}
	fmt.Printf("seed %d: %d objects, the same case of %s; protobuf %.2f s of processor and %d MB at peak, JSON %.2f s and %d MB\n",
		seed, count, size(protobuf.file), protobuf.processor, protobuf.peak/1e6, json.processor, json.peak/1e6)
	if protobuf.peak > mostMemory {
		return fmt.Errorf("more than %d MB", mostMemory/1_000_000)
	}
	if count >= enough && protobuf.processor > dearest*json.processor {
		return fmt.Errorf("protobuf takes more than %.2f times the processor time of JSON", dearest)
	}
	return nil
}

func explained(program, folder, form, url string) (run, error) {
	kubeconfig := filepath.Join(folder, form+".kubeconfig")
	text := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"c","contexts":[{"name":"c","context":{"cluster":"c","user":"u","namespace":"shop"}}],
		"clusters":[{"name":"c","cluster":{"server":%q}}],"users":[{"name":"u","user":{"token":"t"}}]}`, url)
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		return run{}, err
	}
	this := run{file: filepath.Join(folder, form+".json")}
	command := exec.Command(program, "explain", "web", "--kubeconfig", kubeconfig, "--save", this.file, "-o", "name")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil || stderr.Len() > 0 {
		return run{}, fmt.Errorf("%s: %w\n%s", form, err, &stderr)
	}
	this.output = output
	usage := command.ProcessState.SysUsage().(*syscall.Rusage)
	this.processor, this.peak = (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds(), usage.Maxrss<<10
	return this, nil
}

// same is an error at the first byte that differs.
func same(one, other run) error {
	if !bytes.Equal(one.output, other.output) {
		return fmt.Errorf("the output differs: %s and %s", one.output, other.output)
	}
	first, err := os.ReadFile(one.file)
	if err != nil {
		return err
	}
	second, err := os.ReadFile(other.file)
	if err != nil {
		return err
	}
	if bytes.Equal(first, second) {
		return nil
	}
	at := 0
	for at < min(len(first), len(second)) && first[at] == second[at] {
		at++
	}
	part := func(text []byte) []byte { return text[max(0, at-200):min(len(text), at+200)] }
	return fmt.Errorf("the cases differ at byte %d:\n%s\n%s", at, part(first), part(second))
}

func size(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%.1f MB", float64(info.Size())/1e6)
}
