// Command words writes what the controller's own clients ask and what their errors say, one JSON object a line: for
// each client and each answer of a small server on loopback the path that was asked and err.Error().
// Run it through ../regenerate.sh.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
)

// answer is what the server says to the one request that is not discovery.
type answer struct {
	Code int `json:"code"`
	// ContentType is null for an answer without that header.
	ContentType *string `json:"contentType"`
	Body        string  `json:"body"`
}

// row is a line of the table.
type row struct {
	Client string  `json:"client"`
	Query  query   `json:"query"`
	Path   string  `json:"path,omitempty"`
	Answer *answer `json:"answer,omitempty"`
	// Groups is the discovery document that the client saw.
	Groups string `json:"groups"`
	Error  string `json:"error"`
}

// server answers discovery from a document and all else with one answer, and remembers the last path.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	groups string
	answer answer
	asked  string
}

func newServer() *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.URL.Path {
	case "/api", "/apis":
		w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
		fmt.Fprint(w, documents[s.groups][r.URL.Path])
		return
	}
	s.asked = r.RequestURI
	if s.answer.ContentType == nil {
		w.Header()["Content-Type"] = nil
	} else {
		w.Header().Set("Content-Type", *s.answer.ContentType)
	}
	w.WriteHeader(s.answer.Code)
	fmt.Fprint(w, s.answer.Body)
}

// ask lets a client ask its question and gives the row.
func (s *server) ask(client string, q query, groups string, a *answer) row {
	s.mu.Lock()
	s.groups, s.asked = groups, ""
	if a != nil {
		s.answer = *a
	}
	s.mu.Unlock()
	err := clients[client](s.URL, q)
	if err == nil {
		panic("no error for " + client)
	}
	return row{Client: client, Query: q, Path: s.asked, Answer: a, Groups: groups, Error: err.Error()}
}

func main() {
	s := newServer()
	defer s.Close()
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	write := func(r row) {
		if err := out.Encode(r); err != nil {
			panic(err)
		}
	}
	if err := out.Encode(map[string]any{"documents": documents}); err != nil {
		panic(err)
	}
	for _, client := range names {
		for _, a := range answers() {
			write(s.ask(client, plain[client], "all", &a))
		}
		for _, q := range odd[client] {
			write(s.ask(client, q, "all", &missing))
		}
		for _, groups := range []string{"bare", "old", "strange", "stale"} {
			write(s.ask(client, plain[client], groups, &missing))
		}
	}
}
