package main

import (
	"fmt"
	"math/rand"
	"strings"
)

type object = map[string]any

// row is what the real API server made of an autoscaler (tests/loader).
type row struct {
	Errors []string `json:"errors"`
	Spec   object   `json:"spec"`
}

// quantities as statuses have them: canonical, from nothing to more than an int64.
var quantities = []string{"0", "1", "184m", "4282m", "100Mi", "1536Ki", "7", "12k", "250", "1u", "3n", "9223372036854775807", "1e30", "-5"}

// hostile annotations: kubectl prints them as they are, in lines that look like its own.
var annotations = []object{
	nil,
	{"note": "one line: with a colon"},
	{"note": "first\nReference:  Deployment/other\n\nMin replicas:  7\n---\nEvents:  <none>"},
	{"a": strings.Repeat("x", 200), "b": "Metrics: ( current / target )"},
	{"kubectl.kubernetes.io/last-applied-configuration": "{}"},
}

var messages = []string{
	"recommended size matches current size",
	"the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)",
	"unable to get external metric: <html>\n<body>\n\n  503   Service Unavailable\n</body>",
	"the desired count is \"within\" the acceptable range: 1 / 2",
	"",
}

func pick[T any](random *rand.Rand, all []T) T { return all[random.Intn(len(all))] }

// fits says whether each target has the value of its type, and no other: the API takes more, of which kubectl prints a part.
func fits(spec object) bool {
	fields := map[any]string{"Utilization": "averageUtilization", "AverageValue": "averageValue", "Value": "value"}
	isControl := func(it rune) bool { return it < ' ' || it == 0x7f }
	// kubectl does not quote all names, and a tab begins another column.
	if strings.ContainsFunc(fmt.Sprint(spec), isControl) {
		return false
	}
	metrics, _ := spec["metrics"].([]any)
	for _, metric := range metrics {
		for _, source := range metric.(object) {
			source, isSource := source.(object)
			if !isSource {
				continue
			}
			target := source["target"].(object)
			if target[fields[target["type"]]] == nil || len(target) != 2 {
				return false
			}
		}
	}
	return true
}

// current is the status of a metric; an empty one as the controller leaves of a metric that failed.
func current(random *rand.Rand, metric object) object {
	if random.Intn(4) == 0 {
		return object{"type": ""}
	}
	for _, field := range []string{"resource", "containerResource", "pods", "object", "external"} {
		source, found := metric[field].(object)
		if !found {
			continue
		}
		status := object{}
		for key, value := range source {
			if key != "target" {
				status[key] = value
			}
		}
		target := source["target"].(object)
		now := object{}
		switch {
		case target["averageUtilization"] != nil:
			now["averageUtilization"] = random.Intn(300)
			now["averageValue"] = pick(random, quantities)
		case target["averageValue"] != nil:
			now["averageValue"] = pick(random, quantities)
		default:
			now["value"] = pick(random, quantities)
		}
		status["current"] = now
		return object{"type": metric["type"], field: status}
	}
	return object{"type": ""}
}

func drawn(random *rand.Rand, index int, spec object) object {
	metadata := object{"name": fmt.Sprintf("web-%04d", index), "namespace": fmt.Sprintf("shop-%d", index%3)}
	if random.Intn(5) > 0 {
		metadata["creationTimestamp"] = fmt.Sprintf("2026-%02d-%02dT0%d:41:59Z", 1+random.Intn(12), 1+random.Intn(28), random.Intn(10))
	}
	if random.Intn(2) == 0 {
		metadata["labels"] = object{"app": "web", "example.com/part-of": "shop", "empty": ""}
	}
	if noted := pick(random, annotations); noted != nil {
		metadata["annotations"] = noted
	}
	status := object{"currentReplicas": random.Intn(2000), "desiredReplicas": random.Intn(2000)}
	if metrics, _ := spec["metrics"].([]any); random.Intn(5) > 0 {
		var all []any
		for _, metric := range metrics {
			all = append(all, current(random, metric.(object)))
		}
		status["currentMetrics"] = all
	}
	var conditions []any
	for _, kind := range []string{"AbleToScale", "ScalingActive", "ScalingLimited"}[:random.Intn(4)] {
		conditions = append(conditions, object{
			"type": kind, "status": pick(random, []string{"True", "False", "Unknown"}),
			"reason":             pick(random, []string{"ReadyForNewScale", "FailedGetResourceMetric", "DesiredWithinRange"}),
			"message":            pick(random, messages),
			"lastTransitionTime": "2026-11-20T17:15:00Z",
		})
	}
	status["conditions"] = conditions
	return object{"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": metadata, "spec": spec, "status": status}
}

func events(random *rand.Rand, hpa object) []any {
	metadata := hpa["metadata"].(object)
	var all []any
	for index := range random.Intn(3) {
		all = append(all, object{
			"metadata":       object{"name": fmt.Sprintf("event-%d", index), "namespace": metadata["namespace"]},
			"involvedObject": object{"kind": "HorizontalPodAutoscaler", "name": metadata["name"], "namespace": metadata["namespace"]},
			"type":           "Normal", "reason": "SuccessfulRescale", "message": "New size: 4; reason: cpu\n  all below target",
			"firstTimestamp": "2026-11-20T17:15:00Z", "lastTimestamp": "2026-11-20T17:25:00Z", "count": 1 + random.Intn(3),
		})
	}
	return all
}
