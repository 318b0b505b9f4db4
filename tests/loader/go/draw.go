package main

import (
	"math"
	"math/rand/v2"
	"strings"
)

// drawing draws objects as untyped JSON, so that empty lists and nulls stay what they are.
type drawing struct{ *rand.Rand }

// oneIn is true once in n draws.
func (d *drawing) oneIn(n int) bool { return d.IntN(n) == 0 }

func of[T any](d *drawing, values ...T) T { return values[d.IntN(len(values))] }

// odd is a usual value, and now and then one of the odd ones.
func odd[T any](d *drawing, usual T, values ...T) T {
	if d.oneIn(12) {
		return of(d, values...)
	}
	return usual
}

// set adds a field, and now and then leaves it out or makes it null.
func (d *drawing) set(object map[string]any, name string, value any) {
	switch {
	case d.oneIn(40):
	case d.oneIn(80):
		object[name] = nil
	default:
		object[name] = value
	}
}

func (d *drawing) number() int32 {
	return of[int32](d, math.MinInt32, -1, 0, 1, 2, 3, 10, 50, 100, 1799, 1800, 1801, 3599, 3600, 3601, math.MaxInt32)
}

func (d *drawing) quantity() any {
	return odd[any](d, of[any](d, "100m", "1", "10Gi", "2500m", "1e3", 5, "0.5", "1.5Ki"),
		"0", "-1", "-100m", "1n", "0.0000000001", "-0.1n", 0, -3, "99999999999999999999", "+1", "1E6", "1e-30", "00.10", "-0")
}

func (d *drawing) name(usual ...string) string {
	return odd(d, of(d, usual...), "", ".", "..", "a/b", "100%", "a/%b/", "Ünï", "tab\there", "quote\"<&>", "nul\x00", "\u200b\u2028é\U0001F600\u0301", "...", "\x7f\\")
}

func (d *drawing) selector() map[string]any {
	selector := map[string]any{"matchLabels": map[string]any{"verb": "GET", "zone": "a"}}
	if d.oneIn(3) {
		selector["matchExpressions"] = []any{map[string]any{"key": "tier", "operator": "In", "values": []any{"web", "api"}}}
	}
	return selector
}

func (d *drawing) reference() map[string]any {
	reference := map[string]any{}
	d.set(reference, "kind", d.name("Deployment", "Service", "ReplicationController"))
	d.set(reference, "name", d.name("web", "main.route"))
	d.set(reference, "apiVersion", odd(d, of(d, "apps/v1", "v1", "networking.k8s.io/v1", ""), "a/b/c", "/", "//", "x/", "/v1", "é/ü/\t"))
	return reference
}

func (d *drawing) resource(oddly int) string {
	if !d.oneIn(oddly) {
		return of(d, "cpu", "memory", "ephemeral-storage", "nvidia.com/gpu")
	}
	return of(d, "", "hugepages-2Mi", "storage", "pods", "requests.cpu", "requests.memory", "limits.cpu", "requests.storage", "hugepages-", "services.nodeports",
		"kubernetes.io/x", "requests.nvidia.com/gpu", "a/b/c", "/x", "x/", "-cpu", "CPU", "Example.com/gpu", "example.com/"+strings.Repeat("g", 64),
		strings.Repeat("p", 250)+".com/gpu", strings.Repeat("p", 246)+"/gpu", strings.Repeat("c", 64), "cp u", "é", "resourcequotas", "secrets", "<x>", "example.com/é",
		"sub.kubernetes.io/y", "count/pods", "services.loadbalancers", "replicationcontrollers", "persistentvolumeclaims", "configmaps", "services", "limits.ephemeral-storage", "limits.memory", "requests.ephemeral-storage")
}

func (d *drawing) container() string {
	return odd(d, of(d, "app", "side-car", "c0"), "", "App", "a.b", "-a", "a-", strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 64)+".b", "a b", "é", "a/b", "a..b", "\"")
}

func (d *drawing) target() map[string]any {
	target := map[string]any{}
	d.set(target, "type", odd(d, of(d, "Utilization", "Value", "AverageValue"), "", "utilization", "Average", "<b>", "é\u2029"))
	if d.oneIn(2) {
		target["averageUtilization"] = odd(d, int32(50), 0, -1, 1, math.MaxInt32, math.MinInt32)
	}
	if d.oneIn(3) {
		target["averageValue"] = d.quantity()
	}
	if d.oneIn(4) {
		target["value"] = d.quantity()
	}
	return target
}

