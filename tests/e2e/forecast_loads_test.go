package e2e

import (
	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// A load, and the HPA that meets it. A pod requests a core and 128Mi; the target is half of each.
type forecastLoad struct {
	name   string
	pods   int32
	metric string // cpu, memory, hits or queue
	demand int64  // of all pods together at the beginning, in milli-units; of memory in Mi
	curve  curve
	start  string // until a new pod runs
	ready  string // from then until it is ready; "" is at once
	spec   func(*autoscaling.HorizontalPodAutoscalerSpec)
}

// idleMemory is what a pod uses without any load, in Mi.
const idleMemory = 32

// policies are rules with a window of 0, unless there is another one.
func policies(policies ...autoscaling.HPAScalingPolicy) *autoscaling.HPAScalingRules {
	return &autoscaling.HPAScalingRules{Policies: policies}
}

func behaves(up, down *autoscaling.HPAScalingRules) *autoscaling.HorizontalPodAutoscalerBehavior {
	return &autoscaling.HorizontalPodAutoscalerBehavior{ScaleUp: up, ScaleDown: down}
}

func tolerant(rules *autoscaling.HPAScalingRules, tolerance string) *autoscaling.HPAScalingRules {
	rules.Tolerance = new(resource.MustParse(tolerance))
	return rules
}

const (
	byPods    = autoscaling.PodsScalingPolicy
	byPercent = autoscaling.PercentScalingPolicy
)

// No load stays near an edge between two counts, as samples of cpu over one second jitter: kwok counts up to the moment at which it
// answers, and metrics-server from the one at which it asks. With many builds on the machine single ones were off by 17 percent.
var forecastLoads = []forecastLoad{
	{"constant, far over target, to the maximum by 2 pods", 2, "cpu", 12_000, level(), "1s", "1s",
		func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
			spec.MaxReplicas = 11
			spec.Behavior = behaves(policies(policy(byPods, 2, 15)), nil)
		}},
	{"ramp up, window 3 s", 2, "cpu", 800, ramp(100, 510, 50), "1s", "1s",
		func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.Behavior = behaves(window(3), nil) }},
	{"ramp down, twice, window 6 s, 1 pod in 5 s", 8, "cpu", 3_800, ramp(100, 20, 50).every(105), "1s", "1s",
		func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
			spec.Behavior = behaves(nil, limited(window(6), policy(byPods, 1, 5)))
		}},
	{"steps to the maximum by 3 pods and down, slow pods, window 30 s", 3, "cpu", 1_400, steps(600, 20, 90, 75, 600, 130), "3s", "4s",
		func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
			spec.Behavior = behaves(policies(policy(byPods, 3, 15)), window(30))
		}},
	{"sine, window 8 s", 3, "cpu", 1_250, sine(50, 150, 60), "1s", "1s",
		func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.Behavior = down(window(8)) }},
	{"spikes from the minimum to the maximum, window 10 s, up by 100% in 15 s", 2, "cpu", 450, spike(700, 15, 20).every(65), "1s", "2s",
		func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
			spec.MinReplicas, spec.MaxReplicas = new(int32(2)), 6
			spec.Behavior = behaves(policies(policy(byPercent, 100, 15)), window(10))
		}},
	{"External metric, window 5 s, down by the smaller of two", 2, "queue", 12_000, steps(400, 20, 100, 80, 250, 150), "1s", "1s",
		func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
			spec.Metrics = []autoscaling.MetricSpec{externalMetric("queue", average("6"))}
			spec.Behavior = down(smaller(limited(window(5), policy(byPercent, 50, 20), policy(byPods, 2, 20))))
		}},
	{"Object metric, up by the smaller of two, down disabled", 2, "hits", 18_000, steps(300, 15, 450, 90, 100, 150), "2s", "1s",
		func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
			spec.Metrics = []autoscaling.MetricSpec{objectMetric("hits", average("9"))}
			spec.Behavior = behaves(smaller(policies(policy(byPercent, 100, 10), policy(byPods, 1, 10))), disabled(window(0)))
		}},
	{"memory, window 15 s", 3, "memory", 60, steps(300, 15, 400, 60, 100, 105), "1s", "",
		func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
			spec.Metrics = []autoscaling.MetricSpec{resourceMetric(v1.ResourceMemory, autoscaling.MetricTarget{
				Type: autoscaling.UtilizationMetricType, AverageUtilization: new(int32(50)),
			})}
			spec.Behavior = down(window(15))
		}},
	{"tolerances 0.3 and 0.05, windows 10 and 20 s, up by 3 pods", 4, "cpu", 2_000, steps(125, 15, 200, 40, 88, 90, 200, 130, 38, 165), "2s", "1s",
		func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
			spec.Behavior = behaves(tolerant(limited(window(10), policy(byPods, 3, 15)), "0.3"), tolerant(window(20), "0.05"))
		}},
}
