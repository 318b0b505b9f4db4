package oracle

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalv1beta1 "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// rounded is a times b divided by c, rounded up, or the end of int64 that it is past.
func rounded(a, b, c *big.Int) int64 {
	quotient, rest := new(big.Int).DivMod(new(big.Int).Mul(a, b), c, new(big.Int))
	if rest.Sign() > 0 {
		quotient.Add(quotient, big.NewInt(1))
	}
	switch {
	case quotient.IsInt64():
		return quotient.Int64()
	case quotient.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// milli is an amount as it comes from a metrics API: read from its text, which is not the same for very long numbers.
func milli(n int64) resource.Quantity { return resource.MustParse(fmt.Sprintf("%dm", n)) }

func (c *compiled) setRequest(text string) error {
	name, value, err := pair(text)
	if err != nil {
		return err
	}
	amount, err := resource.ParseQuantity(value)
	if err != nil {
		return err
	}
	own, err := c.ownPods()
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for _, pod := range own {
		for _, it := range counted(pod) {
			names[it.Name] = true
		}
	}
	container, of, given := strings.Cut(name, "/")
	if !given {
		if of = name; len(names) != 1 {
			return fmt.Errorf("there are %d containers", len(names))
		}
		for container = range names {
		}
	} else if !names[container] {
		return fmt.Errorf("no container is called %s", container)
	}
	for _, pod := range own {
		for _, it := range counted(pod) {
			if it.Name != container {
				continue
			}
			if it.Resources.Requests == nil {
				it.Resources.Requests = corev1.ResourceList{}
			}
			it.Resources.Requests[corev1.ResourceName(of)] = amount
		}
	}
	return nil
}

func (c *compiled) setUsage(text string) error {
	name, value, err := pair(text)
	if err != nil {
		return err
	}
	typed, err := readName(name)
	if err != nil {
		return err
	}
	meant, err := c.meantPods(&typed)
	if err != nil {
		return err
	}
	if found, err := c.setPodsMetric(typed, value, meant); found {
		return err
	}
	name = typed.name
	of := corev1.ResourceName(name)
	if c.podMetrics == nil || !slices.ContainsFunc(c.podMetrics.items, func(item metricsv1beta1.PodMetrics) bool {
		return meant(item.Name) && slices.ContainsFunc(item.Containers, func(it metricsv1beta1.ContainerMetrics) bool {
			_, measured := it.Usage[of]
			return measured
		})
	}) {
		return fmt.Errorf("no sample has %s", name)
	}
	if strings.HasSuffix(value, "%") {
		return c.useShare(of, value, meant)
	}
	amount, err := resource.ParseQuantity(value)
	if err != nil {
		return err
	}
	if amount.MilliValue() < 0 {
		return fmt.Errorf("%s is below zero or past the largest number of thousandths", value)
	}
	for _, item := range c.podMetrics.items {
		if meant(item.Name) {
			divide(item.Containers, of, amount.MilliValue())
		}
	}
	return nil
}

// meantPods takes the pods out of METRIC@POD. Without them all are meant that have a sample.
func (c *compiled) meantPods(typed *typedName) (func(pod string) bool, error) {
	pattern := typed.object
	if pattern == "" {
		return func(string) bool { return true }, nil
	}
	typed.object, typed.pods = "", true
	pods, err := c.podsCalled(pattern)
	return func(name string) bool {
		return slices.ContainsFunc(pods, func(pod *corev1.Pod) bool { return pod.Name == name })
	}, err
}

// setPodsMetric sets the values of every Pods metric of a name.
func (c *compiled) setPodsMetric(typed typedName, value string, meant func(pod string) bool) (found bool, err error) {
	amount, err := resource.ParseQuantity(value)
	readable, set := false, false
	for i := range c.custom {
		q := &c.custom[i]
		if q.object != nil || !typed.calls(queryName(q.name, q.selector, nil)) {
			continue
		}
		found = true
		readable = readable || q.answer.err == nil
		for j := range q.answer.items {
			if item := &q.answer.items[j]; meant(item.DescribedObject.Name) {
				item.Value, set = amount, true
			}
		}
	}
	if err == nil && !readable {
		err = fmt.Errorf("%s could not be read", typed.name)
	}
	if err == nil && typed.pods && !set {
		err = fmt.Errorf("none of the pods has a value of %s", typed.name)
	}
	return found, err
}

// useShare makes each measured container of the target's pods use so many percent of its own request.
func (c *compiled) useShare(of corev1.ResourceName, value string, meant func(pod string) bool) error {
	percent, err := wholePercent(value)
	if err != nil {
		return err
	}
	if percent < 0 {
		return fmt.Errorf("a usage can't be below zero")
	}
	own, err := c.ownPods()
	if err != nil {
		return err
	}
	for i := range c.podMetrics.items {
		item := &c.podMetrics.items[i]
		at := slices.IndexFunc(own, func(pod *corev1.Pod) bool { return pod.Name == item.Name })
		if at < 0 || !meant(item.Name) {
			continue
		}
		for j := range item.Containers {
			measured := &item.Containers[j]
			request, found := resource.Quantity{}, false
			for _, it := range counted(own[at]) {
				if it.Name == measured.Name {
					request, found = it.Resources.Requests[of]
				}
			}
			if !found {
				return fmt.Errorf("container %s of pod %s has no request of %s", measured.Name, item.Name, of)
			}
			use(measured, of, rounded(big.NewInt(request.MilliValue()), big.NewInt(int64(percent)), big.NewInt(100)))
		}
	}
	return nil
}

func use(measured *metricsv1beta1.ContainerMetrics, of corev1.ResourceName, n int64) {
	if measured.Usage == nil {
		measured.Usage = corev1.ResourceList{}
	}
	measured.Usage[of] = milli(n)
}

// divide gives the containers of one pod their parts of a usage, in proportion to what they use.
func divide(containers []metricsv1beta1.ContainerMetrics, of corev1.ResourceName, total int64) {
	used, sum := make([]*big.Int, len(containers)), new(big.Int)
	for i, it := range containers {
		amount := it.Usage[of]
		used[i] = big.NewInt(max(0, amount.MilliValue()))
		sum.Add(sum, used[i])
	}
	if sum.Sign() == 0 && len(containers) > 0 {
		used[0], sum = big.NewInt(1), big.NewInt(1)
	}
	left := total
	for i := range containers {
		part := min(left, rounded(big.NewInt(total), used[i], sum))
		if i == len(containers)-1 {
			part = left
		}
		use(&containers[i], of, part)
		left -= part
	}
}

func (c *compiled) setMetric(text string) error {
	name, value, err := pair(text)
	if err != nil {
		return err
	}
	amount, err := resource.ParseQuantity(value)
	if err != nil {
		return err
	}
	typed, err := readName(name)
	if err != nil {
		return err
	}
	found := false
	for i := range c.custom {
		q := &c.custom[i]
		if q.object == nil || !typed.calls(queryName(q.name, q.selector, q.object)) {
			continue
		}
		found = true
		item := customv1beta2.MetricValue{}
		if len(q.answer.items) > 0 {
			item = q.answer.items[0]
		}
		item.Value = amount
		q.answer = answer[customv1beta2.MetricValue]{items: []customv1beta2.MetricValue{item}}
	}
	for i := range c.external {
		q := &c.external[i]
		if !typed.calls(queryName(q.name, q.selector, nil)) {
			continue
		}
		found = true
		item := externalv1beta1.ExternalMetricValue{}
		if len(q.answer.items) > 0 {
			item = q.answer.items[0]
		}
		item.Value = amount
		q.answer = answer[externalv1beta1.ExternalMetricValue]{items: []externalv1beta1.ExternalMetricValue{item}}
	}
	if !found {
		return fmt.Errorf("no Object or External metric is called %s", name)
	}
	return nil
}

func (c *compiled) setLoad(text string) error {
	number, signed := strings.CutSuffix(text, "%")
	if !signed || !strings.HasPrefix(number, "+") && !strings.HasPrefix(number, "-") {
		return fmt.Errorf("%s is no change of load", text)
	}
	more, err := resource.ParseQuantity(number)
	if err != nil {
		return err
	}
	hundred := big.NewInt(100_000)
	parts := new(big.Int).Add(hundred, big.NewInt(more.MilliValue()))
	if parts.Sign() < 0 {
		return fmt.Errorf("there is no load below zero")
	}
	scaled := func(q resource.Quantity) resource.Quantity {
		return milli(rounded(big.NewInt(q.MilliValue()), parts, hundred))
	}
	if c.podMetrics != nil {
		for _, item := range c.podMetrics.items {
			for _, it := range item.Containers {
				for name, amount := range it.Usage {
					it.Usage[name] = scaled(amount)
				}
			}
		}
	}
	for _, q := range c.custom {
		for i := range q.answer.items {
			q.answer.items[i].Value = scaled(q.answer.items[i].Value)
		}
	}
	for _, q := range c.external {
		for i := range q.answer.items {
			q.answer.items[i].Value = scaled(q.answer.items[i].Value)
		}
	}
	return nil
}
