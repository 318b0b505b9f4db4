package cluster

import (
	"context"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/parts"
)

// showControllerManager creates the pod with which kubeadm clusters show their controller manager and its flags.
func (c *Cluster) showControllerManager(ctx context.Context) error {
	pod := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name:   parts.ControllerManager + "-" + Node,
			Labels: map[string]string{"component": parts.ControllerManager, "tier": "control-plane"},
		},
		Spec: v1.PodSpec{
			NodeName: Node, HostNetwork: true, PriorityClassName: "system-node-critical",
			Containers: []v1.Container{{
				Name:    parts.ControllerManager,
				Image:   "registry.k8s.io/kube-controller-manager:v1.37.1",
				Command: append([]string{parts.ControllerManager}, c.controllerManagerFlags()...),
			}},
		},
	}
	return insist(ctx, func(ctx context.Context) error { // the priority class is made a moment after the start
		_, err := c.Client.CoreV1().Pods(metav1.NamespaceSystem).Create(ctx, pod, metav1.CreateOptions{})
		return err
	})
}

// Node is where all pods say they run; there is such an object only with kwok.
const Node = "n1"
