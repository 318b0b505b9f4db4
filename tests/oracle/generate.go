package oracle

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/apis/autoscaling/validation"
)

// Sequence is a run of cases of one HPA: each starts with what the one before left.
type Sequence struct {
	Seed  uint64 `json:"seed"`
	Steps []Step `json:"steps"`
}

// Step is one complete case and its outcome.
type Step struct {
	Case    json.RawMessage `json:"case"`
	Outcome *Outcome        `json:"outcome"`
}

// sequence is the state of the drawn cluster between two steps.
type sequence struct {
	dice dice
	at   time.Time

	// The controller.
	minor, patch                         string
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
	zero, podLevel, idle       bool
	min                        any
	max                        int64
	metrics                    []*drawnMetric
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
	s := &sequence{dice: newDice(seed), minor: oracle.minor, patch: patch, namespace: "shop", name: "web"}
	if err := s.begin(); err != nil {
		return nil, err
	}
	out := &Sequence{Seed: seed}
	for n := pick(s.dice, 1, 1, 2, 2, 3, 3, 4, 5, 6); ; {
		line, failing := s.render()
		c, err := compile(line)
		if err != nil {
			return nil, fmt.Errorf("%w in %s", err, line)
		}
		outcome, err := oracle.Judge(c)
		if err != nil {
			return nil, fmt.Errorf("%w in %s", err, line)
		}
		out.Steps = append(out.Steps, Step{line, outcome})
		// An API server would not take a negative count, which an overflow can ask for: no step follows it.
		if len(out.Steps) == n || outcome.Rescaled && *outcome.DesiredReplicas < 0 {
			return out, nil
		}
		s.carry(outcome, failing)
		if err := s.advance(); err != nil {
			return nil, err
		}
	}
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
	s.drawController()
	if err := s.redrawSpec(); err != nil {
		return err
	}
	s.drawReplicas()
	s.drawSelector()
	s.drawTemplate()
	s.drawPodList()
	s.drawSamples()
	s.drawMemory()
	s.status = s.drawStatus()
	s.drawOthers()
	return nil
}

// redrawSpec draws until the API server would admit the HPA.
func (s *sequence) redrawSpec() error {
	var err error
	for range 200 {
		s.drawSpec()
		if err = s.valid(); err == nil {
			s.readTolerances()
			return nil
		}
	}
	return err
}

// valid asks the real validation, as it is done for an update that keeps the target: its apiVersion may be one that is
// refused today, when an older API server took it.
func (s *sequence) valid() error {
	hpa := s.hpa()
	hpa["status"] = object{}
	v2, err := decodeHPA(encode(hpa))
	if err != nil {
		return err
	}
	if s.old {
		if v2, err = decodeHPA(s.asOld(encode(hpa))); err != nil {
			return err
		}
	}
	internal := &autoscaling.HorizontalPodAutoscaler{}
	if err := legacyscheme.Scheme.Convert(v2, internal, nil); err != nil {
		return err
	}
	options := validation.HorizontalPodAutoscalerSpecValidationOptions{
		MinReplicasLowerBound:           0,
		ScaleTargetRefValidationOptions: validation.CrossVersionObjectReferenceValidationOptions{AllowInvalidAPIVersion: true},
		ObjectMetricsValidationOptions:  validation.CrossVersionObjectReferenceValidationOptions{AllowEmptyAPIGroup: true},
	}
	return validation.ValidateHorizontalPodAutoscaler(internal, options).ToAggregate()
}

// asOld writes an autoscaling/v2 HPA as autoscaling/v1, as the API server does.
func (s *sequence) asOld(in []byte) []byte {
	v2, err := decodeHPA(in)
	if err != nil {
		panic(err)
	}
	v1 := &autoscalingv1.HorizontalPodAutoscaler{}
	if err := convertHPA(v2, v1); err != nil {
		panic(err)
	}
	v1.APIVersion, v1.Kind = "autoscaling/v1", "HorizontalPodAutoscaler"
	return encode(v1)
}

func (s *sequence) readTolerances() {
	s.toleranceDown, s.toleranceUp = s.tolerance, s.tolerance
	if own, given := s.gates["HPAConfigurableTolerance"]; given && !own {
		return
	}
	for name, into := range map[string]*float64{"scaleDown": &s.toleranceDown, "scaleUp": &s.toleranceUp} {
		if rules, ok := s.behavior[name].(object); ok && rules["tolerance"] != nil {
			q := resource.MustParse(rules["tolerance"].(string))
			*into = q.AsApproximateFloat64()
		}
	}
}

