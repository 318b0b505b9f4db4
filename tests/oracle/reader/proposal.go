package reader

import (
	"math"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// proposal is what one metric reads and proposes, or why it gives nothing.
type proposal struct {
	failure failure
	err     error // of an API or of a selector

	kind     string // utilization, mean, value, average or negative-sum
	value    int64  // percent of a utilization, thousandths of the others
	average  int64  // of an average: what its status shows
	target   int64
	after    int // series after which a sum was negative
	series   int
	external bool
	ratio    float64
	multiply int

	sum, requested, sample int64 // of the samples before any is filled in; one of these
	samples                int64
	measured               string // the pod of that one

	groups       groups
	matched      int
	filled       bool
	fillsMissing string // zero, target, request
	percent      int64
	counted      int // in the second ratio
	second       float64
	kept         bool // the current replicas stay, whatever the ratio
	replicas     int32
}

// propose computes one metric; see computeReplicasForMetric in horizontal.go.
func (w *World) propose(i int) proposal {
	m := &w.HPA.Spec.Metrics[i]
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType:
		return w.ofPods(m.Resource.Target, m.Resource.Name, "", nil)
	case autoscalingv2.ContainerResourceMetricSourceType:
		if w.Minor >= 27 && w.Minor < 30 && !w.gate("HPAContainerMetrics") {
			return proposal{failure: gateOff}
		}
		return w.ofPods(m.ContainerResource.Target, m.ContainerResource.Name, m.ContainerResource.Container, nil)
	case autoscalingv2.PodsMetricSourceType:
		return w.ofPods(m.Pods.Target, "", "", &m.Pods.Metric)
	case autoscalingv2.ObjectMetricSourceType:
		return w.ofObject(m.Object)
	case autoscalingv2.ExternalMetricSourceType:
		return w.ofExternal(m.External)
	}
	return proposal{failure: noTarget}
}

// tolerances are those of both directions and whether the spec sets them; see tolerancesForHpa in horizontal.go.
func (w *World) tolerances() (down, up float64, ownDown, ownUp bool) {
	down, up = w.Tolerance, w.Tolerance
	b := w.HPA.Spec.Behavior
	if b == nil || w.Minor < 33 || !w.gate("HPAConfigurableTolerance") {
		return down, up, false, false
	}
	if b.ScaleDown != nil && ownTolerance(b.ScaleDown) != nil {
		down, ownDown = ownTolerance(b.ScaleDown).AsApproximateFloat64(), true
	}
	if b.ScaleUp != nil && ownTolerance(b.ScaleUp) != nil {
		up, ownUp = ownTolerance(b.ScaleUp).AsApproximateFloat64(), true
	}
	return down, up, ownDown, ownUp
}

func (w *World) within(ratio float64) bool {
	down, up, _, _ := w.tolerances()
	if w.Minor < 33 {
		return math.Abs(1.0-ratio) <= down
	}
	return 1.0-down <= ratio && ratio <= 1.0+up
}

func (w *World) ofObject(source *autoscalingv2.ObjectMetricSource) (p proposal) {
	set := true
	switch target := source.Target; {
	case target.Type == autoscalingv2.ValueMetricType && target.Value != nil:
		p.kind, p.target = "value", target.Value.MilliValue()
	case target.Type == autoscalingv2.AverageValueMetricType && target.AverageValue != nil:
		p.kind, p.target = "average", target.AverageValue.MilliValue()
	default:
		set = false
	}
	if _, err := metav1.LabelSelectorAsSelector(source.Metric.Selector); err != nil {
		return proposal{failure: selectorInvalid, err: err}
	}
	if !set {
		return proposal{failure: noTarget}
	}
	items, err := find(w.Custom, source.Metric, &source.DescribedObject)
	if err != nil && err != errEmpty {
		return proposal{failure: apiFailed, err: err}
	}
	if len(items) != 1 {
		return proposal{failure: notOne}
	}
	p.value, p.series = items[0].Value.MilliValue(), 1
	return w.ofSum(p)
}

func (w *World) ofExternal(source *autoscalingv2.ExternalMetricSource) (p proposal) {
	switch target := source.Target; {
	case target.AverageValue != nil:
		p.kind, p.target = "average", target.AverageValue.MilliValue()
	case target.Value != nil:
		p.kind, p.target = "value", target.Value.MilliValue()
	default:
		return proposal{failure: noTarget}
	}
	if _, err := metav1.LabelSelectorAsSelector(source.Metric.Selector); err != nil {
		return proposal{failure: selectorInvalid, err: err}
	}
	items, err := find(w.External, source.Metric, nil)
	switch {
	case err == errEmpty || err == nil && len(items) == 0:
		return proposal{failure: emptyList}
	case err != nil:
		return proposal{failure: apiFailed, err: err}
	}
	p.series, p.external = len(items), true
	sum := 0.0 // without an overflow
	for i, item := range items {
		one := item.Value.MilliValue()
		sum += float64(one)
		if w.Minor >= 35 && p.kind == "value" && one > 0 && p.value > math.MaxInt64-one {
			p.value = math.MaxInt64
			break
		}
		p.value += one
		if w.Minor >= 34 && p.kind == "average" && p.value < 0 {
			if sum > 0 {
				p.value = math.MaxInt64
			} else {
				p.kind, p.after = "negative-sum", i+1
			}
			break
		}
	}
	return w.ofSum(p)
}

// ofSum proposes for one value of the target as a whole.
func (w *World) ofSum(p proposal) proposal {
	usage := float64(p.value)
	if p.kind == "negative-sum" {
		usage = float64(math.MaxInt64)
	}
	if p.kind != "value" {
		return w.perReplica(p, usage)
	}
	p.ratio = usage / float64(p.target)
	switch {
	case w.current() == 0:
		p.replicas = int32(math.Ceil(p.ratio))
		return p
	case w.within(p.ratio):
		p.replicas, p.kept = w.current(), true
		return p
	}
	pods, ok := w.matched()
	if !ok {
		return proposal{failure: podsUnlisted, err: w.PodsErr}
	}
	if len(pods) == 0 {
		return proposal{failure: noPodsToMultiply}
	}
	p.multiply = runningReady(pods)
	count := p.ratio * float64(p.multiply)
	if w.Minor >= 35 && count > math.MaxInt32 {
		p.replicas = math.MaxInt32
		return p
	}
	p.replicas = int32(math.Ceil(count))
	return p
}

func (w *World) perReplica(p proposal, usage float64) proposal {
	p.replicas = w.Scale.Status.Replicas
	p.ratio = usage / (float64(p.target) * float64(p.replicas))
	p.kept = w.within(p.ratio) || w.Minor < 33 && math.IsNaN(p.ratio)
	if !p.kept {
		count := math.Ceil(usage / float64(p.target))
		if p.external && w.Minor >= 34 && count > math.MaxInt32 {
			p.replicas = math.MaxInt32
		} else {
			p.replicas = int32(count)
		}
	}
	p.average = int64(math.Ceil(usage / float64(w.Scale.Status.Replicas)))
	if p.external && w.Minor >= 34 && usage >= float64(math.MaxInt64) {
		p.average = math.MaxInt64
	}
	return p
}
