package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"kubectl-hpa.local/e2e/cluster"
)

// answer is what the API server answered to one request, with all that changes from run to run made constant.
type answer struct {
	Fault   string            `json:"fault"`
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Code    int               `json:"code"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	// Breaks says that the connection ended before the body did, or, with code 0, before there was an answer.
	Breaks bool `json:"breaks,omitempty"`
}

// recorder asks the API server as kubectl-hpa does, and keeps what it answers when it fails.
type recorder struct {
	*world
	client  *http.Client
	answers []answer
	// revives says that the servers behind the metrics APIs are started again where they have ended.
	revives bool
}

// question is a request; zero values are those of a read by the administrator.
type question struct {
	method, path string
	token        string // cluster.Admin unless given; "-" is none
	headers      map[string]string
	body         string
}

func newRecorder(w *world) *recorder {
	w.Helper()
	transport, err := w.Anonymous()
	w.must(transport, err)
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return &recorder{world: w, client: client}
}

// ask returns the answer to a question.
func (r *recorder) ask(q question) (answer, error) {
	if q.method == "" {
		q.method = http.MethodGet
	}
	request, err := http.NewRequestWithContext(r.Context(), q.method, r.Endpoint()+q.path, strings.NewReader(q.body))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("User-Agent", "kubectl-hpa/0.0.0")
	request.Header.Set("Accept", "application/json")
	if q.token == "" {
		q.token = cluster.Admin
	}
	if q.token != "-" {
		request.Header.Set("Authorization", "Bearer "+q.token)
	}
	for name, value := range q.headers {
		request.Header.Set(name, value)
	}
	response, err := r.client.Do(request)
	if errors.Is(err, io.EOF) {
		return answer{Method: q.method, Path: q.path, Headers: map[string]string{}, Breaks: true}, nil
	}
	if err != nil {
		return answer{}, err
	}
	return received(q, response)
}

func received(q question, response *http.Response) (answer, error) {
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	breaks := errors.Is(err, io.ErrUnexpectedEOF)
	if err != nil && !breaks {
		return answer{}, err
	}
	seen := answer{Method: q.method, Path: q.path, Code: response.StatusCode, Headers: map[string]string{}, Body: constant(string(body)), Breaks: breaks}
	for name, values := range response.Header {
		if name != "Date" && name != "Content-Length" { // the answer's player has its own
			seen.Headers[name] = constant(strings.Join(values, ", "))
		}
	}
	return seen, nil
}

// record asks all questions at once, and keeps the answers under the name of the fault, except those that are none.
func (r *recorder) record(fault string, questions ...question) {
	r.Helper()
	for _, seen := range r.askAll(questions) {
		r.keep(fault, seen)
	}
}

// askAll returns the answers in the order of the questions.
func (r *recorder) askAll(questions []question) []answer {
	r.Helper()
	answers, errs := make([]answer, len(questions)), make([]error, len(questions))
	var asked sync.WaitGroup
	for i, q := range questions {
		asked.Go(func() { answers[i], errs[i] = r.ask(q) })
	}
	asked.Wait()
	r.must(answers, errors.Join(errs...))
	return answers
}

func (r *recorder) keep(fault string, seen answer) {
	seen.Fault = fault
	if seen.Code < 300 && !seen.Breaks {
		r.Logf("%s: %s %s answers %d", fault, seen.Method, seen.Path, seen.Code)
		return
	}
	r.answers = append(r.answers, seen)
}

// await asks all questions until each answer has the code and the words.
func (r *recorder) await(fault string, code int, words string, questions ...question) {
	r.Helper()
	answers, last := make([]answer, len(questions)), make([]error, len(questions))
	var asked sync.WaitGroup
	for i, q := range questions {
		asked.Go(func() { answers[i], last[i] = r.until(code, words, q) })
	}
	asked.Wait()
	if err := errors.Join(last...); err != nil {
		r.Fatalf("%s: %v", fault, err)
	}
	for _, seen := range answers {
		r.keep(fault, seen)
	}
}

func (r *recorder) until(code int, words string, q question) (answer, error) {
	deadline := time.Now().Add(patience / 2)
	for {
		seen, err := r.ask(q)
		if err == nil && seen.Code == code && strings.Contains(seen.Body, words) {
			return seen, nil
		}
		if time.Now().After(deadline) {
			return seen, fmt.Errorf("%s answers %+v (%v), not %d %q", q.path, seen, err, code, words)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// What differs between two runs, and what stands in its place.
var changing = []struct{ pattern, constant string }{
	{`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, "3d0c1c5e-6a0e-4a62-9a52-2f5b2f1f3c11"},
	{`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`, "2026-11-21T10:41:50Z"},
	{`read tcp 127\.0\.0\.1:\d+->`, "read tcp 127.0.0.1:40000->"},
	{`(127\.0\.0\.1|\[::1\]):\d{4,5}`, "127.0.0.1:10250"},
	{`localhost:\d{4,5}`, "localhost:10250"},
	{`revision=\d+`, "revision=1"},
	{`"resourceVersion":"\d+"`, `"resourceVersion":"1"`},
	{`"port":\d+`, `"port":10250`},
	{`"caBundle":"[^"]*"`, `"caBundle":"Q0E="`},
	{`"managedFields":\[.*?\]\},"spec"`, `"managedFields":[]},"spec"`}, // in the order of their times
	{`Invalid value: \\"\{.*?\}\\": `, `Invalid value: \"{}\": `},      // the object with its status
}

func constant(text string) string {
	for _, change := range changing {
		text = regexp.MustCompile(change.pattern).ReplaceAllString(text, change.constant)
	}
	return text
}

// write puts all into a file, one answer on each line, those that differ in nothing once.
func (r *recorder) write(path, version string) {
	r.Helper()
	var text bytes.Buffer
	text.WriteString("{\n\"command\": \"" + answersVariable + "=$PWD/tests/cluster/verdicts/recorded.json tests/e2e/run -test.run TestAnswers\",\n")
	text.WriteString("\"kubernetes\": \"" + version + "\",\n\"answers\": [\n")
	lines := []string{}
	for _, seen := range r.answers {
		line := &bytes.Buffer{}
		encoder := json.NewEncoder(line)
		encoder.SetEscapeHTML(false)
		r.must(nil, encoder.Encode(seen))
		if one := strings.TrimSpace(line.String()); !slices.Contains(lines, one) {
			lines = append(lines, one)
		}
	}
	text.WriteString(strings.Join(lines, ",\n") + "\n]\n}\n")
	r.must(nil, os.WriteFile(path, text.Bytes(), 0o644))
}
