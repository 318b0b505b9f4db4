package cluster

import (
	"context"
	"errors"
	"slices"
	"time"

	coordination "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/parts"
)

// RestartAPIServer ends the API server, lets whoever asks wait for a while, and starts it again with another rotated token.
func (c *Cluster) RestartAPIServer(ctx context.Context, away time.Duration) error {
	c.end(parts.APIServer)
	c.restarts++
	if err := c.writeTokens(); err != nil {
		return err
	}
	time.Sleep(away)
	return c.startAPIServer(ctx)
}

// RestartControllerManager ends the controller manager at once, so that it can't give its Lease back, starts it again
// after a while, and returns once it leads. Its pod then says when its container started, as a kubelet would.
func (c *Cluster) RestartControllerManager(ctx context.Context, away time.Duration) error {
	before, err := c.Leader(ctx)
	if err != nil {
		return err
	}
	c.end(parts.ControllerManager)
	time.Sleep(away)
	if err := c.startControllerManager(ctx); err != nil {
		return err
	}
	if err := c.showRestart(ctx); err != nil {
		return err
	}
	return c.leadsAfter(ctx, before)
}

// leadsAfter returns once another process holds the Lease, if there is an election.
func (c *Cluster) leadsAfter(ctx context.Context, before *coordination.Lease) error {
	if !c.settings.Elected {
		return nil
	}
	return insist(ctx, func(ctx context.Context) error {
		now, err := c.Leader(ctx)
		if err == nil && *now.Spec.HolderIdentity == *before.Spec.HolderIdentity {
			err = errors.New("the old leader's Lease has not ended")
		}
		return err
	})
}

// ReviveControllerManager starts the controller manager again if it has ended by itself, as it does if it can't renew
// its Lease for ten seconds, and tells whether that was so.
func (c *Cluster) ReviveControllerManager(ctx context.Context) (revived bool, err error) {
	last := c.processes[c.last(parts.ControllerManager)]
	select {
	case <-last.done:
		return true, c.RestartControllerManager(ctx, 0)
	default:
		return false, nil
	}
}

// Leader is the Lease of the controller manager; an empty one if there is no election.
func (c *Cluster) Leader(ctx context.Context) (*coordination.Lease, error) {
	if !c.settings.Elected {
		return &coordination.Lease{}, nil
	}
	lease, err := c.Client.CoordinationV1().Leases(metav1.NamespaceSystem).Get(ctx, parts.ControllerManager, metav1.GetOptions{})
	if err == nil && lease.Spec.HolderIdentity == nil {
		err = errors.New("nobody holds the Lease")
	}
	return lease, err
}

// Log is the file with all that a part has written.
func (c *Cluster) Log(part string) string { return c.path(part + ".log") }

func (c *Cluster) end(part string) { c.processes[c.last(part)].kill() }

func (c *Cluster) last(part string) int {
	for i, process := range slices.Backward(c.processes) {
		if process.name == part {
			return i
		}
	}
	panic("no part is named " + part)
}

// showRestart does to the controller manager's pod what a kubelet does after a restart of its container.
func (c *Cluster) showRestart(ctx context.Context) error {
	pods := c.Client.CoreV1().Pods(metav1.NamespaceSystem)
	return insist(ctx, func(ctx context.Context) error {
		pod, err := pods.Get(ctx, parts.ControllerManager+"-"+Node, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if len(pod.Status.ContainerStatuses) == 0 { // pods that are played
			return nil
		}
		status := &pod.Status.ContainerStatuses[0]
		now := metav1.Now()
		if running := status.State.Running; running != nil {
			status.LastTerminationState.Terminated = &v1.ContainerStateTerminated{
				ExitCode: 1, Reason: "Error", StartedAt: running.StartedAt, FinishedAt: now,
			}
		}
		status.RestartCount++
		status.State = v1.ContainerState{Running: &v1.ContainerStateRunning{StartedAt: now}}
		_, err = pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{})
		return err
	})
}
