package main

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const controller = "k8s.io/kubernetes/pkg/controller/podautoscaler"

// The files of the decision in each package.
var decision = map[string][]string{
	controller + "/metrics": {"client.go", "utilization.go"},
	controller:              {"horizontal.go", "replica_calculator.go"},
}

// source is one package of the controller.
type source struct {
	path, name, folder string
	positions          *token.FileSet
	info               *types.Info
	files              []*file // those of the decision
}

type file struct {
	name   string
	path   string
	text   []byte
	parsed *ast.File
}

// load reads the packages and their types; what they import is read from the build cache.
func load(modfile, tags string) ([]*source, error) {
	list := func(arguments ...string) ([]byte, error) {
		command := exec.Command("go", append([]string{"list", "-modfile", modfile, "-tags", tags}, arguments...)...)
		command.Stderr = os.Stderr
		return command.Output()
	}
	found, err := list("-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", controller)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(found)); lines.Scan(); {
		path, export, _ := strings.Cut(lines.Text(), " ")
		exports[path] = export
	}
	positions := token.NewFileSet()
	imports := importer.ForCompiler(positions, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var out []*source
	for _, path := range []string{controller + "/metrics", controller} {
		found, err := list("-f", "{{.Dir}} {{.Name}} {{join .GoFiles \" \"}}", path)
		if err != nil {
			return nil, err
		}
		fields := strings.Fields(string(found))
		p := &source{path: path, folder: fields[0], name: fields[1], positions: positions}
		if err := p.read(fields[2:], imports); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (p *source) read(names []string, imports types.Importer) error {
	var all []*ast.File
	for _, name := range names {
		path := filepath.Join(p.folder, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(p.positions, path, text, 0)
		if err != nil {
			return err
		}
		all = append(all, parsed)
		if slices.Contains(decision[p.path], name) {
			p.files = append(p.files, &file{name, path, text, parsed})
		}
	}
	p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	_, err := (&types.Config{Importer: imports}).Check(p.path, p.positions, all, p.info)
	return err
}

// switchText is a file that tells each place of the package whether it is the one that is mutated. While none is, it
// notes which places are reached.
func (p *source) switchText() string {
	if p.path == controller {
		return fmt.Sprintf("package %s\n\nimport metrics %q\n\nfunc mutantIs(id int) bool { return metrics.MutantIs(id) }\n",
			p.name, controller+"/metrics")
	}
	return "package " + p.name + `

var (
	Mutant  int
	Reached []bool
)

func MutantIs(id int) bool {
	if Mutant == 0 && Reached != nil {
		Reached[id] = true
	}
	return Mutant == id
}

func mutantIs(id int) bool { return MutantIs(id) }
`
}

// reachedFrom are the names of the functions that one calls, and that these call. Two functions of one name are not told
// apart.
func reachedFrom(first string, packages []*source) map[string]bool {
	calls := map[string][]string{}
	for _, p := range packages {
		for _, f := range p.files {
			for _, declared := range f.parsed.Decls {
				if function, ok := declared.(*ast.FuncDecl); ok {
					name := function.Name.Name
					calls[name] = append(calls[name], p.namesIn(function)...)
				}
			}
		}
	}
	out := map[string]bool{}
	for open := []string{first}; len(open) > 0; open = open[1:] {
		if called, declared := calls[open[0]]; declared && !out[open[0]] {
			out[open[0]] = true
			open = append(open, called...)
		}
	}
	return out
}

// namesIn are all names of the controller's own packages in a function.
func (p *source) namesIn(function *ast.FuncDecl) (out []string) {
	ast.Inspect(function.Body, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			if known := p.info.Uses[name]; known != nil && known.Pkg() != nil && decision[known.Pkg().Path()] != nil {
				out = append(out, name.Name)
			}
		}
		return true
	})
	return out
}
