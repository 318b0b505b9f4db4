package reader

import (
	"math"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

var rateChecks = map[string]check{
	"direction-disabled": func(l *look, v *values) {
		direction := v.str("direction")
		if !disabled(l.rules()[direction]) {
			v.fault("selectPolicy of %s is not Disabled", direction)
		}
		if direction == "scaleUp" && l.desired() > l.w.current() || direction == "scaleDown" && l.desired() < l.w.current() {
			v.fault("the real controller goes from %d to %d", l.w.current(), l.desired())
		}
	},
	"one-policy": (*look).onePolicy,
	"policies": func(l *look, v *values) {
		direction := v.str("direction")
		rules := l.rules()[direction]
		if rules == nil {
			v.fault("spec.behavior has no %s", direction)
			return
		}
		v.is("policies", int64(len(rules.Policies)))
		v.flag("strictest", rules.SelectPolicy != nil && *rules.SelectPolicy == autoscalingv2.MinChangePolicySelect)
		v.is("replicas", l.limitOf(direction, rules))
		l.decides(v, int32(v.int("replicas")))
		l.rated(v, direction)
		l.staysUntil(v, direction, rules)
	},
}

func disabled(rules *autoscalingv2.HPAScalingRules) bool {
	return rules != nil && rules.SelectPolicy != nil && *rules.SelectPolicy == autoscalingv2.DisabledPolicySelect
}

func (l *look) onePolicy(v *values) {
	policy := v.object("policy")
	direction := policy.str("direction")
	rules := l.rules()[direction]
	if rules == nil || len(rules.Policies) != 1 {
		v.fault("%s has not one policy", direction)
		return
	}
	p := rules.Policies[0]
	policy.text("type", string(p.Type))
	policy.is("value", int64(p.Value))
	policy.is("periodSeconds", int64(p.PeriodSeconds))
	v.is("replicas", int64(l.desired()))
	limit := l.limitOf(direction, rules)
	if !policy.has("allows") {
		if !l.decision.Open {
			v.fault("what it allows is missing, and the memory is known")
		}
		l.staysUntil(v, direction, rules)
		return
	}
	policy.is("periodStart", int64(l.periodStart(p, direction, l.w.At)))
	allowed := l.allows(p, direction, l.w.At)
	policy.is("allows", allowed)
	if v.has("clamped") {
		v.is("clamped", int64(l.w.current()))
		if limit == allowed {
			v.fault("the limit is %d itself", allowed)
		}
	} else if allowed != limit {
		v.fault("the policy allows %d, and the limit is %d", allowed, limit)
	}
	l.decides(v, int32(limit))
	l.rated(v, direction)
	l.staysUntil(v, direction, rules)
}

// periodStart are the replicas at the start of a period; see calculateScaleUpLimitWithScalingRules. Before 1.26 only the
// events of the direction counted.
func (l *look) periodStart(p autoscalingv2.HPAScalingPolicy, direction string, at time.Time) int32 {
	start, from := l.w.current(), at.Add(-time.Duration(p.PeriodSeconds)*time.Second)
	sum := func(changes []Change) (n int32) {
		for _, c := range changes {
			if c.At.After(from) {
				n += c.Replicas
			}
		}
		return n
	}
	if l.w.Minor >= 26 || direction == "scaleUp" {
		start -= sum(l.w.Memory.Ups)
	}
	if l.w.Minor >= 26 || direction == "scaleDown" {
		start += sum(l.w.Memory.Downs)
	}
	return start
}

// allows is what one policy allows.
func (l *look) allows(p autoscalingv2.HPAScalingPolicy, direction string, at time.Time) int64 {
	start := l.periodStart(p, direction, at)
	switch {
	case p.Type == autoscalingv2.PodsScalingPolicy && direction == "scaleUp":
		return int64(start + p.Value)
	case p.Type == autoscalingv2.PodsScalingPolicy:
		return int64(start - p.Value)
	case direction == "scaleUp":
		return int64(int32(math.Ceil(float64(start) * (1 + float64(p.Value)/100))))
	}
	return int64(int32(float64(start) * (1 - float64(p.Value)/100)))
}

// limitOf is the limit of a direction: never on the other side of the current replicas.
func (l *look) limitOf(direction string, rules *autoscalingv2.HPAScalingRules) int64 {
	least, most := int64(math.MaxInt32), int64(math.MinInt32)
	for _, p := range rules.Policies {
		allowed := l.allows(p, direction, l.w.At)
		least, most = min(least, allowed), max(most, allowed)
	}
	strict := rules.SelectPolicy != nil && *rules.SelectPolicy == autoscalingv2.MinChangePolicySelect
	if direction == "scaleUp" {
		if strict {
			most = least
		}
		return max(most, int64(l.w.current()))
	}
	if strict {
		least = most
	}
	return min(least, int64(l.w.current()))
}

// rated holds that the real controller names the rate.
func (l *look) rated(v *values, direction string) {
	l.limited(v, map[string]string{"scaleUp": "ScaleUpLimit", "scaleDown": "ScaleDownLimit"}[direction])
}

// staysUntil holds until when the replicas do not move: just before it nothing is allowed, and at it something is.
func (l *look) staysUntil(v *values, direction string, rules *autoscalingv2.HPAScalingRules) {
	if !v.has("stays") {
		if l.desired() == l.w.current() {
			v.fault("the replicas do not move, and stays is missing")
		}
		return
	}
	l.stays(v)
	if word, ok := v.in["stays"].(string); ok {
		if word != "always" && word != "for-now" {
			v.fault("unknown stays %q", word)
		}
		return
	}
	stays := v.object("stays")
	if !stays.has("until") {
		return
	}
	until := stays.time("until")
	if l.moves(direction, rules, until.Add(-time.Nanosecond)) || !l.moves(direction, rules, until) {
		v.fault("the policies let the replicas move just before %v: %v, at it: %v", until,
			l.moves(direction, rules, until.Add(-time.Nanosecond)), l.moves(direction, rules, until))
	}
}

func (l *look) moves(direction string, rules *autoscalingv2.HPAScalingRules, at time.Time) bool {
	then := *l
	w := *l.w
	w.At, then.w = at, &w
	limit := then.limitOf(direction, rules)
	return limit != int64(l.w.current())
}
