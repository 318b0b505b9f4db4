package reader

import (
	"errors"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// Why a metric gives nothing.
type failure string

const (
	apiFailed        failure = "its API answers with an error"
	emptyList        failure = "its API answers with an empty list"
	notOne           failure = "its API answers with another number of values than one"
	noPods           failure = "no pod matches"
	podsUnlisted     failure = "the pods cannot be listed"
	lacksContainer   failure = "a sample lacks the container"
	gateOff          failure = "the gate HPAContainerMetrics is off"
	noneUsable       failure = "no sample is left"
	requestMissing   failure = "requests are missing"
	requestsZero     failure = "the requests add up to 0"
	noTarget         failure = "the target has no value"
	selectorInvalid  failure = "the selector is invalid"
	noPodsToMultiply failure = "no pod to multiply by"
)

var errContainer, errEmpty, errNotOne = errors.New("container"), errors.New("empty"), errors.New("not one")

// resourceSamples are those of GetResourceMetric in metrics/client.go.
func (w *World) resourceSamples(resource corev1.ResourceName, container string) (map[string]sample, error) {
	if w.PodMetrics.Err != nil {
		return nil, w.PodMetrics.Err
	}
	items := w.matchedSamples()
	if len(items) == 0 {
		return nil, errEmpty
	}
	out := map[string]sample{}
	for _, item := range items {
		sum, found := int64(0), container == "" && len(item.Containers) > 0
		named := container == ""
		for _, c := range item.Containers {
			usage, has := c.Usage[resource]
			if container != "" && c.Name != container {
				continue
			}
			if container != "" {
				sum, found, named = usage.MilliValue(), has, true
				break
			}
			sum, found = sum+usage.MilliValue(), found && has
		}
		if !named && w.Minor < 33 {
			return nil, errContainer
		}
		if found {
			out[item.Name] = sample{sum, item.Timestamp.Time, item.Window.Duration}
		}
	}
	return out, nil
}

// matchedSamples are the PodMetrics that the selector matches, by their own labels or by those of their pod.
func (w *World) matchedSamples() (out []metricsv1beta1.PodMetrics) {
	selector, err := labels.Parse(w.Scale.Status.Selector)
	if err != nil {
		return nil
	}
	for _, item := range w.PodMetrics.Items {
		if item.Namespace != "" && item.Namespace != w.HPA.Namespace {
			continue
		}
		set, known := labels.Set(item.Labels), len(item.Labels) > 0
		for _, pod := range w.Pods {
			if !known && pod.Name == item.Name && pod.Namespace == w.HPA.Namespace {
				set, known = pod.Labels, true
			}
		}
		if !known || selector.Matches(set) {
			out = append(out, item)
		}
	}
	return out
}

// podSamples are those of GetRawMetric in metrics/client.go.
func (w *World) podSamples(metric autoscalingv2.MetricIdentifier) (map[string]sample, error) {
	items, err := find(w.Custom, metric, nil)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, errEmpty
	}
	out := map[string]sample{}
	for _, item := range items {
		window := time.Minute
		if item.WindowSeconds != nil {
			window = time.Duration(*item.WindowSeconds) * time.Second
		}
		out[item.DescribedObject.Name] = sample{item.Value.MilliValue(), item.Timestamp.Time, window}
	}
	return out, nil
}

// find is the answer to the question of a metric.
func find[T any](queries []Query[T], metric autoscalingv2.MetricIdentifier, object *autoscalingv2.CrossVersionObjectReference) ([]T, error) {
	selector, err := metav1.LabelSelectorAsSelector(metric.Selector)
	if err != nil {
		return nil, err
	}
	for _, q := range queries {
		if q.Name == metric.Name && q.Selector == selector.String() && same(q.Object, object) {
			return q.Answer.Items, q.Answer.Err
		}
	}
	return nil, errEmpty
}

func same(a, b *autoscalingv2.CrossVersionObjectReference) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind == "Namespace" && b.Kind == "Namespace" {
		return true
	}
	return a.Kind == b.Kind && a.Name == b.Name && group(a.APIVersion) == group(b.APIVersion)
}

func group(apiVersion string) string {
	for i := range apiVersion {
		if apiVersion[i] == '/' {
			return apiVersion[:i]
		}
	}
	return ""
}
