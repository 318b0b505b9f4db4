package e2e

import (
	"net/http"
	"testing"

	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	custom "k8s.io/metrics/pkg/apis/custom_metrics"
	external "k8s.io/metrics/pkg/apis/external_metrics"

	"kubectl-hpa.local/e2e/metrics"
)

// Every source with every type of target that it may have, each in an HPA of its own over three pods.
func TestSources(t *testing.T) {
	t.Parallel()
	percent := func(value int32) autoscaling.MetricTarget {
		return autoscaling.MetricTarget{Type: autoscaling.UtilizationMetricType, AverageUtilization: &value}
	}
	for name, step := range map[string]struct {
		metric autoscaling.MetricSpec
		end    int32 // of 285m of cpu, 64 MiB a pod, 16 rps a pod, 45 hits, 27 in the queue
	}{
		"resource-utilization":           {resourceMetric(v1.ResourceCPU, percent(50)), 6},
		"resource-average-value":         {resourceMetric(v1.ResourceCPU, average("50m")), 6},
		"memory-utilization":             {resourceMetric(v1.ResourceMemory, percent(48)), 3},
		"memory-average-value":           {resourceMetric(v1.ResourceMemory, average("10Mi")), 12},
		"container-resource-utilization": {containerCPU(percent(50)), 6},
		"container-resource-average":     {containerCPU(average("50m")), 6},
		"pods-average-value":             {podsMetric("rps", average("8")), 6},
		"object-value":                   {objectMetric("hits", value("44")), 3},
		"object-average-value":           {objectMetric("hits", average("9")), 5},
		"external-value":                 {externalMetric("queue", value("26")), 3},
		"external-average-value":         {externalMetric("queue", average("4")), 7},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.start(3, "285m")
			w.publish("rps", "16", "hits", "45", "queue", "27")
			w.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
				spec.Metrics = []autoscaling.MetricSpec{step.metric}
			})
			w.settles(expectation{step.end, step.end, nil, nil})
			w.agrees("settled")
		})
	}
}

// Every kind of metric that doesn't come from the metrics server, in one HPA. The external one asks for the most.
func TestCustomAndExternalMetrics(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.deploy(3)
	w.publish("rps", "8", "hits", "95", "queue", "30")
	w.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Metrics = []autoscaling.MetricSpec{
			podsMetric("rps", average("10")), objectMetric("hits", value("100")), externalMetric("queue", average("6")),
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

// One metric of two can't be read: it doesn't keep the other from scaling up, but it does from scaling down.
func TestOneBrokenMetric(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(3, "285m")
	w.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Metrics = append(spec.Metrics, externalMetric("queue", average("6")))
		spec.Behavior = down(window(0))
	})
	w.settles(expectation{6, 6, nil, nil})
	w.agrees("up-allowed")
	w.share("120m")
	w.settles(expectation{6, 6, nil, nil})
	w.agrees("down-blocked")
}

// The other two APIs fail in the words of whoever serves them.
func TestFailingAdapter(t *testing.T) {
	t.Parallel()
	for name, step := range map[string]struct {
		metric autoscaling.MetricSpec
		answer *metrics.Error
		reason string
	}{
		"external-broken": {externalMetric("queue", average("6")), &metrics.Error{API: external.GroupName, Code: http.StatusInternalServerError,
			Reason: metav1.StatusReasonInternalError, Message: "the queue is gone"}, "FailedGetExternalMetric"},
		"external-forbidden": {externalMetric("queue", average("6")), &metrics.Error{API: external.GroupName, Code: http.StatusForbidden,
			Reason: metav1.StatusReasonForbidden, Message: "nobody may look"}, "FailedGetExternalMetric"},
		"external-unknown": {externalMetric("unheard-of", average("6")), nil, "FailedGetExternalMetric"},
		"custom-broken": {podsMetric("rps", average("8")), &metrics.Error{API: custom.GroupName, Code: http.StatusServiceUnavailable,
			Reason: metav1.StatusReasonServiceUnavailable, Message: "try again"}, "FailedGetPodsMetric"},
		"custom-unknown": {objectMetric("unheard-of", value("8")), nil, "FailedGetObjectMetric"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.deploy(2)
			w.publish("rps", "16", "hits", "45", "queue", "27")
			if step.answer != nil {
				w.fail(*step.answer)
			}
			w.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
				spec.Metrics = []autoscaling.MetricSpec{step.metric}
			})
			w.settles(expectation{2, 0, nil, []string{gotScale, "ScalingActive False " + step.reason}})
			w.agrees("failing")
		})
	}
}

// publish sets the metrics of the pods there are (rps), of the Service web (hits) and of two topics (queue), the
// second of which nobody asks for.
func (w *world) publish(pairs ...string) {
	w.Helper()
	pods := w.pods(web)
	w.Metrics.Update(func(state *metrics.State) {
		state.Forget(w.namespace)
		for i := 0; i < len(pairs); i += 2 {
			metric, value := pairs[i], pairs[i+1]
			switch metric {
			case "rps":
				for _, pod := range pods {
					state.Custom = append(state.Custom, metrics.Custom{Namespace: w.namespace, Resource: "pods", Name: pod.Name, Metric: metric, Value: value})
				}
			case "hits":
				state.Custom = append(state.Custom, metrics.Custom{Namespace: w.namespace, Resource: "services", Name: web, Metric: metric, Value: value})
			case "queue":
				state.External = append(state.External,
					metrics.External{Namespace: w.namespace, Metric: metric, Labels: map[string]string{"topic": "orders"}, Value: value},
					metrics.External{Namespace: w.namespace, Metric: metric, Labels: map[string]string{"topic": "mail"}, Value: "900"})
			}
		}
	})
}
