//go:build recorder

// Package podautoscaler: `../run upstream` puts this file into a copy of upstream's package, with its tests, and runs them.
// Every reconcile, and every call of a function that upstream's tables test by itself, is written down as a case with what
// came of it. The copy is edited by `prepare`: the functions below stand before the real ones, whose names begin with
// `real`, and both sides read a clock that stands still during a call.
package podautoscaler

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
)

type object = map[string]any

var (
	recording    sync.Mutex
	counting     sync.Mutex
	underWay     atomic.Bool
	holder       atomic.Value // the goroutine whose call is under way
	passing      sync.Map     // goroutines whose reconcile is not written down
	frozen       time.Time
	recordedTest atomic.Value
	written      = map[string]int{}
)

// most is how often one test's calls of a function are written down.
const most = 20

// recordedNow is the clock of the copy, in whole seconds, as API objects have them.
func recordedNow() time.Time {
	if underWay.Load() {
		return frozen
	}
	return time.Now().Truncate(time.Second)
}

// begin starts a call and tells whether it is one inside another, which is not written down.
func begin() (inside bool) {
	if _, passes := passing.Load(goroutine()); passes || underWay.Load() && holder.Load() == goroutine() {
		return true
	}
	enter()
	return false
}

// enter waits for the calls of other goroutines: several workers reconcile at once.
func enter() {
	recording.Lock()
	holder.Store(goroutine())
	frozen = time.Now().Truncate(time.Second)
	seen = world{}
	underWay.Store(true)
}

// goroutine is the name of the running one.
func goroutine() string {
	text := make([]byte, 32)
	text = text[:runtime.Stack(text, false)]
	return strings.Join(strings.Fields(string(text))[:2], " ")
}

func end() {
	underWay.Store(false)
	recording.Unlock()
}

// isLeftOver tells whether an HPA is one of those that TestMultipleHPAs goes on to reconcile when the next tests run.
func isLeftOver(hpa *autoscalingv2.HorizontalPodAutoscaler) bool {
	test, _ := recordedTest.Load().(string)
	return hpa.Namespace == "dummy-namespace" && test != "TestMultipleHPAs"
}

func enough(call string) bool {
	counting.Lock()
	defer counting.Unlock()
	test, _ := recordedTest.Load().(string)
	if call == "reconcile" {
		return written[test+call] >= 3 // some tests reconcile until they are stopped
	}
	return written[test+call] >= most
}

