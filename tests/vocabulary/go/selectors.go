package main

import (
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var pods = []labels.Set{
	{}, {"app": "web"}, {"app": ""}, {"app": "web", "tier": "back", "n": "5"}, {"n": "-3"}, {"n": "+7", "example.com/x": "y"}, {"n": "x", "app": "b"},
	{"n": "9223372036854775808"}, {"a": "a", "b": "b", "c": "c"}, {"in": "in", "notin": "notin"}, {"example.com/x": "a.b_c-d"}, {"n": "05", "a": "b"},
}

var (
	keys = []string{
		"app", "app", "tier", "n", "n", "a", "b", "c", "in", "notin", "example.com/x", "x.y-z/K_1", "A.b-c_d", "", "-a", "a-", "a b", "/a", "a/", "a/b/c", "A/b", "a..b/c", "-/c", "é", "a\u00a0b", "a\x00b", "a\u200bb",
		strings.Repeat("k", 63), strings.Repeat("k", 64), strings.Repeat("d", 253) + "/k", strings.Repeat("d", 254) + "/k", strings.Repeat("-", 64), "a\"\\b", "a\tb", "\x7f",
	}
	values = []string{
		"web", "web", "back", "", "5", "-3", "+7", "05", "a", "b", "c", "in", "notin", "y", "a.b_c-d", "x", "9223372036854775807", "9223372036854775808", "-a", "a-", "a/b", "é", "a b", "a\"b", "<&>",
		strings.Repeat("v", 63), strings.Repeat("v", 64), strings.Repeat("_", 64),
	}
	spaces = []string{"", "", "", " ", "\t", "  ", "\n", "\r"}
)

func selectors() {
	row("pods", pods)
	known := []string{
		"", " ", ",", "!", "!!a", "a", "!a", "a,b", "a,", ",a", "a=b", "a==b", "a===b", "a!=b", "a!b", "a=!b", "a=", "a=,b", "a=b c", "a in (b)", "a in (b,c)", "a in ()", "a in (,)", "a in (,,b)", "a in (b,,)",
		"a notin (b)", "a in b", "a in (b", "a in (b,", "a in (", "a in", "a notin", "in in (in)", "notin notin (notin)", "in", "notin", "!in", "a>1", "a<1", "a>x", "a>", "a>1,a<3", "a in (b c)", "a in (b)c", "a in ((b)", "a(b)", "(a)",
		"!a=b", "!a in (b)", "!a,b", "a\x00b", "a=\x00b", "\x00", "a \x00 b", "a=b,\x00c", "x in (foo,,baz),y,z notin ()", "a in (=)", "a in (b=c)", "a = b = c", "a=in", "a=notin", "a=(b)", "a >= 1", "a=<", "é=b", "a=é", "a in (é)", "a in (z,y,x)",
		"b=1,a=2", "b=1,b=2,a,!a", "app=web,tier notin (x,y),n>3", "a=b,,c", "a=b, c", "a=b;c=d", "a='b'", "a=\"b\"", "app in (web, web, back)", "a.b/c=d", "A/b=c", "a/b/c=d", "app!=", "app==web", "n>+3", "n<05", "=a", ">1", "a<>1",
	}
	for _, s := range known {
		selector(s)
	}
	for range 7000 {
		parts := []string{}
		for range 1 + random.IntN(pick(1, 2, 4)) {
			parts = append(parts, requirement())
		}
		selector(spoil(strings.Join(parts, ","), "=!(),<> abin-/é\x00\""))
	}
}

func requirement() string {
	space := func() string { return pick(spaces...) }
	key := space() + pick(keys...) + space()
	if chance(70) {
		key = space() + keys[random.IntN(13)] + space()
	}
	switch random.IntN(5) {
	case 0:
		return pick("", "!", "!", "! ") + key
	case 1:
		list := []string{}
		for range random.IntN(4) {
			list = append(list, value())
		}
		return key + " " + pick("in", "notin") + space() + "(" + strings.Join(list, pick(",", ",", ", ", " ,")) + ")" + space()
	default:
		return key + pick("=", "=", "==", "!=", ">", "<") + space() + value() + space()
	}
}

func value() string {
	if chance(80) {
		return values[random.IntN(18)]
	}
	return pick(values...)
}

func selector(s string) {
	parsed, err := labels.Parse(s)
	if err != nil {
		row("selector", s, err.Error())
		return
	}
	row("selector", s, "", parsed.String(), matches(parsed), parsed.Empty())
}

func matches(s labels.Selector) string {
	result := ""
	for _, pod := range pods {
		if s.Matches(pod) {
			result += "1"
		} else {
			result += "0"
		}
	}
	return result
}

func labelSelectors() {
	for _, s := range []string{
		`null`, `{}`, `{"matchLabels":null}`, `{"matchLabels":{}}`, `{"matchExpressions":[]}`, `{"unknown":1}`, `{"matchExpressions":[{"key":"a","operator":"In"}]}`, `{"matchExpressions":[{"key":"a","operator":"In","values":[]}]}`,
		`{"matchExpressions":[{"key":"a","operator":"Exists","values":["<&>\u2028","é"]}]}`, `{"matchExpressions":[{}]}`, `{"matchExpressions":[null]}`, `{"matchExpressions":[{"key":"a","operator":"in","values":["b"]}]}`,
		`{"matchExpressions":[{"key":"a","operator":"Gt","values":["1"]}]}`, `{"matchLabels":{"a":null}}`,
	} {
		labelSelector(s)
	}
	for range 3000 {
		s := metav1.LabelSelector{}
		for range random.IntN(3) {
			if s.MatchLabels == nil {
				s.MatchLabels = map[string]string{}
			}
			s.MatchLabels[key()] = value()
		}
		for range random.IntN(3) {
			r := metav1.LabelSelectorRequirement{Key: key(), Operator: pick[metav1.LabelSelectorOperator]("In", "In", "NotIn", "NotIn", "Exists", "DoesNotExist")}
			if chance(5) {
				r.Operator = pick[metav1.LabelSelectorOperator]("", "in", "Gt", "é\"", "exists")
			}
			if wants := r.Operator == "In" || r.Operator == "NotIn"; wants != chance(8) {
				for range random.IntN(4) {
					r.Values = append(r.Values, value())
				}
			}
			s.MatchExpressions = append(s.MatchExpressions, r)
		}
		written, _ := json.Marshal(s)
		labelSelector(string(written))
	}
}

func key() string {
	if chance(90) {
		return keys[random.IntN(13)]
	}
	return pick(keys...)
}

func labelSelector(s string) {
	var parsed *metav1.LabelSelector
	if err := json.Unmarshal([]byte(s), &parsed); err != nil {
		panic(err)
	}
	converted, err := metav1.LabelSelectorAsSelector(parsed)
	written, _ := json.Marshal(parsed)
	printed := fmt.Sprintf("%+v", parsed)
	if err == nil {
		row("labelSelector", s, "", printed, string(written), converted.String(), matches(converted))
		return
	}
	// Which of several bad labels is found first is random upstream.
	bad := 0
	for k, v := range parsed.MatchLabels {
		one := metav1.LabelSelector{MatchLabels: map[string]string{k: v}}
		if _, err := metav1.LabelSelectorAsSelector(&one); err != nil {
			bad++
		}
	}
	if bad < 2 {
		row("labelSelector", s, text(err), printed, string(written))
	}
}

func groupVersions() {
	known := []string{"", "/", "v1", "apps/v1", "/v1", "apps/", "a/b/c", "//", "a//b", "é/v1", "a/b/", "autoscaling/v2", " ", "custom.metrics.k8s.io/v1beta2"}
	for range 200 {
		known = append(known, letters("a/v1.é ", 8))
	}
	for _, s := range known {
		gv, err := schema.ParseGroupVersion(s)
		row("groupVersion", s, text(err), gv.Group, gv.Version, gv.String())
	}
}
