//go:build recorder

package podautoscaler

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	autoscalingclient "k8s.io/client-go/kubernetes/typed/autoscaling/v2"
	corelisters "k8s.io/client-go/listers/core/v1"
	scaleclient "k8s.io/client-go/scale"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
	"k8s.io/kubernetes/pkg/controller/util/selectors"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	resourceclient "k8s.io/metrics/pkg/client/clientset/versioned/typed/metrics/v1beta1"
	customclient "k8s.io/metrics/pkg/client/custom_metrics"
	externalclient "k8s.io/metrics/pkg/client/external_metrics"
)

// world is what the call under way read and wrote.
type world struct {
	scale                                           *autoscalingv1.Scale
	mappingErr, scaleErr, putScaleErr, putStatusErr error
	found, asked                                    *int32
	scaled                                          bool
	status                                          *autoscalingv2.HorizontalPodAutoscalerStatus
	events                                          []object
	pods                                            map[string]*v1.Pod
	podMetrics                                      object
	custom, external                                map[string]object
}

var seen world

// noted is what the call under way has seen, if this goroutine makes it; some of upstream's controllers go on when the
// next test runs.
func noted() *world {
	if underWay.Load() && holder.Load() == goroutine() {
		return &seen
	}
	return &world{}
}

// watch puts the recorder between a controller and its clients, once.
func (a *HorizontalController) watch() {
	if _, watched := a.scaleNamespacer.(watchedScales); watched {
		return
	}
	a.scaleNamespacer = watchedScales{a.scaleNamespacer}
	a.hpaNamespacer = watchedHPAs{a.hpaNamespacer}
	a.mapper = watchedMapper{a.mapper}
	a.eventRecorder = watchedEvents{a.eventRecorder}
	a.podLister = watchedPods{a.podLister}
	a.replicaCalc.podLister = watchedPods{a.replicaCalc.podLister}
}

type watchedMapper struct{ apimeta.RESTMapper }

func (m watchedMapper) RESTMappings(kind schema.GroupKind, versions ...string) ([]*apimeta.RESTMapping, error) {
	mappings, err := m.RESTMapper.RESTMappings(kind, versions...)
	noted().mappingErr = err
	return mappings, err
}

type watchedScales struct{ scaleclient.ScalesGetter }

func (s watchedScales) Scales(namespace string) scaleclient.ScaleInterface {
	return watchedScale{s.ScalesGetter.Scales(namespace)}
}

type watchedScale struct{ scaleclient.ScaleInterface }

func (s watchedScale) Get(ctx context.Context, resource schema.GroupResource, name string, options metav1.GetOptions) (*autoscalingv1.Scale, error) {
	scale, err := s.ScaleInterface.Get(ctx, resource, name, options)
	if noted().asked != nil {
		return scale, err // after a conflict
	}
	w := noted()
	if w.scaleErr = err; err == nil {
		w.scale = scale.DeepCopy()
		w.found = &w.scale.Spec.Replicas
	}
	return scale, err
}

func (s watchedScale) Update(ctx context.Context, resource schema.GroupResource, scale *autoscalingv1.Scale, options metav1.UpdateOptions) (*autoscalingv1.Scale, error) {
	asked := scale.Spec.Replicas
	noted().asked = &asked
	out, err := s.ScaleInterface.Update(ctx, resource, scale, options)
	w := noted()
	w.putScaleErr, w.scaled = err, err == nil
	return out, err
}

type watchedHPAs struct {
	autoscalingclient.HorizontalPodAutoscalersGetter
}

func (h watchedHPAs) HorizontalPodAutoscalers(namespace string) autoscalingclient.HorizontalPodAutoscalerInterface {
	return watchedHPA{h.HorizontalPodAutoscalersGetter.HorizontalPodAutoscalers(namespace)}
}

type watchedHPA struct {
	autoscalingclient.HorizontalPodAutoscalerInterface
}

func (h watchedHPA) UpdateStatus(ctx context.Context, hpa *autoscalingv2.HorizontalPodAutoscaler, options metav1.UpdateOptions) (*autoscalingv2.HorizontalPodAutoscaler, error) {
	w := noted()
	w.status = hpa.Status.DeepCopy()
	for i := range w.status.Conditions {
		w.status.Conditions[i].Message = sortedNames(w.status.Conditions[i].Message)
	}
	out, err := h.HorizontalPodAutoscalerInterface.UpdateStatus(ctx, hpa, options)
	noted().putStatusErr = err
	return out, err
}

type watchedEvents struct{ record.EventRecorder }

func (e watchedEvents) Event(about runtime.Object, kind, reason, message string) {
	w := noted()
	w.events = append(w.events, object{"type": kind, "reason": reason, "message": sortedNames(message)})
	e.EventRecorder.Event(about, kind, reason, message)
}

func (e watchedEvents) Eventf(about runtime.Object, kind, reason, format string, args ...any) {
	e.Event(about, kind, reason, fmt.Sprintf(format, args...))
}

// watchedPods lists pods by name: an error names the first of them, and in an informer they have no order.
type watchedPods struct{ corelisters.PodLister }

func (p watchedPods) Pods(namespace string) corelisters.PodNamespaceLister {
	return watchedNamespace{p.PodLister.Pods(namespace)}
}

type watchedNamespace struct{ corelisters.PodNamespaceLister }

func (p watchedNamespace) List(selector labels.Selector) ([]*v1.Pod, error) {
	pods, err := p.PodNamespaceLister.List(selector)
	slices.SortFunc(pods, func(a, b *v1.Pod) int { return strings.Compare(a.Name, b.Name) })
	noted().keep(pods)
	return pods, err
}