// note writes one line down.
func note(call string, recorded object, outcome object) {
	test, _ := recordedTest.Load().(string)
	line := object{"test": test, "call": call, "case": recorded, "outcome": outcome}
	if scaleUpLimitFactor != 2 {
		line["scaleUpFactor"] = scaleUpLimitFactor
	}
	if enough(call) {
		return
	}
	counting.Lock()
	written[test+call]++
	counting.Unlock()
	out, err := os.OpenFile(os.Getenv("RECORDED"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer out.Close()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(line); err != nil {
		panic(err)
	}
	out.Write(text.Bytes())
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// failure is an error as a case holds it.
func failure(err error) object {
	out := object{"code": 500, "message": err.Error()}
	if status, ok := err.(apierrors.APIStatus); ok {
		out["code"], out["reason"] = status.Status().Code, status.Status().Reason
	}
	return out
}

// envelope is a case without an HPA.
func envelope(tolerance float64, c *ReplicaCalculator, downscale time.Duration) object {
	controller := object{
		"version":   object{"value": "v" + os.Getenv("RELEASE")},
		"tolerance": object{"value": tolerance}, "downscaleStabilization": object{"value": downscale.String()},
	}
	if c != nil {
		controller["cpuInitializationPeriod"] = object{"value": c.cpuInitializationPeriod.String()}
		controller["initialReadinessDelay"] = object{"value": c.delayOfInitialReadinessStatus.String()}
	}
	gates := object{}
	all := utilfeature.DefaultMutableFeatureGate.GetAll()
	for _, name := range []string{"HPAScaleToZero", "HPAConfigurableTolerance", "PodLevelResources", "HPAOptimizedSelectorStore", "HPAGeneration"} {
		gate := featuregate.Feature(name)
		if spec, known := all[gate]; known && utilfeature.DefaultFeatureGate.Enabled(gate) != spec.Default {
			gates[name] = object{"value": !spec.Default}
		}
	}
	if len(gates) > 0 {
		controller["featureGates"] = gates
	}
	return object{"apiVersion": "kubectl-hpa/v1", "kind": "Case", "at": stamp(frozen), "controller": controller}
}

func asWritten(hpa *autoscalingv2.HorizontalPodAutoscaler) *autoscalingv2.HorizontalPodAutoscaler {
	out := hpa.DeepCopy()
	out.APIVersion, out.Kind = "autoscaling/v2", "HorizontalPodAutoscaler"
	return out
}

func recommendationsOf(all []timestampedRecommendation) []object {
	out := []object{}
	for _, r := range all {
		out = append(out, object{"replicas": r.recommendation, "at": stamp(r.timestamp)})
	}
	return out
}

func eventsOf(all []timestampedScaleEvent) []object {
	out := []object{}
	for _, e := range all {
		out = append(out, object{"change": e.replicaChange, "at": stamp(e.timestamp), "outdated": e.outdated})
	}
	return out
}

func (a *HorizontalController) memoryOf(key string) object {
	return object{
		"recommendations": recommendationsOf(a.recommendations[key]),
		"scaleUpEvents":   eventsOf(a.scaleUpEvents[key]),
		"scaleDownEvents": eventsOf(a.scaleDownEvents[key]),
	}
}

// reconcileAutoscaler stands before the real one.
func (a *HorizontalController) reconcileAutoscaler(ctx context.Context, hpa *autoscalingv2.HorizontalPodAutoscaler, key string) error {
	if enough("reconcile") || isLeftOver(hpa) {
		passing.Store(goroutine(), true)
		defer passing.Delete(goroutine())
		return a.realReconcileAutoscaler(ctx, hpa, key)
	}
	enter()
	defer end()
	a.watch()
	if kept, found := a.recommendations[key]; found && len(kept) == 0 {
		// An empty list that is there is how tests keep the controller from adding the current count to it. No
		// controller has one; an old recommendation does the same.
		a.recommendations[key] = []timestampedRecommendation{{1, frozen.Add(-24 * time.Hour)}}
	}
	recorded := envelope(a.tolerance, a.replicaCalc, a.downscaleStabilisationWindow)
	recorded["hpa"], recorded["memory"] = asWritten(hpa), a.memoryOf(key)
	if others := otherHPAs(a, key); len(others) > 0 {
		recorded["otherHPAs"] = others
	}
	before := hpa.Status.DeepCopy()
	err := a.realReconcileAutoscaler(ctx, hpa, key)
	seen.fill(recorded, hpa.Namespace, hpa.Spec.Metrics)
	outcome := object{
		"desiredReplicas": seen.found, "rescaled": seen.scaled, "status": before, "statusChanged": seen.status != nil,
		"events": append([]object{}, seen.events...), "memory": a.memoryOf(key),
	}
	if seen.asked != nil {
		outcome["desiredReplicas"] = *seen.asked
	}
	if seen.status != nil {
		outcome["status"] = seen.status
	}
	if err != nil {
		outcome["error"] = sortedNames(err.Error())
	}
	note("reconcile", recorded, outcome)
	return err
}

// fill puts into a case what was read.
func (w *world) fill(recorded object, namespace string, metrics []autoscalingv2.MetricSpec) {
	switch {
	case w.mappingErr != nil:
		failed := failure(w.mappingErr)
		failed["stage"] = "Mapping"
		recorded["scale"] = object{"error": failed}
	case w.scaleErr != nil:
		recorded["scale"] = object{"error": failure(w.scaleErr)}
	case w.scale != nil:
		recorded["scale"] = object{"object": w.scale}
	}
	pods := []v1.Pod{}
	for _, name := range slices.Sorted(maps.Keys(w.pods)) {
		pods = append(pods, *spoken(w.pods[name]))
	}
	recorded["pods"] = object{"items": pods}
	if w.podMetrics != nil {
		recorded["podMetrics"] = w.podMetrics
	}
	custom, external := []object{}, []object{}
	for _, m := range metrics {
		query := object{}
		var answer object
		switch {
		case m.Type == autoscalingv2.PodsMetricSourceType && m.Pods != nil:
			query["metric"], answer = m.Pods.Metric, w.custom[m.Pods.Metric.Name]
		case m.Type == autoscalingv2.ObjectMetricSourceType && m.Object != nil:
			query["metric"], query["describedObject"] = m.Object.Metric, m.Object.DescribedObject
			answer = w.custom[m.Object.DescribedObject.Name+"/"+m.Object.Metric.Name]
		case m.Type == autoscalingv2.ExternalMetricSourceType && m.External != nil:
			query["metric"], answer = m.External.Metric, w.external[m.External.Metric.Name]
		}
		if answer == nil {
			continue
		}
		entry := object{"query": query}
		maps.Copy(entry, answer)
		if m.Type == autoscalingv2.ExternalMetricSourceType {
			external = append(external, entry)
		} else {
			custom = append(custom, entry)
		}
	}
	if len(custom) > 0 {
		recorded["customMetrics"] = custom
	}
	if len(external) > 0 {
		recorded["externalMetrics"] = external
	}
	if w.putScaleErr != nil || w.putStatusErr != nil {
		writes := object{}
		if w.putScaleErr != nil {
			writes["scale"] = object{"error": failure(w.putScaleErr)}
		}
		if w.putStatusErr != nil {
			writes["status"] = object{"error": failure(w.putStatusErr)}
		}
		recorded["writes"] = writes
	}
}

// spoken is a pod whose start time has a notation: that of zero is null, as if it had none.
func spoken(pod *v1.Pod) *v1.Pod {
	if start := pod.Status.StartTime; start != nil && start.IsZero() {
		pod.Status.StartTime = &metav1.Time{Time: time.Unix(0, 0)}
	}
	return pod
}

func scaleOf(current, status int32, selector labels.Selector) *autoscalingv1.Scale {
	text := "name=any"
	if selector != nil && selector.String() != "" {
		text = selector.String()
	}
	return &autoscalingv1.Scale{
		Spec:   autoscalingv1.ScaleSpec{Replicas: current},
		Status: autoscalingv1.ScaleStatus{Replicas: status, Selector: text},
	}
}

// sortedNames puts the HPAs of an ambiguous selector in order: the controller names them in a random one.
func sortedNames(text string) string {
	for _, start := range []string{"(e.g. [", "multiple HPAs: ["} {
		before, rest, found := strings.Cut(text, start)
		names, after, closed := strings.Cut(rest, "]")
		if found && closed {
			all := strings.Fields(names)
			slices.Sort(all)
			return before + start + strings.Join(all, " ") + "]" + sortedNames(after)
		}
	}
	return text
}
