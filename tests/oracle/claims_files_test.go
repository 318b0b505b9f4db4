package oracle

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"

	"sigs.k8s.io/yaml"
)

var files = flag.String("oracle.files", "", "folders of cases, separated by colons, whose claims are judged")

// TestClaimsOfFiles judges the claims of all cases of some folders that tell the controller's memory: each by itself, before this
// release of the controller. Those are left out that the controller cannot read.
func TestClaimsOfFiles(t *testing.T) {
	out := results(t)
	oracle, err := New(*minor)
	if err != nil {
		t.Fatal(err)
	}
	run := func(f func()) { synctest.Test(t, func(*testing.T) { f() }) }
	asked := bubbled{oracle, run}
	all := &tally{checked: map[string]int{}, unchecked: map[string]int{}, wrong: map[string]int{}, kinds: map[string]int{}}
	left := 0
	for _, folder := range filepath.SplitList(*files) {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !slices.Contains([]string{".yaml", ".json"}, filepath.Ext(path)) {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for at, document := range bytes.Split(text, []byte("\n---\n")) {
				look, err := lookAt(asked, document)
				if err != nil {
					left++
					continue
				}
				decisions, err := explained([]seen{*look})
				if err != nil {
					left++
					continue
				}
				faults := len(all.kinds)
				if err := all.judge(asked, look, decisions[0], out); err != nil {
					left++
				}
				if len(all.kinds) > faults {
					fmt.Fprintf(out, "in %s, document %d\n", path, at+1)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	fmt.Fprintf(out, "%d cases with %d claims were read, %d left out, %d kinds of claims false\n", all.looks, all.claims, left, len(all.kinds))
	out.Flush()
	if all.looks == 0 || len(all.kinds) > 0 {
		t.Fail()
	}
}

// lookAt is a case, whose memory is told, as this release decides it.
func lookAt(asked bubbled, document []byte) (*seen, error) {
	text, err := yaml.YAMLToJSON(document)
	if err != nil {
		return nil, err
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil {
		return nil, err
	}
	if memory := string(parts["memory"]); memory == "" || memory == "null" || string(parts["kind"]) != `"Case"` {
		return nil, errors.New("it is no case that tells the memory")
	}
	// The oracle has no use for what only a reader sees.
	for _, own := range []string{"expect", "history", "access", "origin", "events", "metadata"} {
		delete(parts, own)
	}
	controller := map[string]any{}
	if given := parts["controller"]; given != nil {
		if err := json.Unmarshal(given, &controller); err != nil {
			return nil, err
		}
	}
	controller["version"] = map[string]string{"value": *patch}
	if parts["controller"], err = json.Marshal(controller); err != nil {
		return nil, err
	}
	line, err := json.Marshal(parts)
	if err != nil {
		return nil, err
	}
	look := &seen{memory: "given", Step: Step{Case: line}, line: line}
	c, err := compile(line)
	if err != nil {
		return nil, err
	}
	asked.run(func() {
		var real *Outcome
		real, err = asked.oracle.Judge(c)
		look.Outcome = real
	})
	if panicked := (*Panic)(nil); errors.As(err, &panicked) {
		look.Outcome, err = panicked, nil
	}
	return look, err
}
