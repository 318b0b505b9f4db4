package oracle

import (
	"context"
	"fmt"
	"io"
	"maps"
	"reflect"
	"time"
	"unsafe"

	"github.com/go-logr/logr"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/tools/record"
	"k8s.io/component-base/featuregate"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	_ "k8s.io/kubernetes/pkg/features" // old controllers read no gate themselves
)

// The reconcile itself is unexported; linkname.s lets this declaration stand without a body.
//
//go:linkname reconcileAutoscaler k8s.io/kubernetes/pkg/controller/podautoscaler.(*HorizontalController).reconcileAutoscaler
func reconcileAutoscaler(a *podautoscaler.HorizontalController, ctx context.Context, hpa *autoscalingv2.HorizontalPodAutoscaler, key string) error

// recommendation and scaleEvent have the memory layout of the controller's own types; checkLayout makes sure of it.
type recommendation struct {
	recommendation int32
	timestamp      time.Time
}

type scaleEvent struct {
	replicaChange int32
	timestamp     time.Time
	outdated      bool
}

// judge is one real controller and the world that it looks at.
type judge struct {
	controller *podautoscaler.HorizontalController
	world      *world
	informer   *hpaInformer
}

func silence() {
	klog.SetLogger(logr.Discard())
	klog.SetOutput(io.Discard)
	// The default handlers sleep, which would move the virtual clock.
	utilruntime.ErrorHandlers = nil
}

func newJudge() *judge {
	j := &judge{world: &world{}, informer: &hpaInformer{}}
	w := j.world
	j.controller = newController(w, j.informer)
	j.silenceQueue()
	setField[record.EventRecorder](j, "eventRecorder", recorder{w})
	checkLayout[recommendation](j, "recommendations")
	checkLayout[scaleEvent](j, "scaleUpEvents")
	checkLayout[scaleEvent](j, "scaleDownEvents")
	return j
}

// field reads an unexported field of the controller.
func field[T any](j *judge, name string) T { return *pointer[T](j, name) }

func setField[T any](j *judge, name string, value T) { *pointer[T](j, name) = value }

func pointer[T any](j *judge, name string) *T {
	f := reflect.ValueOf(j.controller).Elem().FieldByName(name)
	if want := reflect.TypeFor[T](); f.Type() != want {
		panic(fmt.Sprintf("field %s is a %s, not a %s", name, f.Type(), want))
	}
	return (*T)(f.Addr().UnsafePointer())
}

// checkLayout panics when T isn't laid out as the element type of the controller's map of that name.
func checkLayout[T any](j *judge, name string) {
	ours := reflect.TypeFor[T]()
	theirs := reflect.ValueOf(j.controller).Elem().FieldByName(name).Type().Elem().Elem()
	same := ours.NumField() == theirs.NumField()
	for i := 0; same && i < ours.NumField(); i++ {
		a, b := ours.Field(i), theirs.Field(i)
		same = a.Name == b.Name && a.Type == b.Type && a.Offset == b.Offset
	}
	if !same {
		panic(fmt.Sprintf("%s hold a %s of another layout than ours", name, theirs))
	}
}

// memoryOf is one of the controller's maps, seen with our element type.
func memoryOf[T any](j *judge, name string) map[string][]T {
	f := reflect.ValueOf(j.controller).Elem().FieldByName(name)
	return *(*map[string][]T)(unsafe.Pointer(f.UnsafeAddr()))
}

// configure puts the settings and the memory of a case into the controller.
func (j *judge) configure(c *compiled, key string) error {
	*j.world = world{compiled: c}
	setField(j, "downscaleStabilisationWindow", c.settings.downscale)
	setField(j, "replicaCalc", j.calculator(c.settings))
	j.configureContainerMetrics()
	return j.remember(&c.memory, key)
}

func (j *judge) remember(m *memoryFile, key string) error {
	recommendations := memoryOf[recommendation](j, "recommendations")
	clear(recommendations)
	for _, r := range m.Recommendations {
		at, err := time.Parse(time.RFC3339Nano, r.At)
		if err != nil {
			return fmt.Errorf("memory: %w", err)
		}
		recommendations[key] = append(recommendations[key], recommendation{r.Replicas, at})
	}
	for _, events := range []struct {
		name string
		in   []scaleEventFile
	}{{"scaleUpEvents", m.ScaleUpEvents}, {"scaleDownEvents", m.ScaleDownEvents}} {
		into := memoryOf[scaleEvent](j, events.name)
		clear(into)
		for _, e := range events.in {
			at, err := time.Parse(time.RFC3339Nano, e.At)
			if err != nil {
				return fmt.Errorf("memory: %w", err)
			}
			into[key] = append(into[key], scaleEvent{e.Change, at, e.Outdated})
		}
	}
	return nil
}

func (j *judge) recall(key string) memoryFile {
	out := memoryFile{
		Recommendations: []recommendationFile{},
		ScaleUpEvents:   []scaleEventFile{},
		ScaleDownEvents: []scaleEventFile{},
	}
	for _, r := range memoryOf[recommendation](j, "recommendations")[key] {
		out.Recommendations = append(out.Recommendations, recommendationFile{r.recommendation, stamp(r.timestamp)})
	}
	for _, e := range memoryOf[scaleEvent](j, "scaleUpEvents")[key] {
		out.ScaleUpEvents = append(out.ScaleUpEvents, scaleEventFile{e.replicaChange, stamp(e.timestamp), e.outdated})
	}
	for _, e := range memoryOf[scaleEvent](j, "scaleDownEvents")[key] {
		out.ScaleDownEvents = append(out.ScaleDownEvents, scaleEventFile{e.replicaChange, stamp(e.timestamp), e.outdated})
	}
	return out
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// register makes the controller know the HPA and the others with their selectors; forget undoes it.
func (j *judge) register(c *compiled) {
	j.informer.added(c.hpa)
	for _, other := range c.others {
		j.informer.added(other.object)
		j.rememberSelector(other.object.Namespace, other.object.Name, other.selector)
	}
}

func (j *judge) forget(c *compiled) {
	j.informer.handlers.OnDelete(c.hpa)
	for _, other := range c.others {
		j.informer.handlers.OnDelete(other.object)
	}
}

// gates keeps the process-wide feature gates as the case at hand wants them.
type gates struct {
	wanted, changed map[string]bool
}

// set brings every gate to the wanted value or to its default. Gates that depend on one that is switched off go off
// with it, as the component would not start otherwise.
func (g *gates) set(wanted map[string]bool) error {
	if maps.Equal(g.wanted, wanted) {
		return nil
	}
	all := utilfeature.DefaultMutableFeatureGate.GetAll()
	next := map[string]bool{}
	for name := range g.changed {
		next[name] = all[featuregate.Feature(name)].Default
	}
	changed := map[string]bool{}
	for name, value := range wanted {
		if _, found := all[featuregate.Feature(name)]; !found {
			return fmt.Errorf("this version has no feature gate %s", name)
		}
		if !value {
			switchOffDependents(changed, featuregate.Feature(name))
		}
		changed[name] = value
	}
	maps.Copy(next, changed)
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(next); err != nil {
		return err
	}
	g.wanted, g.changed = maps.Clone(wanted), changed
	return nil
}
