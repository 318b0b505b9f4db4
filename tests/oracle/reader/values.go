package reader

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// values are those of a claim, or of an object in it. What is never asked for is unknown, and what is asked for and not
// there is missing: both are faults.
type values struct {
	path     string
	in       map[string]any
	used     map[string]bool
	children []*values
	faults   *[]string
}

func newValues(in map[string]any, path string, faults *[]string) *values {
	return &values{path: path, in: in, used: map[string]bool{}, faults: faults}
}

func (v *values) fault(format string, args ...any) {
	*v.faults = append(*v.faults, fmt.Sprintf(format, args...))
}

// has tells whether an optional value is there.
func (v *values) has(key string) bool {
	v.used[key] = true
	_, found := v.in[key]
	return found
}

func of[T any](v *values, key string) (out T) {
	if !v.has(key) {
		v.fault("value %s%s is missing", v.path, key)
		return out
	}
	out, ok := v.in[key].(T)
	if !ok {
		v.fault("value %s%s has another type: %v", v.path, key, v.in[key])
	}
	return out
}

func (v *values) str(key string) string { return of[string](v, key) }
func (v *values) bool(key string) bool  { return of[bool](v, key) }

func (v *values) int(key string) int64 {
	n, err := of[json.Number](v, key).Int64()
	if err != nil && v.has(key) {
		v.fault("value %s%s is no integer", v.path, key)
	}
	return n
}

// float is a number, or what has none in JSON: NaN or infinity.
func (v *values) float(key string) float64 {
	if text, ok := v.in[key].(string); ok {
		v.used[key] = true
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || !math.IsInf(n, 0) && !math.IsNaN(n) {
			v.fault("value %s%s is no number: %q", v.path, key, text)
		}
		return n
	}
	n, _ := of[json.Number](v, key).Float64()
	return n
}

func (v *values) time(key string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, v.str(key))
	if err != nil {
		v.fault("value %s%s is no time", v.path, key)
	}
	return at
}

func (v *values) duration(key string) time.Duration {
	d, err := time.ParseDuration(v.str(key))
	if err != nil {
		v.fault("value %s%s is no duration", v.path, key)
	}
	return d
}

func (v *values) strs(key string) (out []string) {
	for _, one := range of[[]any](v, key) {
		text, ok := one.(string)
		if !ok {
			v.fault("value %s%s is no list of texts", v.path, key)
		}
		out = append(out, text)
	}
	return out
}

func (v *values) object(key string) *values {
	child := newValues(of[map[string]any](v, key), v.path+key+".", v.faults)
	v.children = append(v.children, child)
	return child
}

func (v *values) objects(key string) (out []*values) {
	for _, one := range of[[]any](v, key) {
		in, _ := one.(map[string]any)
		child := newValues(in, v.path+key+".", v.faults)
		v.children = append(v.children, child)
		out = append(out, child)
	}
	return out
}

// skip takes every value as it is, after a fault that leaves nothing to hold them against.
func (v *values) skip() {
	for key := range v.in {
		v.used[key] = true
	}
	for _, child := range v.children {
		child.skip()
	}
}

// rest reports values that nobody asked for.
func (v *values) rest() {
	var names []string
	for key := range v.in {
		if !v.used[key] {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		v.fault("unknown value %s%s: %v", v.path, name, v.in[name])
	}
	for _, child := range v.children {
		child.rest()
	}
}

// is holds one integer against what the objects show.
func (v *values) is(key string, want int64) {
	if got := v.int(key); v.has(key) && got != want {
		v.fault("%s%s is %d, and the objects show %d", v.path, key, got, want)
	}
}

// set holds texts against a set that the objects show.
func (v *values) set(key string, want map[string]bool) {
	got := v.strs(key)
	for _, one := range got {
		if !want[one] {
			v.fault("no pod shows %s among its %s", one, key)
		}
	}
	if len(got) != len(want) {
		v.fault("the %s of the pods are %v", key, want)
	}
}

// text holds one text against what the objects show.
func (v *values) text(key, want string) {
	if got := v.str(key); v.has(key) && got != want {
		v.fault("%s%s is %q, and the objects show %q", v.path, key, got, want)
	}
}

// near holds one number against what the objects show; both come from the same operations on floats.
func (v *values) near(key string, want float64) {
	got := v.float(key)
	if v.has(key) && got != want && !(math.IsNaN(got) && math.IsNaN(want)) && math.Abs(got-want) > 1e-12*math.Max(math.Abs(got), math.Abs(want)) {
		v.fault("%s%s is %v, and the objects show %v", v.path, key, got, want)
	}
}

// flag holds one truth value against what the objects show.
func (v *values) flag(key string, want bool) {
	if got := v.bool(key); v.has(key) && got != want {
		v.fault("%s%s is %v, and the objects show %v", v.path, key, got, want)
	}
}
