package e2e

import (
	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func cpuUtilization(percent int32) autoscaling.MetricSpec {
	return resourceMetric(v1.ResourceCPU, autoscaling.MetricTarget{Type: autoscaling.UtilizationMetricType, AverageUtilization: &percent})
}

func resourceMetric(name v1.ResourceName, target autoscaling.MetricTarget) autoscaling.MetricSpec {
	return autoscaling.MetricSpec{
		Type: autoscaling.ResourceMetricSourceType, Resource: &autoscaling.ResourceMetricSource{Name: name, Target: target},
	}
}

func containerCPU(target autoscaling.MetricTarget) autoscaling.MetricSpec {
	return autoscaling.MetricSpec{
		Type:              autoscaling.ContainerResourceMetricSourceType,
		ContainerResource: &autoscaling.ContainerResourceMetricSource{Name: v1.ResourceCPU, Container: "web", Target: target},
	}
}

func podsMetric(name string, target autoscaling.MetricTarget) autoscaling.MetricSpec {
	return autoscaling.MetricSpec{
		Type: autoscaling.PodsMetricSourceType,
		Pods: &autoscaling.PodsMetricSource{Metric: autoscaling.MetricIdentifier{Name: name}, Target: target},
	}
}

func objectMetric(name string, target autoscaling.MetricTarget) autoscaling.MetricSpec {
	return autoscaling.MetricSpec{
		Type: autoscaling.ObjectMetricSourceType,
		Object: &autoscaling.ObjectMetricSource{
			DescribedObject: autoscaling.CrossVersionObjectReference{APIVersion: "v1", Kind: "Service", Name: web},
			Metric:          autoscaling.MetricIdentifier{Name: name},
			Target:          target,
		},
	}
}

func externalMetric(name string, target autoscaling.MetricTarget) autoscaling.MetricSpec {
	orders := &metav1.LabelSelector{MatchLabels: map[string]string{"topic": "orders"}}
	return autoscaling.MetricSpec{
		Type: autoscaling.ExternalMetricSourceType,
		External: &autoscaling.ExternalMetricSource{
			Metric: autoscaling.MetricIdentifier{Name: name, Selector: orders}, Target: target,
		},
	}
}

func average(value string) autoscaling.MetricTarget {
	return autoscaling.MetricTarget{Type: autoscaling.AverageValueMetricType, AverageValue: new(resource.MustParse(value))}
}

func value(value string) autoscaling.MetricTarget {
	return autoscaling.MetricTarget{Type: autoscaling.ValueMetricType, Value: new(resource.MustParse(value))}
}
