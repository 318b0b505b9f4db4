package oracle

import (
	"context"
	"fmt"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	autoscalinginformers "k8s.io/client-go/informers/autoscaling/v2"
	coreinformers "k8s.io/client-go/informers/core/v1"
	autoscalingclient "k8s.io/client-go/kubernetes/typed/autoscaling/v2"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	autoscalinglisters "k8s.io/client-go/listers/autoscaling/v2"
	corelisters "k8s.io/client-go/listers/core/v1"
	scaleclient "k8s.io/client-go/scale"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	resourceclient "k8s.io/metrics/pkg/client/clientset/versioned/typed/metrics/v1beta1"
	customclient "k8s.io/metrics/pkg/client/custom_metrics"
	externalclient "k8s.io/metrics/pkg/client/external_metrics"
)

// world is what the controller sees through its clients: the case at hand. It also notes what the controller did.
type world struct {
	*compiled
	found   *int32 // the replicas that it read
	asked   *int32
	scaled  bool
	written *autoscalingv2.HorizontalPodAutoscalerStatus
	events  []Event
	refused error
}

// refuse notes that the controller asked for something that the case doesn't hold.
func (w *world) refuse(format string, args ...any) error {
	w.refused = fmt.Errorf(format, args...)
	return w.refused
}

// The REST mapper knows every kind: a case with a scale tells that the mapping was found.
type mapper struct {
	apimeta.RESTMapper
	w *world
}

func (m mapper) RESTMappings(gk schema.GroupKind, _ ...string) ([]*apimeta.RESTMapping, error) {
	if m.w.mappingErr != nil {
		return nil, m.w.mappingErr
	}
	gvk := gk.WithVersion("v1")
	plural, _ := apimeta.UnsafeGuessKindToResource(gvk)
	return []*apimeta.RESTMapping{{Resource: plural, GroupVersionKind: gvk, Scope: apimeta.RESTScopeNamespace}}, nil
}

type scales struct {
	scaleclient.ScaleInterface
	w *world
}

func (s scales) Scales(string) scaleclient.ScaleInterface { return s }

func (s scales) Get(context.Context, schema.GroupResource, string, metav1.GetOptions) (*autoscalingv1.Scale, error) {
	if s.w.scaleErr != nil {
		return nil, s.w.scaleErr
	}
	if s.w.scale == nil {
		return nil, s.w.refuse("the controller read the scale, which the case doesn't hold")
	}
	s.w.found = &s.w.scale.Spec.Replicas
	return s.w.scale.DeepCopy(), nil
}

func (s scales) Update(_ context.Context, _ schema.GroupResource, scale *autoscalingv1.Scale, _ metav1.UpdateOptions) (*autoscalingv1.Scale, error) {
	asked := scale.Spec.Replicas
	s.w.asked = &asked
	if s.w.putScale != nil {
		return nil, s.w.putScale
	}
	s.w.scaled = true
	return scale, nil
}

type hpaClient struct {
	autoscalingclient.HorizontalPodAutoscalerInterface
	w *world
}

func (h hpaClient) HorizontalPodAutoscalers(string) autoscalingclient.HorizontalPodAutoscalerInterface {
	return h
}

func (h hpaClient) UpdateStatus(_ context.Context, hpa *autoscalingv2.HorizontalPodAutoscaler, _ metav1.UpdateOptions) (*autoscalingv2.HorizontalPodAutoscaler, error) {
	h.w.written = hpa.Status.DeepCopy()
	if h.w.putStatus != nil {
		return nil, h.w.putStatus
	}
	return hpa, nil
}

type recorder struct{ w *world }

var _ record.EventRecorder = recorder{}

func (r recorder) Event(_ runtime.Object, kind, reason, message string) {
	r.w.events = append(r.w.events, Event{kind, reason, message})
}

func (r recorder) Eventf(object runtime.Object, kind, reason, format string, args ...any) {
	r.Event(object, kind, reason, fmt.Sprintf(format, args...))
}

func (r recorder) AnnotatedEventf(object runtime.Object, _ map[string]string, kind, reason, format string, args ...any) {
	r.Eventf(object, kind, reason, format, args...)
}

// The informers start nothing; the HPA informer hands over the controller's own handlers, which register an HPA.
type hpaInformer struct {
	cache.SharedIndexInformer
	handlers cache.ResourceEventHandler
}

var _ autoscalinginformers.HorizontalPodAutoscalerInformer = &hpaInformer{}

func (i *hpaInformer) Informer() cache.SharedIndexInformer                      { return i }
func (i *hpaInformer) HasSynced() bool                                          { return true }
func (i *hpaInformer) GetStore() cache.Store                                    { return cache.NewStore(cache.MetaNamespaceKeyFunc) }
func (i *hpaInformer) Lister() autoscalinglisters.HorizontalPodAutoscalerLister { return nil }

type podInformer struct {
	cache.SharedIndexInformer
	w *world
}

var _ coreinformers.PodInformer = podInformer{}

func (p podInformer) Informer() cache.SharedIndexInformer { return p }
func (p podInformer) HasSynced() bool                     { return true }
func (p podInformer) Lister() corelisters.PodLister       { return podLister{w: p.w} }

type podLister struct {
	corelisters.PodLister
	w *world
}

func (p podLister) Pods(namespace string) corelisters.PodNamespaceLister {
	return namespacedPods{w: p.w, namespace: namespace}
}

