package reader

import (
	"math"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
)

var noteChecks = map[string]check{
	"smallest-integer": func(l *look, v *values) {
		odd, values, reads := 0, 0, int64(0)
		for _, item := range l.items(v) {
			values++
			if smallest(&item.value) {
				odd, reads = odd+1, item.value.MilliValue()
			}
		}
		v.is("odd", int64(odd))
		v.is("values", int64(values))
		v.is("readAs", reads)
	},
	"too-large": func(l *look, v *values) {
		for _, item := range l.items(v) {
			if item.value.String() != v.str("value") {
				continue
			}
			v.is("readAs", item.value.MilliValue())
			if exact := 1000 * item.value.AsApproximateFloat64(); math.Abs(exact) <= math.MaxInt64 {
				v.fault("its thousandths are %v", exact)
			}
			return
		}
		v.fault("no value is %s", v.str("value"))
	},
	"other-names": func(l *look, v *values) {
		names := map[string]bool{}
		for _, item := range l.items(v) {
			if item.name != "" && !strings.EqualFold(item.name, l.asked(v)) {
				names[item.name] = true
			}
		}
		v.set("names", names)
	},
	"same-series": func(l *look, v *values) {
		different := map[string]bool{}
		items := l.items(v)
		for _, item := range items {
			different[item.name+item.labels] = true
		}
		v.is("series", int64(len(items)))
		v.is("different", int64(len(different)))
	},
	"same-pod": func(l *look, v *values) {
		pod, n := v.str("pod"), 0
		for _, item := range l.items(v) {
			if item.object == pod {
				n++
			}
		}
		if n < 2 {
			v.fault("%d items are of pod %s", n, pod)
		}
	},
	"own-namespace": func(l *look, v *values) {
		v.text("namespace", l.w.HPA.Namespace)
		// One label stands for all that the controller asks alike.
		for _, i := range l.w.named(v.str("metric")) {
			m := l.w.HPA.Spec.Metrics[i].Object
			if m != nil && m.DescribedObject.Kind == "Namespace" && m.DescribedObject.Name != l.w.HPA.Namespace {
				return
			}
		}
		v.fault("it is not of another Namespace")
	},
	"divided-by-zero": func(l *look, v *values) {
		for _, i := range l.w.named(v.str("metric")) {
			if l.propose(i).kind == "average" && l.w.Scale.Status.Replicas == 0 {
				return
			}
		}
		v.fault("it has no average over 0 replicas")
	},
	"resizing": (*look).resizing,
	"disabled-but-bound": func(l *look, v *values) {
		direction, field := v.str("direction"), v.str("field")
		above := field == "maxReplicas" && direction == "scaleDown" && l.w.current() > l.w.max()
		below := field == "minReplicas" && direction == "scaleUp" && l.w.current() < l.w.min()
		if !above && !below || !disabled(l.rules()[direction]) {
			v.fault("%d is in the bounds, or %s is not Disabled", l.w.current(), direction)
		}
	},
}

// item is one of an answer of the custom or the external metrics API.
type item struct {
	name, labels, object string
	value                resource.Quantity
}

// asked is the name of the metric that is asked for.
func (l *look) asked(v *values) string {
	if i := l.one(v, v.str("metric")); i >= 0 {
		switch m := l.w.HPA.Spec.Metrics[i]; {
		case m.Pods != nil:
			return m.Pods.Metric.Name
		case m.Object != nil:
			return m.Object.Metric.Name
		case m.External != nil:
			return m.External.Metric.Name
		}
	}
	return ""
}

// items are those of the answer for the metric that a note names.
func (l *look) items(v *values) (out []item) {
	i := l.one(v, v.str("metric"))
	if i < 0 {
		return nil
	}
	// Two may have the same name, one of them with a selector with which nothing is asked.
	for _, one := range l.w.named(v.str("metric")) {
		if l.propose(one).failure != selectorInvalid {
			i = one
		}
	}
	var query autoscalingv2.MetricIdentifier
	var object *autoscalingv2.CrossVersionObjectReference
	switch m := l.w.HPA.Spec.Metrics[i]; {
	case m.External != nil:
		found, _ := find(l.w.External, m.External.Metric, nil)
		for _, it := range found {
			out = append(out, item{it.MetricName, labels.Set(it.MetricLabels).String(), "", it.Value})
		}
		return out
	case m.Pods != nil:
		query = m.Pods.Metric
	case m.Object != nil:
		query, object = m.Object.Metric, &m.Object.DescribedObject
	default:
		v.fault("metric %d is of resources", i)
		return nil
	}
	found, _ := find(l.w.Custom, query, object)
	for _, it := range found {
		out = append(out, item{it.Metric.Name, "", it.DescribedObject.Name, it.Value})
	}
	return out
}

// smallest tells whether a quantity is the smallest int64, as a number or in thousandths.
func smallest(q *resource.Quantity) bool {
	whole, milli := resource.NewQuantity(math.MinInt64, resource.DecimalSI), resource.NewMilliQuantity(math.MinInt64, resource.DecimalSI)
	return q.Cmp(*whole) == 0 || q.Cmp(*milli) == 0
}

// resizing holds a container that does not have yet what its spec requests.
func (l *look) resizing(v *values) {
	i := l.one(v, v.str("metric"))
	container, pod := v.str("container"), v.str("pod")
	if v.has("pending") {
		v.str("pending")
	}
	if i < 0 {
		v.skip()
		return
	}
	name, _, _ := resourceOf(&l.w.HPA.Spec.Metrics[i])
	others := map[string]bool{}
	pods, _ := l.w.matched()
	for _, one := range pods {
		for _, c := range one.Spec.Containers {
			at := slices.IndexFunc(one.Status.ContainerStatuses, func(s corev1.ContainerStatus) bool { return s.Name == c.Name })
			if at < 0 || statusResources(&one.Status.ContainerStatuses[at]) == nil {
				continue
			}
			spec, requested := c.Resources.Requests[name]
			actual, has := statusResources(&one.Status.ContainerStatuses[at]).Requests[name]
			if requested == has && spec.Cmp(actual) == 0 {
				continue
			}
			others[one.Name] = true
			if one.Name == pod && c.Name == container {
				l.amount(v, "spec", spec, requested)
				l.amount(v, "actual", actual, has)
			}
		}
	}
	if !others[pod] {
		v.fault("pod %s has what it requests", pod)
	}
	v.is("others", int64(len(others)-1))
}

func (l *look) amount(v *values, key string, q resource.Quantity, there bool) {
	if v.has(key) != there {
		v.fault("%s is there: %v, in the objects: %v", key, v.has(key), there)
	} else if there {
		v.is(key, q.MilliValue())
	}
}
