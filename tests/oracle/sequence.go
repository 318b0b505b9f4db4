package oracle

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Sequence is a run of cases of one HPA: each starts with what the one before left.
type Sequence struct {
	Seed  uint64 `json:"seed"`
	Steps []Step `json:"steps"`
}

// Step is one complete case and its outcome.
type Step struct {
	Case    json.RawMessage `json:"case"`
	Outcome any             `json:"outcome"` // an *Outcome, or a *Panic
}

// sequence is the state of the drawn cluster between two steps.
type sequence struct {
	dice dice
	at   time.Time

	// The controller.
	patch                                string
	seed                                 uint64
	aim                                  string // what the sequence is about, if anything
	controller                           object
	gates                                map[string]bool
	tolerance                            float64
	downscale, initialization, readiness time.Duration
	memory                               memoryFile

	// The HPA.
	namespace, name            string
	generation                 int
	old                        bool // written as autoscaling/v1
	target                     object
	zero, podLevel, idle, rush bool
	min                        any
	max                        int64
	metrics                    []*drawnMetric
	hidden                     *drawnMetric // not in the spec, though its values are in the case
	disturbed                  bool         // the pods are what is changed
	behavior                   object
	status                     any
	toleranceDown, toleranceUp float64

	// Its target and the samples.
	size, podCount           int
	replicas, statusReplicas int32
	selector                 string
	template                 template
	oddPods                  float64
	calmWindow               time.Duration
	sampled                  time.Time
	pods                     []*drawnPod
	podMetrics               object
	custom, external         []object
	others                   []object
}

// Generate draws one sequence and lets the controller judge each step. It must run inside a synctest bubble.
func Generate(oracle *Oracle, patch string, seed uint64) (*Sequence, error) {
	s, err := newSequence(patch, seed)
	if err != nil {
		return nil, err
	}
	return s.play(oracle, seed)
}

// play lets the controller judge one step after the other.
func (s *sequence) play(oracle *Oracle, seed uint64) (*Sequence, error) {
	out := &Sequence{Seed: seed}
	for n := s.length(); ; {
		step, failing, err := s.step(oracle)
		if err != nil {
			return nil, err
		}
		out.Steps = append(out.Steps, step)
		outcome, judged := step.Outcome.(*Outcome)
		if len(out.Steps) == n || !judged || !followed(outcome) {
			return out, nil
		}
		s.carry(outcome, failing)
		if err := s.advance(); err != nil {
			return nil, err
		}
	}
}

func newSequence(patch string, seed uint64) (*sequence, error) {
	s := &sequence{dice: newDice(seed), patch: patch, seed: seed, namespace: "shop", name: "web"}
	return s, s.begin()
}

// length is the number of steps. There are many older controllers, and few steps of each do.
func (s *sequence) length() int {
	if s.aim == aimMemory {
		return pick(s.dice, 2, 3) // so that what is stored now is met again
	}
	if s.minor() < 37 {
		return pick(s.dice, 1, 1, 1, 1, 2, 2)
	}
	return pick(s.dice, 1, 1, 2, 2, 3, 3, 4, 5, 6)
}

// step lets the controller judge the case of this step.
func (s *sequence) step(oracle *Oracle) (Step, failing, error) {
	line, failing := s.render()
	c, err := compile(line)
	if err != nil {
		return Step{}, failing, fmt.Errorf("%w in %s", err, line)
	}
	outcome, err := oracle.Judge(c)
	if panicked := (*Panic)(nil); errors.As(err, &panicked) {
		return Step{line, panicked}, failing, nil
	}
	if err != nil {
		return Step{}, failing, fmt.Errorf("%w in %s", err, line)
	}
	return Step{line, outcome}, failing, nil
}

// followed tells whether a step can follow: an API server would not take a negative count, which an overflow can ask for.
func followed(o *Outcome) bool {
	return !o.Rescaled || *o.DesiredReplicas >= 0
}

// begin draws the first step.
func (s *sequence) begin() error {
	d := s.dice
	s.at = time.Date(2026, 11, 21, 10, 42, 0, 0, time.UTC).Add(pick(d, 0, 0, 0, time.Nanosecond, 123456789, 500*time.Millisecond))
	s.sampled = s.at.Truncate(time.Second).Add(-15 * time.Second)
	s.calmWindow = 30 * time.Second
	s.oddPods = pick[float64](d, 0, 0, 3, 10, 40, 80)
	s.generation = pick(d, 1, 1, 2, 7)
	s.old = d.chance(4)
	s.size = int(pick[int64](d, 1, 2, 3, 3, 4, 4, 5, 6, d.between(5, 9)))
	switch d.weighted(90, 7, 1) {
	case 1:
		s.size = 0
	case 2:
		s.size = 30
	}
	s.drawAim()
	if s.aim == aimFills {
		s.size, s.oddPods = int(d.between(2, 6)), 60
	}
	if s.aim == aimMixes {
		s.size, s.oddPods = int(d.between(4, 9)), 90
	}
	s.drawController()
	if err := s.redrawSpec(); err != nil {
		return err
	}
	s.drawReplicas()
	if s.rush = d.chance(4); s.rush {
		if err := s.rushPercent(); err != nil {
			return err
		}
	}
	s.drawSelector()
	s.drawTemplate()
	s.drawPodList()
	s.drawSamples()
	s.drawMemory()
	s.status = s.drawStatus()
	s.drawOthers()
	return nil
}

// failing are the writes of a step that fail.
type failing struct{ scale, status bool }

// render writes the complete case of this step.
func (s *sequence) render() ([]byte, failing) {
	d := s.dice
	hpa := s.hpa()
	out := object{
		"apiVersion": "kubectl-hpa/v1", "kind": "Case", "at": stamp(s.at), "controller": s.controller,
		"memory": s.memory, "pods": object{"items": s.podList()}, "hpa": hpa,
		"scale": object{"object": object{"spec": object{"replicas": s.replicas},
			"status": object{"replicas": s.statusReplicas, "selector": s.selector}}},
	}
	if s.old {
		out["hpa"] = json.RawMessage(s.asOld(encode(hpa)))
	}
	if s.aim == aimEmpty {
		out["pods"] = s.hollowed(out["pods"])
		status := out["scale"].(object)["object"].(object)["status"].(object)
		if d.chance(20) {
			delete(status, "replicas")
		}
		if d.chance(5) {
			delete(status, "selector")
		}
	}
	if d.chance(2) {
		out["scale"] = object{"error": s.failure()}
	} else if d.chance(1) {
		failure := object{"stage": "Mapping", "code": 404, "message": "no matches for kind \"Deployment\" in group \"apps\""}
		out["scale"] = object{"error": failure}
	}
	if d.chance(0.5) {
		out["pods"] = object{"error": s.failure()}
	}
	for name, value := range map[string][]object{"customMetrics": s.custom, "externalMetrics": s.external, "otherHPAs": s.others} {
		if len(value) > 0 {
			out[name] = value
		}
	}
	if s.podMetrics != nil {
		out["podMetrics"] = s.podMetrics
	}
	if s.aim == aimEmpty {
		s.hollowAnswers(out)
	}
	writes, fail := object{}, failing{d.chance(3.5), d.chance(3)}
	if s.target["apiVersion"] == "a/b/c" || out["scale"].(object)["error"] != nil {
		fail.status = d.chance(25)
	}
	if fail.scale {
		writes["scale"] = object{"error": s.failure()}
	}
	if fail.status {
		writes["status"] = object{"error": s.failure()}
	}
	if len(writes) > 0 {
		out["writes"] = writes
	}
	return encode(out), fail
}
