package browser

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// How long the browser may take for one answer.
const patience = 30 * time.Second

// message is what goes through the pipes of the DevTools protocol, in either direction.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// chromium is a headless browser, asked through two pipes: no port is opened.
type chromium struct {
	*testing.T
	requests *os.File
	lock     sync.Mutex
	last     int
	answers  map[int]chan message
	events   map[string][]message
}

// start runs a browser until the test ends. It resolves no names but loopback's, so what a page asks of others fails here.
func start(t *testing.T) *chromium {
	t.Helper()
	read, requests := pipe(t)
	answers, write := pipe(t)
	arguments := []string{
		"--headless", "--remote-debugging-pipe", "--user-data-dir=" + t.TempDir(), "--no-first-run",
		"--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
	}
	if os.Getuid() == 0 {
		arguments = append(arguments, "--no-sandbox") // the sandbox refuses root
	}
	command := exec.Command(os.Getenv("CHROMIUM"), arguments...)
	command.ExtraFiles = []*os.File{read, write}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	read.Close()
	write.Close()
	b := &chromium{T: t, requests: requests, answers: map[int]chan message{}, events: map[string][]message{}}
	go b.listen(answers)
	t.Cleanup(func() {
		b.ask("", "Browser.close", nil, nil)
		if err := command.Wait(); err != nil {
			t.Logf("the browser ended with %v", err)
		}
	})
	return b
}

func pipe(t *testing.T) (*os.File, *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return read, write
}

// listen hands out answers and keeps events, each of which ends with a zero byte.
func (b *chromium) listen(answers *os.File) {
	reader := bufio.NewReader(answers)
	for {
		text, err := reader.ReadBytes(0)
		if err != nil {
			return
		}
		var told message
		if json.Unmarshal(text[:len(text)-1], &told) != nil {
			continue
		}
		b.lock.Lock()
		if waiting := b.answers[told.ID]; told.ID != 0 && waiting != nil {
			delete(b.answers, told.ID)
			waiting <- told
		} else {
			b.events[told.Session] = append(b.events[told.Session], told)
		}
		b.lock.Unlock()
	}
}

// ask sends a command and reads its answer into result.
func (b *chromium) ask(session, method string, params, result any) {
	b.Helper()
	if err := b.try(session, method, params, result); err != nil {
		b.Fatalf("%s: %v", method, err)
	}
}

func (b *chromium) try(session, method string, params, result any) error {
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	if params == nil {
		text = nil
	}
	answered := make(chan message, 1)
	b.lock.Lock()
	b.last++
	request := message{ID: b.last, Session: session, Method: method, Params: text}
	b.answers[b.last] = answered
	b.lock.Unlock()
	sent, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if _, err := b.requests.Write(append(sent, 0)); err != nil {
		return err
	}
	select {
	case answer := <-answered:
		if answer.Error != nil {
			return fmt.Errorf("%s", answer.Error.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(answer.Result, result)
	case <-time.After(patience):
		return fmt.Errorf("no answer within %v", patience)
	}
}

// told are the events of a session so far.
func (b *chromium) told(session string) []message {
	b.lock.Lock()
	defer b.lock.Unlock()
	return append([]message(nil), b.events[session]...)
}
