//go:build recorder

package podautoscaler

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/sets"
	metricsclient "k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// hpaWith is an HPA of one metric with bounds that leave all room.
func hpaWith(namespace string, metric autoscalingv2.MetricSpec, current int32) *autoscalingv2.HorizontalPodAutoscaler {
	least := int32(1)
	hpa := &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "recorded"},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
			MinReplicas:    &least, MaxReplicas: math.MaxInt32, Metrics: []autoscalingv2.MetricSpec{metric},
		},
	}
	if current == 0 {
		least = 0
		hpa.Status.Conditions = []autoscalingv2.HorizontalPodAutoscalerCondition{{Type: autoscalingv2.ScaledToZero, Status: v1.ConditionTrue}}
	}
	return hpa
}

func milli(value int64) *resource.Quantity {
	return resource.NewMilliQuantity(value, resource.DecimalSI)
}

func exactly(value int64) autoscalingv2.MetricTarget {
	return autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: milli(value)}
}

func average(value int64) autoscalingv2.MetricTarget {
	return autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: milli(value)}
}

func utilization(percent int32) autoscalingv2.MetricTarget {
	return autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &percent}
}

func ofResource(name v1.ResourceName, container string, target autoscalingv2.MetricTarget) autoscalingv2.MetricSpec {
	if container != "" {
		return autoscalingv2.MetricSpec{Type: autoscalingv2.ContainerResourceMetricSourceType,
			ContainerResource: &autoscalingv2.ContainerResourceMetricSource{Name: name, Container: container, Target: target}}
	}
	return autoscalingv2.MetricSpec{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{Name: name, Target: target}}
}

func ofObject(name string, of *autoscalingv2.CrossVersionObjectReference, target autoscalingv2.MetricTarget) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{Type: autoscalingv2.ObjectMetricSourceType, Object: &autoscalingv2.ObjectMetricSource{
		DescribedObject: *of, Metric: autoscalingv2.MetricIdentifier{Name: name}, Target: target}}
}

func ofExternal(name string, selector *metav1.LabelSelector, target autoscalingv2.MetricTarget) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{Type: autoscalingv2.ExternalMetricSourceType, External: &autoscalingv2.ExternalMetricSource{
		Metric: autoscalingv2.MetricIdentifier{Name: name, Selector: selector}, Target: target}}
}

// calculated writes down a call of the replica calculator.
func (c *ReplicaCalculator) calculated(call, namespace string, metric autoscalingv2.MetricSpec, current int32, tolerances Tolerances, selector labels.Selector, outcome object, err error) {
	hpa := hpaWith(namespace, metric, current)
	tolerance := defaultTestingTolerance
	if tolerances.scaleUp == tolerances.scaleDown {
		tolerance = tolerances.scaleUp
	} else {
		quantity := func(value float64) *resource.Quantity {
			out := resource.MustParse(strconv.FormatFloat(value, 'f', -1, 64))
			return &out
		}
		hpa.Spec.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{
			ScaleUp:   &autoscalingv2.HPAScalingRules{Tolerance: quantity(tolerances.scaleUp)},
			ScaleDown: &autoscalingv2.HPAScalingRules{Tolerance: quantity(tolerances.scaleDown)},
		}
	}
	recorded := envelope(tolerance, c, 5*time.Minute)
	if current == 0 {
		recorded["controller"].(object)["featureGates"] = object{"HPAScaleToZero": object{"value": true}}
	}
	recorded["hpa"], recorded["memory"] = asWritten(hpa), object{}
	seen.scale = scaleOf(current, current, selector)
	seen.fill(recorded, namespace, hpa.Spec.Metrics)
	if err != nil {
		outcome = object{"error": err.Error()}
	}
	note(call, recorded, outcome)
}

func (c *ReplicaCalculator) watch() {
	if _, watched := c.podLister.(watchedPods); !watched {
		c.podLister = watchedPods{c.podLister}
	}
}

