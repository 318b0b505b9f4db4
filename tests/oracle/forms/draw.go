package main

import (
	"fmt"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	customv1beta1 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta1"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

const namespace = "shop"

// The paths of what is drawn.
const (
	podsPath     = "/api/v1/namespaces/shop/pods"
	samplesPath  = "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods"
	customPath   = "/apis/custom.metrics.k8s.io/%s/namespaces/shop/pods/*/requests"
	externalPath = "/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/queue"
	// As a list of most HPAs reads them.
	hpasPath    = "/apis/autoscaling/v2/horizontalpodautoscalers"
	targetsPath = "/apis/apps/v1/namespaces/shop/%s"
)

// lists draws so many objects and returns them as lists by path, each in parts as a server may give them: four in ten are
// pods and as many samples of pods, one in ten a custom value, one an external one. Beside them are a fifth as
// many HPAs and, of each kind whose lists have its scales, as many targets. The custom metrics API has one version or the other.
func lists(seed uint64, count int) (byPath map[string][]runtime.Object, customVersion string) {
	d := newDrawer(seed)
	byPath = map[string][]runtime.Object{
		podsPath: parts(d, count*4/10, d.pod, func(items []corev1.Pod, meta metav1.ListMeta) runtime.Object {
			return &corev1.PodList{ListMeta: meta, Items: items}
		}),
		samplesPath: parts(d, count*4/10, d.sample, func(items []metricsv1beta1.PodMetrics, meta metav1.ListMeta) runtime.Object {
			return &metricsv1beta1.PodMetricsList{ListMeta: meta, Items: items}
		}),
		externalPath: parts(d, count/10, drawn[externalv1beta1.ExternalMetricValue](d), func(items []externalv1beta1.ExternalMetricValue, meta metav1.ListMeta) runtime.Object {
			return &externalv1beta1.ExternalMetricValueList{ListMeta: meta, Items: items}
		}),
	}
	customVersion = [...]string{"v1beta1", "v1beta2"}[seed%2]
	path := fmt.Sprintf(customPath, customVersion)
	if customVersion == "v1beta1" {
		byPath[path] = parts(d, count/10, drawn[customv1beta1.MetricValue](d), func(items []customv1beta1.MetricValue, meta metav1.ListMeta) runtime.Object {
			return &customv1beta1.MetricValueList{ListMeta: meta, Items: items}
		})
	} else {
		byPath[path] = parts(d, count/10, drawn[customv1beta2.MetricValue](d), func(items []customv1beta2.MetricValue, meta metav1.ListMeta) runtime.Object {
			return &customv1beta2.MetricValueList{ListMeta: meta, Items: items}
		})
	}
	byPath[hpasPath] = parts(d, count*2/10, d.hpa, func(items []autoscalingv2.HorizontalPodAutoscaler, meta metav1.ListMeta) runtime.Object {
		return &autoscalingv2.HorizontalPodAutoscalerList{ListMeta: meta, Items: items}
	})
	byPath[fmt.Sprintf(targetsPath, "deployments")] = parts(d, count*2/10, d.deployment, func(items []appsv1.Deployment, meta metav1.ListMeta) runtime.Object {
		return &appsv1.DeploymentList{ListMeta: meta, Items: items}
	})
	byPath[fmt.Sprintf(targetsPath, "statefulsets")] = parts(d, count*2/10, d.statefulSet, func(items []appsv1.StatefulSet, meta metav1.ListMeta) runtime.Object {
		return &appsv1.StatefulSetList{ListMeta: meta, Items: items}
	})
	byPath[fmt.Sprintf(targetsPath, "replicasets")] = parts(d, count*2/10, d.replicaSet, func(items []appsv1.ReplicaSet, meta metav1.ListMeta) runtime.Object {
		return &appsv1.ReplicaSetList{ListMeta: meta, Items: items}
	})
	return byPath, customVersion
}

// parts draws a list in one to three parts, the later of which are asked for with the token of the one before.
func parts[T any](d drawer, count int, draw func(int) T, list func([]T, metav1.ListMeta) runtime.Object) []runtime.Object {
	items := make([]T, count)
	for i := range items {
		items[i] = draw(i)
	}
	var lists []runtime.Object
	for number := 1 + d.IntN(3); number > 0; number-- {
		size := len(items) / number
		meta := metav1.ListMeta{ResourceVersion: "7", SelfLink: d.word()}
		if number > 1 {
			remaining := int64(len(items) - size)
			meta.Continue, meta.RemainingItemCount = fmt.Sprint(len(lists)+1), &remaining
		}
		lists = append(lists, list(items[:size], meta))
		items = items[size:]
	}
	return lists
}

func drawn[T any](d drawer) func(int) T {
	return func(int) (object T) {
		d.fill(reflect.ValueOf(&object).Elem(), 2)
		return object
	}
}

func (d drawer) pod(i int) corev1.Pod {
	pod := drawn[corev1.Pod](d)(i)
	d.place(&pod.ObjectMeta, i)
	for len(pod.Spec.Containers) == 0 { // the API server takes no pod without
		d.fill(reflect.ValueOf(&pod.Spec.Containers).Elem(), 3)
	}
	return pod
}

func (d drawer) sample(i int) metricsv1beta1.PodMetrics {
	sample := drawn[metricsv1beta1.PodMetrics](d)(i)
	d.place(&sample.ObjectMeta, i)
	return sample
}

// hpa scales a target of one of the kinds whose lists have its scales. It is as etcd keeps it, without empty lists.
func (d drawer) hpa(i int) autoscalingv2.HorizontalPodAutoscaler {
	hpa := drawn[autoscalingv2.HorizontalPodAutoscaler](d)(i)
	hpa.Namespace, hpa.Name = namespace, fmt.Sprintf("hpa-%d", i)
	kind := [...]string{"Deployment", "StatefulSet", "ReplicaSet"}[d.IntN(3)]
	hpa.Spec.ScaleTargetRef = autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: kind, Name: target(i)}
	text, err := hpa.Marshal()
	if err != nil {
		panic(err)
	}
	stored := autoscalingv2.HorizontalPodAutoscaler{}
	if err := stored.Unmarshal(text); err != nil {
		panic(err)
	}
	return stored
}

// target is the name of what an HPA of this number scales.
func target(i int) string { return fmt.Sprintf("web-%d", i) }

func (d drawer) deployment(i int) appsv1.Deployment {
	deployment := drawn[appsv1.Deployment](d)(i)
	deployment.Namespace, deployment.Name, deployment.Spec.Template = namespace, target(i), corev1.PodTemplateSpec{}
	return deployment
}

func (d drawer) statefulSet(i int) appsv1.StatefulSet {
	set := drawn[appsv1.StatefulSet](d)(i)
	set.Namespace, set.Name, set.Spec.Template, set.Spec.VolumeClaimTemplates = namespace, target(i), corev1.PodTemplateSpec{}, nil
	return set
}

func (d drawer) replicaSet(i int) appsv1.ReplicaSet {
	set := drawn[appsv1.ReplicaSet](d)(i)
	set.Namespace, set.Name, set.Spec.Template = namespace, target(i), corev1.PodTemplateSpec{}
	return set
}

// place gives an object a name of its own; a pod and its sample have the same more often than not.
func (d drawer) place(meta *metav1.ObjectMeta, i int) {
	meta.Namespace = namespace
	meta.Name = fmt.Sprintf("web-%d", i)
	if d.oneIn(8) {
		if word := d.word(); len(meta.Name)+len(word) <= 253 { // as long as the API server lets a name be
			meta.Name += word
		}
	}
}
