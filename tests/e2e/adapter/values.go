package adapter

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	custom "k8s.io/metrics/pkg/apis/custom_metrics"
	external "k8s.io/metrics/pkg/apis/external_metrics"
	library "sigs.k8s.io/custom-metrics-apiserver/pkg/provider"
	"sigs.k8s.io/custom-metrics-apiserver/pkg/provider/helpers"

	"kubectl-hpa.local/e2e/metrics"
)

func about(value metrics.Custom) library.CustomMetricInfo {
	return library.CustomMetricInfo{
		GroupResource: schema.ParseGroupResource(value.Resource), Namespaced: value.Resource != "namespaces", Metric: value.Metric,
	}
}

// GetMetricByName is the question for one object.
func (p *provider) GetMetricByName(
	ctx context.Context, name types.NamespacedName, info library.CustomMetricInfo, series labels.Selector,
) (*custom.MetricValue, error) {
	values, err := p.custom(ctx, name.Namespace, []string{name.Name}, info, series)
	if err != nil {
		return nil, err
	}
	if len(values) == 0 {
		return nil, library.NewMetricNotFoundForError(info.GroupResource, info.Metric, name.Name)
	}
	return &values[0], nil
}

// GetMetricBySelector is the question for all objects with some labels; they are looked up in the cluster.
func (p *provider) GetMetricBySelector(
	ctx context.Context, namespace string, objects labels.Selector, info library.CustomMetricInfo, series labels.Selector,
) (*custom.MetricValueList, error) {
	names, err := helpers.ListObjectNames(p.mapper, p.client, namespace, objects, info)
	if err != nil {
		return nil, err
	}
	values, err := p.custom(ctx, namespace, names, info, series)
	if err != nil {
		return nil, err
	}
	return &custom.MetricValueList{Items: values}, nil
}

func (p *provider) custom(
	ctx context.Context, namespace string, names []string, info library.CustomMetricInfo, series labels.Selector,
) (found []custom.MetricValue, err error) {
	state, err := p.state(ctx, custom.GroupName, namespace)
	if err != nil {
		return nil, err
	}
	wanted, known := map[string]bool{}, false
	for _, name := range names {
		wanted[name] = true
	}
	for _, value := range state.Custom {
		if value.Namespace != namespace || about(value).GroupResource != info.GroupResource || value.Metric != info.Metric {
			continue
		}
		known = true
		if !wanted[value.Name] || !series.Matches(labels.Set(value.Labels)) {
			continue
		}
		answer, err := p.describe(value, info)
		if err != nil {
			return nil, err
		}
		found = append(found, answer)
	}
	if !known {
		return nil, library.NewMetricNotFoundError(info.GroupResource, info.Metric)
	}
	return found, nil
}

func (p *provider) describe(value metrics.Custom, info library.CustomMetricInfo) (answer custom.MetricValue, err error) {
	object, err := helpers.ReferenceFor(p.mapper, types.NamespacedName{Namespace: value.Namespace, Name: value.Name}, info)
	if err != nil {
		return answer, err
	}
	quantity, err := resource.ParseQuantity(value.Value)
	return custom.MetricValue{
		DescribedObject: object, Timestamp: now(), Value: quantity,
		Metric: custom.MetricIdentifier{Name: value.Metric, Selector: &metav1.LabelSelector{MatchLabels: value.Labels}},
	}, err
}

// GetExternalMetric returns each series of a metric; of a metric that isn't there, none.
func (p *provider) GetExternalMetric(
	ctx context.Context, namespace string, series labels.Selector, info library.ExternalMetricInfo,
) (*external.ExternalMetricValueList, error) {
	state, err := p.state(ctx, external.GroupName, namespace)
	if err != nil {
		return nil, err
	}
	list := &external.ExternalMetricValueList{}
	for _, value := range state.External {
		if value.Namespace != namespace || value.Metric != info.Metric || !series.Matches(labels.Set(value.Labels)) {
			continue
		}
		quantity, err := resource.ParseQuantity(value.Value)
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, external.ExternalMetricValue{
			MetricName: value.Metric, MetricLabels: value.Labels, Timestamp: now(), Value: quantity,
		})
	}
	return list, nil
}

// now is the time of every value: whole seconds, as the API prints them.
func now() metav1.Time { return metav1.NewTime(time.Now().Truncate(time.Second)) }
