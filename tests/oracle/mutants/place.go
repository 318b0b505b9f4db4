package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// place is an expression or a statement, and what may stand there instead.
type place struct {
	typeName         string // of an expression
	start, end, line int
	within           string // the statements around it
	changes          []change
}

type change struct {
	operator, text string
	id             int
}

// mutate writes a file in which each place asks whether it is the mutated one.
func (p *source) mutate(f *file, reached map[string]bool, mutants *[]Mutant) []byte {
	w := writer{text: f.text, ends: map[int]bool{}}
	for _, declared := range f.parsed.Decls {
		function, ok := declared.(*ast.FuncDecl)
		if !ok || !reached[function.Name.Name] {
			continue
		}
		if function.Type.Results != nil {
			w.ends[p.offset(function.Body.Rbrace)] = true
		}
		places := p.placesOf(f, function)
		for _, one := range places {
			for i := range one.changes {
				c := &one.changes[i]
				c.id = len(*mutants) + 1
				*mutants = append(*mutants, Mutant{
					ID: c.id, File: f.name, Line: one.line, Function: function.Name.Name, Within: one.within,
					Operator: c.operator, Original: short(string(f.text[one.start:one.end])), Changed: short(c.text),
				})
			}
		}
		w.places = append(w.places, places...)
	}
	slices.SortStableFunc(w.places, func(a, b *place) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end // the outer one first
	})
	w.write(0, len(f.text))
	return []byte(w.out.String())
}

func (p *source) offset(at token.Pos) int { return p.positions.Position(at).Offset }

// writer copies a file and puts the changes in.
type writer struct {
	text   []byte
	places []*place // those that are still to be written
	ends   map[int]bool
	out    strings.Builder
}

func (w *writer) write(from, to int) {
	for len(w.places) > 0 && w.places[0].start < to {
		next := w.places[0]
		w.places = w.places[1:]
		w.copy(from, next.start)
		w.change(next)
		from = next.end
	}
	w.copy(from, to)
}

func (w *writer) change(one *place) {
	if one.typeName == "" {
		for _, c := range one.changes {
			fmt.Fprintf(&w.out, "if mutantIs(%d) { %s } else ", c.id, c.text)
		}
		w.out.WriteString("{ ")
		w.write(one.start, one.end)
		w.out.WriteString(" }")
		return
	}
	fmt.Fprintf(&w.out, "func() %s { ", one.typeName)
	for _, c := range one.changes {
		fmt.Fprintf(&w.out, "if mutantIs(%d) { return %s }; ", c.id, c.text)
	}
	w.out.WriteString("return ")
	w.write(one.start, one.end)
	w.out.WriteString(" }()")
}

// copy writes a part as it is. Where a return was taken out, a function must not end without a result.
func (w *writer) copy(from, to int) {
	for at := from; at < to; at++ {
		if w.ends[at] {
			w.out.WriteString("panic(\"no result\") ")
		}
		w.out.WriteByte(w.text[at])
	}
}

// short puts a text on one line that a table can hold.
func short(text string) string {
	if text == "" {
		return "nothing"
	}
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", "¦")
}

// nameOf writes a type as this file can; it is empty where the file does not import what the type is from.
func (p *source) nameOf(f *file, t types.Type) string {
	known := true
	name := types.TypeString(types.Default(t), func(from *types.Package) string {
		if from.Path() == p.path {
			return ""
		}
		for _, one := range f.parsed.Imports {
			if strings.Trim(one.Path.Value, `"`) == from.Path() {
				if one.Name != nil {
					return one.Name.Name
				}
				return from.Name()
			}
		}
		known = false
		return from.Name()
	})
	if !known {
		return ""
	}
	return name
}
