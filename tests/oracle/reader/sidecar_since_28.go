//go:build !before_28

package reader

import corev1 "k8s.io/api/core/v1"

func sidecar(c *corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}
