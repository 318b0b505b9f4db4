package cluster

import (
	"context"
	_ "embed" // slow pods
	"fmt"
	"os"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/kwok/kustomize/crd"
	"sigs.k8s.io/kwok/kustomize/metrics/resource"
	node "sigs.k8s.io/kwok/kustomize/stage/node/fast"
	lease "sigs.k8s.io/kwok/kustomize/stage/node/heartbeat-with-lease"
	pod "sigs.k8s.io/kwok/kustomize/stage/pod/fast"
	"sigs.k8s.io/yaml"

	"kubectl-hpa.local/e2e/parts"
)

// Resolution is the time between two scrapes of the real metrics server. Ten seconds is the least that it admits by
// itself; this one leaves room for two syncs of one second with the same samples.
const Resolution = 3 * time.Second

var (
	definitions  = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	usages       = schema.GroupVersionResource{Group: "kwok.x-k8s.io", Version: "v1alpha1", Resource: "resourceusages"}
	sharedUsages = schema.GroupVersionResource{Group: "kwok.x-k8s.io", Version: "v1alpha1", Resource: "clusterresourceusages"}
)

// slowPods are stages in place of kwok's own: pods that take their time to start.
//
//go:embed stages.yaml
var slowPods string

// startNodes starts kwok and the one node that all pods name, and the metrics server that scrapes it.
func (c *Cluster) startNodes(ctx context.Context) error {
	for _, definition := range [][]byte{crd.ResourceUsage, crd.ClusterResourceUsage} {
		if err := c.Define(ctx, definition); err != nil {
			return err
		}
	}
	starts := pod.DefaultPodReady
	if c.settings.SlowPods {
		starts = slowPods
	}
	stages := []string{
		node.DefaultNodeInit, lease.DefaultNodeHeartbeatWithLease,
		starts, pod.DefaultPodComplete, pod.DefaultPodDelete, resource.DefaultMetricsResource,
	}
	if err := os.WriteFile(c.path("kwok.yaml"), []byte(strings.Join(stages, "\n---\n")), 0o600); err != nil {
		return err
	}
	if err := c.run(ctx, parts.Kwok, c.kwokFlags(), func(ctx context.Context) error {
		return healthy(ctx, fmt.Sprintf("http://127.0.0.1:%d/healthz", c.ports.kwok))
	}); err != nil {
		return err
	}
	_, err := c.Client.CoreV1().Nodes().Create(ctx, &v1.Node{ObjectMeta: metav1.ObjectMeta{
		Name:        Node,
		Annotations: map[string]string{"metrics.k8s.io/resource-metrics-path": "/metrics/nodes/" + Node + "/metrics/resource"},
	}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	return c.startMetricsServer(ctx)
}

func (c *Cluster) startMetricsServer(ctx context.Context) error {
	return c.run(ctx, parts.MetricsServer, c.metricsServerFlags(), func(context.Context) error { return nil })
}

// Define creates a kind from its CustomResourceDefinition, in YAML, and waits until it is served.
func (c *Cluster) Define(ctx context.Context, text []byte) error {
	definition := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(text, definition); err != nil {
		return err
	}
	if _, err := c.Dynamic.Resource(definitions).Create(ctx, definition, metav1.CreateOptions{}); err != nil {
		return err
	}
	return insist(ctx, func(ctx context.Context) error {
		seen, err := c.Dynamic.Resource(definitions).Get(ctx, definition.GetName(), metav1.GetOptions{})
		if err != nil {
			return err
		}
		conditions, _, err := unstructured.NestedSlice(seen.Object, "status", "conditions")
		for _, condition := range conditions {
			if c, _ := condition.(map[string]any); c["type"] == "Established" && c["status"] == "True" {
				return nil
			}
		}
		return fmt.Errorf("%s is not established: %w", definition.GetName(), err)
	})
}

// Use is what a container consumes, by resource ("cpu", "memory"), in the API's notation. Zero cpu means no sample.
type Use map[string]string

// UseOfPods sets what each container of the pods of a namespace consumes, by container name ("" for all others).
func (c *Cluster) UseOfPods(ctx context.Context, namespace string, uses map[string]Use) error {
	usage := usageObject("ClusterResourceUsage", namespace, uses)
	usage.Object["spec"].(map[string]any)["selector"] = map[string]any{"matchNamespaces": []any{namespace}}
	return apply(ctx, c.Dynamic.Resource(sharedUsages), usage)
}

// UseOfPod does so for one pod; it is stronger.
func (c *Cluster) UseOfPod(ctx context.Context, namespace, name string, uses map[string]Use) error {
	return apply(ctx, c.Dynamic.Resource(usages).Namespace(namespace), usageObject("ResourceUsage", name, uses))
}

func usageObject(kind, name string, uses map[string]Use) *unstructured.Unstructured {
	list := []any{}
	for container, use := range uses {
		values := map[string]any{}
		for resource, value := range use {
			values[resource] = map[string]any{"value": value}
		}
		usage := map[string]any{"usage": values}
		if container != "" {
			usage["containers"] = []any{container}
		}
		list = append(list, usage)
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": usages.GroupVersion().String(), "kind": kind,
		"metadata": map[string]any{"name": name},
		"spec":     map[string]any{"usages": list},
	}}
}

func apply(ctx context.Context, client dynamic.ResourceInterface, object *unstructured.Unstructured) error {
	text, err := object.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = client.Patch(ctx, object.GetName(), types.ApplyPatchType, text, metav1.PatchOptions{FieldManager: "e2e", Force: new(true)})
	return err
}
