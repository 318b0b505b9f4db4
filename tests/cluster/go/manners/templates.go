package main

import (
	"bytes"

	"k8s.io/client-go/util/jsonpath"

	"k8s.io/apimachinery/pkg/util/json"
)

// template is what kubectl prints of a document for -o jsonpath.
type template struct {
	Template string `json:"template"`
	Output   string `json:"output"`
	Error    string `json:"error,omitempty"`
}

const document = `{"apiVersion": "kubectl-hpa/v1", "kind": "DecisionList", "items": [
 {"subject": {"namespace": "shop", "name": "web", "labels": {"app.kubernetes.io/name": "w", "a-b": "c"}}, "desiredReplicas": 5,
  "ratio": 1.08, "whole": 2.0, "tiny": 0.0000012, "huge": 1e21, "big": 123456789012, "none": null, "yes": true, "empty": [], "hollow": {},
  "steps": [{"code": "utilization-above-target", "after": 9}, {"code": "within-tolerance", "after": 5, "last": true}],
  "words": "a <b> & \"c\" é\nd", "interval": {"lowest": 5, "highest": 10}},
 {"subject": {"namespace": "shop", "name": "api", "labels": {}}, "desiredReplicas": null, "ratio": 0.5, "steps": [], "words": "it's",
  "interval": {"lowest": 2, "highest": 3}},
 {"subject": {"namespace": "else", "name": "job"}, "desiredReplicas": 0, "steps": [{"code": "scale-limit", "after": 0}]}]}`

func templates() []template {
	var rows []template
	for _, text := range []string{
		"{.kind}", "{$.kind}", "{@.kind}", "{ .kind }", "kind: {.kind}!", "{.kind}{.apiVersion}", "{.items[0].subject.name}",
		"{.items[*].subject.name}", "{.items[*].desiredReplicas}", "{.items[-1].subject.name}", "{.items[0:2].subject.name}",
		"{.items[:1].subject.name}", "{.items[1:].subject.name}", "{.items[::2].subject.name}", "{.items[-2:].subject.name}",
		"{.items[0,2].subject.name}", "{.items[0]['ratio','whole']}", "{.items[0].subject['name','namespace']}", "{.items[0]['ratio']}",
		"{.items[0].ratio}", "{.items[0].whole}", "{.items[0].tiny}", "{.items[0].huge}", "{.items[0].big}", "{.items[0].none}",
		"{.items[0].yes}", "{.items[0].empty}", "{.items[0].hollow}", "{.items[0].interval}", "{.items[0].steps}", "{.items[0].words}",
		"{.items[0].subject}", "{.missing}", "{.missing.deeper}", "{.items[0].missing[0]}", "{.items[*].interval.lowest}",
		`{.items[0].subject.labels.app\.kubernetes\.io/name}`, `{.items[0].subject.labels['app\.kubernetes\.io/name']}`,
		"{.items[0].subject.labels.a-b}", "{.items[0].interval.*}", "{.items[?(@.subject.name==\"api\")].interval.highest}",
		"{.items[?(@.subject.name=='api')].interval.highest}", "{.items[?(@.subject.name!='api')].subject.name}",
		"{.items[?(@.interval)].subject.name}", "{.items[?(@.interval.lowest>2)].subject.name}",
		"{.items[?(@.interval.lowest>=2)].subject.name}", "{.items[?(@.interval.lowest<5)].subject.name}",
		"{.items[?(@.interval.lowest<=5)].subject.name}", "{.items[?(@.ratio==1.08)].subject.name}",
		"{.items[?(@.yes==true)].subject.name}", "{.items[?(@.desiredReplicas==5)].subject.name}",
		"{.items[?( @.subject.name == \"web\" )].subject.namespace}", "{.items[0].steps[?(@.last)].code}",
		"{.items[?(@.interval.lowest==2)].interval}", "{.items[*].steps[*].code}", "{.items[*].steps[0].code}", "{..code}", "{..subject.name}",
		"{range .items[*]}{.subject.name}{\"\\n\"}{end}", "{range .items[*]}{.subject.namespace}/{.subject.name}: {.desiredReplicas}{\"\\n\"}{end}",
		"{range .items[*]}{.subject.name}{'\\t'}{range .steps[*]}{.code},{end}{\"\\n\"}{end}done",
		"{range .items[*]}{range .steps[*]}[{.code}]{end}{end}", "{range .missing[*]}{.a}{end}after", "{range .items[?(@.yes)]}{.subject.name}{end}",
		"{range .items[*]}{@.subject.name} {end}", "{range .items[*].steps[*]}{.after} {end}", "{range .items[*]}x{end}{range .items[*]}y{end}",
		"plain", "", "{\"quoted\"}", "{'single'}", "{\"a\\tb\"}", "{'it\\'s'}", "{1}", "{1.5}", "{true}", "{\"{\"}", "}",
		"{.kind} {.items[0].subject.name}", "{.items[0].subject.name}{'\\n'}", "{}", "{.}", "{@}", "{$}", "{ }",
		"{.kind", "{.items[}", "{.items[0}", "{.items[abc]}", "{\"open}", "{foo}", "{end}", "{.items[?(@.a==1}", "{!}", "{range .items[*]}{.subject.name}",
		"{.items[5].subject.name}", "{.items[0:9].subject.name}", "{.items[2:1].subject.name}", "{.kind[0]}", "{.items.subject}", "{.items[?(@.subject.name>\"b\")].subject.name}",
		"{.kind.deeper}", "{.items[0].steps[*]}", "{.items[1].steps[*].code}", "{.items[1:1].subject.name}", "{....kind}",
	} {
		rows = append(rows, execute(text))
	}
	return rows
}

func execute(text string) template {
	var data any
	check(json.Unmarshal([]byte(document), &data))
	row := template{Template: text}
	printer := jsonpath.New("out").AllowMissingKeys(true)
	if err := printer.Parse(text); err != nil {
		row.Error = "parse: " + err.Error()
		return row
	}
	var out bytes.Buffer
	if err := printer.Execute(&out, data); err != nil {
		row.Error = "execute: " + err.Error()
	}
	row.Output = out.String()
	return row
}
