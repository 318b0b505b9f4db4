package oracle

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// Play is a first sync, a world that moves on from it, and what the controller did at each sync. plays.md says how.
type Play struct {
	Seed  uint64          `json:"seed"`
	Case  json.RawMessage `json:"case"`
	World json.RawMessage `json:"world"`
	Syncs []Sync          `json:"syncs"`
}

// Sync is what is compared of one sync.
type Sync struct {
	At       int64      `json:"at"`
	Replicas *int32     `json:"replicas"`
	Reason   string     `json:"reason,omitempty"`
	Memory   playMemory `json:"memory"`
	Pods     int        `json:"pods"`
	Ready    int        `json:"ready"`
	Samples  int        `json:"samples"`
}

// playMemory has its instants in nanoseconds after the case's.
type playMemory struct {
	Recommendations [][2]int64 `json:"recommendations"`
	ScaleUps        [][3]any   `json:"scaleUps"`
	ScaleDowns      [][3]any   `json:"scaleDowns"`
}

// never is an instant that does not come.
const never = math.MaxInt64

// player is the world between two instants. Times are milliseconds after the case's `at`.
type player struct {
	first    *compiled
	world    *worldFile
	now      int64
	pods     []*playedPod // listed, in order
	created  int          // pods created in the play
	replicas int32        // spec.replicas
	rolling  bool
	loads    []*playedLoad
	readings []*reading // made and not yet visible
	shown    *reading   // the latest visible one
	memory   memoryFile
	hpa      *autoscalingv2.HorizontalPodAutoscaler
}

// play lets the controller judge every sync of a play. It must run inside a synctest bubble.
func play(oracle *Oracle, caseLine, worldLine []byte) ([]Sync, error) {
	p, err := newPlayer(caseLine, worldLine)
	if err != nil {
		return nil, err
	}
	syncs := []Sync{}
	for p.now = 0; ; p.now = p.next() {
		changed := p.changePods()
		if p.world.Rollout != nil && p.now == p.world.Rollout.At {
			p.beginRollout()
			p.stepRollout()
		} else if p.rolling && changed {
			p.stepRollout()
		}
		p.read()
		p.reveal()
		if p.now%p.world.SyncPeriod != 0 {
			continue
		}
		sync, err := p.sync(oracle)
		if err != nil {
			return nil, fmt.Errorf("at %d ms: %w", p.now, err)
		}
		if syncs = append(syncs, *sync); len(syncs) == p.world.Syncs {
			return syncs, nil
		}
		p.follow()
	}
}

func newPlayer(caseLine, worldLine []byte) (*player, error) {
	first, err := compile(caseLine)
	if err != nil {
		return nil, err
	}
	if first.scale == nil || first.podsErr != nil || first.putScale != nil || first.putStatus != nil {
		return nil, errors.New("a play is of a case with its scale and its pods, whose writes succeed")
	}
	world, err := readWorld(worldLine)
	if err != nil {
		return nil, err
	}
	p := &player{first: first, world: world, replicas: first.scale.Spec.Replicas, memory: first.memory, hpa: first.hpa}
	if err := p.takePods(); err != nil {
		return nil, err
	}
	return p, p.takeLoads()
}

// next is the next instant at which anything happens.
func (p *player) next() int64 {
	next := p.now + p.world.SyncPeriod - p.now%p.world.SyncPeriod
	at := func(t int64) {
		if t > p.now {
			next = min(next, t)
		}
	}
	if p.world.Rollout != nil {
		at(p.world.Rollout.At)
	}
	for _, pod := range p.pods {
		at(pod.scheduled)
		at(pod.running)
		at(pod.ready)
		at(pod.gone)
	}
	at(p.nextReading())
	for _, r := range p.readings {
		at(r.visible)
	}
	return next
}

// sync lets the controller reconcile, and takes over what it leaves.
func (p *player) sync(oracle *Oracle) (*Sync, error) {
	c := p.compose()
	out, err := oracle.Judge(c)
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