func (c *ReplicaCalculator) GetResourceReplicas(ctx context.Context, currentReplicas int32, targetUtilization int32, resource v1.ResourceName, tolerances Tolerances, namespace string, selector labels.Selector, container string) (int32, int32, int64, time.Time, error) {
	if begin() {
		return c.realGetResourceReplicas(ctx, currentReplicas, targetUtilization, resource, tolerances, namespace, selector, container)
	}
	defer end()
	c.watch()
	replicas, percent, raw, at, err := c.realGetResourceReplicas(ctx, currentReplicas, targetUtilization, resource, tolerances, namespace, selector, container)
	c.calculated("GetResourceReplicas", namespace, ofResource(resource, container, utilization(targetUtilization)), currentReplicas, tolerances, selector,
		object{"replicas": replicas, "utilization": percent, "mean": raw}, err)
	return replicas, percent, raw, at, err
}

func (c *ReplicaCalculator) GetRawResourceReplicas(ctx context.Context, currentReplicas int32, targetUsage int64, resource v1.ResourceName, tolerances Tolerances, namespace string, selector labels.Selector, container string) (int32, int64, time.Time, error) {
	if begin() {
		return c.realGetRawResourceReplicas(ctx, currentReplicas, targetUsage, resource, tolerances, namespace, selector, container)
	}
	defer end()
	c.watch()
	replicas, usage, at, err := c.realGetRawResourceReplicas(ctx, currentReplicas, targetUsage, resource, tolerances, namespace, selector, container)
	c.calculated("GetRawResourceReplicas", namespace, ofResource(resource, container, average(targetUsage)), currentReplicas, tolerances, selector,
		object{"replicas": replicas, "mean": usage}, err)
	return replicas, usage, at, err
}

func (c *ReplicaCalculator) GetMetricReplicas(currentReplicas int32, targetUsage int64, metricName string, tolerances Tolerances, namespace string, selector labels.Selector, metricSelector labels.Selector) (int32, int64, time.Time, error) {
	if begin() {
		return c.realGetMetricReplicas(currentReplicas, targetUsage, metricName, tolerances, namespace, selector, metricSelector)
	}
	defer end()
	c.watch()
	replicas, usage, at, err := c.realGetMetricReplicas(currentReplicas, targetUsage, metricName, tolerances, namespace, selector, metricSelector)
	metric := autoscalingv2.MetricSpec{Type: autoscalingv2.PodsMetricSourceType, Pods: &autoscalingv2.PodsMetricSource{
		Metric: autoscalingv2.MetricIdentifier{Name: metricName}, Target: average(targetUsage)}}
	c.calculated("GetMetricReplicas", namespace, metric, currentReplicas, tolerances, selector, object{"replicas": replicas, "mean": usage}, err)
	return replicas, usage, at, err
}

func (c *ReplicaCalculator) GetObjectMetricReplicas(currentReplicas int32, targetUsage int64, metricName string, tolerances Tolerances, namespace string, of *autoscalingv2.CrossVersionObjectReference, selector labels.Selector, metricSelector labels.Selector) (int32, int64, time.Time, error) {
	if begin() {
		return c.realGetObjectMetricReplicas(currentReplicas, targetUsage, metricName, tolerances, namespace, of, selector, metricSelector)
	}
	defer end()
	c.watch()
	replicas, usage, at, err := c.realGetObjectMetricReplicas(currentReplicas, targetUsage, metricName, tolerances, namespace, of, selector, metricSelector)
	c.calculated("GetObjectMetricReplicas", namespace, ofObject(metricName, of, exactly(targetUsage)), currentReplicas, tolerances, selector,
		object{"replicas": replicas, "usage": usage}, err)
	return replicas, usage, at, err
}

func (c *ReplicaCalculator) GetObjectPerPodMetricReplicas(statusReplicas int32, targetAverageUsage int64, metricName string, tolerances Tolerances, namespace string, of *autoscalingv2.CrossVersionObjectReference, metricSelector labels.Selector) (int32, int64, time.Time, error) {
	if begin() {
		return c.realGetObjectPerPodMetricReplicas(statusReplicas, targetAverageUsage, metricName, tolerances, namespace, of, metricSelector)
	}
	defer end()
	replicas, usage, at, err := c.realGetObjectPerPodMetricReplicas(statusReplicas, targetAverageUsage, metricName, tolerances, namespace, of, metricSelector)
	c.calculated("GetObjectPerPodMetricReplicas", namespace, ofObject(metricName, of, average(targetAverageUsage)), statusReplicas, tolerances, nil,
		object{"replicas": replicas, "mean": usage}, err)
	return replicas, usage, at, err
}

