package oracle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"kubectl-hpa/oracle/reader"
)

// bubbled is an oracle that is asked in a bubble of its own each time, as the instants of the questions go back and forth.
type bubbled struct {
	oracle *Oracle
	run    func(func())
}

// judgeClaims holds what the program said of a step against the case, the outcome and the real controller.
func judgeClaims(asked bubbled, step Step, decision *reader.Decision) (*reader.Verdict, error) {
	c, err := compile(step.Case)
	if err != nil {
		return nil, err
	}
	w, err := c.world(asked)
	if err != nil {
		return nil, err
	}
	beside, err := besideOf(step.Case)
	if err != nil {
		return nil, err
	}
	for i, target := range beside.targets {
		w.Others[i].Target = target
	}
	w.Sidecars, w.Controller, w.Rescales = beside.sidecars, beside.controller, beside.rescales
	real := &reader.Outcome{}
	switch out := step.Outcome.(type) {
	case *Panic:
		real.Panic = out.Value
	case *Outcome:
		if real, err = out.read(); err != nil {
			return nil, err
		}
	}
	return reader.Judge(w, real, decision), nil
}

// world is the case as the reader takes it.
func (c *compiled) world(asked bubbled) (*reader.World, error) {
	minor, err := strconv.Atoi(strings.TrimPrefix(asked.oracle.minor, "1."))
	if err != nil {
		return nil, err
	}
	memory, err := c.memory.read()
	w := &reader.World{
		Minor: minor, At: c.at, Tolerance: c.settings.tolerance, Downscale: c.settings.downscale,
		Initialization: c.settings.cpuInitialization, ReadyDelay: c.settings.readyDelay, Gates: c.gates,
		Memory: memory, HPA: c.hpa, Scale: c.scale, MappingErr: c.mappingErr, ScaleErr: c.scaleErr, PodsErr: c.podsErr,
		Pods: c.pods, PutScale: c.putScale, Custom: forReader(c.custom), External: forReader(c.external),
	}
	if c.podMetrics != nil {
		w.PodMetrics.Items, w.PodMetrics.Err = c.podMetrics.items, c.podMetrics.err
	}
	for _, other := range c.others {
		w.Others = append(w.Others, reader.Other{Namespace: other.object.Namespace, Name: other.object.Name,
			Selector: other.selector})
	}
	w.Decide = func(changed *reader.World) (*reader.Outcome, error) { return c.decide(asked, changed, nil) }
	w.Simulate = func(changed *reader.World, flags [][2]string) (*reader.Outcome, error) {
		return c.decide(asked, changed, flags)
	}
	return w, err
}

func forReader[T any](queries []query[T]) (out []reader.Query[T]) {
	for _, q := range queries {
		out = append(out, reader.Query[T]{Name: q.name, Selector: q.selector, Object: q.object,
			Answer: reader.Answer[T]{Items: q.answer.items, Err: q.answer.err}})
	}
	return out
}

func fromReader[T any](queries []reader.Query[T]) (out []query[T]) {
	for _, q := range queries {
		out = append(out, query[T]{q.Name, q.Selector, q.Object, answer[T]{q.Answer.Items, q.Answer.Err}})
	}
	return out
}

// decide runs the real controller on the case with what the reader has changed, and then what a person types.
func (c *compiled) decide(asked bubbled, w *reader.World, flags [][2]string) (*reader.Outcome, error) {
	changed := *c
	changed.at, changed.hpa, changed.scale, changed.pods, changed.putScale = w.At, w.HPA.DeepCopy(), w.Scale, w.Pods, w.PutScale
	changed.settings = settings{w.Tolerance, w.Downscale, w.Initialization, w.ReadyDelay}
	changed.putStatus = nil
	changed.custom, changed.external = fromReader(w.Custom), fromReader(w.External)
	if c.podMetrics != nil {
		samples := *c.podMetrics
		samples.items = w.PodMetrics.Items
		changed.podMetrics = &samples
	}
	changed.memory = writtenMemory(w.Memory)
	if len(w.Others) == 0 {
		changed.others = nil
	}
	var typed []Change
	for _, flag := range flags {
		typed = append(typed, Change{flag[0], flag[1]})
	}
	if len(typed) > 0 {
		changed.apart()
	}
	if err := changed.change(typed); err != nil {
		return nil, err
	}
	legacyscheme.Scheme.Default(changed.hpa)
	var out *Outcome
	var err error
	asked.run(func() { out, err = asked.oracle.Judge(&changed) })
	if err != nil {
		return nil, err
	}
	return out.read()
}

// apart lets a change leave the lists of the case as they are.
func (c *compiled) apart() {
	c.pods, c.custom = slices.Clone(c.pods), slices.Clone(c.custom)
	if c.podMetrics != nil {
		c.podMetrics.items = slices.Clone(c.podMetrics.items)
	}
	for i := range c.custom {
		c.custom[i].answer.items = slices.Clone(c.custom[i].answer.items)
	}
}

func (o *Outcome) read() (*reader.Outcome, error) {
	memory, err := o.Memory.read()
	out := &reader.Outcome{Desired: o.DesiredReplicas, Rescaled: o.Rescaled, Status: o.Status, Memory: memory, Error: o.Error}
	for _, e := range o.Events {
		out.Events = append(out.Events, e.Reason+" "+e.Message)
	}
	return out, err
}

func (m *memoryFile) read() (out reader.Memory, err error) {
	var failed error
	at := func(text string) time.Time {
		parsed, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			failed = fmt.Errorf("memory: %w", err)
		}
		return parsed
	}
	for _, r := range m.Recommendations {
		out.Recommendations = append(out.Recommendations, reader.Recommendation{Replicas: r.Replicas, At: at(r.At)})
	}
	for _, e := range m.ScaleUpEvents {
		out.Ups = append(out.Ups, reader.Change{Replicas: e.Change, At: at(e.At)})
	}
	for _, e := range m.ScaleDownEvents {
		out.Downs = append(out.Downs, reader.Change{Replicas: e.Change, At: at(e.At)})
	}
	return out, failed
}

func writtenMemory(m reader.Memory) (out memoryFile) {
	for _, r := range m.Recommendations {
		out.Recommendations = append(out.Recommendations, recommendationFile{r.Replicas, stamp(r.At)})
	}
	for _, e := range m.Ups {
		out.ScaleUpEvents = append(out.ScaleUpEvents, scaleEventFile{e.Replicas, stamp(e.At), false})
	}
	for _, e := range m.Downs {
		out.ScaleDownEvents = append(out.ScaleDownEvents, scaleEventFile{e.Replicas, stamp(e.At), false})
	}
	return out
}
