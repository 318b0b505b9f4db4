package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
	resourceclient "k8s.io/metrics/pkg/client/clientset/versioned/typed/metrics/v1beta1"
	"k8s.io/metrics/pkg/client/custom_metrics"
	"k8s.io/metrics/pkg/client/external_metrics"
)

// query is what a client is asked for; each looks at the parts that it has a use for.
type query struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Name       string `json:"name,omitempty"`
	Metric     string `json:"metric,omitempty"`
	// MetricSelector is the metric's own selector.
	MetricSelector *metav1.LabelSelector `json:"metricSelector,omitempty"`
	// Selector is the pods', in string form.
	Selector string `json:"selector,omitempty"`
}

const namespace = "shop"

var names = []string{"podMetrics", "scale", "podsMetric", "objectMetric", "externalMetric"}

// clients are set up as cmd/kube-controller-manager/app/autoscaling.go does it.
var clients = map[string]func(url string, q query) error{
	"podMetrics": func(url string, q query) error {
		client := resourceclient.NewForConfigOrDie(config(url))
		_, err := client.PodMetricses(namespace).List(context.TODO(), metav1.ListOptions{LabelSelector: selector(q.Selector).String()})
		return err
	},
	"scale": func(url string, q query) error {
		mapper := mapper(url)
		client, err := scale.NewForConfig(config(url), mapper, dynamic.LegacyAPIPathResolverFunc, nil)
		if err != nil {
			return err
		}
		version, err := schema.ParseGroupVersion(q.APIVersion)
		if err != nil {
			return err
		}
		mappings, err := mapper.RESTMappings(schema.GroupKind{Group: version.Group, Kind: q.Kind})
		if err != nil {
			return err
		}
		_, err = client.Scales(namespace).Get(context.TODO(), mappings[0].Resource.GroupResource(), q.Name, metav1.GetOptions{})
		return err
	},
	"podsMetric": func(url string, q query) error {
		_, err := custom(url).NamespacedMetrics(namespace).
			GetForObjects(schema.GroupKind{Kind: "Pod"}, selector(q.Selector), q.Metric, metricSelector(q.MetricSelector))
		return err
	},
	"objectMetric": func(url string, q query) error {
		kind := schema.FromAPIVersionAndKind(q.APIVersion, q.Kind).GroupKind()
		if kind.Kind == "Namespace" && kind.Group == "" {
			_, err := custom(url).RootScopedMetrics().GetForObject(kind, namespace, q.Metric, metricSelector(q.MetricSelector))
			return err
		}
		_, err := custom(url).NamespacedMetrics(namespace).GetForObject(kind, q.Name, q.Metric, metricSelector(q.MetricSelector))
		return err
	},
	"externalMetric": func(url string, q query) error {
		client := external_metrics.NewForConfigOrDie(config(url))
		_, err := client.NamespacedMetrics(namespace).List(q.Metric, metricSelector(q.MetricSelector))
		return err
	},
}

func custom(url string) custom_metrics.CustomMetricsClient {
	versions := custom_metrics.NewAvailableAPIsGetter(discovery.NewDiscoveryClientForConfigOrDie(config(url)))
	return custom_metrics.NewForConfig(config(url), mapper(url), versions)
}

// config speaks protobuf where it can, as kube-controller-manager does by default.
func config(url string) *rest.Config {
	return &rest.Config{Host: url, ContentConfig: rest.ContentConfig{ContentType: "application/vnd.kubernetes.protobuf"}}
}

func mapper(url string) *restmapper.DeferredDiscoveryRESTMapper {
	client := discovery.NewDiscoveryClientForConfigOrDie(config(url))
	return restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
}

// selector is the pods' selector.
func selector(text string) labels.Selector {
	parsed, err := labels.Parse(text)
	if err != nil {
		panic(err)
	}
	return parsed
}

// metricSelector is what the controller makes of a metric's selector.
func metricSelector(s *metav1.LabelSelector) labels.Selector {
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		panic(err)
	}
	return selector
}
