package e2e

import (
	"context"
	"fmt"
	"testing"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/demo"
)

// one sets what a single pod consumes.
func (w *world) one(pod, cpu string) {
	w.Helper()
	w.must(nil, w.UseOfPod(w.Context(), w.namespace, pod, allUse(cpu)))
}

// Of four pods one isn't ready and one has no sample: with both at zero no scale-up is left, but a great load is.
func TestPodsWithoutSample(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pods := w.deploy(4)
	w.unready(pods[2])
	w.one(pods[0], "60m")
	w.one(pods[1], "60m")
	w.one(pods[2], "900m")
	w.sampled(3)
	w.autoscale(nil)
	w.settles(expectation{4, 4, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
	w.agrees("outweighed")
	// 5.8 replicas: jitter of a few millicores does not change the count.
	w.one(pods[0], "145m")
	w.one(pods[1], "145m")
	w.settles(expectation{6, 6, nil, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	w.agrees("scaled-up")
}

func (w *world) unready(pod string) {
	w.Helper()
	const patch = `{"status":{"conditions":[{"type":"Ready","status":"False","lastTransitionTime":%q}]}}`
	w.must(w.Client.CoreV1().Pods(w.namespace).Patch(w.Context(), pod, types.StrategicMergePatchType,
		fmt.Appendf(nil, patch, metav1.Now().UTC().Format("2006-01-02T15:04:05Z")), metav1.PatchOptions{}, "status"))
}

// A rolling update stands still with two pods more than asked for, which no node takes: they dampen a scale-up.
func TestRollingUpdateWithSurge(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.deploy(4, func(spec *apps.DeploymentSpec) {
		spec.Strategy.RollingUpdate = &apps.RollingUpdateDeployment{MaxSurge: new(intstr.FromInt32(2)), MaxUnavailable: new(intstr.FromInt32(0))}
	})
	w.share("200m")
	w.sampled(4)
	w.autoscale(nil)
	w.settles(expectation{4, 4, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
	const elsewhere = `{"spec":{"template":{"spec":{"nodeName":"nowhere"}}}}`
	w.must(w.Client.AppsV1().Deployments(w.namespace).Patch(
		w.Context(), web, types.StrategicMergePatchType, []byte(elsewhere), metav1.PatchOptions{}))
	w.settles(expectation{4, 4, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
	w.agrees("at-the-target")
	w.share("320m")
	w.settles(expectation{4, 4, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
	w.agrees("dampened")
}

// Two pods of somebody else have the label, too: 70m and 30m are the target in the mean.
func TestForeignPods(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, pod := range w.deploy(2) {
		w.one(pod, "70m")
	}
	w.intrude("intruder", 2, "30m")
	w.sampled(4)
	w.autoscale(nil)
	w.settles(expectation{2, 2, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
	w.agrees("diluted")
}

// intrude makes a Deployment whose pods have the label of the target's.
func (w *world) intrude(name string, replicas int32, cpu string) {
	w.Helper()
	before := len(w.pods(web))
	own := map[string]string{"app": web, "part": name}
	w.create(name, replicas, func(spec *apps.DeploymentSpec) {
		spec.Selector.MatchLabels, spec.Template.Labels = map[string]string{"part": name}, own
	})
	w.running(web, before+int(replicas))
	for _, pod := range w.pods(web) {
		if pod.Labels["part"] == name {
			w.one(pod.Name, cpu)
		}
	}
}

// The pods of a Job that is done match as well. They have no sample any more, but count as idle on the way up.
func TestCompletedJobPods(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.start(2, "160m")
	template := demo.Template()
	template.Labels = map[string]string{"app": web}
	template.Spec.RestartPolicy = v1.RestartPolicyNever
	w.must(w.Client.BatchV1().Jobs(w.namespace).Create(w.Context(), &batch.Job{
		ObjectMeta: metav1.ObjectMeta{Name: "import"},
		Spec:       batch.JobSpec{Template: *template, Completions: new(int32(2)), Parallelism: new(int32(2))},
	}, metav1.CreateOptions{}))
	w.eventually("the Job is done", w.jobDone)
	w.autoscale(nil)
	w.settles(expectation{2, 2, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
	w.agrees("held")
}

func (w *world) jobDone(ctx context.Context) error {
	job, err := w.Client.BatchV1().Jobs(w.namespace).Get(ctx, "import", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if job.Status.Succeeded != 2 {
		return fmt.Errorf("%d of 2 pods succeeded", job.Status.Succeeded)
	}
	return nil
}

// One container without a request is enough.
func TestMissingRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.deploy(1, func(spec *apps.DeploymentSpec) {
		spec.Template.Spec.Containers = append(spec.Template.Spec.Containers, v1.Container{Name: "agent", Image: "registry.example/agent:1"})
	})
	w.use("50m")
	w.sampled(1)
	w.autoscale(nil)
	w.settles(expectation{1, 0, nil, []string{gotScale, "ScalingActive False FailedGetResourceMetric the HPA was unable to compute " +
		"the replica count: failed to get cpu utilization: missing request for cpu in container agent of Pod"}})
	w.agrees("failing")
}

// A sidecar dilutes the cpu of the pod: 90% and 10% are the target together. The container alone is far above it.
func TestSidecar(t *testing.T) {
	t.Parallel()
	for name, add := range map[string]func(*v1.PodSpec, v1.Container){
		"container": func(spec *v1.PodSpec, sidecar v1.Container) { spec.Containers = append(spec.Containers, sidecar) },
		"native": func(spec *v1.PodSpec, sidecar v1.Container) {
			sidecar.RestartPolicy = new(v1.ContainerRestartPolicyAlways)
			spec.InitContainers = append(spec.InitContainers, sidecar)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.deploy(2, func(spec *apps.DeploymentSpec) {
				sidecar := *spec.Template.Spec.Containers[0].DeepCopy()
				sidecar.Name = "proxy"
				add(&spec.Template.Spec, sidecar)
			})
			w.must(nil, w.UseOfPods(w.Context(), w.namespace, map[string]cluster.Use{
				"web": {"cpu": "90m", "memory": "64Mi"}, "proxy": {"cpu": "10m", "memory": "64Mi"},
			}))
			w.sampled(2)
			w.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.MaxReplicas = 4 })
			w.settles(expectation{2, 2, nil, []string{readyForNewScale, cpuIsValid, withinRange}})
			w.agrees("diluted")
			w.amend(map[string]any{"metrics": []autoscaling.MetricSpec{containerCPU(autoscaling.MetricTarget{
				Type: autoscaling.UtilizationMetricType, AverageUtilization: new(int32(50)),
			})}})
			w.settles(expectation{4, 4, nil, []string{readyForNewScale, valid, tooMany, notScaledToZero}})
			w.agrees("container-alone")
		})
	}
}

// The request stands at the pod, and no container has one.
func TestPodLevelRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.deploy(3, func(spec *apps.DeploymentSpec) {
		spec.Template.Spec.Containers[0].Resources = v1.ResourceRequirements{}
		spec.Template.Spec.Resources = &v1.ResourceRequirements{Requests: v1.ResourceList{v1.ResourceCPU: resource.MustParse("200m")}}
	})
	w.share("580m")
	w.sampled(3)
	w.autoscale(nil)
	w.settles(expectation{6, 6, nil, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	w.agrees("scaled-up")
}
