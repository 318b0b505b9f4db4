package metrics

import (
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	custom "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	external "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
)

// customQuery is one question to custom.metrics.k8s.io; name "*" asks for all objects that are selected.
type customQuery struct {
	namespace, resource, name, metric string
	objects                           func(name string) bool
	series                            labels.Selector
}

// customValues returns the values asked for, and whether the metric is known at all.
func (s *State) customValues(query customQuery, now time.Time) (items []custom.MetricValue, known bool, err error) {
	items = []custom.MetricValue{}
	for _, value := range s.Custom {
		if value.Namespace != query.namespace || value.Resource != query.resource || value.Metric != query.metric {
			continue
		}
		known = true
		named := query.name == custom.AllObjects && query.objects(value.Name) || query.name == value.Name
		if !named || !query.series.Matches(labels.Set(value.Labels)) {
			continue
		}
		quantity, err := resource.ParseQuantity(value.Value)
		if err != nil {
			return nil, known, err
		}
		items = append(items, custom.MetricValue{
			DescribedObject: value.describes(),
			Metric:          custom.MetricIdentifier{Name: value.Metric, Selector: &metav1.LabelSelector{MatchLabels: value.Labels}},
			Timestamp:       metav1.NewTime(now),
			Value:           quantity,
		})
	}
	return items, known, nil
}

func (s *State) externalValues(namespace, metric string, series labels.Selector, now time.Time) ([]external.ExternalMetricValue, error) {
	items := []external.ExternalMetricValue{}
	for _, value := range s.External {
		if value.Namespace != namespace || value.Metric != metric || !series.Matches(labels.Set(value.Labels)) {
			continue
		}
		quantity, err := resource.ParseQuantity(value.Value)
		if err != nil {
			return nil, err
		}
		items = append(items, external.ExternalMetricValue{
			MetricName: metric, MetricLabels: value.Labels, Timestamp: metav1.NewTime(now), Value: quantity,
		})
	}
	return items, nil
}

// describes names the object; the kind is known for pods only, and the controller doesn't look at it.
func (c *Custom) describes() v1.ObjectReference {
	object := v1.ObjectReference{Namespace: c.Namespace, Name: c.Name}
	if c.Resource == "pods" {
		object.Kind, object.APIVersion = "Pod", "v1"
	}
	return object
}
