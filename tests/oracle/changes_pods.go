package oracle

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

func (c *compiled) setReplicas(text string) error {
	n, err := replicaCount(text)
	if err == nil && c.scale == nil {
		err = fmt.Errorf("there is no scale")
	}
	if err == nil {
		c.scale.Spec.Replicas, c.scale.Status.Replicas = n, n
	}
	return err
}

// ownPods are the pods that the target selects, in list order.
func (c *compiled) ownPods() ([]*corev1.Pod, error) {
	if c.scale == nil {
		return nil, fmt.Errorf("there is no scale")
	}
	if c.podsErr != nil {
		return nil, c.podsErr
	}
	selector, err := labels.Parse(c.scale.Status.Selector)
	if err != nil {
		return nil, err
	}
	var own []*corev1.Pod
	for _, pod := range c.pods {
		if pod.Namespace == c.hpa.Namespace && selector.Matches(labels.Set(pod.Labels)) {
			own = append(own, pod)
		}
	}
	return own, nil
}

// counted are the containers that run as long as the pod: not those init containers that end.
func counted(pod *corev1.Pod) []*corev1.Container {
	var out []*corev1.Container
	for i := range pod.Spec.Containers {
		out = append(out, &pod.Spec.Containers[i])
	}
	for i := range pod.Spec.InitContainers {
		it := &pod.Spec.InitContainers[i]
		if runsOn(it) {
			out = append(out, it)
		}
	}
	return out
}

func (c *compiled) changePods(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		if err := c.changeSomePods(strings.TrimSpace(part)); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiled) changeSomePods(part string) error {
	own, err := c.ownPods()
	if err != nil {
		return err
	}
	if more, found := strings.CutPrefix(part, "+"); found {
		number, state, given := strings.Cut(strings.TrimSpace(more), " ")
		if !given {
			state = "ready"
		}
		n, err := podCount(number)
		if err != nil {
			return err
		}
		return c.addPods(own, n, strings.TrimSpace(state))
	}
	if fewer, found := strings.CutPrefix(part, "-"); found {
		n, err := podCount(strings.TrimSpace(fewer))
		if err == nil && n > len(own) {
			err = fmt.Errorf("there are only %d", len(own))
		}
		if err == nil {
			c.dropPods(own[len(own)-n:])
		}
		return err
	}
	name, state, err := pair(part)
	if err != nil {
		return err
	}
	called, err := c.podsCalled(name)
	if err != nil {
		return err
	}
	if state == "gone" {
		c.dropPods(called)
		return nil
	}
	for _, pod := range called {
		if state == "pending" || state == "no-sample" {
			c.dropSamples([]string{pod.Name})
		}
		if err := c.putInState(pod, state); err != nil {
			return err
		}
	}
	return nil
}

// podsCalled are the target's pods of a name, in which a star is any text.
func (c *compiled) podsCalled(name string) ([]*corev1.Pod, error) {
	own, err := c.ownPods()
	if err != nil {
		return nil, err
	}
	form := regexp.MustCompile("^(?s:" + strings.ReplaceAll(regexp.QuoteMeta(name), `\*`, ".*") + ")$")
	own = slices.DeleteFunc(own, func(pod *corev1.Pod) bool { return !form.MatchString(pod.Name) })
	if len(own) == 0 {
		return nil, fmt.Errorf("there is no pod %s", name)
	}
	return own, nil
}

func podCount(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err == nil && (n < 1 || n > 100_000) {
		err = fmt.Errorf("%d is too few or too many", n)
	}
	return n, err
}

// putInState changes what the state says and nothing else.
func (c *compiled) putInState(pod *corev1.Pod, state string) error {
	condition := func(status corev1.ConditionStatus, since time.Time) []corev1.PodCondition {
		return []corev1.PodCondition{{Type: corev1.PodReady, Status: status, LastTransitionTime: metav1.NewTime(since)}}
	}
	started := func(at time.Time) *metav1.Time { return &metav1.Time{Time: at} }
	before := c.at.Add(-time.Hour)
	switch state {
	case "ready":
		pod.DeletionTimestamp = nil
		pod.Status.Phase, pod.Status.StartTime = corev1.PodRunning, started(before)
		pod.Status.Conditions = condition(corev1.ConditionTrue, before)
	case "not-ready":
		pod.Status.Phase, pod.Status.Conditions = corev1.PodRunning, condition(corev1.ConditionFalse, c.at)
	case "starting":
		pod.Status.Phase, pod.Status.StartTime = corev1.PodRunning, started(c.at)
		pod.Status.Conditions = condition(corev1.ConditionFalse, c.at)
	case "pending":
		pod.Status.Phase, pod.Status.StartTime, pod.Status.Conditions = corev1.PodPending, nil, nil
	case "failed":
		pod.Status.Phase = corev1.PodFailed
	case "deleting":
		pod.DeletionTimestamp = started(c.at)
	case "no-sample":
	default:
		return fmt.Errorf("%s is no state", state)
	}
	return nil
}

