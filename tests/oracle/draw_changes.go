package oracle

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// disturbPods draws pods anew that the controller treats in ways of their own, at a target and a selector that it can use.
// What a change of pods does then shows in the decision.
func (s *sequence) disturbPods() {
	d := s.dice
	s.disturbed = true
	s.selector, s.others, s.oddPods = "app=web", nil, 60
	s.size = int(d.between(2, 5))
	if s.statusReplicas == 0 || s.replicas == 0 || d.chance(70) {
		s.replicas, s.statusReplicas = int32(s.size), int32(s.size)
	}
	s.drawPodList()
	s.drawSamples()
}

// shareName gives a metric another of its name, which only a selector or an object tells from it.
func (s *sequence) shareName() {
	d := s.dice
	first := s.someMetric(func(m *drawnMetric) bool { return m.identity != nil })
	if first.identity == nil || !d.chance(50) {
		return
	}
	before, custom, external := s.metrics, s.custom, s.external
	other := map[string]func() *drawnMetric{"Pods": s.drawPods, "Object": s.drawObject, "External": s.drawExternal}[first.kind]()
	other.identity["name"] = first.identity["name"]
	if first.described != nil && d.chance(70) {
		clear(other.described)
		maps.Copy(other.described, first.described)
	}
	switch other.kind {
	case "Pods":
		s.custom = s.addQuery(custom, other, s.drawPodValues)
	case "Object":
		s.custom = s.addQuery(custom, other, s.drawObjectValues)
	case "External":
		s.external = s.addQuery(external, other, s.drawExternalValues)
	}
	s.metrics = slices.Insert(slices.Clone(before), d.IntN(len(before)+1), other)
	if s.valid() != nil {
		s.metrics, s.custom, s.external = before, custom, external
	}
}

// hideMetric takes a metric out of the spec whose values stay in the case, so that it can be added.
func (s *sequence) hideMetric() {
	if len(s.metrics) < 2 || !s.dice.chance(30) {
		return
	}
	all := s.metrics
	last := len(all) - 1
	s.metrics = all[:last:last]
	if s.valid() != nil {
		s.metrics = all
		return
	}
	s.hidden = all[last]
}

// ownPods gives pods an owner, for most of them the target, and leaves out namespaces that go without saying.
func (s *sequence) ownPods() {
	d := s.dice
	owned, silent := d.chance(50), d.chance(10)
	name, kind := s.target["name"].(string), s.target["kind"].(string)
	for _, p := range s.pods {
		meta := p.object["metadata"].(object)
		if silent {
			delete(meta, "namespace")
		}
		if !owned {
			continue
		}
		owner := object{"kind": kind, "name": name, "controller": true}
		if kind == "Deployment" {
			owner["kind"], owner["name"] = "ReplicaSet", name+"-5d8f"
			meta["labels"].(object)["pod-template-hash"] = "5d8f"
			switch {
			case d.chance(15):
				delete(meta["labels"].(object), "pod-template-hash")
			case d.chance(8):
				meta["labels"].(object)["pod-template-hash"] = "other"
			}
		}
		owners := []object{owner}
		switch d.weighted(70, 8, 8, 5, 5) {
		case 1:
			owner["name"] = pick(d, "batch-5d8f", "web", "web-", "we-b", "website-5d8f", "web-api-5d8f")
		case 2:
			owner["kind"] = pick(d, "Job", "ReplicaSet", "StatefulSet", "ReplicationController", "Deployment")
		case 3:
			owner["controller"] = false
		case 4:
			owners = []object{{"kind": "Node", "name": "n1"}, owner}
		}
		meta["ownerReferences"] = owners
	}
}

// drawChanges draws one to three changes of distinct knobs in any order.
func (s *sequence) drawChanges() []Change {
	d := s.dice
	draws := []struct {
		flag   string
		weight int
		draw   func() string
	}{
		{"--remove-metric", 11, s.nameMetric},
		{"--add-metric", 10, s.drawAddition},
		{"--container", 11, func() string { return pick(d, "app", "app", "side", "init", "late", "other", "nope", "No") }},
		{"--target", 14, s.drawNewTarget},
		{"--min", 6, s.drawCount},
		{"--max", 6, s.drawCount},
		{"--scale-up", 8, s.drawRulesText},
		{"--scale-down", 8, s.drawRulesText},
		{"--replicas", 6, s.drawCount},
		{"--pods", 14, s.drawPodChanges},
		{"--only-own-pods", 4, func() string { return "" }},
		{"--request", 7, s.drawNewRequest},
		{"--usage", 11, s.drawNewUsage},
		{"--metric", 9, s.drawNewMetric},
		{"--load", 7, s.drawLoad},
		{"--no-memory", 4, func() string { return "" }},
	}
	var weights []int
	for _, it := range draws {
		if s.disturbed && it.flag == "--pods" {
			it.weight *= 8
		}
		weights = append(weights, it.weight)
	}
	var out []Change
	for n := pick(d, 1, 1, 1, 2, 2, 3); len(out) < n; {
		i := d.weighted(weights...)
		weights[i] = 0
		value := draws[i].draw()
		if d.chance(5) {
			value = " " + value + "  "
		}
		out = append(out, Change{draws[i].flag, value})
	}
	return out
}

