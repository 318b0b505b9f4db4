// Package reader judges whether the claims of a decision are true: over the API objects of its case and over what the
// real controller decided. It follows tests/claims.md and upstream's source only.
package reader

import (
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// World is a case: the API objects, the settings of the controller and what it remembers.
type World struct {
	Minor                                 int
	At                                    time.Time
	Tolerance                             float64
	Downscale, Initialization, ReadyDelay time.Duration
	Gates                                 map[string]bool // those that are given
	Memory                                Memory
	HPA                                   *autoscalingv2.HorizontalPodAutoscaler
	Scale                                 *autoscalingv1.Scale
	MappingErr, ScaleErr, PodsErr         error
	Pods                                  []*corev1.Pod
	PodMetrics                            Answer[metricsv1beta1.PodMetrics]
	Custom                                []Query[customv1beta2.MetricValue]
	External                              []Query[externalv1beta1.ExternalMetricValue]
	Others                                []Other
	Sidecars                              map[string][]string // by pod: also where the release does not know them yet
	Controller                            Controller
	Rescales                              []Rescale
	PutScale                              error
	// Decide runs the real controller on a world, which may be a changed copy of this one.
	Decide func(*World) (*Outcome, error)
	// Simulate does so after changes that a person types, each a flag and its value.
	Simulate func(w *World, flags [][2]string) (*Outcome, error)
}

// Answer is what an API returned.
type Answer[T any] struct {
	Items []T
	Err   error
}

// Query is a question to a metrics API with its answer.
type Query[T any] struct {
	Name, Selector string
	Object         *autoscalingv2.CrossVersionObjectReference
	Answer         Answer[T]
}

// Controller is what the case shows of kube-controller-manager.
type Controller struct {
	LeftOut   bool // by --controllers
	Holder    string
	Renewed   time.Time // zero if there is no Lease
	Lasts     time.Duration
	Unelected []string
	Started   time.Time
}

// Rescale is an event of one.
type Rescale struct {
	At      time.Time
	Message string
}

// Other is another HPA with the selector that the controller remembers of it.
type Other struct {
	Namespace, Name string
	Selector        labels.Selector
	Target          autoscalingv2.CrossVersionObjectReference
}

// Memory is what the controller keeps of an HPA.
type Memory struct {
	Recommendations []Recommendation
	Ups, Downs      []Change
}

// Recommendation is one of them, with its instant.
type Recommendation struct {
	Replicas int32
	At       time.Time
}

// Change is a scale event.
type Change struct {
	Replicas int32
	At       time.Time
}

// Outcome is what the real controller did. Panic is empty unless it panicked.
type Outcome struct {
	Desired  *int32
	Rescaled bool
	Status   autoscalingv2.HorizontalPodAutoscalerStatus
	Events   []string // reason and message
	Memory   Memory
	Error    string
	Panic    string
}

// Decision is what the program printed: its claims by part, and the replicas where it knows them, or between which they are.
// Then and Check have one claim at most, Guess the reason in it. Causes have no texts. Open tells that it does not know the controller's memory. The
// texts of claims are not held against their values if it is unworded.
type Decision struct {
	Desired, Lowest, Highest                                   *int32
	Claims, Then, Because, Notes, Basis, Outlook, Check, Guess []map[string]any
	Advice, Causes, Listed                                     []map[string]any
	Open, Unworded                                             bool
}

// condition is the reason and status of one type; both are empty if it is missing.
func (o *Outcome) condition(kind autoscalingv2.HorizontalPodAutoscalerConditionType) (reason string, status corev1.ConditionStatus) {
	for _, c := range o.Status.Conditions {
		if c.Type == kind {
			return c.Reason, c.Status
		}
	}
	return "", ""
}

// gate tells whether a feature gate is on, by the defaults of the minor.
func (w *World) gate(name string) bool {
	if value, given := w.Gates[name]; given {
		return value
	}
	switch name {
	case "HPAScaleToZero":
		return w.Minor >= 37
	case "HPAConfigurableTolerance":
		return w.Minor >= 35
	case "PodLevelResources":
		return w.Minor >= 34
	case "HPAContainerMetrics":
		return w.Minor >= 27
	}
	return false
}

// copied is a world whose HPA and scale may be changed.
func (w *World) copied() *World {
	out := *w
	out.HPA = w.HPA.DeepCopy()
	if w.Scale != nil {
		out.Scale = w.Scale.DeepCopy()
	}
	return &out
}

func (w *World) current() int32 {
	if w.Scale == nil {
		return 0
	}
	return w.Scale.Spec.Replicas
}

func (w *World) min() int32 {
	if w.HPA.Spec.MinReplicas == nil {
		return 1
	}
	return *w.HPA.Spec.MinReplicas
}

func (w *World) max() int32 { return w.HPA.Spec.MaxReplicas }

// matched are the pods of the selector; ok is false if it is missing or invalid, or the pods can't be listed.
func (w *World) matched() (out []*corev1.Pod, ok bool) {
	if w.Scale == nil || w.Scale.Status.Selector == "" || w.PodsErr != nil {
		return nil, false
	}
	selector, err := labels.Parse(w.Scale.Status.Selector)
	if err != nil {
		return nil, false
	}
	for _, pod := range w.Pods {
		if pod.Namespace == w.HPA.Namespace && selector.Matches(labels.Set(pod.Labels)) {
			out = append(out, pod)
		}
	}
	return out, true
}

func ignored(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp != nil || pod.Status.Phase == corev1.PodFailed
}
