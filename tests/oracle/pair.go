package oracle

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// Pair is a case, changes of it, and what the controller decides on the changed case.
type Pair struct {
	Seed    uint64          `json:"seed"`
	Case    json.RawMessage `json:"case"`
	Changes []Change        `json:"changes"`
	Outcome any             `json:"outcome"`
}

// Impossible is the outcome of a change that can't be made.
type Impossible struct {
	Why string `json:"impossible"`
}

// Invalid is the outcome of changes after which the API server doesn't take the HPA: its errors, field first.
type Invalid struct {
	Errors []string `json:"invalid"`
}

// GeneratePair draws a case, at the beginning of a sequence or later in it, and changes of it, until the controller
// answers. It must run inside a synctest bubble.
func GeneratePair(oracle *Oracle, patch string, seed uint64) (*Pair, error) {
	s, err := newSequence(patch, seed)
	if err != nil {
		return nil, err
	}
	for range pick(s.dice, 0, 0, 1, 1, 2) {
		step, failing, err := s.step(oracle)
		if err != nil {
			return nil, err
		}
		outcome, judged := step.Outcome.(*Outcome)
		if !judged || !followed(outcome) {
			break
		}
		s.carry(outcome, failing)
		if err := s.advance(); err != nil {
			return nil, err
		}
	}
	if s.dice.chance(40) {
		s.disturbPods()
	}
	s.shareName()
	s.hideMetric()
	s.ownPods()
	line, _ := s.render()
	for range 1000 {
		changes := s.drawChanges()
		outcome, err := judgeChanged(oracle, line, changes)
		if panicked := (*Panic)(nil); errors.As(err, &panicked) {
			return nil, fmt.Errorf("%w after %v in %s", err, changes, line)
		}
		if err != nil {
			continue // the controller asks for what the case doesn't hold
		}
		switch outcome.(type) {
		case Impossible:
			if !s.dice.chance(6) {
				continue
			}
		case Invalid:
			if !s.dice.chance(25) {
				continue
			}
		}
		return &Pair{seed, line, changes, outcome}, nil
	}
	return nil, fmt.Errorf("no change can be made of %s", line)
}

// judgeChanged lets the controller decide on a changed case.
func judgeChanged(oracle *Oracle, line []byte, changes []Change) (any, error) {
	c, err := read(line)
	if err != nil {
		return nil, err
	}
	if err := c.change(changes); err != nil {
		return Impossible{err.Error()}, nil
	}
	legacyscheme.Scheme.Default(c.hpa)
	if words := refusal(c); len(words) > 0 {
		return Invalid{words}, nil
	}
	return oracle.Judge(c)
}

// refusal is what every API server says of an HPA. Gates and older objects may allow a scale to zero by cpu.
func refusal(c *compiled) []string {
	var words []string
	for _, err := range admission(c.hpa) {
		word := err.Error()
		if err.Field == "spec.metrics" || slices.Contains(words, word) {
			continue
		}
		words = append(words, word)
	}
	return words
}