// someMetric is one of the metrics, preferably one that fits, or what the API server puts where there is none.
func (s *sequence) someMetric(is func(*drawnMetric) bool) *drawnMetric {
	all := s.metrics
	if len(all) == 0 {
		all = []*drawnMetric{{kind: "Resource", resource: "cpu", target: 80, percent: true}}
	}
	for range 6 {
		if m := pick(s.dice, all...); is(m) {
			return m
		}
	}
	return pick(s.dice, all...)
}

func anyMetric(*drawnMetric) bool { return true }

// name is what a person calls a metric.
func (m *drawnMetric) name(d dice) string {
	short := m.resource
	if m.identity != nil {
		short = m.identity["name"].(string)
	}
	if d.chance(2) {
		return pick(d, "nope", "cpu", "", "rps@Service/web")
	}
	if m.identity != nil {
		short += m.typedSelector(d)
	}
	switch {
	case m.container != "" && d.chance(60):
		return m.container + "/" + short
	case m.described != nil && m.described["kind"] != "Namespace" && d.chance(40):
		return short + "@" + m.described["kind"].(string) + "/" + m.described["name"].(string)
	}
	return short
}

// typedSelector is a metric's selector in braces as a person may type it, seldom another or a broken one.
func (m *drawnMetric) typedSelector(d dice) string {
	if d.chance(4) {
		return pick(d, "{", "}", "{}", "{verb=GET", "verb=GET}", "{a b}", "{verb=}", "{=GET}", "{verb=POST}", "{zone in}", "{verb=GET}}",
			"{verb=GET}x", "{{verb=GET}", "{verb=GET,}", "{zone in (a}")
	}
	var written *metav1.LabelSelector
	if given := m.identity["selector"]; given != nil {
		if raw(encode(given)).decode(&written) != nil {
			return ""
		}
	}
	selector, err := metav1.LabelSelectorAsSelector(written)
	if err != nil || selector.Empty() || d.chance(35) {
		return ""
	}
	var all []string
	requirements, _ := selector.Requirements()
	for _, it := range requirements {
		all = append(all, d.requirement(it))
	}
	d.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return pick(d, "{", "{", "{", "{ ", " {") + strings.Join(all, pick(d, ",", ",", ", ", " , ")) + "}"
}

// requirement writes one of a selector in one of the ways that mean the same.
func (d dice) requirement(it labels.Requirement) string {
	key, values := it.Key(), it.Values().List()
	d.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	list := pick(d, "(", "( ") + strings.Join(values, pick(d, ",", ", ")) + ")"
	one := len(values) == 1
	switch it.Operator() {
	case selection.Exists:
		return key
	case selection.DoesNotExist:
		return pick(d, "!", "! ") + key
	case selection.NotIn, selection.NotEquals:
		if one && d.chance(60) {
			return key + pick(d, "!=", " != ") + values[0]
		}
		return key + " notin " + list
	}
	if one && d.chance(80) {
		return key + pick(d, "=", "=", "=", "==", " = ") + values[0]
	}
	return key + " in " + list
}

func (s *sequence) nameMetric() string { return s.someMetric(anyMetric).name(s.dice) }

func (s *sequence) drawAddition() string {
	d := s.dice
	if s.hidden != nil && d.chance(80) {
		if m := s.hidden; m.kind == "Resource" && d.chance(50) {
			return m.resource + "=" + s.targetText(m)
		}
		return string(encode(s.hidden.spec))
	}
	if d.chance(30) {
		return string(encode(s.someMetric(anyMetric).spec))
	}
	return pick(d, resources...) + "=" + pick(d, "60", "80%", "500m", "100Mi", "1", "0", "-3", "99999999999", "0.5", "x")
}

// edges are the values at which usage meets the tolerance of a target, those beside them, and some others.
func (s *sequence) edges(target float64) int64 {
	d := s.dice
	value := target
	switch d.weighted(40, 40, 10, 10) {
	case 0:
		value *= 1 + s.toleranceUp
	case 1:
		value *= 1 - s.toleranceDown
	case 3:
		value *= d.Float64() * 3
	}
	if value > 1<<60 {
		return int64(d.between(0, 100000))
	}
	return max(0, int64(math.Round(value))+pick[int64](d, 0, 0, 0, 1, -1))
}

