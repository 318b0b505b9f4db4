package oracle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Change is one knob and what it is set to, as a person types both.
type Change struct {
	Flag  string `json:"flag"`
	Value string `json:"value"`
}

// knobs are all that can be changed, in the order in which changes are made.
var knobs = []struct {
	flag string
	turn func(*compiled, string) error
}{
	{"--remove-metric", (*compiled).removeMetric},
	{"--add-metric", (*compiled).addMetric},
	{"--container", (*compiled).measureContainer},
	{"--target", (*compiled).setTarget},
	{"--min", (*compiled).setMin},
	{"--max", (*compiled).setMax},
	{"--scale-up", (*compiled).setScaleUp},
	{"--scale-down", (*compiled).setScaleDown},
	{"--replicas", (*compiled).setReplicas},
	{"--pods", (*compiled).changePods},
	{"--only-own-pods", (*compiled).onlyOwnPods},
	{"--request", (*compiled).setRequest},
	{"--usage", (*compiled).setUsage},
	{"--metric", (*compiled).setMetric},
	{"--load", (*compiled).setLoad},
	{"--no-memory", func(c *compiled, _ string) error {
		c.memory = memoryFile{}
		return nil
	}},
}

// change makes changes to a case whose HPA is still as it was written. Its error says why one can't be made.
func (c *compiled) change(changes []Change) error {
	c.adds = slices.ContainsFunc(changes, func(change Change) bool { return change.Flag == "--add-metric" })
	for _, knob := range knobs {
		for _, change := range changes {
			if change.Flag != knob.flag {
				continue
			}
			if err := knob.turn(c, strings.TrimSpace(change.Value)); err != nil {
				return fmt.Errorf("%s %s: %w", change.Flag, change.Value, err)
			}
		}
	}
	return nil
}

// wholePercent reads 80 or 80%.
func wholePercent(text string) (int32, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(text, "%")), 10, 32)
	return int32(n), err
}

func replicaCount(text string) (int32, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if n < 0 {
		return 0, fmt.Errorf("%d is below zero", n)
	}
	return int32(n), err
}

// targetOf is what a metric is compared with.
func targetOf(m *autoscalingv2.MetricSpec) *autoscalingv2.MetricTarget {
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType:
		return &m.Resource.Target
	case autoscalingv2.ContainerResourceMetricSourceType:
		return &m.ContainerResource.Target
	case autoscalingv2.PodsMetricSourceType:
		return &m.Pods.Target
	case autoscalingv2.ObjectMetricSourceType:
		return &m.Object.Target
	}
	return &m.External.Target
}

// metrics are those of the spec; where none were written, the one that the API server puts there.
func (c *compiled) metrics() []autoscalingv2.MetricSpec {
	if len(c.hpa.Spec.Metrics) == 0 && !c.emptied {
		eighty := int32(80)
		c.hpa.Spec.Metrics = []autoscalingv2.MetricSpec{resourceMetric("cpu", autoscalingv2.MetricTarget{
			Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &eighty})}
	}
	return c.hpa.Spec.Metrics
}

func resourceMetric(name string, target autoscalingv2.MetricTarget) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{Type: autoscalingv2.ResourceMetricSourceType,
		Resource: &autoscalingv2.ResourceMetricSource{Name: corev1.ResourceName(name), Target: target}}
}

func (c *compiled) removeMetric(name string) error {
	i, err := c.findMetric(name)
	if err != nil {
		return err
	}
	c.emptied = len(c.hpa.Spec.Metrics) == 1
	if c.emptied && !c.adds {
		return fmt.Errorf("it is the only metric")
	}
	c.hpa.Spec.Metrics = slices.Delete(c.hpa.Spec.Metrics, i, i+1)
	return nil
}

func (c *compiled) addMetric(text string) error {
	var metric autoscalingv2.MetricSpec
	if strings.HasPrefix(text, "{") {
		if err := raw(text).decode(&metric); err != nil {
			return err
		}
	} else {
		name, value, err := pair(text)
		if err != nil {
			return err
		}
		target := autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType}
		if percent, err := wholePercent(value); err == nil {
			target.AverageUtilization = &percent
		} else {
			amount, err := resource.ParseQuantity(value)
			if err != nil {
				return err
			}
			target.Type, target.AverageValue = autoscalingv2.AverageValueMetricType, &amount
		}
		metric = resourceMetric(name, target)
	}
	for i := range c.metrics() {
		if nameOf(&c.hpa.Spec.Metrics[i]).whole() == nameOf(&metric).whole() {
			return fmt.Errorf("there is such a metric")
		}
	}
	c.hpa.Spec.Metrics = append(c.hpa.Spec.Metrics, metric)
	return nil
}

func (c *compiled) measureContainer(container string) error {
	if pods, err := c.ownPods(); err == nil && len(pods) > 0 {
		known := slices.ContainsFunc(pods, func(pod *corev1.Pod) bool {
			return slices.ContainsFunc(counted(pod), func(it *corev1.Container) bool { return it.Name == container })
		})
		if !known {
			return fmt.Errorf("no pod has it")
		}
	}
	turned := false
	for i := range c.metrics() {
		if m := &c.hpa.Spec.Metrics[i]; m.Type == autoscalingv2.ResourceMetricSourceType {
			*m = autoscalingv2.MetricSpec{Type: autoscalingv2.ContainerResourceMetricSourceType,
				ContainerResource: &autoscalingv2.ContainerResourceMetricSource{
					Name: m.Resource.Name, Container: container, Target: m.Resource.Target}}
			turned = true
		}
	}
	if !turned {
		return fmt.Errorf("there is no Resource metric")
	}
	return nil
}