func (c *ReplicaCalculator) GetExternalMetricReplicas(currentReplicas int32, targetUsage int64, metricName string, tolerances Tolerances, namespace string, metricSelector *metav1.LabelSelector, podSelector labels.Selector) (int32, int64, time.Time, error) {
	if begin() {
		return c.realGetExternalMetricReplicas(currentReplicas, targetUsage, metricName, tolerances, namespace, metricSelector, podSelector)
	}
	defer end()
	c.watch()
	replicas, usage, at, err := c.realGetExternalMetricReplicas(currentReplicas, targetUsage, metricName, tolerances, namespace, metricSelector, podSelector)
	c.calculated("GetExternalMetricReplicas", namespace, ofExternal(metricName, metricSelector, exactly(targetUsage)), currentReplicas, tolerances, podSelector,
		object{"replicas": replicas, "usage": usage}, err)
	return replicas, usage, at, err
}

func (c *ReplicaCalculator) GetExternalPerPodMetricReplicas(statusReplicas int32, targetUsagePerPod int64, metricName string, tolerances Tolerances, namespace string, metricSelector *metav1.LabelSelector) (int32, int64, time.Time, error) {
	if begin() {
		return c.realGetExternalPerPodMetricReplicas(statusReplicas, targetUsagePerPod, metricName, tolerances, namespace, metricSelector)
	}
	defer end()
	replicas, usage, at, err := c.realGetExternalPerPodMetricReplicas(statusReplicas, targetUsagePerPod, metricName, tolerances, namespace, metricSelector)
	c.calculated("GetExternalPerPodMetricReplicas", namespace, ofExternal(metricName, metricSelector, average(targetUsagePerPod)), statusReplicas, tolerances, nil,
		object{"replicas": replicas, "mean": usage}, err)
	return replicas, usage, at, err
}

// selected are copies of pods that the scale's selector selects.
func selected(pods []*v1.Pod) []*v1.Pod {
	out := []*v1.Pod{}
	for _, pod := range pods {
		pod = pod.DeepCopy()
		pod.Namespace, pod.Labels = "recorded", map[string]string{"name": "any"}
		out = append(out, spoken(pod))
	}
	return out
}

// measured is a case about one metric of pods with these samples.
func measured(metric autoscalingv2.MetricSpec, pods []*v1.Pod, samples []metricsv1beta1.PodMetrics, calc *ReplicaCalculator) object {
	hpa := hpaWith("recorded", metric, int32(max(1, len(pods))))
	recorded := envelope(defaultTestingTolerance, calc, 5*time.Minute)
	recorded["hpa"], recorded["memory"] = asWritten(hpa), object{}
	if len(samples) == 0 {
		// An empty list is an error of its own. A sample of no pod has no part in what is asked here.
		samples = []metricsv1beta1.PodMetrics{sampleOf("gone", "c", metric, 1)}
	}
	seen.scale = scaleOf(int32(max(1, len(pods))), int32(max(1, len(pods))), nil)
	seen.podMetrics = object{"items": samples}
	seen.fill(recorded, "recorded", nil)
	recorded["pods"] = object{"items": pods}
	return recorded
}

func sampleOf(pod, container string, metric autoscalingv2.MetricSpec, value int64) metricsv1beta1.PodMetrics {
	name := v1.ResourceCPU
	if metric.Resource != nil {
		name = metric.Resource.Name
	} else if metric.ContainerResource != nil {
		name = metric.ContainerResource.Name
	}
	return metricsv1beta1.PodMetrics{
		ObjectMeta: metav1.ObjectMeta{Namespace: "recorded", Name: pod},
		Containers: []metricsv1beta1.ContainerMetrics{{Name: container, Usage: v1.ResourceList{name: *milli(value)}}},
	}
}

