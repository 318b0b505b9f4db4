//go:build before_33

package reader

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// podLevelRequests has none: the controller reads them since 1.34.
func podLevelRequests(*corev1.Pod) corev1.ResourceList { return nil }

// ownTolerance has none: the field exists since 1.33.
func ownTolerance(*autoscalingv2.HPAScalingRules) *resource.Quantity { return nil }

// setTolerance sets none, either.
func setTolerance(*autoscalingv2.HPAScalingRules, resource.Quantity) {}
