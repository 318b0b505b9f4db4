//go:build before_28

package oracle

import corev1 "k8s.io/api/core/v1"

// runsOn is false: no init container can.
func runsOn(*corev1.Container) bool { return false }
