package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

// leastShares are the features that drawn plays must show, with the least share of all plays in percent.
var leastShares = map[string]int{
	"at least one rescale": 75, "at least 3 rescales": 50, "at least 10 rescales": 15,
	"up and down": 35, "scale down": 40, "at max": 15, "starts at 0": 2, "falls to 0": 1, "no demand for a while": 10,
	"several metrics": 30, "Resource": 35, "ContainerResource": 10, "Pods": 15, "Object": 15, "External": 15,
	"each": 8, "shared": 60, "whole": 15, "backlog": 10, "idle": 15, "ceiling": 15, "starting": 20,
	"repeated curve": 20, "steep curve": 25, "constant demand": 10,
	"drawn delays": 25, "fixed delays": 15, "ready at once": 10, "termination": 30, "rollout": 12, "rollout by both limits": 2,
	"existing pods": 8, "silent": 1, "going": 1, "lag": 40, "readings: 1": 20, "readings: 2": 40, "together with a sync": 15,
	"never together with a sync": 15, "odd sync period": 8, "pods without samples": 30, "pods that are not ready": 40,
	"behavior": 40, "Disabled": 3, "own tolerance": 5, "drawn memory": 10, "more than 150 syncs": 5,
}

// TestPlaysShow counts what drawn plays show, and fails where a feature is too rare.
func TestPlaysShow(t *testing.T) {
	out := results(t)
	oracle, err := New(*minor)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for i := range *count {
		var drawn *Play
		synctest.Test(t, func(*testing.T) { drawn, err = GeneratePlay(oracle, *patch, *seed+uint64(i)) })
		if err != nil {
			t.Fatal(err)
		}
		for name, shown := range shownBy(t, drawn) {
			if shown {
				counts[name]++
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(leastShares)) {
		fmt.Fprintf(out, "| %s | %d of %d |\n", name, counts[name], *count)
		if name == "own tolerance" && strings.Compare(*minor, "1.33") < 0 {
			continue // there is no such field yet
		}
		if counts[name]*100 < leastShares[name]**count {
			t.Errorf("%s: %d of %d plays, and at least %d %% should", name, counts[name], *count, leastShares[name])
		}
	}
}

func shownBy(t *testing.T, drawn *Play) map[string]bool {
	world, err := readWorld(drawn.World)
	if err != nil {
		t.Fatal(err)
	}
	c, err := compile(drawn.Case)
	if err != nil {
		t.Fatal(err)
	}
	out := featuresOfSyncs(drawn, c)
	featuresOfLoads(world, out)
	for _, metric := range c.hpa.Spec.Metrics {
		out[string(metric.Type)] = true
	}
	spec := string(encode(c.hpa.Spec.Behavior))
	m, first := world.Metrics, world.Delays[0]
	out["several metrics"] = len(c.hpa.Spec.Metrics) > 1
	out["behavior"] = strings.Contains(string(drawn.Case), `"behavior"`)
	out["Disabled"], out["own tolerance"] = strings.Contains(spec, "Disabled"), strings.Contains(spec, "tolerance")
	out["drawn memory"] = len(c.memory.Recommendations) > 0
	out["drawn delays"] = len(world.Delays) > 1
	out["ready at once"] = len(world.Delays) == 1 && first.Ready == 0
	out["fixed delays"] = len(world.Delays) == 1 && first.Ready > 0
	out["termination"], out["lag"] = world.Termination > 0, m.Lag > 0
	out[fmt.Sprintf("readings: %d", m.Readings)] = true
	together := false
	for k := range int64(1000) {
		together = together || (m.First+k*m.Resolution)%world.SyncPeriod == 0
	}
	out["together with a sync"], out["never together with a sync"] = together, !together
	out["odd sync period"] = world.SyncPeriod%1000 != 0
	if r := world.Rollout; r != nil {
		out["rollout"], out["rollout by both limits"] = true, r.Surge > 0 && r.Unavailable > 0
	}
	out["existing pods"] = len(world.Existing) > 0
	for _, pod := range world.Existing {
		out["silent"], out["going"] = out["silent"] || pod.Silent, out["going"] || pod.Gone != nil
	}
	return out
}

func featuresOfLoads(world *worldFile, out map[string]bool) {
	for _, load := range world.Loads {
		out[load.Spread] = true
		for name, given := range map[string]bool{
			"backlog": load.Backlog != nil, "idle": load.Idle > 0, "ceiling": load.Ceiling != nil, "starting": load.Starting > 0,
			"repeated curve": load.Curve != nil && load.Curve.Repeat > 0, "constant demand": load.Curve == nil,
			"no demand for a while": load.Demand == 0,
		} {
			out[name] = out[name] || given
		}
		if load.Curve == nil {
			continue
		}
		for i, point := range load.Curve.Points[1:] {
			before := load.Curve.Points[i]
			out["steep curve"] = out["steep curve"] || before[0] == point[0]
			out["no demand for a while"] = out["no demand for a while"] || before[1] == 0 && point[1] == 0
		}
	}
}

func featuresOfSyncs(drawn *Play, c *compiled) map[string]bool {
	rescales, ups, downs := 0, 0, 0
	out := map[string]bool{"starts at 0": c.scale.Spec.Replicas == 0, "more than 150 syncs": len(drawn.Syncs) > 150}
	before := c.scale.Spec.Replicas
	for _, sync := range drawn.Syncs {
		now := *sync.Replicas
		switch {
		case sync.Reason == "":
		case now > before:
			ups++
		case now < before:
			downs++
		}
		if sync.Reason != "" {
			rescales++
		}
		out["falls to 0"] = out["falls to 0"] || before > 0 && now == 0
		out["at max"] = out["at max"] || now == c.hpa.Spec.MaxReplicas
		out["pods without samples"] = out["pods without samples"] || c.podMetrics != nil && sync.Samples < sync.Ready
		out["pods that are not ready"] = out["pods that are not ready"] || sync.Ready < sync.Pods
		before = now
	}
	out["at least one rescale"], out["at least 3 rescales"], out["at least 10 rescales"] = rescales >= 1, rescales >= 3, rescales >= 10
	out["scale down"], out["up and down"] = downs > 0, ups > 0 && downs > 0
	return out
}
