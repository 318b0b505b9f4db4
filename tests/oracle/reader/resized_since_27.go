//go:build !before_27

package reader

import corev1 "k8s.io/api/core/v1"

func statusResources(status *corev1.ContainerStatus) *corev1.ResourceRequirements {
	return status.Resources
}
