package oracle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"kubectl-hpa/oracle/reader"
)

// leastRejected is the share of wrong claims, in percent, that the reader has to reject.
const leastRejected = 95

// freeTexts are values that a claim quotes or words, or that are claims of another part.
var freeTexts = []string{"text", "error", "message", "what", "isNormal", "because"}

// rejections counts the wrong claims by what was changed in them.
type rejections struct {
	made, rejected map[string]int
	part           map[string]string // of what was changed
}

// TestClaimsChanged makes one change in each claim that the reader takes for true, and counts how many it rejects then. The
// text stays, and is not looked at. Of advice it also changes a number and a name in the text, while the values stay.
func TestClaimsChanged(t *testing.T) {
	out := results(t)
	oracle, err := New(*minor)
	if err != nil {
		t.Fatal(err)
	}
	asked := bubbled{oracle, func(f func()) { synctest.Test(t, func(*testing.T) { f() }) }}
	looks, err := drawLooks(asked, *seed, *count)
	if err != nil {
		t.Fatal(err)
	}
	decisions, err := explained(looks)
	if err != nil {
		t.Fatal(err)
	}
	counts := rejections{map[string]int{}, map[string]int{}, map[string]string{}}
	for i := range looks {
		if err := counts.change(asked, looks[i].Step, decisions[i], i); err != nil {
			t.Fatal(err)
		}
	}
	made, rejected := 0, 0
	parts := rejections{map[string]int{}, map[string]int{}, nil}
	for _, what := range slices.Sorted(maps.Keys(counts.made)) {
		made, rejected = made+counts.made[what], rejected+counts.rejected[what]
		part := counts.part[what]
		parts.made[part], parts.rejected[part] = parts.made[part]+counts.made[what], parts.rejected[part]+counts.rejected[what]
		if counts.made[what] > counts.rejected[what] || what == "code" {
			fmt.Fprintf(out, "%s: %d of %d rejected\n", what, counts.rejected[what], counts.made[what])
		}
	}
	for _, part := range slices.Sorted(maps.Keys(parts.made)) {
		fmt.Fprintf(out, "of %s%d of %d wrong claims rejected\n", cmp.Or(part, "why "), parts.rejected[part], parts.made[part])
	}
	fmt.Fprintf(out, "%d of %d wrong claims rejected\n", rejected, made)
	if rejected*100 < made*leastRejected {
		t.Error("the reader takes too many wrong claims for true")
	}
}

// change makes one change of each claim: of its code, or of one of its values, another from look to look.
func (r *rejections) change(asked bubbled, step Step, decision *reader.Decision, turn int) error {
	truth, err := judgeClaims(asked, step, decision)
	if err != nil || len(truth.Faults) > 0 {
		return err
	}
	wrong := *decision
	wrong.Unworded = true
	for _, part := range []struct {
		name   string
		claims *[]map[string]any
	}{{"", &wrong.Claims}, {"then ", &wrong.Then}, {"because ", &wrong.Because}, {"note ", &wrong.Notes}, {"basis ", &wrong.Basis}, {"outlook ", &wrong.Outlook},
		{"check ", &wrong.Check}, {"guess ", &wrong.Guess}, {"advice ", &wrong.Advice}, {"cause ", &wrong.Causes}, {"listed ", &wrong.Listed}} {
		told := *part.claims
		for at, claim := range told {
			changes := changesOf(claim, "")
			what := changes[(turn+at)%len(changes)]
			*part.claims = slices.Clone(told)
			(*part.claims)[at] = changed(claim, what).(map[string]any)
			if what == "code" {
				(*part.claims)[at]["code"] = otherCode(part.name, claim["code"].(string))
			}
			name := part.name + what
			if what != "code" {
				name = part.name + claim["code"].(string) + " " + what
			}
			if err := r.judge(asked, step, &wrong, part.name, name); err != nil {
				return err
			}
		}
		*part.claims = told
	}
	return r.changeWords(asked, step, decision)
}

// judge counts one wrong claim of a part.
func (r *rejections) judge(asked bubbled, step Step, wrong *reader.Decision, part, name string) error {
	verdict, err := judgeClaims(asked, step, wrong)
	if err != nil {
		return err
	}
	r.part[name] = part
	r.made[name]++
	if len(verdict.Faults) > 0 {
		r.rejected[name]++
	}
	return nil
}

var digits = regexp.MustCompile(`\d+`)

// changeWords changes a number and a name in the text of each piece of advice that has them. The values stay.
func (r *rejections) changeWords(asked bubbled, step Step, decision *reader.Decision) error {
	wrong := *decision
	for at, claim := range decision.Advice {
		text := claim["text"].(string)
		other := map[string]string{"name": otherName(claim, text)}
		if found := digits.FindString(text); found != "" {
			other["number"] = strings.Replace(text, found, found+"7", 1)
		}
		for _, what := range slices.Sorted(maps.Keys(other)) {
			if other[what] == text {
				continue
			}
			wrong.Advice = slices.Clone(decision.Advice)
			wrong.Advice[at] = maps.Clone(claim)
			wrong.Advice[at]["text"] = other[what]
			if err := r.judge(asked, step, &wrong, "advice text ", "advice text "+claim["code"].(string)+" "+what); err != nil {
				return err
			}
		}
	}
	return nil
}

// otherName is a text in which the first value of a claim that it names is called otherwise.
func otherName(claim map[string]any, text string) string {
	for _, key := range slices.Sorted(maps.Keys(claim)) {
		if name, ok := claim[key].(string); ok && key != "text" && key != "code" && strings.Contains(text, name) {
			return strings.ReplaceAll(text, name, "nobody")
		}
	}
	return text
}

// otherCode is the next code of the same part.
func otherCode(part, code string) string {
	codes := slices.DeleteFunc(reader.Codes(), func(one string) bool {
		return !strings.HasPrefix(one, part) || part == "" && strings.Contains(one, " ")
	})
	at := slices.Index(codes, part+code)
	return strings.TrimPrefix(codes[(at+1)%len(codes)], part)
}

// changesOf are the paths of what can be changed.
func changesOf(in map[string]any, path string) (out []string) {
	for _, key := range slices.Sorted(maps.Keys(in)) {
		if slices.Contains(freeTexts, key) {
			continue
		}
		if inner, ok := in[key].(map[string]any); ok {
			out = append(out, changesOf(inner, path+key+".")...)
		} else {
			out = append(out, path+key)
		}
	}
	return out
}

// changed is a copy with another value at a path.
func changed(value any, path string) any {
	switch it := value.(type) {
	case map[string]any:
		out := maps.Clone(it)
		for key := range it {
			if rest := path[min(len(key), len(path)):]; path == key || len(rest) > 0 && path[:len(path)-len(rest)] == key && rest[0] == '.' {
				out[key] = changed(it[key], rest[min(1, len(rest)):])
			}
		}
		return out
	case []any:
		return append(slices.Clone(it), any("nobody"))
	case json.Number:
		n, _ := it.Float64()
		return json.Number(fmt.Sprint(n*1.5 + 1))
	case string:
		return otherText(it)
	case bool:
		return !it
	}
	return value
}

func otherText(it string) string {
	if slices.Contains(reader.Codes(), it) {
		return otherCode("", it)
	}
	return it + "x"
}
