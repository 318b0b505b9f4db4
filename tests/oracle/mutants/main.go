// Mutants makes all small changes of the controller's rules in one build, or tells which of them were noticed; see
// ../README.md.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

// Mutant is one change of one place of the controller.
type Mutant struct {
	ID       int    `json:"id"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
	Within   string `json:"within"` // the statements around it
	Operator string `json:"operator"`
	Original string `json:"original"`
	Changed  string `json:"changed"`
}

func main() {
	log.SetFlags(0)
	out := flag.String("out", "", "folder of the mutated files")
	modfile := flag.String("modfile", "go.mod", "module file of the release")
	tags := flag.String("tags", "", "build tags of the release")
	list := flag.String("table", "", "table of the mutants that are not noticed")
	flag.Parse()
	var err error
	switch flag.Arg(0) {
	case "make":
		err = write(*out, *modfile, *tags)
	case "report":
		err = report(filepath.Join(*out, "mutants.json"), *list)
	default:
		err = fmt.Errorf("usage: mutants [FLAG...] make|report")
	}
	if err != nil {
		log.Fatal(err)
	}
}

// write mutates the controller's files and writes an overlay that puts them in the place of the real ones.
func write(out, modfile, tags string) error {
	packages, err := load(modfile, tags)
	if err != nil {
		return err
	}
	overlay := map[string]string{}
	put := func(instead, name string, text []byte) error {
		path, err := filepath.Abs(filepath.Join(out, name))
		if err != nil {
			return err
		}
		overlay[instead] = path
		return os.WriteFile(path, text, 0o666)
	}
	reached := reachedFrom("reconcileAutoscaler", packages)
	var mutants []Mutant
	for _, p := range packages {
		for _, f := range p.files {
			text := p.mutate(f, reached, &mutants)
			if err := put(f.path, filepath.Base(f.path), text); err != nil {
				return err
			}
		}
		if err := put(filepath.Join(p.folder, "mutant.go"), "mutant-"+p.name+".go", []byte(p.switchText())); err != nil {
			return err
		}
	}
	for name, value := range map[string]any{"overlay.json": map[string]any{"Replace": overlay}, "mutants.json": mutants} {
		text, err := json.MarshalIndent(value, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, name), text, 0o666); err != nil {
			return err
		}
	}
	log.Printf("%d mutants in %d functions", len(mutants), len(reached))
	return nil
}
