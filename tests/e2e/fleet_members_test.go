package e2e

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/metrics"
)

const (
	fleetVariable  = "KUBECTL_HPA_NAMESPACES"
	someNamespaces = 20
	tenMinutes     = 600
)

// member is an HPA of a fleet, with a Deployment of its name: three pods and 1 to 12 replicas, half of the cpu request,
// unless changed.
type member struct {
	name   string
	cpu    string // of each pod
	spiked string // the same, later
	target string // if not the Deployment of its own name
	state  string // what `kubectl hpa list` calls it, once it rests
	deploy func(*apps.DeploymentSpec)
	change func(*autoscaling.HorizontalPodAutoscalerSpec)
}

var members = []member{
	{name: "idle", cpu: "50m", spiked: "90m", state: "idle"},
	{name: "full", cpu: "90m", spiked: "30m", state: "at-max", change: func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.MaxReplicas = 3 }},
	{name: "empty", cpu: "10m", spiked: "80m", state: "at-min", change: func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.MinReplicas = new(int32(3)) }},
	{name: "held", cpu: "20m", spiked: "70m", state: "held"},
	{name: "steps", cpu: "50m", spiked: "100m", state: "idle", change: func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Behavior = up(policy(autoscaling.PodsScalingPolicy, 1, tenMinutes))
	}},
	{name: "unrequested", cpu: "50m", state: "broken", deploy: func(spec *apps.DeploymentSpec) {
		spec.Template.Spec.Containers[0].Resources = v1.ResourceRequirements{}
	}},
	{name: "off", state: "switched-off", deploy: func(spec *apps.DeploymentSpec) { spec.Replicas = new(int32(0)) }},
	{name: "queue", state: "held", change: func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Metrics = []autoscaling.MetricSpec{externalMetric("queue", average("6"))}
		spec.Behavior = up(policy(autoscaling.PodsScalingPolicy, 1, tenMinutes))
	}},
	{name: "one", cpu: "50m", spiked: "90m", state: "broken"},
	{name: "other", target: "one", state: "broken"},
}

// found makes the fleet, and returns the namespaces.
func found(w *world, namespaces int) (fleet []*world) {
	w.Helper()
	w.Metrics.Update(func(state *metrics.State) {
		for i := range namespaces {
			for _, member := range members {
				if member.cpu != "" {
					state.Loads = append(state.Loads, metrics.Load{Namespace: team(i), Selector: "app=" + member.name, CPU: member.cpu})
				}
			}
			state.External = append(state.External, metrics.External{
				Namespace: team(i), Metric: "queue", Labels: map[string]string{"topic": "orders"}, Value: strconv.Itoa(40 + i%20)})
		}
	})
	for i := range namespaces {
		here := inNamespace(w.T, w.Cluster, team(i))
		for _, member := range members {
			if member.target == "" {
				change := func(spec *apps.DeploymentSpec) {}
				if member.deploy != nil {
					change = member.deploy
				}
				here.create(member.name, 3, change)
			}
		}
		fleet = append(fleet, here)
	}
	for _, here := range fleet {
		here.running("idle", 3)
		for _, member := range members {
			target := member.target
			if target == "" {
				target = member.name
			}
			here.autoscaleAs(member.name, target, member.change)
		}
	}
	return fleet
}

func team(i int) string { return fmt.Sprintf("team-%02d", i) }

// overload changes the load of every second namespace at once.
func overload(w *world) {
	w.Metrics.Update(func(state *metrics.State) {
		for i := range state.Loads {
			load := &state.Loads[i]
			for _, member := range members {
				if load.Selector == "app="+member.name && member.spiked != "" && load.Namespace[len(load.Namespace)-1]%2 == 0 {
					load.CPU = member.spiked
				}
			}
		}
	})
}

// atRest is the state that an HPA of this name was made for.
func atRest(name string) string {
	return members[slices.IndexFunc(members, func(member member) bool { return member.name == name })].state
}

// all are the HPAs of the cluster by namespace and name.
func (w *world) all(ctx context.Context) (map[string]autoscaling.HorizontalPodAutoscaler, error) {
	list, err := w.Client.AutoscalingV2().HorizontalPodAutoscalers("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	all := map[string]autoscaling.HorizontalPodAutoscaler{}
	for _, hpa := range list.Items {
		all[hpa.Namespace+"/"+hpa.Name] = hpa
	}
	return all, nil
}