// targetText is a target near what would be exact if usage stood at the old one.
func (s *sequence) targetText(m *drawnMetric) string {
	d := s.dice
	if d.chance(4) {
		return pick(d, "0", "-1", "x", "2147483648", "1e3", "80%", "1n", "-1n", "9223372036854775807", "")
	}
	if m.percent {
		return itoa(s.exactUtilization(m)) + pick(d, "", "", "%")
	}
	divisor := pick(d, 1+s.toleranceUp, 1-s.toleranceDown, 1, 1+d.Float64(), 0.5)
	value := int64(math.Round(float64(m.target)/max(0.01, divisor))) + pick[int64](d, 0, 0, 1, -1)
	return d.quantity(max(1, value))
}

// exactUtilization is a utilization that the pods' usage stands at the edge of, as far as it is known.
func (s *sequence) exactUtilization(m *drawnMetric) int64 {
	d := s.dice
	if d.chance(25) {
		return pick[int64](d, 1, 50, 60, 80, 100, 200, 2147483647, d.between(1, 300))
	}
	divisor := max(0.01, pick(d, 1+s.toleranceUp, 1-s.toleranceDown, 1))
	return min(math.MaxInt32, max(1, int64(math.Round(float64(m.target)/divisor))+pick[int64](d, 0, 0, 1, -1)))
}

func (s *sequence) drawNewTarget() string {
	m := s.someMetric(anyMetric)
	if m.percent && s.dice.chance(30) {
		return s.targetText(m)
	}
	return m.name(s.dice) + pick(s.dice, "=", "=", "=", " = ") + s.targetText(m)
}

func (s *sequence) drawCount() string {
	d := s.dice
	if d.chance(3) {
		return pick(d, "-1", "x", "2147483648", "1.0", "")
	}
	low, _ := s.min.(int64)
	if n, ok := s.min.(int); ok {
		low = int64(n)
	}
	now := int64(s.replicas)
	value := pick(d, 0, 1, now, now+1, now-1, now+3, now/2, now*2, low, low+1, s.max, s.max-1, s.max+1, s.max*2, int64(len(s.pods)),
		d.between(1, 20), 2147483647)
	return pick(d, "", "", "", "", "+") + itoa(min(math.MaxInt32, max(0, value)))
}

func (s *sequence) drawRulesText() string {
	d := s.dice
	if d.chance(8) {
		return "disabled"
	}
	if d.chance(2) {
		return pick(d, "disabled,window=3", "", "Percent=10", "Percent=10/1.5s", "select=Mean", "window=-", "x=1", "Pods=4/60s,,", "tolerance=x")
	}
	parts := []string{}
	for range pick(d, 0, 1, 1, 1, 2, 3) {
		policy := s.drawPolicy(d.chance(50))
		value, period := policy["value"].(int), policy["periodSeconds"].(int)
		if d.chance(2) {
			value, period = pick(d, 0, -1, value), pick(d, 0, 1800, 1801, -1)
		}
		parts = append(parts, policy["type"].(string)+"="+strconv.Itoa(value)+"/"+d.seconds(period))
	}
	if d.chance(35) {
		parts = append(parts, "select="+pick(d, "Max", "Min", "Min", "Disabled"))
	}
	if d.chance(45) {
		window := pick(d, 0, 0, 1, 15, 60, 120, 300, 600, 3600, 3600)
		if d.chance(3) {
			window = pick(d, -1, 3601, 2147483647)
		}
		parts = append(parts, "window="+d.seconds(window))
	}
	if len(parts) == 0 || d.chance(25) {
		parts = append(parts, "tolerance="+pick(d, "0", "0.05", "50m", "57m", "59m", "0.1", "0.172", "1", "5e-2", "0.333333", "10", "-0.1", "0.12345678901234567890"))
	}
	d.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return strings.Join(parts, pick(d, ",", ",", ", "))
}

// seconds writes a number of them.
func (d dice) seconds(n int) string {
	switch {
	case n > 0 && n%60 == 0 && d.chance(40):
		return strconv.Itoa(n/60) + "m"
	case n == 3600 && d.chance(50):
		return "1h"
	case d.chance(30):
		return strconv.Itoa(n)
	}
	return strconv.Itoa(n) + "s"
}

