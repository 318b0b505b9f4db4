package browser

import (
	"bytes"
	"testing"
)

const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`

// fault is what could be wrong with a page, and the rule that tells.
type fault struct {
	name, rule string
	make       func(page string, address string) string
}

func replaced(old, new string) func(string, string) string {
	return func(page, address string) string {
		return string(bytes.Replace([]byte(page), []byte(old), bytes.ReplaceAll([]byte(new), []byte(elsewhere), []byte(address)), 1))
	}
}

var image = `<main><img alt="" src="` + elsewhere + `/image.png">`

var faults = []fault{
	{"a remote image, refused by the policy", "console:", replaced("<main>", image)},
	{"a remote image, and no policy", "request:", func(page, address string) string {
		return replaced("<main>", image)(replaced(policy, "")(page, address), address)
	}},
	{"no policy", "policy:", replaced(policy, "")},
	{"a script, refused by the policy", "console:", replaced("<main>", "<main><script>document.title = 'x'</script>")},
	{"a script, and no policy", "without scripts", func(page, address string) string {
		return replaced("<main>", "<main><script>document.body.append('x')</script>")(replaced(policy, "")(page, address), address)
	}},
	{"a dialog", "script:", func(page, address string) string {
		return replaced("<main>", "<main><script>throw new Error('x')</script>")(replaced(policy, "")(page, address), address)
	}},
	{"a style sheet of others", "style:", replaced("<style>", "<style>@import '"+elsewhere+"/a.css';")},
	{"a link", "element:", replaced("<main>", `<main><a href="#x">text</a>`)},
	{"a handler", "attribute:", replaced("<main>", `<main onclick="x()">`)},
	{"low contrast in the light", "light: contrast:", replaced("--quiet: #5b6470", "--quiet: #8b94a0")},
	{"low contrast in the dark", "dark: contrast:", replaced("--quiet: #a0a9b5", "--quiet: #5b6470")},
	{"a faint line", "contrast:", replaced("--bar: #2f6fb5", "--bar: #a9c8e8")},
	{"small print", "size:", replaced("font: 0.9rem", "font: 0.5rem")},
	{"no language", "lang:", replaced(` lang="en"`, "")},
	{"no heading", "heading:", replaced("<h1>", "<b>")},
	{"a heading too deep", "heading:", replaced("<h2>", "<h4>")},
	{"a head without scope", "table:", replaced(` scope="col"`, "")},
	{"a drawing without a name", "label:", replaced(` role="img"`, "")},
	{"a drawing of no height", "drawing:", replaced("height: 9rem", "height: 0")},
	{"a drawing without a line", "drawing:", replaced(`class="line"`, "")},
	{"too wide for a phone", "on a phone: width:", replaced("<main>", `<main><div class="wide">x</div>`)},
	{"tables that do not scroll", "on a phone: width:", replaced("overflow-x: auto", "overflow-x: visible")},
	{"tables that are cut off on paper", "on paper: width:", replaced("th, td { white-space: pre-wrap; overflow-wrap: break-word; }", ".table { width: 20ch; }")},
}

// Whoever judges pages has to see what is wrong with one.
func TestEveryFaultIsSeen(t *testing.T) {
	b := start(t)
	address, _ := listener(t)
	good := string(written(t, []string{"simulate", "--example", held, "--over", "30m", "--load-curve", "ramp:100%..300%/5m"}, address))
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			b.T = t
			bad := fault.make(good, address)
			if bad == good {
				t.Fatal("nothing is wrong with it")
			}
			bad = replaced("<style>", "<style>.wide { width: 500px; }")(bad, address)
			found := b.judged(kept(t, "bad.html", []byte(bad)), "bad")
			if !about(found, fault.rule) {
				t.Errorf("%s is not among %q", fault.rule, found)
			}
		})
	}
	b.T = t
}
