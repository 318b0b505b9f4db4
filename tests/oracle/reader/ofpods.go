package reader

import (
	"math"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ofPods proposes for a metric of pods: of a resource, or custom where metric is given; see GetResourceReplicas and
// calcPlainMetricReplicas in replica_calculator.go.
func (w *World) ofPods(target autoscalingv2.MetricTarget, resource corev1.ResourceName, container string, metric *autoscalingv2.MetricIdentifier) proposal {
	p := proposal{kind: "mean"}
	switch {
	case target.AverageValue != nil:
		p.target = target.AverageValue.MilliValue()
	case metric == nil && target.AverageUtilization != nil:
		p.kind, p.target = "utilization", int64(*target.AverageUtilization)
	default:
		return proposal{failure: noTarget}
	}
	samples, failed := w.samplesOf(resource, container, metric)
	if failed.failure != "" {
		return failed
	}
	pods, ok := w.matched()
	if !ok {
		return proposal{failure: podsUnlisted, err: w.PodsErr}
	}
	if len(pods) == 0 {
		return proposal{failure: noPods}
	}
	p.matched = len(pods)
	p.groups = w.split(pods, samples, resource == corev1.ResourceCPU)
	for _, name := range append(append([]string{}, p.groups.ignored...), p.groups.unready...) {
		delete(samples, name)
	}
	var requests map[string]int64
	if p.kind == "utilization" {
		var without lacks
		requests, without = w.requests(pods, resource, container)
		if without.any() && (w.Minor < 26 || len(samples) > 0) {
			return proposal{failure: requestMissing, groups: p.groups, matched: p.matched}
		}
	}
	if len(samples) == 0 {
		return proposal{failure: noneUsable, groups: p.groups, matched: p.matched}
	}
	return w.ofSamples(p, samples, requests)
}

func (w *World) samplesOf(resource corev1.ResourceName, container string, metric *autoscalingv2.MetricIdentifier) (out map[string]sample, failed proposal) {
	var err error
	if metric == nil {
		out, err = w.resourceSamples(resource, container)
	} else if _, invalid := metav1.LabelSelectorAsSelector(metric.Selector); invalid != nil {
		return nil, proposal{failure: selectorInvalid, err: invalid}
	} else {
		out, err = w.podSamples(*metric)
	}
	switch err {
	case nil:
		return out, proposal{}
	case errEmpty:
		return nil, proposal{failure: emptyList}
	case errContainer:
		return nil, proposal{failure: lacksContainer}
	}
	return nil, proposal{failure: apiFailed, err: err}
}

// ofSamples computes the ratio, fills in and computes it again.
func (w *World) ofSamples(p proposal, samples map[string]sample, requests map[string]int64) proposal {
	var ok bool
	if p.ratio, p.value, ok = p.ratioOf(samples, requests); !ok {
		return proposal{failure: requestsZero, groups: p.groups, matched: p.matched}
	}
	p.multiply = p.groups.ready
	fillsUnready := len(p.groups.unready) > 0 && p.ratio > 1
	if !fillsUnready && len(p.groups.missing) == 0 {
		if p.kept = w.within(p.ratio); p.kept {
			p.replicas = w.current()
		} else {
			p.replicas = int32(math.Ceil(p.ratio * float64(p.groups.ready)))
		}
		return p
	}
	p.filled = true
	w.fill(&p, samples, requests)
	if fillsUnready {
		for _, name := range p.groups.unready {
			samples[name] = sample{}
		}
	}
	p.counted = len(samples)
	if p.second, _, ok = p.ratioOf(samples, requests); !ok {
		return proposal{failure: requestsZero, groups: p.groups, matched: p.matched}
	}
	p.replicas = int32(math.Ceil(p.second * float64(p.counted)))
	flips := p.ratio < 1 && p.second > 1 || p.ratio > 1 && p.second < 1
	turns := p.second < 1 && p.replicas > w.current() || p.second > 1 && p.replicas < w.current()
	if w.within(p.second) || flips || turns {
		p.replicas, p.kept = w.current(), true
	}
	return p
}

// fill gives the pods without a sample one.
func (w *World) fill(p *proposal, samples map[string]sample, requests map[string]int64) {
	p.percent = 100
	if w.Minor >= 26 {
		p.percent = max(100, p.target)
	}
	for _, name := range p.groups.missing {
		switch {
		case p.ratio < 1 && p.kind == "utilization":
			p.fillsMissing = "request"
			samples[name] = sample{value: requests[name] * p.percent / 100}
		case p.ratio < 1:
			p.fillsMissing = "target"
			samples[name] = sample{value: p.target}
		case p.ratio > 1, p.kind == "mean" && w.Minor < 28:
			p.fillsMissing = "zero"
			samples[name] = sample{}
		}
	}
}

// ratioOf is the ratio of samples and what the status shows; see metrics/utilization.go.
func (p *proposal) ratioOf(samples map[string]sample, requests map[string]int64) (ratio float64, value int64, ok bool) {
	usage, request, count := int64(0), int64(0), int64(0)
	for name, one := range samples {
		if p.kind == "utilization" {
			of, known := requests[name]
			if !known {
				continue
			}
			request += of
		}
		usage += one.value
		count++
		if !p.filled && (count == 1 || name < p.measured) {
			p.measured, p.sample = name, one.value
		}
	}
	if !p.filled {
		p.sum, p.samples, p.requested = usage, count, request
	}
	if p.kind == "mean" {
		value = usage / count
		return float64(value) / float64(p.target), value, true
	}
	if request == 0 {
		return 0, 0, false
	}
	value = int64(int32(usage * 100 / request))
	return float64(value) / float64(p.target), value, true
}
