package reader

import (
	"fmt"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
)

// Fault is a false claim, or one that is missing.
type Fault struct {
	Code, What, Text string
}

// Verdict is what came of one decision.
type Verdict struct {
	Faults    []Fault
	Checked   map[string]int
	Unchecked map[string]int
	Played    int // pieces of advice whose replicas were played to their end
}

// look is one decision on one case.
type look struct {
	w         *World
	real      *Outcome
	decision  *Decision
	proposals map[int]*proposal
	metric    int  // of the claim `reads` before
	alone     bool // the HPAs that match the same pods are left out
	unchecked bool
	played    int
}

type check func(*look, *values)

// Judge holds a decision against a case and the real outcome.
func Judge(w *World, real *Outcome, decision *Decision) *Verdict {
	out := &Verdict{Checked: map[string]int{}, Unchecked: map[string]int{}}
	l := &look{w: w, real: real, decision: decision, proposals: map[int]*proposal{}, metric: -1}
	l.forget()
	l.leaveOutRivals(out)
	for _, name := range parts {
		for _, claim := range decision.part(name) {
			l.judge(name, tables[name], claim, out)
		}
	}
	out.Played = l.played
	if len(decision.Then) != 1 {
		out.Faults = append(out.Faults, Fault{"no-answer", "the answer says nothing of the replicas", ""})
	}
	known := decision.Desired != nil || decision.Lowest != nil
	if crashes, held := real.Panic != "", len(decision.Check) > 0; known && held == crashes {
		out.Faults = append(out.Faults, Fault{"no-check", fmt.Sprintf("held against the status: %v; the controller crashes: %v", held, crashes), l.texts()})
	}
	out.Faults = append(out.Faults, l.complete()...)
	return out
}

// forget makes the truth what a controller that starts now decides, where none is at work: it remembers nothing.
func (l *look) forget() {
	if !l.idle() {
		return
	}
	l.w = l.w.copied()
	l.w.Memory = Memory{}
	var words []string
	if fresh := l.rerun(newValues(nil, "", &words), func(*World) {}); fresh != nil {
		l.real = fresh
	}
}

// leaveOutRivals makes the truth what the real controller decides without other HPAs, where it knows them and the program,
// which can't tell that from the objects, says that it may or may not.
func (l *look) leaveOutRivals(out *Verdict) {
	met := slices.ContainsFunc(l.real.Events, func(e string) bool { return strings.HasPrefix(e, "AmbiguousSelector ") })
	if !met || l.claims("selector-ambiguous") {
		return
	}
	var words []string
	l.alone = true
	alone := l.rerun(newValues(nil, "", &words), func(*World) {})
	if alone == nil {
		return
	}
	stays := l.desired()
	l.real = alone
	// Where nothing is recomputed, or no write gets through, they make no difference.
	matters := (l.decision.Desired != nil || l.decision.Lowest != nil) && l.w.PutScale == nil
	if matters && l.desired() != stays && !l.idle() && !l.claims("rival-may-be-known", "earlier-rival-may-be-known", "rival-not-compared") {
		out.Faults = append(out.Faults, Fault{"untold rival", "no claim tells of the HPAs that match the same pods", l.texts()})
	}
}

func (l *look) claims(codes ...string) bool {
	return slices.ContainsFunc(l.decision.Claims, func(claim map[string]any) bool {
		code, _ := claim["code"].(string)
		return slices.Contains(codes, code)
	})
}

func (l *look) judge(name string, table map[string]check, claim map[string]any, out *Verdict) {
	var words []string
	v := newValues(claim, "", &words)
	code, text := v.str("code"), ""
	worded := name != "guess " && name != "cause "
	if worded {
		text = v.str("text")
	}
	found, known := table[code]
	code = name + code
	l.unchecked = !known
	if known {
		func() {
			defer func() {
				if p := recover(); p != nil {
					v.fault("the reader panicked: %v", p)
				}
			}()
			found(l, v)
		}()
		v.rest()
	} else {
		v.fault("unknown code")
	}
	if !l.decision.Unworded && worded {
		words = append(words, wording(claim, text, l.w)...)
		if name == "advice " {
			words = append(words, speaks(claim, text)...)
		}
	}
	for _, word := range words {
		out.Faults = append(out.Faults, Fault{code, word, text})
	}
	if l.unchecked {
		out.Unchecked[code]++
	} else {
		out.Checked[code]++
	}
}

