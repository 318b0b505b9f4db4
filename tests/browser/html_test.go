// Package browser looks at `-o html` as a reader's browser does: what is seen, what is asked of others, what runs.
package browser

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

const (
	elsewhere = "http://elsewhere.invalid" // in hostile.yaml, for the address of the listener
	held      = "held-by-window"
)

// page is a command, and a text that its page has to show.
type page struct {
	name, shows string
	arguments   []string
}

var pages = []page{
	{"explain", "no sample; started", []string{"explain", "--example", "missing-samples"}},
	{"explain-wide", "Steps", []string{"explain", "--example", held, "--pods", "all"}},
	{"explain-several", "shop/mailer", []string{"explain", "--file", "../simulate/at-target.yaml", "--file", "../simulate/two-queues.yaml"}},
	{"blame", "Blame", []string{"explain", "--example", "missing-samples", "--blame"}},
	{"versions", "Only messages", []string{"explain", "--example", held, "--as-version", "1.24,1.30,1.37"}},
	{"upgrade", "Total", []string{"explain", "--file", "../simulate/upgrade.yaml", "--upgrade-to", "1.37"}},
	{"simulate", "First difference", []string{"simulate", "--example", "missing-samples", "--load", "+50%"}},
	{"sweep", "stay", []string{"simulate", "--example", held, "--sweep", "target=40..80:5"}},
	{"sweep-of-two", "replicas now", []string{"simulate", "--example", held, "--sweep", "target=40..80:10", "--sweep", "max=5..20:5"}},
	{"over", "pod-hours", []string{"simulate", "--example", held, "--over", "30m", "--load-curve", "ramp:100%..300%/5m"}},
	{"over-changed", "better", []string{"simulate", "--example", held, "--target", "40", "--over", "2h", "--load-curve", "sine:50%..250%/20m"}},
	{"over-versus", "better", []string{"simulate", "--file", "../simulate/at-target.yaml", "--versus", "versus.yaml", "--over", "1h", "--load-curve", "spike:400%@10m/10m"}},
	{"over-sweep", "ENDS AT", []string{"simulate", "--example", held, "--sweep", "target=40..80:20", "--over", "4h", "--load-curve", "sine:50%..150%/2h"}},
	{"hostile", "onerror", []string{"explain", "--pods", "all", "--file", "hostile.yaml"}},
	{"hostile-simulate", "onerror", []string{"simulate", "--max", "40", "--file", "hostile.yaml"}},
	{"hostile-over", "onerror", []string{"simulate", "--over", "10m", "--max", "40", "--file", "hostile.yaml"}},
}

// listener counts what reaches it: nothing ever may.
func listener(t *testing.T) (string, *atomic.Int32) {
	t.Helper()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(server.Close)
	return server.URL, &asked
}

// written is a page of a command, whose hostile names lead to an address.
func written(t *testing.T, arguments []string, address string) []byte {
	t.Helper()
	arguments = append([]string(nil), arguments...)
	for place, argument := range arguments {
		if argument != "hostile.yaml" {
			continue
		}
		text, err := os.ReadFile(argument)
		if err != nil {
			t.Fatal(err)
		}
		arguments[place] = kept(t, "hostile.yaml", bytes.ReplaceAll(text, []byte(elsewhere), []byte(address)))
	}
	command := exec.Command(os.Getenv("KUBECTL_HPA_BIN"), append(arguments, "-o", "html")...)
	command.Stderr = os.Stderr
	text, err := command.Output()
	// Other codes tell what was found.
	if command.ProcessState == nil || len(text) == 0 {
		t.Fatalf("%v: %v", arguments, err)
	}
	return text
}

func kept(t *testing.T, name string, text []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestEveryPageIsReadableAndQuiet(t *testing.T) {
	b := start(t)
	address, asked := listener(t)
	for _, page := range pages {
		b.T = t
		t.Run(page.name, func(t *testing.T) {
			b.T = t
			file := kept(t, page.name+".html", written(t, page.arguments, address))
			for _, fault := range b.judged(file, page.name) {
				t.Error(fault)
			}
			shown := b.open(file, false)
			defer shown.close()
			var text, title string
			shown.evaluate("document.body.innerText", &text)
			shown.evaluate("document.title", &title)
			if !strings.Contains(text, page.shows) {
				t.Errorf("%q is not shown: %s", page.shows, text)
			}
			isOfMany := page.name == "upgrade"
			if !isOfMany && !strings.Contains(title, "2026-11-21 10:") || !strings.Contains(title, "kubectl hpa") {
				t.Errorf("the title is %q", title)
			}
		})
	}
	b.T = t
	if count := asked.Load(); count != 0 {
		t.Errorf("%d requests left", count)
	}
}

// Two HPAs are compared by eye, chart beside chart.
func TestChartsOfTwoHPAsShareOneScale(t *testing.T) {
	b := start(t)
	for _, page := range pages {
		if page.shows != "better" {
			continue
		}
		shown := b.open(kept(t, "two.html", written(t, page.arguments, "")), false)
		var scales []string
		shown.evaluate("[...document.querySelectorAll('figure .scale')].map((it) => it.textContent)", &scales)
		shown.close()
		if len(scales) != 4 || scales[0] != scales[2] || scales[1] != scales[3] {
			t.Errorf("%s: %q", page.name, scales)
		}
	}
}