func (s *sequence) drawController() {
	d := s.dice
	s.tolerance, s.downscale, s.initialization, s.readiness = 0.1, 5*time.Minute, 5*time.Minute, 30*time.Second
	s.controller = object{"version": object{"value": "v" + s.patch}}
	if d.chance(25) {
		s.tolerance = pick[float64](d, 0, 0.05, 0.2, 0.01, 0.15, 0.3333333333333333, 0.057, 0.9, 1, 1.5)
		s.controller["tolerance"] = object{"value": s.tolerance}
	}
	for _, setting := range []struct {
		name string
		into *time.Duration
		from []time.Duration
	}{
		{"downscaleStabilization", &s.downscale, []time.Duration{0, time.Second, 30 * time.Second, 90500 * time.Millisecond, 10 * time.Minute}},
		{"cpuInitializationPeriod", &s.initialization, []time.Duration{0, time.Minute, 2 * time.Minute, 10*time.Minute + time.Nanosecond}},
		{"initialReadinessDelay", &s.readiness, []time.Duration{0, 10 * time.Second, 5 * time.Minute}},
	} {
		if d.chance(15) {
			*setting.into = pick(d, setting.from...)
			s.controller[setting.name] = object{"value": setting.into.String()}
		}
	}
	s.drawGates()
}

func (s *sequence) drawGates() {
	d := s.dice
	s.gates = map[string]bool{}
	names := []string{"HPAScaleToZero", "PodLevelResources", "HPAConfigurableTolerance"}
	if s.minor == "1.37" {
		names = []string{"HPAScaleToZero", "PodLevelResources", "HPAGeneration", selectorGate}
	}
	for _, name := range names {
		if d.chance(12) {
			s.gates[name] = d.chance(50)
		}
	}
	if s.minor != "1.37" && d.chance(30) {
		s.gates["HPAScaleToZero"] = true
	}
	value, given := s.gates["PodLevelResources"]
	s.podLevel = value || !given
	if len(s.gates) == 0 {
		return
	}
	gates := object{}
	for name, value := range s.gates {
		gates[name] = object{"value": value}
	}
	s.controller["featureGates"] = gates
}

func (s *sequence) drawReplicas() {
	d := s.dice
	s.replicas = int32(s.size)
	switch d.weighted(86, 3, 3, 3, 5) {
	case 1:
		s.replicas = 0
	case 4:
		// Many more than there are pods: what a percentage of them comes to is seen better.
		s.replicas = pick[int32](d, 10, 25, 50, 77, 100, 1000)
		s.max = max(s.max, int64(s.replicas)+pick[int64](d, 0, 1, 100))
	case 2:
		s.replicas = int32(d.between(0, 12))
	case 3:
		s.replicas = int32(min(pick(d, s.max, s.max+1, s.max-1, math.MaxInt32, 1<<30), math.MaxInt32))
	}
	s.statusReplicas = s.replicas
	if d.chance(12) {
		s.statusReplicas = int32(max(0, min(math.MaxInt32, int64(s.replicas)+pick[int64](d, 1, -1, 2, 3, -int64(s.replicas)))))
	}
}

func (s *sequence) drawSelector() {
	d := s.dice
	s.selector = "app=web"
	switch d.weighted(86, 9, 1, 3, 1) {
	case 1:
		s.selector = pick(d, "app in (web,api)", "app", "app!=api", "app notin (db, api)", "app==web,!old", "app,app!=x", " app = web ")
	case 2:
		s.selector = ""
	case 3:
		s.selector = pick(d, "app in", "a=b=c", "=x", "app in web)", "app=web,", "-bad=1", "app=@", "app in ()", "app>x", ",", "app=(web)", "!")
	case 4:
		s.selector = pick(d, "app=nothing", "app>1", "!app", "app in (,web)")
	}
}

// drawMemory draws recommendations and scale events at the edges of the windows that will look at them.
func (s *sequence) drawMemory() {
	d := s.dice
	s.memory = memoryFile{Recommendations: []recommendationFile{}, ScaleUpEvents: []scaleEventFile{}, ScaleDownEvents: []scaleEventFile{}}
	if d.chance(25) {
		return
	}
	count := pick(d, 1, 1, 2, 3, 4)
	if d.chance(4) {
		count = 12
	}
	// Without a recommendation of late, nothing holds a decision back.
	outdated := d.chance(40)
	for range count {
		replicas := int32(max(0, min(math.MaxInt32, int64(s.replicas)+d.between(-3, 4))))
		at := s.inWindow(s.windows())
		if outdated {
			at = s.at.Add(-2 * time.Hour)
		}
		s.memory.Recommendations = append(s.memory.Recommendations, recommendationFile{replicas, stamp(at)})
	}
	if s.behavior == nil && d.chance(90) {
		return
	}
	s.memory.ScaleUpEvents = s.drawEvents("scaleUp")
	s.memory.ScaleDownEvents = s.drawEvents("scaleDown")
}