func (w *world) keep(pods []*v1.Pod) {
	if w.pods == nil {
		w.pods = map[string]*v1.Pod{}
	}
	for _, pod := range pods {
		w.pods[pod.Name] = pod.DeepCopy()
	}
}

// recordedMetricsClient stands before the metrics package's own constructor.
func recordedMetricsClient(resource resourceclient.PodMetricsesGetter, custom customclient.CustomMetricsClient, external externalclient.ExternalMetricsClient) metrics.MetricsClient {
	return metrics.NewRESTMetricsClient(watchedPodMetrics{resource}, watchedCustom{custom}, watchedExternal{external})
}

type watchedPodMetrics struct {
	resourceclient.PodMetricsesGetter
}

func (p watchedPodMetrics) PodMetricses(namespace string) resourceclient.PodMetricsInterface {
	return watchedPodMetric{p.PodMetricsesGetter.PodMetricses(namespace)}
}

type watchedPodMetric struct {
	resourceclient.PodMetricsInterface
}

func (p watchedPodMetric) List(ctx context.Context, options metav1.ListOptions) (*metricsv1beta1.PodMetricsList, error) {
	list, err := p.PodMetricsInterface.List(ctx, options)
	if err != nil {
		noted().podMetrics = object{"error": failure(err)}
	} else {
		noted().podMetrics = object{"items": append([]metricsv1beta1.PodMetrics{}, list.Items...)}
	}
	return list, err
}

func answered[T any](into *map[string]object, key string, items []T, err error) {
	if *into == nil {
		*into = map[string]object{}
	}
	if err != nil {
		(*into)[key] = object{"error": failure(err)}
		return
	}
	(*into)[key] = object{"items": append([]T{}, items...)}
}

type watchedCustom struct {
	customclient.CustomMetricsClient
}

func (c watchedCustom) RootScopedMetrics() customclient.MetricsInterface {
	return watchedCustomMetric{c.CustomMetricsClient.RootScopedMetrics()}
}

func (c watchedCustom) NamespacedMetrics(namespace string) customclient.MetricsInterface {
	return watchedCustomMetric{c.CustomMetricsClient.NamespacedMetrics(namespace)}
}

type watchedCustomMetric struct{ customclient.MetricsInterface }

func (c watchedCustomMetric) GetForObjects(kind schema.GroupKind, pods labels.Selector, name string, selector labels.Selector) (*customv1beta2.MetricValueList, error) {
	list, err := c.MetricsInterface.GetForObjects(kind, pods, name, selector)
	var items []customv1beta2.MetricValue
	if err == nil {
		items = list.Items
	}
	answered(&noted().custom, name, items, err)
	return list, err
}

func (c watchedCustomMetric) GetForObject(kind schema.GroupKind, of, name string, selector labels.Selector) (*customv1beta2.MetricValue, error) {
	value, err := c.MetricsInterface.GetForObject(kind, of, name, selector)
	var items []customv1beta2.MetricValue
	if err == nil {
		items = []customv1beta2.MetricValue{*value}
	}
	answered(&noted().custom, of+"/"+name, items, err)
	return value, err
}

type watchedExternal struct {
	externalclient.ExternalMetricsClient
}

func (e watchedExternal) NamespacedMetrics(namespace string) externalclient.MetricsInterface {
	return watchedExternalMetric{e.ExternalMetricsClient.NamespacedMetrics(namespace)}
}

type watchedExternalMetric struct {
	externalclient.MetricsInterface
}

func (e watchedExternalMetric) List(name string, selector labels.Selector) (*externalv1beta1.ExternalMetricValueList, error) {
	list, err := e.MetricsInterface.List(name, selector)
	var items []externalv1beta1.ExternalMetricValue
	if err == nil {
		items = list.Items
	}
	answered(&noted().external, name, items, err)
	return list, err
}

// otherHPAs are those whose selectors the controller has remembered, in whichever of its stores.
func otherHPAs(a *HorizontalController, own string) []object {
	out := []object{}
	add := func(key selectors.Key, selector labels.Selector) {
		if name := key.Namespace + "/" + key.Name; name == own || selector.String() == "" {
			return
		}
		out = append(out, object{
			"hpa":   object{"metadata": object{"namespace": key.Namespace, "name": key.Name}},
			"scale": object{"object": object{"status": object{"selector": selector.String()}}},
		})
	}
	walk(reflect.ValueOf(a).Elem(), add, 0)
	slices.SortFunc(out, func(a, b object) int { return strings.Compare(fmt.Sprint(a["hpa"]), fmt.Sprint(b["hpa"])) })
	return out
}

// walk looks for remembered selectors in the fields that have to do with them.
func walk(value reflect.Value, add func(selectors.Key, labels.Selector), depth int) {
	for value.Kind() == reflect.Pointer || value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	if value.Kind() != reflect.Struct || depth > 3 {
		return
	}
	for i := range value.NumField() {
		field, name := value.Field(i), value.Type().Field(i).Name
		if depth == 0 && name != "hpaSelectors" && name != "selectorTracker" {
			continue
		}
		if field.CanAddr() {
			field = reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem()
		}
		switch found := field.Interface().(type) {
		case map[string]map[selectors.Key]labels.Selector:
			for _, namespace := range found {
				for key, selector := range namespace {
					add(key, selector)
				}
			}
			continue
		}
		if name == "selectingObjects" {
			for _, key := range field.MapKeys() {
				it := field.MapIndex(key).Elem().FieldByName("selector")
				add(key.Interface().(selectors.Key), *(*labels.Selector)(it.Addr().UnsafePointer()))
			}
			continue
		}
		walk(field, add, depth+1)
	}
}