type namespacedPods struct {
	corelisters.PodNamespaceLister
	w         *world
	namespace string
}

// List keeps the order of the case, so that the pod which an error names is always the same.
func (p namespacedPods) List(selector labels.Selector) (out []*corev1.Pod, _ error) {
	if p.w.podsErr != nil {
		return nil, p.w.podsErr
	}
	for _, pod := range p.w.pods {
		if pod.Namespace == p.namespace && selector.Matches(labels.Set(pod.Labels)) {
			out = append(out, pod)
		}
	}
	return out, nil
}

type podMetrics struct {
	resourceclient.PodMetricsInterface
	w         *world
	namespace string
}

func (p podMetrics) PodMetricses(namespace string) resourceclient.PodMetricsInterface {
	return podMetrics{w: p.w, namespace: namespace}
}

func (p podMetrics) List(_ context.Context, options metav1.ListOptions) (*metricsv1beta1.PodMetricsList, error) {
	answer := p.w.podMetrics
	if answer == nil {
		return nil, p.w.refuse("the controller asked for podMetrics, which the case doesn't hold")
	}
	if answer.err != nil {
		return nil, answer.err
	}
	selector, err := labels.Parse(options.LabelSelector)
	if err != nil {
		return nil, p.w.refuse("podMetrics: %w", err)
	}
	out := &metricsv1beta1.PodMetricsList{}
	for _, item := range answer.items {
		if item.Namespace != "" && item.Namespace != p.namespace {
			continue
		}
		if set, known := p.labelsOf(&item); !known || selector.Matches(set) {
			out.Items = append(out.Items, item)
		}
	}
	return out, nil
}

// labelsOf are the sample's own labels, or else those of the pod of its name.
func (p podMetrics) labelsOf(item *metricsv1beta1.PodMetrics) (labels.Set, bool) {
	if len(item.Labels) > 0 {
		return item.Labels, true
	}
	for _, pod := range p.w.pods {
		if pod.Name == item.Name && pod.Namespace == p.namespace {
			return pod.Labels, true
		}
	}
	return nil, false
}

type customMetrics struct {
	w    *world
	root bool
}

var _ customclient.CustomMetricsClient = customMetrics{}

func (c customMetrics) RootScopedMetrics() customclient.MetricsInterface {
	return customMetrics{c.w, true}
}

func (c customMetrics) NamespacedMetrics(string) customclient.MetricsInterface {
	return customMetrics{c.w, false}
}

func (c customMetrics) GetForObjects(kind schema.GroupKind, _ labels.Selector, name string, selector labels.Selector) (*customv1beta2.MetricValueList, error) {
	for _, q := range c.w.custom {
		if q.object == nil && q.name == name && q.selector == selector.String() {
			return &customv1beta2.MetricValueList{Items: q.answer.items}, q.answer.err
		}
	}
	return nil, c.w.refuse("the controller asked for metric %q{%s} of %s, which the case doesn't hold", name, selector, kind)
}

func (c customMetrics) GetForObject(kind schema.GroupKind, object, name string, selector labels.Selector) (*customv1beta2.MetricValue, error) {
	for _, q := range c.w.custom {
		if q.object == nil || q.name != name || q.selector != selector.String() || !c.describes(q.object, kind, object) {
			continue
		}
		if q.answer.err != nil {
			return nil, q.answer.err
		}
		if n := len(q.answer.items); n != 1 {
			return nil, fmt.Errorf("the custom metrics API server returned %d results when we asked for exactly one", n)
		}
		return &q.answer.items[0], nil
	}
	return nil, c.w.refuse("the controller asked for metric %q{%s} of %s %s, which the case doesn't hold", name, selector, kind, object)
}

// describes tells whether a query of the case is about this object. A Namespace is asked for at the root, under the HPA's own
// namespace, whatever name the reference bears; all else is asked for within the namespace.
func (c customMetrics) describes(ref *autoscalingv2.CrossVersionObjectReference, kind schema.GroupKind, name string) bool {
	gvk := schema.FromAPIVersionAndKind(ref.APIVersion, ref.Kind)
	return gvk.GroupKind() == kind && c.root == (kind == schema.GroupKind{Kind: "Namespace"}) && (c.root || ref.Name == name)
}

type externalMetrics struct{ w *world }

var _ externalclient.ExternalMetricsClient = externalMetrics{}

func (e externalMetrics) NamespacedMetrics(string) externalclient.MetricsInterface { return e }

func (e externalMetrics) List(name string, selector labels.Selector) (*externalv1beta1.ExternalMetricValueList, error) {
	for _, q := range e.w.external {
		if q.name == name && q.selector == selector.String() {
			return &externalv1beta1.ExternalMetricValueList{Items: q.answer.items}, q.answer.err
		}
	}
	return nil, e.w.refuse("the controller asked for external metric %q{%s}, which the case doesn't hold", name, selector)
}

// noEvents takes the place of the API server's events.
type noEvents struct{ coreclient.EventInterface }

func (n noEvents) Events(string) coreclient.EventInterface { return n }

// metrics is the controller's own client over the APIs of this world.
func (w *world) metrics() metrics.MetricsClient {
	return metrics.NewRESTMetricsClient(podMetrics{w: w}, customMetrics{w: w}, externalMetrics{w: w})
}