func (d *drawing) identifier() map[string]any {
	metric := map[string]any{}
	d.set(metric, "name", d.name("rps", "queue_depth", "http:requests"))
	if d.oneIn(3) {
		metric["selector"] = d.selector()
	}
	return metric
}

func (d *drawing) source(kind string) map[string]any {
	source := map[string]any{}
	switch kind {
	case "Resource":
		d.set(source, "name", d.resource(12))
		d.set(source, "target", fit(d.target(), d, "averageUtilization"))
	case "ContainerResource":
		// Only here is the name judged.
		d.set(source, "name", d.resource(3))
		d.set(source, "container", d.container())
		d.set(source, "target", fit(d.target(), d, "averageUtilization"))
	case "Object":
		d.set(source, "describedObject", d.reference())
		d.set(source, "metric", d.identifier())
		d.set(source, "target", fit(d.target(), d, "value"))
	default:
		d.set(source, "metric", d.identifier())
		d.set(source, "target", fit(d.target(), d, "averageValue"))
	}
	return source
}

// fit mostly makes a target valid: with the one value that the source wants.
func fit(target map[string]any, d *drawing, value string) map[string]any {
	if d.oneIn(3) {
		return target
	}
	for _, name := range []string{"averageUtilization", "averageValue", "value"} {
		if name != value {
			delete(target, name)
		}
	}
	if value == "averageUtilization" {
		target[value] = odd(d, int32(60), 0, -5, 1000)
	} else {
		target[value] = d.quantity()
	}
	return target
}

var fields = map[string]string{
	"Object": "object", "Pods": "pods", "Resource": "resource", "ContainerResource": "containerResource", "External": "external",
}

func (d *drawing) kind() string {
	return of(d, "Resource", "Resource", "ContainerResource", "Pods", "Object", "External")
}

func (d *drawing) metric() map[string]any {
	kind := d.kind()
	metric := map[string]any{}
	d.set(metric, "type", odd(d, kind, "", "resource", "Custom", "<&>", "Pods", "Object"))
	if !d.oneIn(40) {
		metric[fields[kind]] = d.source(kind)
	}
	for d.oneIn(12) {
		other := d.kind()
		metric[fields[other]] = d.source(other)
	}
	return metric
}

func (d *drawing) policies() []any {
	policies := []any{}
	for range d.IntN(4) {
		policy := map[string]any{}
		d.set(policy, "type", odd(d, of(d, "Pods", "Percent"), "", "percent", "Pod<"))
		d.set(policy, "value", odd(d, of[int32](d, 1, 4, 10, 100), d.number()))
		d.set(policy, "periodSeconds", odd(d, of[int32](d, 15, 60, 1800), d.number()))
		policies = append(policies, policy)
	}
	return policies
}

func (d *drawing) rules() map[string]any {
	rules := map[string]any{}
	if d.oneIn(2) {
		rules["stabilizationWindowSeconds"] = odd(d, of[int32](d, 0, 60, 300), d.number())
	}
	if d.oneIn(2) {
		rules["selectPolicy"] = odd(d, of(d, "Max", "Min", "Disabled"), "", "max", "Any", "\"", "<Max>")
	}
	if d.oneIn(2) {
		d.set(rules, "policies", d.policies())
	}
	if d.oneIn(4) {
		rules["tolerance"] = d.quantity()
	}
	return rules
}

func (d *drawing) behavior() map[string]any {
	behavior := map[string]any{}
	for _, direction := range []string{"scaleUp", "scaleDown"} {
		if !d.oneIn(4) {
			d.set(behavior, direction, d.rules())
		}
	}
	return behavior
}

func (d *drawing) metadata() map[string]any {
	return map[string]any{"name": "web", "namespace": "shop"}
}

func (d *drawing) v2() map[string]any {
	spec := map[string]any{}
	d.set(spec, "scaleTargetRef", d.reference())
	d.set(spec, "maxReplicas", odd(d, of[int32](d, 1, 5, 10, 100), d.number()))
	if d.oneIn(2) {
		spec["minReplicas"] = odd(d, of[int32](d, 1, 1, 2, 3), d.number())
	}
	if !d.oneIn(6) {
		metrics := []any{}
		for range d.IntN(4) {
			metrics = append(metrics, d.metric())
		}
		d.set(spec, "metrics", metrics)
	}
	if d.oneIn(2) {
		d.set(spec, "behavior", d.behavior())
	}
	object := map[string]any{"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": d.metadata()}
	d.set(object, "spec", spec)
	return object
}