func (s *sequence) drawPodChanges() string {
	d := s.dice
	states := []string{"ready", "not-ready", "not-ready", "starting", "pending", "no-sample", "failed", "deleting", "gone"}
	parts := []string{}
	for range pick(d, 1, 1, 1, 2, 3) {
		switch d.weighted(58, 28, 14) {
		case 0:
			name := "p" + itoa(d.between(0, 2))
			if len(s.pods) > 0 {
				name = d.starred(s.somePod().name)
			}
			parts = append(parts, name+pick(d, "=", "=", " = ")+pick(d, states...))
		case 1:
			parts = append(parts, "+"+pick(d, "", "", " ")+itoa(pick[int64](d, 1, 1, 2, 3, 3, 5))+pick(d, "", " pending", " "+pick(d, states...)))
		case 2:
			parts = append(parts, "-"+itoa(pick[int64](d, 1, 1, 2, 3)))
		}
	}
	if d.chance(2) {
		parts = append(parts, pick(d, "+0", "-0", "p1=asleep", "+x", "+1 gone", "p1", "-100001"))
	}
	return strings.Join(parts, pick(d, ",", ", "))
}

// starred is a pod's name, at times with stars for some of its text.
func (d dice) starred(name string) string {
	if d.chance(75) {
		return name
	}
	from := d.IntN(len(name) + 1)
	to := from + d.IntN(len(name)-from+1)
	return name[:from] + pick(d, "*", "*", "*", "**") + name[to:] + pick(d, "", "", "", "*")
}

// ofSomePods is empty, or the pods that a usage is of.
func (s *sequence) ofSomePods() string {
	if len(s.pods) == 0 || s.dice.chance(65) {
		return ""
	}
	return "@" + s.dice.starred(pick(s.dice, s.pods...).name)
}

// somePod is mostly one that isn't simply running for long.
func (s *sequence) somePod() *drawnPod {
	for range 4 {
		p := pick(s.dice, s.pods...)
		status := p.object["status"].(object)
		if status["startTime"] != longAgo || status["phase"] != "Running" {
			return p
		}
	}
	return pick(s.dice, s.pods...)
}

// drawNewRequest is often a request at which the usage, if it stands at its target, meets the tolerance.
func (s *sequence) drawNewRequest() string {
	d := s.dice
	m := s.someMetric(func(m *drawnMetric) bool { return m.percent })
	of := m.resource
	if of == "" || d.chance(3) {
		of = "cpu"
	}
	containers := append(append([]container{}, s.template.containers...), s.template.init...)
	c := pick(d, containers...)
	value := s.edges(float64(c.milli[of]))
	if d.chance(10) {
		value = pick[int64](d, 0, 1, 100, 1000, value)
	}
	text := of + "=" + d.quantity(value)
	if len(containers) > 1 && !d.chance(8) || d.chance(40) {
		return pick(d, c.name, c.name, c.name, c.name, c.name, c.name, "app", "other") + "/" + text
	}
	return text
}

func (s *sequence) drawNewUsage() string {
	d := s.dice
	m := s.someMetric(func(m *drawnMetric) bool { return m.described == nil && m.kind != "External" })
	if d.chance(2) {
		return m.name(d) + "=" + pick(d, "-5m", "-5%", "x", "1.5%", "x%", "9223372036854775807", "8Ei", "2147483647%", "")
	}
	if m.kind == "Pods" {
		return m.identity["name"].(string) + m.typedSelector(d) + s.ofSomePods() + "=" + s.metricValue(s.edges(float64(m.target)))
	}
	of := m.resource
	if of == "" || d.chance(3) {
		of = "cpu"
	}
	if m.percent && d.chance(70) {
		return of + s.ofSomePods() + "=" + itoa(min(math.MaxInt32, s.edges(float64(m.target)))) + "%"
	}
	target := float64(m.target)
	if m.percent && len(s.pods) > 0 {
		target = target * float64(pick(d, s.pods...).requests[of]) / 100
	}
	of += s.ofSomePods()
	if m.container != "" && d.chance(50) {
		// Hardly enough for each container.
		return of + "=" + d.quantity(d.between(0, 7))
	}
	return of + "=" + d.quantity(s.edges(target))
}

func (s *sequence) drawNewMetric() string {
	d := s.dice
	m := s.someMetric(func(m *drawnMetric) bool { return m.described != nil || m.kind == "External" })
	target := float64(m.target)
	if m.perPod {
		target *= float64(max(1, min(s.statusReplicas, 1000)))
	}
	return m.name(d) + "=" + s.metricValue(s.edges(target))
}

func (s *sequence) drawLoad() string {
	d := s.dice
	if d.chance(2) {
		return pick(d, "50%", "+50", "-100.001%", "-101%", "+x%", "%", "+%")
	}
	whole := int64(math.Round(s.toleranceUp * 100))
	return pick(d, "+0%", "-0%", "-100%", "+50%", "-20%", "-50%", "+100%", "+12.5%", "-33.333%", "+0.001%", "-99.999%", "+900%",
		"+"+itoa(whole)+"%", "-"+itoa(whole)+"%", "+"+itoa(d.between(1, 300))+"%", "-"+itoa(d.between(1, 99))+"%")
}
