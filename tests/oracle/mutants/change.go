package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

var (
	comparisons = []token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ}
	arithmetic  = []token.Token{token.ADD, token.SUB, token.MUL, token.QUO}
	opposites   = map[token.Token]token.Token{
		token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	}
	exchanged = map[string]string{
		"math.Ceil": "math.Floor", "math.Floor": "math.Ceil", "math.Max": "math.Min", "math.Min": "math.Max",
		"min": "max", "max": "min", "minInt32": "maxInt32", "maxInt32": "minInt32",
	}
)

// condition changes whether a branch is taken. Of a comparison, the opposite is among its neighbors.
func (b *finder) condition(e ast.Expr) {
	b.add(e, "condition", "true")
	b.add(e, "condition", "false")
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return
	case *ast.BinaryExpr:
		if slices.Contains(comparisons, e.Op) {
			return
		}
	}
	b.add(e, "condition", "!("+b.text(e)+")")
}

// expression changes one expression; false where nothing within it is to be changed.
func (b *finder) expression(e ast.Expr) bool {
	if value := b.p.info.Types[e].Value; value != nil {
		b.constant(e, value)
		return false
	}
	switch e := e.(type) {
	case *ast.Ident:
		b.name(e)
	case *ast.BinaryExpr:
		b.binary(e)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			return false
		case token.NOT:
			b.add(e, "condition", b.text(e.X))
		case token.SUB:
			b.add(e, "arithmetic", b.text(e.X))
		}
	case *ast.CallExpr:
		b.call(e)
	}
	return true
}

func (b *finder) binary(e *ast.BinaryExpr) {
	b.operands(e)
	with := func(operator token.Token) string {
		return "(" + b.text(e.X) + ") " + operator.String() + " (" + b.text(e.Y) + ")"
	}
	numbers := b.numeric(e.X) && b.numeric(e.Y)
	switch {
	case e.Op == token.LAND || e.Op == token.LOR:
		b.add(e, "operand", b.text(e.X))
		b.add(e, "operand", b.text(e.Y))
		b.add(e, "operand", with(opposites[e.Op]))
	case slices.Contains(comparisons, e.Op) && numbers:
		for _, other := range comparisons {
			if other != e.Op {
				b.add(e, "comparison", with(other))
			}
		}
	case slices.Contains(comparisons, e.Op):
		b.add(e, "comparison", with(opposites[e.Op]))
	case slices.Contains(arithmetic, e.Op) && numbers:
		for _, other := range arithmetic {
			if other != e.Op {
				b.add(e, "arithmetic", with(other))
			}
		}
	}
}

// operands changes a number beside an operator.
func (b *finder) operands(e *ast.BinaryExpr) {
	for _, operand := range []ast.Expr{e.X, e.Y} {
		if value := b.p.info.Types[operand].Value; value != nil {
			b.skipped[operand] = true
			for _, text := range b.others(operand, value) {
				if operand == e.X {
					b.add(e, "constant", "("+text+") "+e.Op.String()+" ("+b.text(e.Y)+")")
				} else if text != "0" || e.Op != token.QUO {
					b.add(e, "constant", "("+b.text(e.X)+") "+e.Op.String()+" ("+text+")")
				}
			}
		}
	}
}

// call exchanges a function by its opposite, and compares two instants as two numbers are compared.
func (b *finder) call(e *ast.CallExpr) {
	name := b.text(e.Fun)
	if other, ok := exchanged[name]; ok {
		b.skipped[e.Fun] = true
		b.add(e, "opposite", other+b.text(e)[len(name):])
		return
	}
	method, ok := e.Fun.(*ast.SelectorExpr)
	if !ok || len(e.Args) != 1 || b.p.nameOf(b.f, b.p.typeOf(method.X)) != "time.Time" {
		return
	}
	compared := func(how string) string { return b.text(method.X) + "." + how + "(" + b.text(e.Args[0]) + ")" }
	if how := method.Sel.Name; how == "Before" || how == "After" {
		for _, other := range []string{"Before", "After", "Equal"} {
			if other != how {
				b.add(e, "comparison", compared(other))
			}
			b.add(e, "comparison", "!"+compared(other))
		}
	}
}

// name exchanges a function that is not called here, and changes a number of the package.
func (b *finder) name(e *ast.Ident) {
	if other, ok := exchanged[e.Name]; ok {
		b.add(e, "opposite", other)
		return
	}
	if known, ok := b.p.info.Uses[e].(*types.Var); ok && known.Parent() == known.Pkg().Scope() && b.numeric(e) {
		for _, text := range []string{e.Name + " + 1", e.Name + " - 1", "0"} {
			b.add(e, "constant", text)
		}
	}
}

// constant changes a number or a truth that stands by itself.
func (b *finder) constant(e ast.Expr, value constant.Value) {
	for _, text := range b.others(e, value) {
		b.add(e, "constant", text)
	}
}

// others are the number above a constant, the one below and 0, or the opposite of a truth.
func (b *finder) others(e ast.Expr, value constant.Value) (out []string) {
	if value.Kind() == constant.Bool {
		return []string{strconv.FormatBool(!constant.BoolVal(value))}
	}
	if !b.numeric(e) {
		return nil
	}
	same, _ := b.write(e, value)
	for _, step := range []constant.Value{constant.MakeInt64(1), constant.MakeInt64(-1), constant.UnaryOp(token.SUB, value, 0)} {
		text, fits := b.write(e, constant.BinaryOp(value, token.ADD, step))
		if fits && text != same && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// write writes a number of an expression's type, if it can hold it.
func (b *finder) write(e ast.Expr, value constant.Value) (string, bool) {
	basic := b.p.typeOf(e).Underlying().(*types.Basic)
	if basic.Info()&types.IsFloat != 0 {
		number, _ := constant.Float64Val(value)
		return strconv.FormatFloat(number, 'g', -1, 64), true
	}
	number, fits := constant.Int64Val(value)
	if basic.Kind() == types.Int32 {
		fits = fits && int64(int32(number)) == number
	}
	return strconv.FormatInt(number, 10), fits
}

func (b *finder) numeric(e ast.Expr) bool {
	basic, ok := b.p.typeOf(e).Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsNumeric != 0
}