func (s *sequence) drawEvents(direction string) []scaleEventFile {
	d := s.dice
	out := []scaleEventFile{}
	for range pick(d, 0, 0, 1, 1, 2, 3) {
		change := int32(d.between(1, 4))
		if d.chance(1) {
			change = math.MaxInt32
		}
		out = append(out, scaleEventFile{change, stamp(s.inWindow(s.periods())), d.chance(10)})
	}
	return out
}

// inWindow is an instant at the far edge of one of the windows, or somewhere inside or outside.
func (s *sequence) inWindow(windows []time.Duration) time.Time {
	d := s.dice
	window := pick(d, windows...)
	switch d.weighted(45, 35, 20) {
	case 0:
		if t := d.edge(s.at.Add(-window)); !t.After(s.at) {
			return t
		}
	case 1:
		return s.at.Add(-time.Duration(d.Float64() * float64(window))).Truncate(time.Second)
	}
	return s.at.Add(-window - time.Duration(d.between(1, 600))*time.Second)
}

func (s *sequence) windows() []time.Duration {
	out := []time.Duration{s.downscale}
	for _, direction := range []string{"scaleUp", "scaleDown"} {
		if rules, ok := s.behavior[direction].(object); ok && rules["stabilizationWindowSeconds"] != nil {
			out = append(out, time.Duration(rules["stabilizationWindowSeconds"].(int))*time.Second)
		}
	}
	return out
}

func (s *sequence) periods() []time.Duration {
	out := []time.Duration{15 * time.Second}
	for _, direction := range []string{"scaleUp", "scaleDown"} {
		rules, _ := s.behavior[direction].(object)
		policies, _ := rules["policies"].([]object)
		for _, p := range policies {
			out = append(out, time.Duration(p["periodSeconds"].(int))*time.Second)
		}
	}
	return out
}

func (s *sequence) drawStatus() object {
	d := s.dice
	out := object{}
	conditions := []object{}
	add := func(kind string, status ...string) {
		c := object{"type": kind, "status": pick(d, status...), "reason": "R", "message": "m", "lastTransitionTime": longAgo}
		if d.chance(4) {
			delete(c, "lastTransitionTime")
		}
		conditions = append(conditions, c)
	}
	switch d.weighted(20, 70, 10) {
	case 1:
		add("AbleToScale", "True", "True", "False")
		add("ScalingActive", "True", "True", "False")
		add("ScalingLimited", "True", "False", "False")
	case 2:
		for range d.between(1, 5) {
			add(pick(d, "AbleToScale", "ScalingActive", "ScalingLimited", "ScaledToZero", "Other"), "True", "False", "Unknown", "")
		}
	}
	if (s.zero || s.size == 0) && d.chance(75) || d.chance(5) {
		add("ScaledToZero", "True", "True", "True", "False", "Unknown")
	}
	if len(conditions) > 0 {
		out["conditions"] = conditions
		out["currentReplicas"], out["desiredReplicas"] = s.replicas, s.replicas
		if d.chance(40) {
			out["lastScaleTime"] = "2026-11-21T10:00:00Z"
		}
		if d.chance(30) {
			out["observedGeneration"] = s.generation
		}
		if d.chance(25) {
			out["currentMetrics"] = []object{{"type": "Resource", "resource": object{"name": "cpu", "current": object{"averageUtilization": 50, "averageValue": "50m"}}}}
		}
	}
	return out
}

