//go:build before_28

package reader

import corev1 "k8s.io/api/core/v1"

func sidecar(*corev1.Container) bool { return false }
