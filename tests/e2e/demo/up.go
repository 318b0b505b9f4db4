// Package demo is a cluster to look at by hand and to measure with: a namespace, a Deployment, its pods and an HPA.
package demo

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/metrics"
)

// Up starts the cluster and stays until it is interrupted. Progress goes to stderr, the kubeconfig's path to stdout.
func Up(args []string) error {
	flags := flag.NewFlagSet("up", flag.ContinueOnError)
	pods := flags.Int("pods", 4, "number of pods of the Deployment web")
	realistic := flags.Bool("realistic", false, "pods of about 11 KB, as real ones are, instead of small ones")
	dir := flags.String("dir", ".run", "folder that gets kubeconfig, viewer.kubeconfig and control")
	sync := flags.Duration("sync", 0, "sync period of the HPA controller (0: its default, 15s)")
	window := flags.Duration("stabilization", 0, "downscale stabilization window of the controller (0: its default, 5m)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	begin := time.Now()
	c, err := cluster.Start("", cluster.Settings{SyncPeriod: *sync, DownscaleStabilization: *window})
	if err != nil {
		return err
	}
	defer c.Stop()
	say(begin, "control plane ready")
	if err := Fill(ctx, c, *pods, *realistic); err != nil {
		return err
	}
	say(begin, "%d pods ready, HPA shop/web at work", *pods)
	files, err := publish(c, *dir)
	if err != nil {
		return err
	}
	defer unpublish(files)
	fmt.Println(files[0])
	<-ctx.Done()
	return nil
}

func say(begin time.Time, format string, values ...any) {
	fmt.Fprintf(os.Stderr, "%5.1fs  %s\n", time.Since(begin).Seconds(), fmt.Sprintf(format, values...))
}

// Fill makes the world: the load first, so that the HPA's first look finds every pod with its sample.
func Fill(ctx context.Context, c *cluster.Cluster, pods int, realistic bool) error {
	c.Metrics.Update(func(state *metrics.State) {
		state.Loads = []metrics.Load{{
			Namespace: Namespace, Selector: "app=web", Shared: true,
			CPU:    resource.NewMilliQuantity(int64(pods)*50, resource.DecimalSI).String(),
			Memory: resource.NewQuantity(int64(pods)*(96<<20), resource.BinarySI).String(),
		}}
	})
	if err := create(ctx, c.Client, pods, realistic); err != nil {
		return err
	}
	if err := ready(ctx, c.Client, pods); err != nil {
		return err
	}
	return autoscale(ctx, c.Client, pods)
}

// publish copies what a person needs to known places and returns the files' full paths, the kubeconfig first.
func publish(c *cluster.Cluster, dir string) ([]string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	files := []string{filepath.Join(dir, "kubeconfig"), filepath.Join(dir, "viewer.kubeconfig"), filepath.Join(dir, "control")}
	for i, user := range []string{cluster.Admin, cluster.Viewer} {
		text, err := os.ReadFile(c.Kubeconfig(user))
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(files[i], text, 0o600); err != nil {
			return nil, err
		}
	}
	return files, os.WriteFile(files[2], []byte(c.Control+"\n"), 0o600)
}

func unpublish(files []string) {
	for _, file := range files {
		_ = os.Remove(file) // the next run writes it anew
	}
}
