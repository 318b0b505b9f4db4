package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"kubectl-hpa.local/e2e/cluster"
)

// begin makes the target and the HPA, and waits until the replicas have not changed for some time.
func (d *driver) begin() {
	d.Helper()
	d.deploy(d.load.pods, func(spec *apps.DeploymentSpec) {
		spec.Template.Annotations = map[string]string{"start-delay": d.load.start}
		if d.load.ready != "" {
			spec.Template.Annotations["ready-delay"] = d.load.ready
		}
		spec.Template.Spec.Containers[0].Resources.Requests = v1.ResourceList{
			v1.ResourceCPU: resource.MustParse("1"), v1.ResourceMemory: resource.MustParse("128Mi"),
		}
	})
	if d.isAdapters() {
		d.uses(cluster.Use{"cpu": "100m", "memory": "64Mi"})
	}
	d.settle("the pods are ready", func() bool { return d.scales.ready(d.namespace) == int64(d.load.pods) })
	d.settle("samples", func() bool { return len(d.samples(d.T)) == int(d.load.pods) })
	sampled := time.Now()
	d.settle("samples of the load", func() bool { return time.Since(sampled) > 3*scrapeEvery })
	d.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.MinReplicas = new(int32(1))
		if d.load.spec != nil {
			d.load.spec(spec)
		}
	})
	created := time.Now()
	d.settle("rest", func() bool {
		return time.Since(created) > settledFor && time.Since(d.scales.last(d.namespace).at) > settledFor && d.hasDecision()
	})
}

func (d *driver) hasDecision() bool {
	hpa, err := d.hpa(d.Context())
	return err == nil && len(hpa.Status.CurrentMetrics) > 0
}

// settle drives the load of the beginning until something is so.
func (d *driver) settle(what string, so func() bool) {
	d.Helper()
	for begin := time.Now(); !so(); time.Sleep(tick) {
		if time.Since(begin) > patience {
			d.Fatalf("%s: not within %s", what, patience)
		}
		d.drive(0)
	}
}

// ask runs simulate; with KUBECTL_HPA_CASES the case is kept, too.
func (d *driver) ask(path string) (said future) {
	d.Helper()
	live := []string{web, "-n", d.namespace, "--kubeconfig", d.Kubeconfig(cluster.Admin)}
	if folder := os.Getenv(casesVariable); folder != "" {
		explain(d.T, path, append(live, "--save", filepath.Join(folder, d.namespace+".yaml"))...)
	}
	args := append(append([]string{"simulate"}, live...), d.assumptions()...)
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(d.Context(), path, args...)
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		d.Fatalf("%s: %v\n%s", command, err, &stderr)
	}
	d.must(nil, json.Unmarshal(stdout.Bytes(), &said))
	if len(said.Runs) != 1 || len(said.Runs[0].Spans) == 0 {
		d.Fatalf("%s: %s", command, &stdout)
	}
	return said
}

// assumptions are the flags that tell what is going to happen.
func (d *driver) assumptions() []string {
	flags := []string{"--over", horizon.String(), "--load-curve", d.load.curve.typed, "--metrics-lag", metricsLag, "--start-delay", d.load.start, "-o", "json"}
	if d.load.ready != "" {
		flags = append(flags, "--ready-delay", d.load.ready)
	}
	if d.load.metric == "memory" {
		flags = append(flags, "--base-usage", fmt.Sprintf("memory=%dMi", idleMemory))
	}
	return flags
}