// addPods adds copies of a running pod, or else of the first, to the end of the list.
func (c *compiled) addPods(own []*corev1.Pod, n int, state string) error {
	if len(own) == 0 {
		return fmt.Errorf("there is no pod to copy")
	}
	like := own[0]
	if i := slices.IndexFunc(own, func(pod *corev1.Pod) bool { return pod.Status.Phase == corev1.PodRunning }); i >= 0 {
		like = own[i]
	}
	var names []string
	for number := 1; len(names) < n; number++ {
		name := fmt.Sprintf("%s-added-%d", like.Name, number)
		if slices.ContainsFunc(c.pods, func(pod *corev1.Pod) bool { return pod.Name == name }) {
			continue
		}
		names = append(names, name)
	}
	for _, name := range names {
		pod := like.DeepCopy()
		pod.Name = name
		if err := c.putInState(pod, state); err != nil {
			return err
		}
		c.pods = append(c.pods, pod)
	}
	if state != "pending" && state != "no-sample" {
		c.copySamples(like.Name, names)
	}
	return nil
}

func (c *compiled) copySamples(like string, names []string) {
	if c.podMetrics != nil {
		for _, item := range c.podMetrics.items {
			if item.Name == like {
				for _, name := range names {
					same := *item.DeepCopy()
					same.Name = name
					c.podMetrics.items = append(c.podMetrics.items, same)
				}
				break
			}
		}
	}
	for i := range c.custom {
		answer := &c.custom[i].answer
		if c.custom[i].object != nil {
			continue
		}
		for _, item := range answer.items {
			if item.DescribedObject.Name == like {
				for _, name := range names {
					item.DescribedObject.Name = name
					answer.items = append(answer.items, item)
				}
				break
			}
		}
	}
}

func (c *compiled) dropPods(gone []*corev1.Pod) {
	var names []string
	for _, pod := range gone {
		names = append(names, pod.Name)
	}
	c.pods = slices.DeleteFunc(c.pods, func(pod *corev1.Pod) bool { return slices.Contains(gone, pod) })
	c.dropSamples(names)
}

func (c *compiled) dropSamples(names []string) {
	if c.podMetrics != nil {
		c.podMetrics.items = slices.DeleteFunc(c.podMetrics.items, func(item metricsv1beta1.PodMetrics) bool {
			return slices.Contains(names, item.Name)
		})
	}
	for i := range c.custom {
		if c.custom[i].object == nil {
			c.custom[i].answer.items = slices.DeleteFunc(c.custom[i].answer.items, func(item customv1beta2.MetricValue) bool {
				return slices.Contains(names, item.DescribedObject.Name)
			})
		}
	}
}

func (c *compiled) onlyOwnPods(string) error {
	target := c.hpa.Spec.ScaleTargetRef
	if !slices.Contains([]string{"Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"}, target.Kind) {
		return fmt.Errorf("a %s's pods can't be told", target.Kind)
	}
	own, err := c.ownPods()
	if err != nil {
		return err
	}
	c.dropPods(slices.DeleteFunc(own, func(pod *corev1.Pod) bool {
		owner := metav1.GetControllerOf(pod)
		if owner == nil {
			return false
		}
		if target.Kind != "Deployment" {
			return owner.Kind == target.Kind && owner.Name == target.Name
		}
		// The Deployment controller names a ReplicaSet after the hash of its template, which SafeEncodeString writes without a hyphen:
		// web-api-5d8f is of the Deployment web-api.
		suffix, named := strings.CutPrefix(owner.Name, target.Name+"-")
		if owner.Kind != "ReplicaSet" || !named || suffix == "" || strings.Contains(suffix, "-") {
			return false
		}
		hash, hashed := pod.Labels["pod-template-hash"]
		return !hashed || suffix == hash
	}))
	return nil
}