func (c *compiled) setTarget(text string) error {
	i, value, err := c.whoseTarget(text)
	if err != nil {
		return err
	}
	metric := &c.hpa.Spec.Metrics[i]
	target := targetOf(metric)
	if usesUtilization(metric) {
		percent, err := wholePercent(value)
		target.AverageUtilization = &percent
		return err
	}
	amount, err := resource.ParseQuantity(value)
	if usesAverage(metric) {
		target.AverageValue = &amount
	} else {
		target.Value = &amount
	}
	return err
}

// whoseTarget is the metric that NAME=VALUE names, or for a bare value the only one with a utilization.
func (c *compiled) whoseTarget(text string) (int, string, error) {
	if strings.Contains(text, "=") {
		name, value, err := pair(text)
		if err != nil {
			return 0, "", err
		}
		i, err := c.findMetric(name)
		return i, value, err
	}
	var found []int
	for i := range c.metrics() {
		if usesUtilization(&c.hpa.Spec.Metrics[i]) {
			found = append(found, i)
		}
	}
	if len(found) != 1 {
		return 0, "", fmt.Errorf("%d metrics have a utilization", len(found))
	}
	return found[0], text, nil
}

// usesUtilization tells whether the controller compares with a percentage: no mean value is set beside it.
func usesUtilization(m *autoscalingv2.MetricSpec) bool {
	ofPods := m.Type == autoscalingv2.ResourceMetricSourceType || m.Type == autoscalingv2.ContainerResourceMetricSourceType
	return ofPods && targetOf(m).AverageValue == nil
}

// usesAverage tells whether the controller compares with a value for each pod. Only an Object metric's type counts.
func usesAverage(m *autoscalingv2.MetricSpec) bool {
	switch m.Type {
	case autoscalingv2.ObjectMetricSourceType:
		return m.Object.Target.Type == autoscalingv2.AverageValueMetricType
	case autoscalingv2.ExternalMetricSourceType:
		return m.External.Target.AverageValue != nil
	}
	return true
}

func (c *compiled) setMin(text string) error {
	n, err := replicaCount(text)
	c.hpa.Spec.MinReplicas = &n
	return err
}

func (c *compiled) setMax(text string) (err error) {
	c.hpa.Spec.MaxReplicas, err = replicaCount(text)
	return err
}

func (c *compiled) setScaleUp(text string) error {
	return setRules(&c.behavior().ScaleUp, text)
}

func (c *compiled) setScaleDown(text string) error {
	return setRules(&c.behavior().ScaleDown, text)
}

func (c *compiled) behavior() *autoscalingv2.HorizontalPodAutoscalerBehavior {
	if c.hpa.Spec.Behavior == nil {
		c.hpa.Spec.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{}
	}
	return c.hpa.Spec.Behavior
}

func setRules(into **autoscalingv2.HPAScalingRules, text string) error {
	if *into == nil {
		*into = &autoscalingv2.HPAScalingRules{}
	}
	rules := *into
	if text == "disabled" {
		disabled := autoscalingv2.DisabledPolicySelect
		rules.SelectPolicy = &disabled
		return nil
	}
	var policies []autoscalingv2.HPAScalingPolicy
	for part := range strings.SplitSeq(text, ",") {
		key, value, err := pair(part)
		if err != nil {
			return err
		}
		switch key {
		case "Percent", "Pods":
			rate, period, found := strings.Cut(value, "/")
			if !found {
				return fmt.Errorf("%s has no period", part)
			}
			n, err := strconv.ParseInt(strings.TrimSpace(rate), 10, 32)
			if err != nil {
				return err
			}
			seconds, err := wholeSeconds(strings.TrimSpace(period))
			if err != nil {
				return err
			}
			policies = append(policies, autoscalingv2.HPAScalingPolicy{
				Type: autoscalingv2.HPAScalingPolicyType(key), Value: int32(n), PeriodSeconds: seconds})
		case "select":
			if value != "Max" && value != "Min" && value != "Disabled" {
				return fmt.Errorf("%s is no policy", value)
			}
			policy := autoscalingv2.ScalingPolicySelect(value)
			rules.SelectPolicy = &policy
		case "window":
			seconds, err := wholeSeconds(value)
			if err != nil {
				return err
			}
			rules.StabilizationWindowSeconds = &seconds
		case "tolerance":
			amount, err := resource.ParseQuantity(value)
			if err != nil {
				return err
			}
			setTolerance(rules, amount)
		default:
			return fmt.Errorf("%s is no rule", key)
		}
	}
	if len(policies) > 0 {
		rules.Policies = policies
	}
	return nil
}

// wholeSeconds reads 60, 60s or 1m.
func wholeSeconds(text string) (int32, error) {
	if n, err := strconv.ParseInt(text, 10, 32); err == nil {
		return int32(n), nil
	}
	d, err := time.ParseDuration(text)
	if err == nil && (d%time.Second != 0 || d/time.Second != time.Duration(int32(d/time.Second))) {
		err = fmt.Errorf("%s is not a number of seconds", text)
	}
	return int32(d / time.Second), err
}
