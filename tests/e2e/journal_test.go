package e2e

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

// journal is what controllers log of each namespace, with their decisions (cluster.Settings.Decisions).
type journal struct {
	path string

	lock    sync.Mutex
	offset  int64
	rest    string // of a line that is not whole yet
	entries map[string][]logEntry
}

// logEntry is a line of a log.
type logEntry struct {
	at   time.Time
	text string
}

func newJournal(path string) *journal { return &journal{path: path, entries: map[string][]logEntry{}} }

var (
	// klog's header: a letter for the severity, month and day, time.
	header = regexp.MustCompile(`^[IWEF](\d{4} \d\d:\d\d:\d\d\.\d{6}) `)
	about  = regexp.MustCompile(`(?:HPA="|\b[A-Z]\w*/)([^/" ]+)/`) // Kind/namespace/name of a target, in errors, too
)

// since are the entries about a namespace after a moment.
func (j *journal) since(namespace string, moment time.Time) (later []logEntry, err error) {
	j.lock.Lock()
	defer j.lock.Unlock()
	if err := j.read(); err != nil {
		return nil, err
	}
	all := j.entries[namespace]
	for i := len(all) - 1; i >= 0 && all[i].at.After(moment); i-- {
		later = append([]logEntry{all[i]}, later...)
	}
	return later, nil
}

// last is what was logged about a namespace of late.
func (j *journal) last(namespace string) string {
	entries, err := j.since(namespace, time.Now().Add(-patience/2))
	if err != nil {
		return err.Error()
	}
	lines := []string{}
	for _, one := range entries {
		lines = append(lines, one.text)
	}
	return strings.Join(lines, "\n")
}

func (j *journal) read() error {
	file, err := os.Open(j.path)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Seek(j.offset, io.SeekStart); err != nil {
		return err
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	j.offset += int64(len(text))
	lines := strings.Split(j.rest+string(text), "\n")
	j.rest = lines[len(lines)-1]
	for _, line := range lines[:len(lines)-1] {
		if err := j.note(line); err != nil {
			return err
		}
	}
	return nil
}

func (j *journal) note(line string) error {
	head, of := header.FindStringSubmatch(line), about.FindStringSubmatch(line)
	if head == nil || of == nil {
		return nil
	}
	at, err := time.ParseInLocation("20060102 15:04:05.000000", fmt.Sprint(time.Now().Year())+head[1], time.Local)
	if err != nil {
		return errors.Join(errors.New(line), err)
	}
	j.entries[of[1]] = append(j.entries[of[1]], logEntry{at, line})
	return nil
}
