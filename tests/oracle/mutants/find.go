package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"log"
	"regexp"
	"strings"
)

// finder finds the places of one function.
type finder struct {
	p       *source
	f       *file
	skipped map[ast.Node]bool
	places  map[ast.Node]*place
	order   []*place
	around  []ast.Stmt // each statement that is no block, the outer ones first
}

func (p *source) placesOf(f *file, function *ast.FuncDecl) []*place {
	b := &finder{p: p, f: f, skipped: map[ast.Node]bool{}, places: map[ast.Node]*place{}}
	b.keepLast(function.Body)
	ast.Inspect(function.Body, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok {
			b.around = append(b.around, s)
		}
		return true
	})
	ast.Inspect(function.Body, b.visit)
	return b.order
}

// aside are what decides nothing: locks, logs, the controller's own metrics, errors that are only logged, and what the
// queue asks before the next reconcile.
var aside = regexp.MustCompile(`^(defer |logger|klog|utilruntime|a\.monitor|a\.[a-zA-Z]+Lock\.|a\.consistencyStore)`)

func (b *finder) visit(n ast.Node) bool {
	if n == nil || b.skipped[n] {
		return false
	}
	switch n := n.(type) {
	case *ast.BlockStmt:
		b.statements(n.List)
	case *ast.CaseClause:
		b.statements(n.Body)
		for _, value := range n.List {
			b.skipped[value] = true
		}
	case *ast.FuncLit:
		b.keepLast(n.Body)
	case *ast.AssignStmt:
		for _, into := range n.Lhs {
			b.skipped[into] = true
		}
	case *ast.IncDecStmt:
		b.skipped[n.X] = true
	case *ast.KeyValueExpr:
		b.skipped[n.Key] = true
	case *ast.SelectorExpr:
		b.skipped[n.Sel] = true
	case *ast.IfStmt:
		b.condition(n.Cond)
	}
	if e, ok := n.(ast.Expr); ok {
		return b.expression(e)
	}
	return true
}

// keepLast keeps the last statement of a function: without it nothing would follow.
func (b *finder) keepLast(body *ast.BlockStmt) {
	if n := len(body.List); n > 0 {
		if last, ok := body.List[n-1].(*ast.ReturnStmt); ok {
			b.places[last] = &place{} // which is not in the order, and so not written
		}
	}
}

func (b *finder) statements(all []ast.Stmt) {
	for _, s := range all {
		if aside.MatchString(b.text(s)) {
			b.skipped[s] = true
			continue
		}
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				b.add(s, "statement", "")
			}
			if s.Tok == token.ADD_ASSIGN {
				b.add(s, "arithmetic", b.text(s.Lhs[0])+" -= "+b.text(s.Rhs[0]))
			}
		case *ast.IncDecStmt:
			b.add(s, "statement", "")
			b.add(s, "arithmetic", b.text(s.X)+map[token.Token]string{token.INC: "--", token.DEC: "++"}[s.Tok])
		case *ast.ExprStmt, *ast.BranchStmt, *ast.ReturnStmt:
			b.add(s, "statement", "")
		}
	}
}

// add notes what may stand at a place.
func (b *finder) add(n ast.Node, operator, text string) {
	one := b.places[n]
	if one == nil {
		one = &place{start: b.p.offset(n.Pos()), end: b.p.offset(n.End()), line: b.p.positions.Position(n.Pos()).Line}
		if e, ok := n.(ast.Expr); ok {
			if one.typeName = b.p.nameOf(b.f, b.p.typeOf(e)); one.typeName == "" {
				log.Printf("left as it is, as its type has no name in this file: %s", b.text(e))
				return
			}
		}
		one.within = b.within(n)
		b.places[n] = one
		b.order = append(b.order, one)
	}
	one.changes = append(one.changes, change{operator: operator, text: text})
}

// within are the two innermost statements around a place: of one with blocks, what is before them and the first line in
// them.
func (b *finder) within(n ast.Node) string {
	var around []string
	for _, s := range b.around {
		if _, block := s.(*ast.BlockStmt); block || s == n || n.Pos() < s.Pos() || s.End() < n.End() {
			continue
		}
		text, _, _ := strings.Cut(b.text(s), "\n")
		if branch, ok := s.(*ast.IfStmt); ok && len(branch.Body.List) > 0 {
			first, _, _ := strings.Cut(b.text(branch.Body.List[0]), "\n")
			text = strings.TrimSuffix(text, "{") + "{ " + strings.TrimSuffix(first, "{")
		}
		around = append(around, strings.TrimSpace(strings.TrimSuffix(text, "{")))
	}
	return short(strings.Join(around[max(0, len(around)-2):], " … "))
}

func (b *finder) text(n ast.Node) string {
	return string(b.f.text[b.p.offset(n.Pos()):b.p.offset(n.End())])
}

func (p *source) typeOf(e ast.Expr) types.Type {
	if name, ok := e.(*ast.Ident); ok && p.info.Uses[name] != nil {
		return p.info.Uses[name].Type()
	}
	return p.info.Types[e].Type
}