func groupPods(pods []*v1.Pod, metrics metricsclient.PodMetricsInfo, resource v1.ResourceName, cpuInitializationPeriod, delayOfInitialReadinessStatus time.Duration) (int, sets.Set[string], sets.Set[string], sets.Set[string]) {
	if begin() {
		return realGroupPods(pods, metrics, resource, cpuInitializationPeriod, delayOfInitialReadinessStatus)
	}
	defer end()
	metric := ofResource(resource, "", average(1000))
	samples := []metricsv1beta1.PodMetrics{}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range metrics {
			if !yield(name) {
				return
			}
		}
	}) {
		it := sampleOf(name, "c", metric, metrics[name].Value)
		it.Timestamp, it.Window = metav1.Time{Time: metrics[name].Timestamp}, metav1.Duration{Duration: metrics[name].Window}
		samples = append(samples, it)
	}
	recorded := measured(metric, selected(pods), samples, &ReplicaCalculator{cpuInitializationPeriod: cpuInitializationPeriod, delayOfInitialReadinessStatus: delayOfInitialReadinessStatus})
	ready, unready, missing, ignored := realGroupPods(pods, metrics, resource, cpuInitializationPeriod, delayOfInitialReadinessStatus)
	note("groupPods", recorded, object{"ready": ready, "unready": sets.List(unready), "missing": sets.List(missing), "ignored": sets.List(ignored)})
	return ready, unready, missing, ignored
}

// requested is a case whose pods count with their requests.
func requested(pods []*v1.Pod, container string, resource v1.ResourceName) object {
	metric := ofResource(resource, container, utilization(50))
	copies, samples := selected(pods), []metricsv1beta1.PodMetrics{}
	for _, pod := range copies {
		long := metav1.Time{Time: frozen.Add(-time.Hour)}
		pod.Status = v1.PodStatus{Phase: v1.PodRunning, StartTime: &long,
			Conditions: []v1.PodCondition{{Type: v1.PodReady, Status: v1.ConditionTrue, LastTransitionTime: long}}}
		named := container
		if named == "" {
			named = "c"
		}
		samples = append(samples, sampleOf(pod.Name, named, metric, 1))
	}
	return measured(metric, copies, samples, nil)
}

func calculateRequests(pods []*v1.Pod, container string, resource v1.ResourceName) (map[string]int64, error) {
	if begin() {
		return realCalculateRequests(pods, container, resource)
	}
	defer end()
	requests, err := realCalculateRequests(pods, container, resource)
	outcome := object{"requests": requests}
	if err != nil {
		outcome = object{"error": err.Error()}
	}
	note("calculateRequests", requested(pods, container, resource), outcome)
	return requests, err
}

func calculatePodRequestsFromContainers(pod *v1.Pod, container string, resource v1.ResourceName) (int64, error) {
	if begin() {
		return realCalculatePodRequestsFromContainers(pod, container, resource)
	}
	defer end()
	request, err := realCalculatePodRequestsFromContainers(pod, container, resource)
	outcome := object{"requests": map[string]int64{pod.Name: request}}
	if err != nil {
		outcome = object{"error": err.Error()}
	}
	note("calculatePodRequestsFromContainers", requested([]*v1.Pod{pod}, container, resource), outcome)
	return request, err
}

func buildQuantity(name v1.ResourceName, value int64) resource.Quantity {
	if begin() {
		return realBuildQuantity(name, value)
	}
	defer end()
	metric := ofResource(name, "", average(1000))
	pods := selected([]*v1.Pod{{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: v1.PodSpec{Containers: []v1.Container{{Name: "c"}}}}})
	long := metav1.Time{Time: frozen.Add(-time.Hour)}
	pods[0].Status = v1.PodStatus{Phase: v1.PodRunning, StartTime: &long, Conditions: []v1.PodCondition{{Type: v1.PodReady, Status: v1.ConditionTrue, LastTransitionTime: long}}}
	out := realBuildQuantity(name, value)
	text := out.DeepCopy()
	note("buildQuantity", measured(metric, pods, []metricsv1beta1.PodMetrics{sampleOf("p", "c", metric, value)}, nil), object{"quantity": text.String()})
	return out
}
