package reader

import (
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// causeChecks are by the kind of a cause.
var causeChecks = map[string]check{
	"controller-idle":  func(l *look, v *values) { l.spared(v, nil) },
	"controller-fault": func(l *look, v *values) { l.answered(v); l.spared(v, nil) },
	"rivals":           func(l *look, v *values) { l.others(v); l.spared(v, nil) },
	"scale":            func(l *look, v *values) { l.answered(v); l.spared(v, nil) },
	"selector":         func(l *look, v *values) { l.answered(v); l.spared(v, nil) },
	"other-hpas": func(l *look, v *values) {
		l.others(v)
		l.spared(v, func(w *World) { w.Others = nil })
	},
	"zero": func(l *look, v *values) {
		l.zero(v)
		l.whoseZero(v)
		l.spared(v, nil)
	},
	"crash":     func(l *look, v *values) { l.crashes(v) },
	"idle-pods": func(l *look, v *values) { l.spared(v, nil) },
	"failed-metric": func(l *look, v *values) {
		l.answered(v)
		named := l.w.named(v.str("metric"))
		failing := slices.IndexFunc(named, func(i int) bool { return l.propose(i).failure != "" })
		if failing < 0 {
			v.fault("metric %s does not fail", v.str("metric"))
			return
		}
		l.spared(v, func(w *World) {
			w.HPA.Spec.Metrics = slices.Delete(slices.Clone(w.HPA.Spec.Metrics), named[failing], named[failing]+1)
		})
	},
	"refused-write":  func(l *look, v *values) { l.answered(v); l.spared(v, nil) },
	"unknown-memory": func(l *look, v *values) { l.spared(v, nil) },
	"own-zero": func(l *look, v *values) {
		v.is("bound", int64(l.w.min()))
		zeroChecks["zero-to-min"](l, newValues(map[string]any{"minReplicas": v.in["bound"]}, v.path, v.faults))
		l.spared(v, nil)
	},
	"max-replicas": func(l *look, v *values) {
		v.is("bound", int64(l.w.max()))
		l.spared(v, func(w *World) { w.HPA.Spec.MaxReplicas = math.MaxInt32 })
	},
	"min-replicas": func(l *look, v *values) {
		v.is("bound", int64(l.w.min()))
		least := int32(1)
		if l.w.min() == 1 && l.w.outside() {
			least = 0
		}
		l.spared(v, func(w *World) { w.HPA.Spec.MinReplicas = &least })
	},
	"disabled": func(l *look, v *values) {
		direction := v.str("direction")
		if !disabled(l.rules()[direction]) {
			v.fault("its selectPolicy is not Disabled")
		}
		l.spared(v, unbound(direction))
	},
	"rate": func(l *look, v *values) {
		direction := v.str("direction")
		l.ratePolicy(v.object("policy"), direction)
		l.spared(v, unbound(direction))
	},
	"scale-up-cap": func(l *look, v *values) {
		if l.w.HPA.Spec.Behavior != nil {
			v.fault("the HPA has a behavior")
		}
		l.spared(v, nil)
	},
	"window": func(l *look, v *values) {
		direction, window := v.str("direction"), v.duration("window")
		if want, there := l.windows()[direction]; !there || window != want {
			v.fault("the window is %v", want)
		}
		l.holder(v, direction, window)
		l.spared(v, func(w *World) {
			if w.HPA.Spec.Behavior == nil {
				w.Downscale = -1
				return
			}
			none := int32(0)
			w.behavior(direction).StabilizationWindowSeconds = &none
		})
	},
	"missing-pods": func(l *look, v *values) { l.grouped(v, func(g groups) int { return len(g.missing) }) },
	"unready-pods": func(l *look, v *values) { l.grouped(v, func(g groups) int { return len(g.unready) }) },
	"surplus-pods": (*look).ofSome,
	"absent-pods":  (*look).ofSome,
	"foreign-pods": func(l *look, v *values) {
		foreign := l.notOwn()
		v.is("pods", int64(len(foreign)))
		l.ownersOf(v, true)
		l.spared(v, func(w *World) { w.drop(foreign) })
	},
	"foreign-samples": (*look).ofSome,
	"status-replicas": func(l *look, v *values) {
		if l.w.Scale.Status.Replicas == l.w.current() {
			v.fault("status.replicas is spec.replicas")
		}
		l.spared(v, func(w *World) { w.Scale.Status.Replicas = w.Scale.Spec.Replicas })
	},
	"tolerance": func(l *look, v *values) {
		l.spared(v, func(w *World) {
			w.Tolerance = 0
			for _, rules := range (&look{w: w}).rules() {
				if rules != nil {
					setTolerance(rules, resource.Quantity{})
				}
			}
		})
	},
	"load": func(l *look, v *values) {
		l.decider(v, func(*autoscalingv2.MetricSpec) bool { return true })
		l.spared(v, nil)
	},
}

// notOwn are the pods that are not the target's own.
func (l *look) notOwn() (names []string) {
	pods, _ := l.w.matched()
	for _, pod := range pods {
		if !l.own(pod) {
			names = append(names, pod.Name)
		}
	}
	return names
}

// unbound makes a direction free of rates.
func unbound(direction string) func(*World) {
	return func(w *World) {
		rules, most := w.behavior(direction), autoscalingv2.MaxChangePolicySelect
		rules.SelectPolicy = &most
		rules.Policies = []autoscalingv2.HPAScalingPolicy{{Type: autoscalingv2.PercentScalingPolicy, Value: 100, PeriodSeconds: 15}}
		if direction == "scaleUp" {
			rules.Policies[0].Type, rules.Policies[0].Value = autoscalingv2.PodsScalingPolicy, 1_000_000_000
		}
	}
}

// spared holds the replicas without a cause against what the real controller decides then.
func (l *look) spared(v *values, change func(*World)) {
	if !v.has("without") {
		return
	}
	told := v.object("without")
	lowest, highest := told.int("lowest"), told.int("highest")
	if lowest > highest || lowest != highest && !l.decision.Open && !l.idle() {
		v.fault("%d to %d without it, and the memory is known", lowest, highest)
	}
	if change == nil {
		return
	}
	if current := int64(l.w.current()); l.idle() {
		if lowest > current || current > highest {
			v.fault("no controller is at work, and the replicas are %d", current)
		}
		return
	}
	out := l.rerun(v, func(w *World) {
		if l.claims("rival-not-compared") {
			w.Others = nil
		}
		change(w)
	})
	if out == nil || out.Desired == nil {
		return
	}
	if n := l.left(out); n < lowest || n > highest {
		v.fault("without it the real controller decides %d, not %d to %d", n, lowest, highest)
	}
}

// answered holds an error against those that the case has.
func (l *look) answered(v *values) {
	if !v.has("error") {
		return
	}
	told := v.object("error")
	defer told.skip()
	all := []error{l.w.MappingErr, l.w.ScaleErr, l.w.PodsErr, l.w.PodMetrics.Err, l.w.PutScale}
	for _, query := range l.w.Custom {
		all = append(all, query.Answer.Err)
	}
	for _, query := range l.w.External {
		all = append(all, query.Answer.Err)
	}
	message := told.str("message")
	for _, err := range all {
		var status *apierrors.StatusError
		switch {
		case err == nil || err.Error() != message:
		case !errors.As(err, &status):
			return
		case !told.has("code") || told.int("code") == int64(status.ErrStatus.Code):
			return
		}
	}
	if status := l.w.HPA.Status; slices.ContainsFunc(status.Conditions, func(c autoscalingv2.HorizontalPodAutoscalerCondition) bool {
		return strings.Contains(c.Message, message)
	}) {
		return
	}
	v.fault("no API answered %q", message)
}

// others holds the names of other HPAs.
func (l *look) others(v *values) {
	for _, name := range v.strs("hpas") {
		if !slices.ContainsFunc(l.w.Others, func(o Other) bool { return o.Namespace == l.w.HPA.Namespace && o.Name == name }) {
			v.fault("there is no other HPA %s", name)
		}
	}
}

// whoseZero holds who made the zero.
func (l *look) whoseZero(v *values) {
	keda := slices.ContainsFunc(l.w.HPA.OwnerReferences, func(o metav1.OwnerReference) bool { return o.Kind == "ScaledObject" })
	own, gate := l.w.Minor >= 36 && l.w.ownZero(), l.w.gate("HPAScaleToZero")
	good := map[string]bool{"keda": keda, "gate-off": !keda && !gate && (l.w.min() == 0 || l.w.zeroCondition() == "True"), "own": (own || gate && l.w.Minor < 36) && !l.w.outside(), "others": !keda && !(own && gate)}
	if !good[v.str("zero")] {
		v.fault("of KEDA: %v, of the HPA: %v, and HPAScaleToZero is on: %v", keda, own, gate)
	}
	if v.has("setter") {
		v.str("setter")
		l.unchecked = true
	}
}

// ratePolicy holds the policy that a rate comes from: one that allows what the rate is, unless that is on the other side of the replicas.
func (l *look) ratePolicy(v *values, direction string) {
	rules := l.rules()[direction]
	kind, value, period := v.str("type"), v.int("value"), v.int("periodSeconds")
	limit := l.limitOf(direction, rules)
	for _, p := range rules.Policies {
		same := string(p.Type) == kind && int64(p.Value) == value && int64(p.PeriodSeconds) == period
		if same && (l.decision.Open || l.allows(p, direction, l.w.At) == limit || limit == int64(l.w.current())) {
			return
		}
	}
	v.fault("%s has no such policy that allows %d", direction, limit)
}

// holder holds the recommendation that holds the replicas: it is in the window, and there is one wherever the memory is known.
func (l *look) holder(v *values, direction string, window time.Duration) {
	if !v.has("recommendation") {
		if !l.decision.Open && !l.idle() {
			v.fault("the memory is known, and no recommendation is named")
		}
		return
	}
	told := v.object("recommendation")
	replicas, at := told.int("replicas"), told.time("at")
	known := append(slices.Clone(l.w.Memory.Recommendations), Recommendation{l.w.current(), l.w.At})
	if !slices.ContainsFunc(known, func(r Recommendation) bool { return int64(r.Replicas) == replicas && r.At.Equal(at) }) {
		v.fault("the controller remembers %v", known)
	}
	if at.Add(window).Before(l.w.At) {
		v.fault("%s forgets it at %v", direction, at.Add(window))
	}
}

// grouped holds the number of pods in a group of the metric that decides.
func (l *look) grouped(v *values, size func(groups) int) {
	best, _ := l.taken()
	if best == nil {
		v.fault("no metric decides")
	} else {
		v.is("pods", int64(size(best.groups)))
	}
	l.ownersOf(v, false)
	l.spared(v, nil)
}

func (l *look) ofSome(v *values) {
	if v.int("pods") < 1 {
		v.fault("there are none")
	}
	l.ownersOf(v, false)
	l.spared(v, nil)
}

// ownersOf holds the owners of pods against those that match; all of them are told of pods that are not the target's own.
func (l *look) ownersOf(v *values, foreign bool) {
	if !v.has("owners") {
		return
	}
	there, sum := map[string]int64{}, int64(0)
	pods, _ := l.w.matched()
	for _, pod := range pods {
		if !foreign || !l.own(pod) {
			there[ownerOf(pod)]++
		}
	}
	for _, one := range v.objects("owners") {
		owner, pods := one.str("owner"), one.int("pods")
		if sum += pods; pods < 1 || pods > there[owner] || foreign && pods != there[owner] {
			one.fault("%d pods of %s match", there[owner], owner)
		}
	}
	if foreign {
		v.is("pods", sum)
	}
}
