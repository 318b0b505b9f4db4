package e2e

import (
	"testing"

	autoscaling "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/metrics"
)

// Every kind of metric that doesn't come from the metrics server, in one HPA. The external one asks for the most.
func TestCustomAndExternalMetrics(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pods := w.deploy(3)
	w.Metrics.Update(func(state *metrics.State) {
		for _, pod := range pods {
			state.Custom = append(state.Custom, metrics.Custom{Namespace: w.namespace, Resource: "pods", Name: pod, Metric: "rps", Value: "8"})
		}
		state.Custom = append(state.Custom, metrics.Custom{Namespace: w.namespace, Resource: "services", Name: web, Metric: "hits", Value: "95"})
		state.External = append(state.External,
			metrics.External{Namespace: w.namespace, Metric: "queue", Labels: map[string]string{"topic": "orders"}, Value: "30"},
			metrics.External{Namespace: w.namespace, Metric: "queue", Labels: map[string]string{"topic": "mail"}, Value: "900"})
	})
	w.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Metrics = []autoscaling.MetricSpec{
			{Type: autoscaling.PodsMetricSourceType, Pods: &autoscaling.PodsMetricSource{
				Metric: autoscaling.MetricIdentifier{Name: "rps"}, Target: average("10"),
			}},
			{Type: autoscaling.ObjectMetricSourceType, Object: &autoscaling.ObjectMetricSource{
				DescribedObject: autoscaling.CrossVersionObjectReference{APIVersion: "v1", Kind: "Service", Name: web},
				Metric:          autoscaling.MetricIdentifier{Name: "hits"},
				Target:          autoscaling.MetricTarget{Type: autoscaling.ValueMetricType, Value: quantity("100")},
			}},
			{Type: autoscaling.ExternalMetricSourceType, External: &autoscaling.ExternalMetricSource{
				Metric: autoscaling.MetricIdentifier{Name: "queue", Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"topic": "orders"}}},
				Target: average("6"),
			}},
		}
	})
	w.settles(expectation{5, 5, []string{
		`{"type":"Pods","pods":{"metric":{"name":"rps"},"current":{"averageValue":"8"}}}`,
		`{"type":"Object","object":{"metric":{"name":"hits"},"current":{"value":"95"},"describedObject":{"kind":"Service","name":"web","apiVersion":"v1"}}}`,
		`{"type":"External","external":{"metric":{"name":"queue","selector":{"matchLabels":{"topic":"orders"}}},"current":{"averageValue":"6"}}}`,
	}, []string{
		readyForNewScale,
		// the first that asks for as much names the count: the two new pods have no rps and count as at the target
		"ScalingActive True ValidMetricFound the HPA was able to successfully calculate a replica count from pods metric rps",
		withinRange, notScaledToZero,
	}})
	w.agrees("settled")
}

func average(value string) autoscaling.MetricTarget {
	return autoscaling.MetricTarget{Type: autoscaling.AverageValueMetricType, AverageValue: quantity(value)}
}

func quantity(text string) *resource.Quantity {
	return new(resource.MustParse(text))
}
