package oracle

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

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
func play(judge func(*compiled) (*Outcome, error), caseLine, worldLine []byte) ([]Sync, error) {
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
		sync, err := p.sync(judge)
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