// drawOthers draws other HPAs that the controller knows. With the store of 1.37 at most one of them may match, or which
// two are named would be random.
func (s *sequence) drawOthers() {
	d := s.dice
	if !d.chance(6) {
		return
	}
	matching := 1
	if s.minor != "1.37" {
		matching = 2
	}
	for i := range d.between(1, 3) {
		selector := pick(d, "app=db", "app=db", "!app", "tier", "", "a=b=c")
		if matching > 0 && d.chance(45) {
			selector = pick(d, "app=web", "app", "app in (web,x)")
			matching--
		}
		other := object{
			"hpa":   object{"metadata": object{"namespace": s.namespace, "name": pick(d, "a", "z") + strconv.Itoa(int(i))}},
			"scale": object{"object": object{"status": object{"selector": selector}}},
		}
		if d.chance(15) {
			other["scale"] = object{"error": pick(d, failures...)}
		}
		if d.chance(10) {
			other["hpa"] = object{"metadata": object{"namespace": "elsewhere", "name": "web"}}
		}
		s.others = append(s.others, other)
	}
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
	if d.chance(2) {
		out["scale"] = object{"error": pick(d, failures...)}
	} else if d.chance(1) {
		failure := object{"stage": "Mapping", "code": 404, "message": "no matches for kind \"Deployment\" in group \"apps\""}
		out["scale"] = object{"error": failure}
	}
	if d.chance(0.5) {
		out["pods"] = object{"error": pick(d, failures...)}
	}
	for name, value := range map[string][]object{"customMetrics": s.custom, "externalMetrics": s.external, "otherHPAs": s.others} {
		if len(value) > 0 {
			out[name] = value
		}
	}
	if s.podMetrics != nil {
		out["podMetrics"] = s.podMetrics
	}
	writes, fail := object{}, failing{d.chance(3.5), d.chance(3)}
	if s.target["apiVersion"] == "a/b/c" || out["scale"].(object)["error"] != nil {
		fail.status = d.chance(25)
	}
	if fail.scale {
		writes["scale"] = object{"error": pick(d, failures...)}
	}
	if fail.status {
		writes["status"] = object{"error": pick(d, failures...)}
	}
	if len(writes) > 0 {
		out["writes"] = writes
	}
	return encode(out), fail
}

// carry takes over what the decision left behind.
func (s *sequence) carry(o *Outcome, fail failing) {
	s.memory = o.Memory
	if o.StatusChanged && !fail.status {
		s.status = o.Status
	}
	if o.Rescaled {
		s.replicas = *o.DesiredReplicas
	}
}

// advance moves the cluster on to the next reconcile.
func (s *sequence) advance() error {
	d := s.dice
	s.at = s.nextInstant()
	if d.chance(12) {
		return nil // nothing has changed but the clock
	}
	if d.chance(6) {
		if err := s.edit(); err != nil {
			return err
		}
	}
	if d.chance(85) {
		s.statusReplicas = s.replicas
	}
	if s.oddPods >= 40 && len(s.pods) > 0 {
		// Put one pod at the edges of this instant.
		i := d.IntN(len(s.pods))
		s.pods[i] = s.drawPod()
	}
	if d.chance(80) && s.replicas <= 12 {
		s.follow(int(s.replicas))
	}
	s.drawSamples()
	return nil
}

// follow lets the target's controller start or stop pods.
func (s *sequence) follow(replicas int) {
	for len(s.pods) < replicas {
		s.pods = append(s.pods, s.drawPod())
	}
	s.pods = s.pods[:max(0, replicas)]
}

// edit changes the spec as a user would.
func (s *sequence) edit() error {
	d := s.dice
	before := *s
	switch d.IntN(3) {
	case 0:
		s.behavior = s.drawBehavior()
	case 1:
		s.max = max(1, s.max+d.between(-2, 3))
	case 2:
		s.min = d.between(1, s.max)
	}
	s.generation++
	if s.valid() != nil {
		*s = before
		return nil
	}
	s.readTolerances()
	return nil
}

// nextInstant is one sync period later, or just when something remembered reaches the edge of a window.
func (s *sequence) nextInstant() time.Time {
	d := s.dice
	if d.chance(45) {
		return s.at.Add(pick(d, 15*time.Second, 15*time.Second, 30*time.Second, time.Minute, 301*time.Second, time.Hour, time.Nanosecond, 0))
	}
	type candidate struct {
		at      string
		windows []time.Duration
	}
	var from []candidate
	for _, r := range s.memory.Recommendations {
		from = append(from, candidate{r.At, s.windows()})
	}
	for _, e := range append(append([]scaleEventFile{}, s.memory.ScaleUpEvents...), s.memory.ScaleDownEvents...) {
		from = append(from, candidate{e.At, s.periods()})
	}
	for range 8 {
		if len(from) == 0 {
			break
		}
		c := pick(d, from...)
		at, err := time.Parse(time.RFC3339Nano, c.at)
		if err != nil {
			panic(err)
		}
		if next := d.edge(at.Add(pick(d, c.windows...))); next.After(s.at) {
			return next
		}
	}
	return s.at.Add(15 * time.Second)
}