// Codes are all that the reader knows, sorted; those that are not of Why with the name of their part before them.
func Codes() (out []string) {
	for name, table := range tables {
		for code := range table {
			out = append(out, name+code)
		}
	}
	slices.Sort(out)
	return out
}

// propose is the proposal of one metric, computed once.
func (l *look) propose(i int) *proposal {
	if l.proposals[i] == nil {
		p := l.w.propose(i)
		l.proposals[i] = &p
	}
	return l.proposals[i]
}

// rerun lets the real controller decide on a changed world.
func (l *look) rerun(v *values, change func(*World)) *Outcome {
	w := l.w.copied()
	if l.alone {
		w.Others = nil
	}
	change(w)
	out, err := l.w.Decide(w)
	if err != nil {
		v.fault("the real controller can't be asked: %v", err)
		return nil
	}
	return out
}

// wants is what the real controller recommends before windows, rates and bounds, or false if it computes nothing. An empty
// memory first gets the current replicas, then that.
func (l *look) wants(v *values, change func(*World)) (int32, bool) {
	out := l.rerun(v, func(w *World) {
		w.Memory, w.PutScale = Memory{}, nil
		change(w)
	})
	if out == nil || len(out.Memory.Recommendations) < 2 {
		return 0, false
	}
	return out.Memory.Recommendations[len(out.Memory.Recommendations)-1].Replicas, true
}

// reads tells whether the controller gets as far as the metrics; see the start of reconcileAutoscaler.
func (l *look) readsMetrics() bool {
	w := l.w
	if w.Scale == nil || !w.apiVersionParses() {
		return false
	}
	current := w.current()
	if current == 0 {
		if w.Minor < 36 {
			return w.min() == 0
		}
		return w.ownZero() && (w.min() != 0 || w.outside())
	}
	return current <= w.max() && current >= w.min()
}

// ownZero tells whether the controller takes zero replicas for its own.
func (w *World) ownZero() bool {
	return w.gate("HPAScaleToZero") && w.zeroCondition() == string(corev1.ConditionTrue)
}

func (w *World) zeroCondition() string {
	for _, c := range w.HPA.Status.Conditions {
		if string(c.Type) == "ScaledToZero" {
			return string(c.Status)
		}
	}
	return "missing"
}

// outside tells whether a metric is of type Object or External.
func (w *World) outside() bool {
	return slices.ContainsFunc(w.HPA.Spec.Metrics, func(m autoscalingv2.MetricSpec) bool {
		return m.Type == autoscalingv2.ObjectMetricSourceType || m.Type == autoscalingv2.ExternalMetricSourceType
	})
}

// active is the reason and status of ScalingActive if this sync set it.
func (l *look) active() (string, corev1.ConditionStatus) {
	return l.real.condition(autoscalingv2.ScalingActive)
}

// desired is the truth: what the real controller decided.
func (l *look) desired() int32 {
	if l.real.Desired == nil {
		return l.w.current()
	}
	return *l.real.Desired
}

func (l *look) stays(v *values) {
	if l.real.Panic == "" && l.desired() != l.w.current() {
		v.fault("the real controller goes from %d to %d", l.w.current(), l.desired())
	}
}

func (l *look) one(v *values, name string) int {
	at := l.w.named(name)
	if len(at) == 0 {
		v.fault("no metric is called %q", name)
		return -1
	}
	return at[0]
}

// fails holds a metric that gives nothing against one of the causes, and against the real controller.
func (l *look) fails(v *values, name string, causes ...failure) *proposal {
	var seen []string
	for _, i := range l.w.named(name) {
		p := l.propose(i)
		seen = append(seen, fmt.Sprintf("%s proposes %d %s", name, p.replicas, p.failure))
		if slices.Contains(causes, p.failure) {
			l.reallyFails(v, i)
			return p
		}
	}
	v.fault("claims of %q: %v; the objects show %v", name, causes, seen)
	return &proposal{}
}

func (l *look) reallyFails(v *values, i int) {
	if !l.readsMetrics() || l.w.current() == 0 {
		return
	}
	if _, works := l.wants(v, func(w *World) { w.HPA.Spec.Metrics = w.HPA.Spec.Metrics[i : i+1] }); works {
		v.fault("metric %d alone works in the real controller", i)
	}
}
