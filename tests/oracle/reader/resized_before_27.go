//go:build before_27

package reader

import corev1 "k8s.io/api/core/v1"

// statusResources has none: the status shows them since 1.27.
func statusResources(*corev1.ContainerStatus) *corev1.ResourceRequirements { return nil }
