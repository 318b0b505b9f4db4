package oracle

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
)

// hollowed is a copy of a part of a case with some of what is in it taken out, null, empty or zero. Names stay: without
// them nothing can be told apart.
func (s *sequence) hollowed(part any) any {
	var copied any
	if err := json.Unmarshal(encode(part), &copied); err != nil {
		panic(err)
	}
	s.hollow(copied, pick[float64](s.dice, 1, 3, 8))
	return copied
}

// kept are the names, and what they are in.
var kept = map[string]bool{"name": true, "namespace": true, "metadata": true, "describedObject": true, "items": true}

func (s *sequence) hollow(part any, percent float64) {
	switch part := part.(type) {
	case []any:
		for _, item := range part {
			s.hollow(item, percent)
		}
	case object:
		for _, key := range slices.Sorted(maps.Keys(part)) {
			if kept[key] || !s.dice.chance(percent) {
				s.hollow(part[key], percent)
				continue
			}
			s.empty(part, key)
		}
	}
}

// empty takes out what is under a key, or leaves nothing in it.
func (s *sequence) empty(part object, key string) {
	switch part[key].(type) {
	case []any:
		part[key] = pick[any](s.dice, []any{}, []any{}, nil)
	case object:
		part[key] = pick[any](s.dice, object{}, object{}, nil)
	case float64:
		part[key] = 0
	case string:
		if key == "window" {
			part[key] = "0s" // the type does not take null
			return
		}
	}
	if s.dice.chance(40) {
		delete(part, key)
	}
}

// hollowAnswers takes things out of what the metrics APIs answer. Queries that are the same question keep the same
// answer.
func (s *sequence) hollowAnswers(out object) {
	if answer, ok := out["podMetrics"].(object); ok && answer["items"] != nil {
		out["podMetrics"] = s.hollowed(answer)
	}
	for _, name := range []string{"customMetrics", "externalMetrics"} {
		entries, _ := out[name].([]object)
		if len(entries) != 1 || entries[0]["items"] == nil {
			continue
		}
		entry := maps.Clone(entries[0])
		entry["items"] = s.hollowed(entry["items"])
		out[name] = []object{entry}
	}
}

// brink is a sum, in thousandths, at which 64 bits end: with a sign, without one, or once it is multiplied by a hundred.
func (s *sequence) brink() uint64 {
	end := pick[uint64](s.dice, math.MaxInt64, math.MaxInt64, 1<<63, math.MaxInt64/100, math.MaxInt64/100, math.MaxUint64, 1<<62)
	return end + pick[uint64](s.dice, 0, 0, 1, math.MaxUint64) // one more, or one less
}

// brinkParts divides such a sum into so many parts that each fit.
func (s *sequence) brinkParts(n int) []int64 {
	sum := s.brink()
	out := make([]int64, n)
	for i := range out {
		part := sum / uint64(n-i)
		if i < n-1 && s.dice.chance(50) {
			part -= part / pick[uint64](s.dice, 2, 10, 1000)
		}
		part = min(part, math.MaxInt64)
		sum -= part
		out[i] = int64(part)
	}
	return out
}

// hugeCount is a replica count at one of the ends of int32, or where twice it is.
func (s *sequence) hugeCount() int64 {
	return pick[int64](s.dice, math.MaxInt32, math.MaxInt32-1, 1<<30, 1<<30-1, 1<<30+1, 715827883, math.MaxInt32-3)
}

// drawHugeBounds draws bounds that leave room for such counts.
func (s *sequence) drawHugeBounds() {
	d := s.dice
	s.max = pick(d, math.MaxInt32, math.MaxInt32, math.MaxInt32-1, s.hugeCount())
	if d.chance(25) {
		s.min = min(s.max, s.hugeCount())
	}
}

// hugeTotal is a value for the whole target that asks for about the largest count.
func (s *sequence) hugeTotal(m *drawnMetric) int64 {
	pods := int64(max(1, s.size))
	if m.perPod {
		pods = 1
	}
	count := s.hugeCount() + s.dice.between(-1, 2)
	if m.target <= 0 || m.target > math.MaxInt64/count {
		return math.MaxInt64
	}
	return m.target * count / pods
}
