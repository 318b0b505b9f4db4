package cluster

import (
	"context"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/parts"
)

// showControlPlane creates the pods with which kubeadm clusters show their API server and controller manager, and how these
// were started.
func (c *Cluster) showControlPlane(ctx context.Context) error {
	if err := c.show(ctx, parts.APIServer, Node, c.apiserverFlags()); err != nil {
		return err
	}
	return c.show(ctx, parts.ControllerManager, Node, c.controllerManagerFlags())
}

func (c *Cluster) show(ctx context.Context, part, node string, flags []string) error {
	pod := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name:   part + "-" + node,
			Labels: map[string]string{"component": part, "tier": "control-plane"},
		},
		Spec: v1.PodSpec{
			NodeName: node, HostNetwork: true, PriorityClassName: "system-node-critical",
			Containers: []v1.Container{{
				Name:    part,
				Image:   "registry.k8s.io/" + part + ":v1.37.1",
				Command: append([]string{part}, flags...),
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
