package oracle

import (
	"errors"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// sync lets the controller reconcile, and takes over what it leaves.
func (p *player) sync(judge func(*compiled) (*Outcome, error)) (*Sync, error) {
	c := p.compose()
	out, err := judge(c)
	if err != nil {
		return nil, err
	}
	sync := &Sync{At: p.now, Replicas: out.DesiredReplicas, Pods: len(p.pods), Ready: len(p.readyPods())}
	if c.podMetrics != nil {
		sync.Samples = len(c.podMetrics.items)
	}
	for _, event := range out.Events {
		if event.Reason == "SuccessfulRescale" {
			sync.Reason = event.Message
		}
	}
	p.memory = out.Memory
	if sync.Memory, err = p.memoryOf(&out.Memory); err != nil {
		return nil, err
	}
	if out.Rescaled {
		p.replicas = *out.DesiredReplicas
	}
	if out.StatusChanged {
		p.hpa = p.hpa.DeepCopy()
		p.hpa.Status = autoscalingv2.HorizontalPodAutoscalerStatus{}
		return sync, raw(encode(out.Status)).decode(&p.hpa.Status)
	}
	return sync, nil
}

// compose is the complete case of this instant.
func (p *player) compose() *compiled {
	c := *p.first
	c.at = p.first.at.Add(time.Duration(p.now) * time.Millisecond)
	c.hpa, c.memory = p.hpa, p.memory
	c.scale = p.first.scale.DeepCopy()
	c.scale.Spec.Replicas = p.replicas
	if p.now > 0 {
		c.scale.Status.Replicas = int32(len(p.activePods()))
	}
	c.pods = nil
	for _, pod := range p.pods {
		c.pods = append(c.pods, pod.Pod)
	}
	p.showMetrics(&c)
	return &c
}

// memoryOf is the controller's memory as a play notes it.
func (p *player) memoryOf(m *memoryFile) (playMemory, error) {
	out := playMemory{[][2]int64{}, [][3]any{}, [][3]any{}}
	var failure error
	since := func(stamp string) int64 {
		at, err := time.Parse(time.RFC3339Nano, stamp)
		failure = errors.Join(failure, err)
		return int64(at.Sub(p.first.at))
	}
	for _, r := range m.Recommendations {
		out.Recommendations = append(out.Recommendations, [2]int64{int64(r.Replicas), since(r.At)})
	}
	for _, e := range m.ScaleUpEvents {
		out.ScaleUps = append(out.ScaleUps, [3]any{e.Change, since(e.At), e.Outdated})
	}
	for _, e := range m.ScaleDownEvents {
		out.ScaleDowns = append(out.ScaleDowns, [3]any{e.Change, since(e.At), e.Outdated})
	}
	return out, failure
}
