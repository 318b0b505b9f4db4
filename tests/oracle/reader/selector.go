package reader

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
)

var selectorChecks = map[string]check{
	"selector-missing": func(l *look, v *values) {
		v.text("target", l.w.target())
		l.lacksSelector(v)
	},
	"selector-is-written-by-owner": (*look).lacksSelector,
	"selector-invalid": func(l *look, v *values) {
		v.text("target", l.w.target())
		_, err := labels.Parse(l.selector())
		v.text("error", fmt.Sprint(err))
		l.inactive(v, "InvalidSelector")
	},
	"selector-ambiguous": func(l *look, v *values) {
		v.text("selector", l.selector())
		for _, name := range v.strs("hpas") {
			if !slices.Contains(l.rivals(true), name) {
				v.fault("HPA %s matches none of the pods, or the controller does not know it", name)
			}
		}
		l.inactive(v, "AmbiguousSelector")
	},
	"ambiguous-runs-none": func(l *look, v *values) {
		if v.has("hpa") {
			if name := l.w.HPA.Namespace + "/" + v.str("hpa"); !slices.Contains(l.rivals(false), name) && !slices.Contains(l.rivals(true), name) {
				v.fault("HPA %s matches none of the pods", name)
			}
			v.int("replicas")
		}
		l.stays(v)
		l.inactive(v, "AmbiguousSelector")
	},
	"pods-unlisted": func(l *look, v *values) {
		v.failed("error", l.w.PodsErr)
	},
}

func (l *look) selector() string {
	if l.w.Scale == nil {
		return ""
	}
	return l.w.Scale.Status.Selector
}

func (l *look) lacksSelector(v *values) {
	if l.w.Scale == nil || l.selector() != "" {
		v.fault("the selector is %q", l.selector())
	}
	l.inactive(v, "InvalidSelector")
}

// inactive holds the reason of the real condition ScalingActive.
func (l *look) inactive(v *values, want string) {
	if reason, _ := l.active(); reason != want {
		v.fault("the real condition ScalingActive has the reason %s", reason)
	}
}

// rivals are the HPAs, with namespace, that match one of the pods; of those that the controller knows.
func (l *look) rivals(known bool) (out []string) {
	pods, _ := l.w.matched()
	for _, other := range l.w.Others {
		for _, pod := range pods {
			if known && other.Namespace == pod.Namespace && other.Selector.Matches(labels.Set(pod.Labels)) {
				out = append(out, other.Namespace+"/"+other.Name)
				break
			}
		}
	}
	return out
}

func bare(name string) string { return name[strings.LastIndex(name, "/")+1:] }
