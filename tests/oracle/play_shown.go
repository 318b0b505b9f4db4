package oracle

import (
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// reveal makes the readings visible that are due.
func (p *player) reveal() {
	for len(p.readings) > 0 && p.readings[0].visible <= p.now {
		p.shown, p.readings = p.readings[0], p.readings[1:]
	}
}

// showMetrics puts into a case what the metrics APIs show now.
func (p *player) showMetrics(c *compiled) {
	c.podMetrics = p.shownPodMetrics()
	c.custom, c.external = slices.Clone(c.custom), slices.Clone(c.external)
	for i := range c.custom {
		q := &c.custom[i]
		if items, loaded := p.answerTo(q.name, q.selector, q.object, false); loaded && q.answer.err == nil {
			q.answer.items = items.([]customv1beta2.MetricValue)
		}
		if q.object == nil {
			q.answer.items = listed(p, q.answer.items, func(v customv1beta2.MetricValue) string { return v.DescribedObject.Name })
		}
	}
	for i := range c.external {
		q := &c.external[i]
		if items, loaded := p.answerTo(q.name, q.selector, nil, true); loaded && q.answer.err == nil {
			q.answer.items = items.([]externalv1beta1.ExternalMetricValue)
		}
	}
}

func (p *player) shownPodMetrics() *answer[metricsv1beta1.PodMetrics] {
	in := p.first.podMetrics
	if in != nil && in.err != nil {
		return in
	}
	usage := slices.ContainsFunc(p.loads, func(l *playedLoad) bool { return l.spec == nil })
	if p.shown != nil && usage {
		in = &answer[metricsv1beta1.PodMetrics]{items: p.shown.items}
	}
	if in == nil {
		return nil
	}
	return &answer[metricsv1beta1.PodMetrics]{
		items: listed(p, in.items, func(item metricsv1beta1.PodMetrics) string { return item.Name })}
}

// listed are the samples of pods that are listed.
func listed[T any](p *player, items []T, name func(T) string) (out []T) {
	for _, item := range items {
		if slices.ContainsFunc(p.pods, func(pod *playedPod) bool { return pod.Name == name(item) }) {
			out = append(out, item)
		}
	}
	return out
}

// answerTo is what was read last of the metric that a question is about, if there is a load of it.
func (p *player) answerTo(name, selector string, object *autoscalingv2.CrossVersionObjectReference, external bool) (any, bool) {
	if p.shown == nil {
		return nil, false
	}
	for load, items := range p.shown.answers {
		metric, described, isExternal := asked(load.spec)
		parsed, err := metav1.LabelSelectorAsSelector(metric.Selector)
		if err == nil && metric.Name == name && parsed.String() == selector && isExternal == external &&
			equality.Semantic.DeepEqual(described, object) {
			return items, true
		}
	}
	return nil, false
}

// asked is the question that a metric makes the controller ask.
func asked(spec *autoscalingv2.MetricSpec) (*autoscalingv2.MetricIdentifier, *autoscalingv2.CrossVersionObjectReference, bool) {
	switch spec.Type {
	case autoscalingv2.PodsMetricSourceType:
		return &spec.Pods.Metric, nil, false
	case autoscalingv2.ObjectMetricSourceType:
		return &spec.Object.Metric, &spec.Object.DescribedObject, false
	}
	return &spec.External.Metric, nil, true
}
