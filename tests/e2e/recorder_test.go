package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
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
	// Breaks says that the connection ended before the body did.
	Breaks bool `json:"breaks,omitempty"`
}

// recorder asks the API server as kubectl-hpa does, and keeps what it answers when it fails.
type recorder struct {
	*world
	client  *http.Client
	answers []answer
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

// record keeps the answers to questions under the name of the fault, except those that are none.
func (r *recorder) record(fault string, questions ...question) {
	r.Helper()
	for _, q := range questions {
		seen, err := r.ask(q)
		r.must(seen, err)
		r.keep(fault, seen)
	}
}

func (r *recorder) keep(fault string, seen answer) {
	seen.Fault = fault
	if seen.Code < 300 && !seen.Breaks {
		r.Logf("%s: %s %s answers %d", fault, seen.Method, seen.Path, seen.Code)
		return
	}
	r.answers = append(r.answers, seen)
}

// await asks until the answer has the code and the words.
func (r *recorder) await(fault string, code int, words string, questions ...question) {
	r.Helper()
	for _, q := range questions {
		deadline := time.Now().Add(patience)
		for {
			seen, err := r.ask(q)
			if err == nil && seen.Code == code && strings.Contains(seen.Body, words) {
				r.keep(fault, seen)
				break
			}
			if time.Now().After(deadline) {
				r.Fatalf("%s: %s answers %+v (%v), not %d %q", fault, q.path, seen, err, code, words)
			}
			time.Sleep(2 * time.Millisecond)
		}
	}
}

// What differs between two runs, and what stands in its place.
var changing = []struct{ pattern, constant string }{
	{`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, "3d0c1c5e-6a0e-4a62-9a52-2f5b2f1f3c11"},
	{`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`, "2026-11-21T10:41:50Z"},
	{`read tcp 127\.0\.0\.1:\d+->`, "read tcp 127.0.0.1:40000->"},
	{`(127\.0\.0\.1|\[::1\]):\d{4,5}`, "127.0.0.1:10250"},
	{`localhost:\d{4,5}`, "localhost:10250"},
	{`"resourceVersion":"\d+"`, `"resourceVersion":"1"`},
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
