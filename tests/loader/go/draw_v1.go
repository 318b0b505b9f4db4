package main

import (
	"encoding/json"
	"log"
	"strings"
)

// prefix of the annotations that hold what autoscaling/v1 has no field for.
const prefix = "autoscaling.alpha.kubernetes.io/"

func (d *drawing) v1() map[string]any {
	spec := map[string]any{}
	d.set(spec, "scaleTargetRef", d.reference())
	d.set(spec, "maxReplicas", of[int32](d, 1, 5, 10, 100))
	if d.oneIn(2) {
		d.set(spec, "minReplicas", of[int32](d, 0, 1, 2))
	}
	if d.oneIn(2) {
		d.set(spec, "targetCPUUtilizationPercentage", odd[int32](d, 70, 0, -1))
	}
	status := map[string]any{"currentReplicas": of(d, 0, 3), "desiredReplicas": of(d, 0, 4)}
	if d.oneIn(2) {
		status["observedGeneration"] = 7
		status["lastScaleTime"] = "2026-11-21T10:40:00Z"
	}
	if d.oneIn(2) {
		status["currentCPUUtilizationPercentage"] = of(d, 0, 63)
	}
	metadata := d.metadata()
	annotations := map[string]any{"example.com/note": "kept out"}
	d.annotate(annotations, "metrics", d.list(d.metricV1))
	d.annotate(annotations, "current-metrics", d.list(d.statusV1))
	d.annotate(annotations, "conditions", d.list(d.conditionV1))
	d.annotate(annotations, "behavior", d.behaviorV1())
	if d.oneIn(10) {
		annotations[prefix+"scale-up-tolerance"] = "0.5"
	}
	d.set(metadata, "annotations", annotations)
	object := map[string]any{"apiVersion": "autoscaling/v1", "kind": "HorizontalPodAutoscaler", "metadata": metadata}
	d.set(object, "spec", spec)
	d.set(object, "status", status)
	return object
}

// annotate writes an annotation in half of the objects, now and then a broken one.
func (d *drawing) annotate(annotations map[string]any, name string, value any) {
	if d.oneIn(2) {
		return
	}
	text, err := json.Marshal(d.recase(value))
	if err != nil {
		log.Fatal(err)
	}
	annotations[prefix+name] = odd(d, string(text),
		"", "null", "[]", "{}", "[null]", "[{}]", "not json", string(text)+" x", " "+string(text)+"\n", "[1]", `"text"`, string(text[:len(text)/2]),
		`[{"type": 5}]`, `{"ScaleUp": null}`, `{"ScaleUp": {}}`, `{"ScaleDown": {"Policies": []}}`, `{"ScaleUp": {"StabilizationWindowSeconds": 1.5}}`,
		`[{"type": "Resource", "resource": {"name": "cpu", "targetAverageValue": "1x"}}]`, `[{"lastTransitionTime": "yesterday"}]`,
		`[{"type": "Resource", "resource": {"targetAverageUtilization": 3000000000}}]`, `[{"unknown": {"type": 5}}]`,
		`[{"TYPE": "External", "External": {"METRICNAME": "q", "targetvalue": 3, "metricselector": {"MATCHLABELS": {"Key": "v"}}}}]`)
}

// recase changes the case of field names in a tenth of the annotations: the decoder of annotations does not mind.
func (d *drawing) recase(value any) any {
	if !d.oneIn(10) {
		return value
	}
	change := of(d, strings.ToLower, strings.ToUpper)
	var walk func(any) any
	walk = func(value any) any {
		switch value := value.(type) {
		case []any:
			for index := range value {
				value[index] = walk(value[index])
			}
		case map[string]any:
			changed := map[string]any{}
			for name, part := range value {
				if name == "matchLabels" {
					changed[change(name)] = part
				} else {
					changed[change(name)] = walk(part)
				}
			}
			return changed
		}
		return value
	}
	return walk(value)
}

func (d *drawing) list(item func() map[string]any) []any {
	items := []any{}
	for range d.IntN(4) {
		items = append(items, item())
	}
	return items
}

func (d *drawing) partsV1(current bool) (string, map[string]any) {
	kind := d.kind()
	word := "target"
	if current {
		word = "current"
	}
	part := map[string]any{}
	maybe := func(name string, value any) {
		if d.oneIn(2) {
			d.set(part, name, value)
		}
	}
	switch kind {
	case "Resource", "ContainerResource":
		d.set(part, "name", of(d, "cpu", "memory"))
		maybe(word+"AverageUtilization", of(d, 0, 55))
		maybe(word+"AverageValue", d.quantity())
		if kind == "ContainerResource" {
			d.set(part, "container", "app")
		}
	case "Object":
		d.set(part, "target", d.reference())
		d.set(part, "metricName", "rps")
		d.set(part, word+"Value", of[any](d, "0", d.quantity()))
		maybe("averageValue", d.quantity())
		maybe("selector", d.selector())
	case "Pods":
		d.set(part, "metricName", "rps")
		d.set(part, word+"AverageValue", d.quantity())
		maybe("selector", d.selector())
	case "External":
		d.set(part, "metricName", "queue")
		maybe("metricSelector", d.selector())
		maybe(word+"Value", d.quantity())
		maybe(word+"AverageValue", d.quantity())
	}
	return kind, part
}

func (d *drawing) partV1(current bool) map[string]any {
	kind, part := d.partsV1(current)
	whole := map[string]any{}
	d.set(whole, "type", kind)
	d.set(whole, fields[kind], part)
	return whole
}

func (d *drawing) metricV1() map[string]any { return d.partV1(false) }

func (d *drawing) statusV1() map[string]any { return d.partV1(true) }

func (d *drawing) conditionV1() map[string]any {
	condition := map[string]any{}
	d.set(condition, "type", of(d, "AbleToScale", "ScalingActive", "ScaledToZero"))
	d.set(condition, "status", of(d, "True", "False"))
	d.set(condition, "lastTransitionTime", of[any](d, "2026-11-21T10:40:00Z", "2026-11-21T12:40:00+02:00", nil))
	d.set(condition, "reason", "ReadyForNewScale")
	d.set(condition, "message", "recommended size matches current size")
	return condition
}

// behaviorV1 has the names of the internal type: it is what API servers write into the annotation.
func (d *drawing) behaviorV1() map[string]any {
	behavior := map[string]any{}
	for _, direction := range []string{"ScaleUp", "ScaleDown"} {
		if d.oneIn(4) {
			behavior[direction] = nil
			continue
		}
		policies := []any{}
		for range 1 + d.IntN(2) {
			policies = append(policies, map[string]any{"Type": of(d, "Pods", "Percent"), "Value": of(d, 0, 4, 100), "PeriodSeconds": of(d, 15, 60)})
		}
		rules := map[string]any{"StabilizationWindowSeconds": of[any](d, nil, 0, 300), "SelectPolicy": of[any](d, nil, "Max", "Min"), "Policies": policies}
		rules["Tolerance"] = of[any](d, nil, "0.05", "0")
		behavior[direction] = rules
	}
	return behavior
}
