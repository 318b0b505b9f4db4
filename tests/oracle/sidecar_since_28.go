//go:build !before_28

package oracle

import corev1 "k8s.io/api/core/v1"

// runsOn tells whether an init container runs as long as its pod.
func runsOn(it *corev1.Container) bool {
	return it.RestartPolicy != nil && *it.RestartPolicy == corev1.ContainerRestartPolicyAlways
}
