//go:build !before_33

package reader

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func podLevelRequests(pod *corev1.Pod) corev1.ResourceList {
	if pod.Spec.Resources == nil {
		return nil
	}
	return pod.Spec.Resources.Requests
}

func ownTolerance(rules *autoscalingv2.HPAScalingRules) *resource.Quantity { return rules.Tolerance }

func setTolerance(rules *autoscalingv2.HPAScalingRules, amount resource.Quantity) {
	rules.Tolerance = &amount
}
