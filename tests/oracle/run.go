package oracle

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// Event is one event in the order of emission.
type Event struct {
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Outcome is what the controller decided about one case.
type Outcome struct {
	DesiredReplicas *int32                                      `json:"desiredReplicas"`
	Rescaled        bool                                        `json:"rescaled"`
	Status          autoscalingv2.HorizontalPodAutoscalerStatus `json:"status"`
	StatusChanged   bool                                        `json:"statusChanged"`
	Events          []Event                                     `json:"events"`
	Memory          memoryFile                                  `json:"memory"`
	Error           string                                      `json:"error,omitempty"`
}

// Panic is a panic of the controller itself.
type Panic struct {
	Value string `json:"panic"`
	Stack string `json:"-"`
}

func (p *Panic) Error() string { return "the controller panicked: " + p.Value }

// Oracle judges cases, one after the other.
type Oracle struct {
	minor  string
	gates  gates
	judges map[bool]*judge
}

// New makes an oracle for the minor version that the module is built with. It starts the controllers' goroutines and
// ends them, so it is called outside of any bubble.
func New(minor string) (*Oracle, error) {
	silence()
	o := &Oracle{minor: minor, judges: map[bool]*judge{}}
	o.judges[true] = newJudge()
	if minor != "1.37" {
		return o, nil
	}
	// Since 1.37 a gate chooses, when the controller is built, how it keeps selectors.
	if err := o.gates.set(map[string]bool{selectorGate: false}); err != nil {
		return nil, err
	}
	o.judges[false] = newJudge()
	return o, o.gates.set(nil)
}

// Judge puts one case before the controller. It must run inside a synctest bubble.
func (o *Oracle) Judge(c *compiled) (*Outcome, error) {
	if c.minor != "" && c.minor != o.minor {
		return nil, fmt.Errorf("the case is about version %s and this is %s", c.minor, o.minor)
	}
	if c.at.Before(time.Now()) {
		return nil, fmt.Errorf("at: %s is before the clock, %s", stamp(c.at), stamp(time.Now()))
	}
	time.Sleep(c.at.Sub(time.Now()))
	if err := o.gates.set(c.gates); err != nil {
		return nil, err
	}
	var out *Outcome
	var err error
	// The real controller names ambiguous HPAs in a random order: ask until it is the sorted one.
	for range 200 {
		if out, err = o.judge(c); err != nil || !out.unsorted() {
			return out, err
		}
	}
	out.sort()
	return out, nil
}

const selectorGate = "HPAOptimizedSelectorStore"

func (o *Oracle) judge(c *compiled) (out *Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, &Panic{fmt.Sprint(p), string(debug.Stack())}
		}
	}()
	optimized, given := c.gates[selectorGate]
	return o.judges[optimized || !given].reconcile(c)
}

func (j *judge) reconcile(c *compiled) (*Outcome, error) {
	key := c.hpa.Namespace + "/" + c.hpa.Name
	if err := j.configure(c, key); err != nil {
		return nil, err
	}
	j.register(c)
	defer j.forget(c)
	failure := reconcileAutoscaler(j.controller, context.Background(), c.hpa, key)
	if j.world.refused != nil {
		return nil, j.world.refused
	}
	out := &Outcome{
		DesiredReplicas: j.world.asked,
		Rescaled:        j.world.scaled,
		Status:          c.hpa.Status,
		StatusChanged:   j.world.written != nil,
		Events:          append([]Event{}, j.world.events...),
		Memory:          j.recall(key),
	}
	if out.DesiredReplicas == nil {
		out.DesiredReplicas = j.world.found
	}
	if j.world.written != nil {
		out.Status = *j.world.written
	}
	if failure != nil {
		out.Error = failure.Error()
	}
	return out, nil
}

var ambiguous = regexp.MustCompile(`(?s)(controlled by (?:multiple HPAs: |more than one HPA \(e\.g\. )\[)([^\]]*)\]`)

// texts are all places where the controller may have named HPAs in random order.
func (o *Outcome) texts() []*string {
	all := []*string{&o.Error}
	for i := range o.Events {
		all = append(all, &o.Events[i].Message)
	}
	if o.StatusChanged {
		for i := range o.Status.Conditions {
			all = append(all, &o.Status.Conditions[i].Message)
		}
	}
	return all
}

func (o *Outcome) unsorted() bool {
	return slices.ContainsFunc(o.texts(), func(text *string) bool { return sorted(*text) != *text })
}

func (o *Outcome) sort() {
	for _, text := range o.texts() {
		*text = sorted(*text)
	}
}

func sorted(text string) string {
	return ambiguous.ReplaceAllStringFunc(text, func(found string) string {
		parts := ambiguous.FindStringSubmatch(found)
		names := strings.Fields(parts[2])
		slices.Sort(names)
		return parts[1] + strings.Join(names, " ") + "]"
	})
}

// encode writes JSON on one line, without Go's escapes for HTML.
func encode(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}
