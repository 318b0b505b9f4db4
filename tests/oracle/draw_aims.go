package oracle

import (
	"strconv"
	"strings"
)

// What a sequence is about, if it is about anything: first what differs between the older controllers, then edges at which
// any of them may be wrong.
const (
	aimNothing    = ""
	aimBounds     = "ratios at the very ends of the tolerance"
	aimContainers = "containers that a sample or a pod lacks"
	aimSidecars   = "restartable init containers and requests of pods as a whole"
	aimSums       = "sums below zero and past the largest number"
	aimShares     = "targets above 100 percent and pods without samples"
	aimValues     = "values exactly at their target and pods without samples"
	aimEvents     = "scale events in both directions within long periods"
	aimFormats    = "percent signs in errors, and failures over an older status"
	aimZero       = "no replicas, with and without the condition"
	aimOthers     = "other HPAs that select the same pods"
	aimObjects    = "Object targets without the value that their type names"

	aimBrink  = "sums of usages, values and requests at the ends of int64"
	aimHuge   = "replica counts at the ends of int32"
	aimMemory = "long memories with slots that are used again"
	aimEmpty  = "nothing and zero wherever there can be"
	aimMixes  = "many pods, each in several states at once"

	// Only of later seeds.
	aimNames = "containers and described objects of one name"
	aimFills = "plain targets, few replicas and pods to fill in"
	aimSigns = "several sums below zero, and failures beside nothing"
	aimEnds  = "policies that meet the largest count exactly"
)

// From this seed on, sequences have the later aims, too. What seeds before it draw stays as it was recorded.
const laterSeeds = 4_000_000_000

// drawAim leaves most sequences of the newest two controllers without an aim: they are many, and long.
func (s *sequence) drawAim() {
	plain := 15
	if s.minor() >= 36 {
		plain = 60
	}
	if fault := s.fault(); fault != aimNothing && s.dice.chance(60) {
		s.aim = fault
		return
	}
	if s.seed >= laterSeeds && s.dice.chance(30) {
		s.aim = pick(s.dice, aimNames, aimFills, aimSigns, aimEnds)
		return
	}
	aims := []string{aimBounds, aimContainers, aimSidecars, aimSums, aimShares, aimValues, aimEvents, aimFormats, aimZero,
		aimOthers, aimBrink, aimHuge, aimMemory, aimEmpty, aimMixes}
	if !s.dice.chance(float64(plain)) {
		s.aim = pick(s.dice, aims...)
	}
}

// fault is what a release from before a patch has of its own.
func (s *sequence) fault() string {
	switch s.patch {
	case "1.31.3", "1.29.6":
		return aimFormats
	case "1.28.2", "1.27.3", "1.26.9":
		return aimObjects
	}
	return aimNothing
}

// aimed is true in the given share of all draws, in percent, of a sequence with this aim.
func (s *sequence) aimed(aim string, percent float64) bool {
	return s.aim == aim && s.dice.chance(percent)
}

// minor is the number behind the first dot of the controller's version.
func (s *sequence) minor() int {
	minor, err := strconv.Atoi(strings.Split(s.patch, ".")[1])
	if err != nil {
		panic(err)
	}
	return minor
}

// drawAimed draws a metric of the kind that the aim is about.
func (s *sequence) drawAimed() *drawnMetric {
	switch s.aim {
	case aimContainers:
		return s.drawContainer()
	case aimObjects:
		return s.drawObject()
	case aimSums, aimSigns:
		return s.drawExternal()
	case aimNames:
		return pick(s.dice, s.drawContainer, s.drawObject, s.drawResource)()
	case aimEnds:
		return pick(s.dice, s.drawExternal, s.drawResource)()
	case aimFills:
		return pick(s.dice, s.drawResource, s.drawResource, s.drawPods)()
	case aimShares, aimSidecars:
		return s.drawResource()
	case aimValues:
		return pick(s.dice, s.drawResource, s.drawPods)()
	}
	return nil
}

// Texts that a formatting once more would make something else of.
var formats = []string{
	"100% sure", "50%", "a%20b%3Dc", "%!s(MISSING)", "%d of %[2]d at %5.3f%%", "%", "%[1]d %[x]d %*d %.*f", "%v: %+v %é", "99.9%, 5% off",
	"100%: %w", "GET /apis?labelSelector=app%3Dweb: EOF", "%1000002d and more", "%[", "% x%-05d", "user \"%q\"",
}

// failure is the error of a read or a write.
func (s *sequence) failure() object {
	if s.aimed(aimFormats, 85) {
		return object{"code": 500, "reason": "InternalError", "message": pick(s.dice, formats...)}
	}
	return pick(s.dice, failures...)
}

// hugeSum draws external values that add up to something below zero or past the largest number.
func (s *sequence) hugeSum() []object {
	d := s.dice
	items := []object{}
	for range d.between(1, 3) {
		value := pick(d, "-1", "-5k", "-9223372036854775808m", "9223372036854775807m", "4611686018427387904m", "1", "-250m", "3G", "2147483648")
		items = append(items, object{"value": value})
	}
	return items
}

// longRules are rules whose periods reach far back.
func (s *sequence) longRules() object {
	d := s.dice
	policies := []object{}
	for range d.between(1, 2) {
		policy := object{"type": "Pods", "value": pick(d, 1, 2, 3, 5), "periodSeconds": pick(d, 300, 600, 1800)}
		if d.chance(50) {
			policy["type"], policy["value"] = "Percent", pick(d, 20, 50, 100, 200)
		}
		policies = append(policies, policy)
	}
	out := object{"policies": policies, "stabilizationWindowSeconds": 0}
	if d.chance(30) {
		out["selectPolicy"] = pick(d, "Max", "Min")
	}
	return out
}
