package oracle

import (
	"fmt"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// metricName is what a metric is called: cpu, app/cpu, rps@Service/web, queue{region=eu} or rps{verb=GET}@Service/web.
type metricName struct {
	name     string // of the resource, with its container, or of the metric
	resource string // without the container
	selector string // its requirements in one form, however they are written
	object   string
}

func nameOf(m *autoscalingv2.MetricSpec) metricName {
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType:
		return metricName{name: string(m.Resource.Name)}
	case autoscalingv2.ContainerResourceMetricSourceType:
		it := m.ContainerResource
		return metricName{name: it.Container + "/" + string(it.Name), resource: string(it.Name)}
	case autoscalingv2.PodsMetricSourceType:
		return queryName(m.Pods.Metric.Name, selectorText(m.Pods.Metric.Selector), nil)
	case autoscalingv2.ObjectMetricSourceType:
		return queryName(m.Object.Metric.Name, selectorText(m.Object.Metric.Selector), &m.Object.DescribedObject)
	}
	return queryName(m.External.Metric.Name, selectorText(m.External.Metric.Selector), nil)
}

// whole is all of the name but its short form.
func (m metricName) whole() metricName {
	m.resource = ""
	return m
}

// queryName is what the metric of a query is called, whose selector is a text.
func queryName(name, selector string, object *autoscalingv2.CrossVersionObjectReference) metricName {
	out := metricName{name: name, selector: selector}
	// An invalid selector keeps the error's text, which nobody types.
	if parsed, err := labels.Parse(selector); err == nil {
		out.selector = oneForm(parsed)
	}
	if object != nil {
		out.object = object.Kind + "/" + object.Name
	}
	return out
}

// selectorText is a metric's selector as the controller sends it, or why it can't be sent.
func selectorText(written *metav1.LabelSelector) string {
	selector, err := metav1.LabelSelectorAsSelector(written)
	if err != nil {
		return err.Error()
	}
	return selector.String()
}

// oneForm is the same text for all selectors that ask for the same: a=b, a==b and a in (b); in any order.
func oneForm(selector labels.Selector) string {
	requirements, _ := selector.Requirements()
	var all []string
	for _, it := range requirements {
		operator := it.Operator()
		switch operator {
		case selection.Equals, selection.DoubleEquals:
			operator = selection.In
		case selection.NotEquals:
			operator = selection.NotIn
		}
		all = append(all, fmt.Sprintf("%s %s %q", it.Key(), operator, it.Values().List()))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ",")
}

// typedName is a name as a person types it: what is not typed of it may be anything.
type typedName struct {
	metricName
	selects bool // a selector is typed, perhaps one of nothing
	pods    bool // pods are typed in the place of an object
}

func readName(text string) (typedName, error) {
	var out typedName
	before, rest, selects := strings.Cut(text, "{")
	if selects {
		inner, after, closed := strings.Cut(rest, "}")
		after = strings.TrimSpace(after)
		if !closed || after != "" && after[0] != '@' {
			return out, fmt.Errorf("%q is not NAME{SELECTOR}", text)
		}
		selector, err := labels.Parse(inner)
		if err != nil {
			return out, err
		}
		out.selects, out.selector = true, oneForm(selector)
		text = strings.TrimSpace(before) + after
	}
	name, object, described := strings.Cut(text, "@")
	if described && object == "" {
		return out, fmt.Errorf("%q is not NAME@KIND/OBJECT", text)
	}
	out.name, out.object = name, object
	return out, nil
}

// calls tells whether a metric can be meant by what is typed.
func (t typedName) calls(m metricName) bool {
	return (t.name == m.name || t.name == m.resource && m.resource != "") &&
		(t.object == m.object || t.object == "") && (t.selector == m.selector || !t.selects)
}

// findMetric is the place of the metric of a name. One whose whole name it is goes before others that it could mean; it must
// be the only one.
func (c *compiled) findMetric(text string) (int, error) {
	typed, err := readName(text)
	if err != nil {
		return 0, err
	}
	var whole, called []int
	for i := range c.metrics() {
		name := nameOf(&c.hpa.Spec.Metrics[i])
		if typed.metricName == name.whole() {
			whole = append(whole, i)
		}
		if typed.calls(name) {
			called = append(called, i)
		}
	}
	if len(whole) > 0 {
		called = whole
	}
	switch len(called) {
	case 0:
		return 0, fmt.Errorf("no metric is called %s", text)
	case 1:
		return called[0], nil
	}
	return 0, fmt.Errorf("several metrics are called %s", text)
}

// pair splits NAME=VALUE, where the name may have a selector in braces.
func pair(text string) (string, string, error) {
	depth := 0
	at := strings.IndexFunc(text, func(it rune) bool {
		switch it {
		case '{':
			depth++
		case '}':
			depth--
		}
		return it == '=' && depth == 0
	})
	if at >= 0 {
		name, value := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+1:])
		if name != "" && value != "" {
			return name, value, nil
		}
	}
	return "", "", fmt.Errorf("%q is not NAME=VALUE", text)
}
