package browser

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

//go:embed audit.js
var audit string

//go:embed width.js
var width string

// tab is one page, opened anew.
type tab struct {
	*chromium
	session, target, url string
}

type object = map[string]any

// open loads a file, with or without scripts.
func (b *chromium) open(file string, runsScripts bool) *tab {
	b.Helper()
	var target struct{ TargetID string }
	b.ask("", "Target.createTarget", object{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.ask("", "Target.attachToTarget", object{"targetId": target.TargetID, "flatten": true}, &attached)
	t := &tab{b, attached.SessionID, target.TargetID, "file://" + file}
	for _, domain := range []string{"Page", "Network", "Log", "Runtime", "Audits"} {
		t.do(domain+".enable", nil)
	}
	t.do("Emulation.setScriptExecutionDisabled", object{"value": !runsScripts})
	t.sized(1000, false)
	t.do("Page.navigate", object{"url": t.url})
	for begun := time.Now(); !t.has("Page.loadEventFired"); time.Sleep(5 * time.Millisecond) {
		if time.Since(begun) > patience {
			b.Fatalf("%s does not load", file)
		}
	}
	return t
}

func (t *tab) close() {
	t.ask("", "Target.closeTarget", object{"targetId": t.target}, nil)
}

func (t *tab) do(method string, params any) {
	t.Helper()
	t.ask(t.session, method, params, nil)
}

func (t *tab) has(method string) bool {
	return slices.ContainsFunc(t.told(t.session), func(it message) bool { return it.Method == method })
}

func (t *tab) sized(columns int, isPhone bool) {
	t.Helper()
	size := object{"width": columns, "height": 1400, "deviceScaleFactor": 1, "mobile": isPhone}
	t.do("Emulation.setDeviceMetricsOverride", size)
}

// shown as on a screen or on paper, light or dark.
func (t *tab) shown(media, scheme string) {
	t.Helper()
	features := []object{{"name": "prefers-color-scheme", "value": scheme}}
	t.do("Emulation.setEmulatedMedia", object{"media": media, "features": features})
}

// evaluate reads a value in the page; no policy of the page keeps DevTools from it.
func (t *tab) evaluate(script string, value any) {
	t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	t.ask(t.session, "Runtime.evaluate", object{"expression": script, "returnByValue": true}, &answer)
	if answer.ExceptionDetails != nil {
		t.Fatalf("%s", answer.ExceptionDetails)
	}
	if err := json.Unmarshal(answer.Result.Value, value); err != nil {
		t.Fatalf("%v: %s", err, answer.Result.Value)
	}
}

func (t *tab) faults(script string) []string {
	t.Helper()
	var faults []string
	t.evaluate(script, &faults)
	return faults
}

func (t *tab) markup() string {
	t.Helper()
	var markup string
	t.evaluate("document.documentElement.outerHTML", &markup)
	return markup
}

func (t *tab) picture() []byte {
	t.Helper()
	var picture struct{ Data []byte }
	params := object{"format": "png", "captureBeyondViewport": true}
	t.ask(t.session, "Page.captureScreenshot", params, &picture)
	return picture.Data
}

// kept writes a picture where PICTURES says, for people to look at.
func (t *tab) kept(name string) []byte {
	t.Helper()
	picture := t.picture()
	if folder := os.Getenv("PICTURES"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return picture
}

// noise is whatever a page asks for, says or opens, beyond being loaded itself.
func (t *tab) noise() []string {
	t.Helper()
	t.picture() // one frame: by then what a page begins with has begun
	var noise []string
	for _, event := range t.told(t.session) {
		switch event.Method {
		case "Network.requestWillBeSent":
			var sent struct{ Request struct{ URL string } }
			if json.Unmarshal(event.Params, &sent) != nil || sent.Request.URL != t.url {
				noise = append(noise, "request: "+sent.Request.URL)
			}
		case "Log.entryAdded", "Runtime.consoleAPICalled":
			noise = append(noise, "console: "+string(event.Params))
		case "Audits.issueAdded":
			noise = append(noise, "issue: "+string(event.Params))
		case "Runtime.exceptionThrown", "Page.javascriptDialogOpening":
			noise = append(noise, "script: "+string(event.Params))
		}
	}
	return noise
}

// judged is all that is wrong with a file.
func (b *chromium) judged(file, name string) []string {
	b.Helper()
	var faults []string
	found := func(where string, more []string) {
		for _, fault := range more {
			faults = append(faults, where+" "+fault)
		}
	}
	// One after the other: only the page in front is drawn.
	plain := b.open(file, false)
	found("without scripts:", plain.noise())
	markup, picture := plain.markup(), plain.picture()
	plain.close()
	scripted := b.open(file, true)
	defer scripted.close()
	found("with scripts:", scripted.noise())
	if markup != scripted.markup() || !bytes.Equal(picture, scripted.picture()) {
		faults = append(faults, "script: the page is another one without scripts")
	}
	for _, scheme := range []string{"light", "dark"} {
		scripted.shown("screen", scheme)
		found(scheme+":", scripted.faults(audit))
		scripted.sized(1000, false)
		scripted.kept(name + "-" + scheme)
		scripted.sized(360, true)
		found("on a phone:", scripted.faults(width))
		scripted.kept(name + "-" + scheme + "-phone")
	}
	scripted.shown("print", "light")
	scripted.sized(718, false) // A4 between margins of 1 cm
	found("on paper:", scripted.faults(width))
	scripted.kept(name + "-paper")
	var paper struct{ Data []byte }
	scripted.ask(scripted.session, "Page.printToPDF", object{"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": true}, &paper)
	if !bytes.HasPrefix(paper.Data, []byte("%PDF-")) || len(paper.Data) < 5_000 {
		faults = append(faults, "on paper: nothing is printed")
	}
	return faults
}

// about tells whether one of the faults is of a rule.
func about(faults []string, rule string) bool {
	return slices.ContainsFunc(faults, func(fault string) bool { return strings.Contains(fault, rule) })
}
