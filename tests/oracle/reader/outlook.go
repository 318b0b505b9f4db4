package reader

import (
	"math/bits"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// outlookChecks are about what would change the decision.
var outlookChecks = map[string]check{
	"threshold":      (*look).threshold,
	"threshold-held": (*look).thresholdHeld,
	"time":           (*look).time,
}

// today are the lowest and the highest replicas that the program takes for possible.
func (l *look) today(v *values) (least, most int64) {
	switch d := l.decision; {
	case d.Desired != nil:
		return int64(*d.Desired), int64(*d.Desired)
	case d.Lowest != nil && d.Highest != nil:
		return int64(*d.Lowest), int64(*d.Highest)
	}
	v.fault("no decision is known")
	return 0, 0
}

// threshold lets the real controller decide at the usage, beside it and between it and that of today.
func (l *look) threshold(v *values) {
	bound := v.object("bound")
	i, p, usage := l.boundOf(bound)
	l.spoken(v, bound)
	least, most := v.int("least"), v.int("most")
	lowest, highest := l.today(v)
	l.certain(v, least, most)
	if least > most || least == lowest && most == highest {
		v.fault("%d to %d is no change of %d to %d", least, most, lowest, highest)
	}
	more := bound.str("load") == "more"
	bound.flag("only", more && (least < lowest || most < highest) || !more && (least > lowest || most > highest))
	leads := v.str("leads")
	low, high := least < lowest || least > highest, most < lowest || most > highest
	if want := leadsOf(least == most || most < lowest || least > highest, low, high); leads != want {
		v.fault("leads is %q, and from %d to %d it goes to %d to %d", leads, lowest, highest, least, most)
	}
	if i < 0 || !l.canUse(v, i, p) {
		return
	}
	if n, ok := l.at(v, i, p, usage); ok && (n < least || n > most) {
		v.fault("at %d the real controller decides %d, not %d to %d", usage, n, least, most)
	}
	for _, between := range usages(p.usage(), usage) {
		if n, ok := l.at(v, i, p, between); ok && (n < lowest || n > highest) {
			v.fault("at %d the real controller decides %d, not %d to %d", between, n, lowest, highest)
		}
	}
}

// certain holds that one memory leads to one decision.
func (l *look) certain(v *values, least, most int64) {
	if least != most && !l.decision.Open && !l.idle() {
		v.fault("%d to %d, and the memory is known", least, most)
	}
}

func leadsOf(to, low, high bool) string {
	switch {
	case to:
		return "to"
	case low && high:
		return "anywhere"
	case low:
		return "lowest"
	case high:
		return "highest"
	}
	return "to"
}

// boundOf holds the arithmetic of a usage.
func (l *look) boundOf(v *values) (i int, p *proposal, usage int64) {
	at, name := v.int("index"), v.str("metric")
	usage = v.int("usage")
	if i = int(at); !slices.Contains(l.w.named(name), i) {
		v.fault("%s is not metric %d", name, at)
		v.skip()
		return -1, &proposal{}, usage
	}
	p = l.propose(i)
	if p.failure != "" {
		v.fault("metric %d gives nothing: %s", i, p.failure)
	}
	switch load := v.str("load"); {
	case load == "more" && usage <= p.usage(), load == "less" && usage >= p.usage(), load != "more" && load != "less":
		v.fault("%d is not %s than %d", usage, load, p.usage())
	}
	l.means(v, p, usage)
	return i, p, usage
}

// spoken holds the quantity with which the text begins: the sentence is true of it, however it is rounded.
func (l *look) spoken(v, bound *values) {
	text, usage := v.str("text"), float64(bound.int("usage"))
	first, err := resource.ParseQuantity(strings.SplitN(text, " ", 2)[0])
	said := first.AsApproximateFloat64() * 1000
	if more := bound.str("load") == "more"; !l.decision.Unworded && (err != nil || more && said < usage*(1-1e-12) || !more && said > usage*(1+1e-12)) {
		v.fault("%q is not true from %v on", text, usage)
	}
}

// means holds what the usage is by sample and of the requests.
func (l *look) means(v *values, p *proposal, usage int64) {
	ofPods := p.kind == "mean" || p.kind == "utilization"
	several := ofPods && p.samples > 1 || p.kind == "utilization"
	for _, key := range []string{"samples", "mean"} {
		if v.has(key) != several {
			v.fault("it has several samples or a percentage: %v, and %s is there: %v", several, key, v.has(key))
		}
	}
	if several {
		v.is("samples", p.samples)
		v.is("mean", divided(usage, p.samples, v.str("load") == "more"))
	}
	if p.kind != "utilization" {
		if v.has("percent") {
			v.fault("it is a %s, and percent is there", p.kind)
		}
		return
	}
	percent := divided(usage*100, p.requested, false)
	if v.has("percent") != (percent != p.value) {
		v.fault("today's percentage is %d, that of the usage %d, and percent is there: %v", p.value, percent, v.has("percent"))
	}
	if v.has("percent") {
		v.is("percent", percent)
	}
}

// divided is a quotient that is rounded up or down.
func divided(a, b int64, up bool) int64 {
	quotient := a / b
	switch rest := a % b; {
	case rest != 0 && up && rest > 0 == (b > 0):
		return quotient + 1
	case rest != 0 && !up && rest > 0 != (b > 0):
		return quotient - 1
	}
	return quotient
}

// usages are some between two, and the one beside the second.
func usages(from, to int64) (out []int64) {
	if from == to {
		return nil
	}
	step, distance := int64(1), uint64(to)-uint64(from)
	if to < from {
		step, distance = -1, uint64(from)-uint64(to)
	}
	for _, part := range []uint64{1, 3, 7, 11, 15, 16} {
		high, low := bits.Mul64(distance, part)
		so, _ := bits.Div64(high, low, 16)
		if one := from + step*int64(so); one != to && one != from && !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	if beside := to - step; beside != from && !slices.Contains(out, beside) {
		out = append(out, beside)
	}
	return out
}

// at is what the real controller decides with a usage of one metric. A refused write changes nothing of it.
func (l *look) at(v *values, i int, p *proposal, usage int64) (int64, bool) {
	out := l.rerun(v, func(w *World) {
		w.PutScale = nil
		w.use(i, p, usage)
	})
	if out == nil {
		return 0, false
	}
	if out.Panic != "" || out.Desired == nil {
		return int64(l.w.current()), true
	}
	return int64(*out.Desired), true
}

// canUse tells whether the reader can give the metric a usage: that of today must leave the decision as it is.
func (l *look) canUse(v *values, i int, p *proposal) bool {
	if p.failure != "" || p.kind == "negative-sum" || !l.w.copied().use(i, p, p.usage()) {
		l.unchecked = true
		return false
	}
	same, ok := l.at(v, i, p, p.usage())
	if now := l.rerun(v, func(w *World) { w.PutScale = nil }); ok && now != nil && now.Desired != nil && same == int64(*now.Desired) {
		return true
	}
	l.unchecked = true
	return false
}

// thresholdHeld lets the real controller decide at the usage and below, and say what it wants there.
func (l *look) thresholdHeld(v *values) {
	bound := v.object("bound")
	i, p, usage := l.boundOf(bound)
	l.spoken(v, bound)
	bound.text("load", "less")
	bound.flag("only", false)
	wanted, replicas := v.int("wanted"), v.int("replicas")
	lowest, highest := l.today(v)
	if wanted >= replicas || replicas != lowest || lowest != highest {
		v.fault("the decision is %d to %d, %d are wanted", lowest, highest, wanted)
	}
	l.held(v.object("holds"))
	if i < 0 || !l.canUse(v, i, p) {
		return
	}
	for _, so := range append(usages(p.usage(), usage), usage, usage-1, usage/2, 1, 0) {
		if n, ok := l.at(v, i, p, so); ok && so >= 0 && so <= p.usage() && n != replicas {
			v.fault("at %d the real controller decides %d, not %d", so, n, replicas)
		}
	}
	for so, want := range map[int64]int64{usage: wanted, usage + 1: replicas} {
		n, ok := l.wants(v, func(w *World) { w.use(i, p, so) })
		if !ok || max(min(int64(n), int64(l.w.HPA.Spec.MaxReplicas)), int64(l.w.min())) != want {
			v.fault("at %d the metrics want %d, not %d", so, n, want)
		}
	}
}

// held holds what keeps the replicas from falling.
func (l *look) held(v *values) {
	isDisabled, window := disabled(l.rules()["scaleDown"]), l.windows()["scaleDown"]
	switch kind := v.str("kind"); kind {
	case "disabled":
		if !isDisabled {
			v.fault("selectPolicy of scaleDown is not Disabled")
		}
	case "window":
		if length := v.duration("length"); length != window || isDisabled {
			v.fault("the window of scaleDown is %v, not %v, and Disabled: %v", window, length, isDisabled)
		}
	case "at-first":
		if isDisabled {
			v.fault("selectPolicy of scaleDown is Disabled")
		}
	default:
		v.fault("unknown kind %q", kind)
	}
}

// time lets the real controller sync at an instant and just after it, while nothing else changes.
func (l *look) time(v *values) {
	at, replicas := v.time("at"), v.int("replicas")
	l.event(v.object("event"), at)
	if !at.After(l.w.At) {
		v.fault("%v is not after now", at)
		return
	}
	now := l.rerun(v, func(w *World) { w.PutScale = nil })
	if now == nil || now.Desired == nil {
		v.fault("the real controller decides nothing now")
		return
	}
	wants := map[time.Time]int64{at: replicas}
	for _, so := range usages(l.w.At.UnixNano(), at.UnixNano()) {
		wants[time.Unix(0, so)] = int64(*now.Desired)
	}
	for so, want := range wants {
		out := l.rerun(v, func(w *World) { w.At, w.PutScale, w.Memory = so, nil, l.real.Memory })
		if out != nil && out.Desired != nil && int64(*out.Desired) != want {
			v.fault("at %v the real controller decides %d, not %d", so.UTC(), *out.Desired, want)
		}
	}
}

// event holds what happens at an instant.
func (l *look) event(v *values, at time.Time) {
	switch kind := v.str("kind"); kind {
	case "pod-settles":
		name := v.str("pod")
		pods, _ := l.w.matched()
		for _, pod := range pods {
			if started := pod.Status.StartTime; pod.Name == name && started != nil && started.Add(l.w.Initialization).Equal(at) {
				if v.has("sample") && !l.w.samplesOfPod(name)[v.int("sample")] {
					v.fault("no metric has such a sample of pod %s", name)
				}
				return
			}
		}
		v.fault("the initialization of pod %s ends at another instant", name)
	case "recommendation-leaves":
		replicas := v.int("recommendation")
		for _, r := range l.real.Memory.Recommendations {
			for _, window := range l.windows() {
				if leaves := r.At.Add(window); int64(r.Replicas) == replicas && at.Sub(leaves) >= 0 && at.Sub(leaves) <= time.Nanosecond {
					return
				}
			}
		}
		v.fault("no recommendation of %d leaves then: %v", replicas, l.real.Memory.Recommendations)
	case "period-ends":
		for _, rules := range l.rules() {
			for _, policy := range rules.Policies {
				for _, change := range append(slices.Clone(l.real.Memory.Ups), l.real.Memory.Downs...) {
					if change.At.Add(time.Duration(policy.PeriodSeconds) * time.Second).Equal(at) {
						return
					}
				}
			}
		}
		v.fault("no rescale leaves a period then")
	default:
		v.fault("unknown event %q", kind)
	}
}
