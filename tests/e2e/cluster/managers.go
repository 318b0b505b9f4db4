package cluster

import (
	"context"
	"errors"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/parts"
)

// second is the node of another controller manager.
const second = "n2"

// StartControllerManager starts the controller manager, which has ended, without some controllers, and returns once it leads.
// A new pod says how it was started.
func (c *Cluster) StartControllerManager(ctx context.Context, without ...string) error {
	before, err := c.Leader(ctx)
	if err != nil {
		return err
	}
	c.settings.Without = without
	if err := c.startControllerManager(ctx); err != nil {
		return err
	}
	if err := c.hide(ctx, parts.ControllerManager+"-"+Node); err != nil {
		return err
	}
	if err := c.showStarted(ctx, Node, c.controllerManagerFlags()); err != nil {
		return err
	}
	return c.leadsAfter(ctx, before)
}

// AddControllerManager starts another one, which takes part in no election and runs the HPA controller alone.
func (c *Cluster) AddControllerManager(ctx context.Context) error {
	flags := slices.DeleteFunc(c.controllerManagerFlags(), func(flag string) bool {
		name, _, _ := strings.Cut(flag, "=")
		return strings.HasPrefix(name, "--leader-elect") || name == "--secure-port" || name == "--controllers"
	})
	flags = append(flags, "--leader-elect=false", "--secure-port=0", "--controllers="+HPAController)
	part, err := spawn(c.dir, parts.ControllerManager, flags)
	if err != nil {
		return err
	}
	part.name += "-" + second
	c.processes = append(c.processes, part)
	return c.showStarted(ctx, second, flags)
}

// DropControllerManager ends that one.
func (c *Cluster) DropControllerManager(ctx context.Context) error {
	c.end(parts.ControllerManager + "-" + second)
	return c.hide(ctx, parts.ControllerManager+"-"+second)
}

// showStarted creates the pod of a controller manager that has just started.
func (c *Cluster) showStarted(ctx context.Context, node string, flags []string) error {
	if err := c.show(ctx, parts.ControllerManager, node, flags); err != nil {
		return err
	}
	pods := c.Client.CoreV1().Pods(metav1.NamespaceSystem)
	return insist(ctx, func(ctx context.Context) error {
		pod, err := pods.Get(ctx, parts.ControllerManager+"-"+node, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if len(pod.Status.ContainerStatuses) == 0 || pod.Status.ContainerStatuses[0].State.Running == nil {
			return errors.New("the kubelet has not started its container yet")
		}
		pod.Status.ContainerStatuses[0].State.Running.StartedAt = metav1.Now()
		_, err = pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{})
		return err
	})
}

// hide deletes a pod that shows a part.
func (c *Cluster) hide(ctx context.Context, pod string) error {
	return c.Client.CoreV1().Pods(metav1.NamespaceSystem).Delete(ctx, pod, metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))})
}
