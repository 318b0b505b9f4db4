//go:build recorder

package podautoscaler

import (
	"math"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// wanting is a case whose one metric asks for so many replicas exactly, whatever the current ones are.
func wanting(current, desired, least, most int32, behavior *autoscalingv2.HorizontalPodAutoscalerBehavior, memory object) object {
	metric := ofExternal("wanted", nil, average(1000))
	hpa := hpaWith("recorded", metric, current)
	hpa.Spec.MinReplicas, hpa.Spec.MaxReplicas, hpa.Spec.Behavior = &least, most, behavior
	recorded := envelope(0, nil, 5*time.Minute)
	recorded["hpa"], recorded["memory"] = asWritten(hpa), memory
	seen.scale = scaleOf(current, current, nil)
	seen.external = map[string]object{"wanted": {"items": []object{{"metricName": "wanted", "value": milli(int64(desired) * 1000).String()}}}}
	seen.fill(recorded, "recorded", hpa.Spec.Metrics)
	return recorded
}

// outdated is a memory in which nothing is of late, so that the controller adds nothing to it at first.
func outdated() object {
	return object{"recommendations": []object{{"replicas": 1, "at": stamp(frozen.Add(-24 * time.Hour))}}}
}

func (a *HorizontalController) stabilizeRecommendation(key string, desired int32) int32 {
	if begin() {
		return a.realStabilizeRecommendation(key, desired)
	}
	defer end()
	recorded := wanting(max(1, desired), desired, 0, math.MaxInt32, nil, a.memoryOf(key))
	recorded["controller"].(object)["downscaleStabilization"] = object{"value": a.downscaleStabilisationWindow.String()}
	out := a.realStabilizeRecommendation(key, desired)
	note("stabilizeRecommendation", recorded, object{"stabilized": out, "recommendations": recommendationsOf(a.recommendations[key])})
	return out
}

func (a *HorizontalController) stabilizeRecommendationWithBehaviors(args NormalizationArg) (int32, string, string) {
	if begin() {
		return a.realStabilizeRecommendationWithBehaviors(args)
	}
	defer end()
	behavior := &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: args.ScaleUpBehavior, ScaleDown: args.ScaleDownBehavior}
	recorded := wanting(args.CurrentReplicas, args.DesiredReplicas, 0, math.MaxInt32, behavior, a.memoryOf(args.Key))
	out, reason, message := a.realStabilizeRecommendationWithBehaviors(args)
	note("stabilizeRecommendationWithBehaviors", recorded, object{"stabilized": out, "recommendations": recommendationsOf(a.recommendations[args.Key])})
	return out, reason, message
}

// unheld are rules whose window holds nothing back.
func unheld(rules *autoscalingv2.HPAScalingRules) *autoscalingv2.HPAScalingRules {
	if rules == nil {
		return nil
	}
	none := int32(0)
	out := rules.DeepCopy()
	out.StabilizationWindowSeconds = &none
	return out
}

func (a *HorizontalController) convertDesiredReplicasWithBehaviorRate(args NormalizationArg) (int32, string, string) {
	if begin() {
		return a.realConvertDesiredReplicasWithBehaviorRate(args)
	}
	defer end()
	behavior := &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: unheld(args.ScaleUpBehavior), ScaleDown: unheld(args.ScaleDownBehavior)}
	memory := a.memoryOf(args.Key)
	memory["recommendations"] = outdated()["recommendations"]
	recorded := wanting(args.CurrentReplicas, args.DesiredReplicas, args.MinReplicas, args.MaxReplicas, behavior, memory)
	out, reason, message := a.realConvertDesiredReplicasWithBehaviorRate(args)
	note("convertDesiredReplicasWithBehaviorRate", recorded, object{"limited": out, "reason": reason})
	return out, reason, message
}

func convertDesiredReplicasWithRules(current, desired, least, most int32) (int32, string, string) {
	if begin() {
		return realConvertDesiredReplicasWithRules(current, desired, least, most)
	}
	defer end()
	out, reason, message := realConvertDesiredReplicasWithRules(current, desired, least, most)
	note("convertDesiredReplicasWithRules", wanting(current, desired, least, most, nil, outdated()), object{"limited": out, "reason": reason})
	return out, reason, message
}

func calculateScaleUpLimitWithScalingRules(current int32, ups, downs []timestampedScaleEvent, rules *autoscalingv2.HPAScalingRules) int32 {
	if begin() {
		return realCalculateScaleUpLimitWithScalingRules(current, ups, downs, rules)
	}
	defer end()
	memory := outdated()
	memory["scaleUpEvents"], memory["scaleDownEvents"] = eventsOf(ups), eventsOf(downs)
	recorded := wanting(current, math.MaxInt32, 1, math.MaxInt32, &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: unheld(rules)}, memory)
	out := realCalculateScaleUpLimitWithScalingRules(current, ups, downs, rules)
	note("calculateScaleUpLimitWithScalingRules", recorded, object{"limited": out, "reason": "ScaleUpLimit"})
	return out
}

func calculateScaleDownLimitWithBehaviors(current int32, ups, downs []timestampedScaleEvent, rules *autoscalingv2.HPAScalingRules) int32 {
	if begin() {
		return realCalculateScaleDownLimitWithBehaviors(current, ups, downs, rules)
	}
	defer end()
	memory := outdated()
	memory["scaleUpEvents"], memory["scaleDownEvents"] = eventsOf(ups), eventsOf(downs)
	recorded := wanting(current, 0, 0, math.MaxInt32, &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleDown: unheld(rules)}, memory)
	out := realCalculateScaleDownLimitWithBehaviors(current, ups, downs, rules)
	note("calculateScaleDownLimitWithBehaviors", recorded, object{"limited": out, "reason": "ScaleDownLimit"})
	return out
}

// storeScaleEvent is reached by bounds that leave one count only.
func (a *HorizontalController) storeScaleEvent(behavior *autoscalingv2.HorizontalPodAutoscalerBehavior, key string, before, after int32) {
	if begin() {
		a.realStoreScaleEvent(behavior, key, before, after)
		return
	}
	defer end()
	memory := a.memoryOf(key)
	recorded := wanting(before, after, after, after, behavior, memory)
	a.realStoreScaleEvent(behavior, key, before, after)
	note("storeScaleEvent", recorded, object{"scaleUpEvents": eventsOf(a.scaleUpEvents[key]), "scaleDownEvents": eventsOf(a.scaleDownEvents[key])})
}
