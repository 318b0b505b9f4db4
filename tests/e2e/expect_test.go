package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
)

// expectation is what the controller must have written before a scenario's comparison means anything.
type expectation struct {
	current, desired int32
	// metrics are the currentMetrics, each as JSON; nil says that they aren't looked at (the real ones have noise).
	metrics []string
	// conditions are lines of "Type Status Reason message", in the API's order, or how these begin; nil as above.
	conditions []string
}

// Conditions that many scenarios share.
const (
	readyForNewScale = "AbleToScale True ReadyForNewScale recommended size matches current size"
	gotScale         = "AbleToScale True SucceededGetScale the HPA controller was able to get the target's current scale"
	heldDown         = "AbleToScale True ScaleDownStabilized recent recommendations were higher than current one, applying the highest recent recommendation"
	cpuIsValid       = "ScalingActive True ValidMetricFound the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)"
	valid            = "ScalingActive True ValidMetricFound"
	withinRange      = "ScalingLimited False DesiredWithinRange the desired count is within the acceptable range"
	tooFew           = "ScalingLimited True TooFewReplicas the desired replica count is less than the minimum replica count"
	tooMany          = "ScalingLimited True TooManyReplicas the desired replica count is more than the maximum replica count"
	notScaledToZero  = "ScaledToZero False NotScaledToZero the HPA controller did not scale the workload to zero"
)

func cpuIs(utilization int, value string) string {
	return fmt.Sprintf(`{"type":"Resource","resource":{"name":"cpu","current":{"averageValue":"%s","averageUtilization":%d}}}`, value, utilization)
}

// settles waits until the controller's status is as expected and stays so for more than two of its syncs.
func (w *world) settles(want expectation) {
	w.Helper()
	since := time.Now()
	w.eventually("the controller's status", func(ctx context.Context) error {
		hpa, err := w.hpa(ctx)
		if err != nil {
			return err
		}
		if err := want.differs(hpa.Status); err != nil {
			since = time.Now()
			return err
		}
		if time.Since(since) < 2*syncPeriod+syncPeriod/2 {
			return fmt.Errorf("as expected, but only for %s", time.Since(since))
		}
		return nil
	})
}

func (e expectation) differs(status autoscaling.HorizontalPodAutoscalerStatus) error {
	metrics, conditions := metricLines(status), conditionLines(status)
	if status.CurrentReplicas == e.current && status.DesiredReplicas == e.desired &&
		(e.metrics == nil || slices.Equal(metrics, e.metrics)) &&
		(e.conditions == nil || slices.EqualFunc(conditions, e.conditions, strings.HasPrefix)) {
		return nil
	}
	return fmt.Errorf("got\n%d of %d\n%s\n%s\nwanted\n%d of %d\n%s\n%s",
		status.CurrentReplicas, status.DesiredReplicas, strings.Join(metrics, "\n"), strings.Join(conditions, "\n"),
		e.current, e.desired, strings.Join(e.metrics, "\n"), strings.Join(e.conditions, "\n"))
}

func metricLines(status autoscaling.HorizontalPodAutoscalerStatus) (lines []string) {
	for _, metric := range status.CurrentMetrics {
		text, err := json.Marshal(metric)
		if err != nil {
			text = []byte(err.Error())
		}
		lines = append(lines, string(text))
	}
	return lines
}

func conditionLines(status autoscaling.HorizontalPodAutoscalerStatus) (lines []string) {
	for _, c := range status.Conditions {
		lines = append(lines, fmt.Sprintf("%s %s %s %s", c.Type, c.Status, c.Reason, c.Message))
	}
	return lines
}
