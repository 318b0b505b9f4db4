package reader

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// requested are the containers of the first pod that have a request in every pod, and their requests in the first.
func (l *look) requested(name corev1.ResourceName) (containers []string, first map[string]int64) {
	first = map[string]int64{}
	pods, _ := l.w.matched()
	for i, pod := range pods {
		here := map[string]int64{}
		for _, c := range l.w.runningContainers(pod) {
			if request, has := c.Resources.Requests[name]; has {
				here[c.Name] = request.MilliValue()
				if i == 0 {
					containers = append(containers, c.Name)
				}
			}
		}
		if i == 0 {
			first = here
		}
		containers = slices.DeleteFunc(containers, func(container string) bool {
			_, has := here[container]
			return !has
		})
	}
	return containers, first
}

// lacking are the containers without a request in some pod.
func (l *look) lacking(name corev1.ResourceName, container string) map[string]bool {
	out := map[string]bool{}
	pods, _ := l.w.matched()
	_, without := l.w.requests(pods, name, container)
	for one := range without.containers {
		out[one] = true
	}
	return out
}

// measured turns each Resource metric into one of a container.
func measured(w *World, container string) {
	for i := range w.HPA.Spec.Metrics {
		if m := &w.HPA.Spec.Metrics[i]; m.Type == autoscalingv2.ResourceMetricSourceType {
			*m = autoscalingv2.MetricSpec{Type: autoscalingv2.ContainerResourceMetricSourceType,
				ContainerResource: &autoscalingv2.ContainerResourceMetricSource{Name: m.Resource.Name, Container: container, Target: m.Resource.Target}}
		}
	}
}

// measurable is the container with the largest request in the first pod, of those that have one in every pod and with which a
// metric gives a count; none that another metric measures already.
func (l *look) measurable(i int) (best string) {
	name, _, _ := resourceOf(&l.w.HPA.Spec.Metrics[i])
	containers, first := l.requested(name)
	for _, container := range containers {
		if slices.ContainsFunc(l.w.HPA.Spec.Metrics, func(m autoscalingv2.MetricSpec) bool {
			return ofContainer(m) && m.ContainerResource.Container == container && m.ContainerResource.Name == name
		}) {
			continue
		}
		w := l.w.copied()
		measured(w, container)
		if p := w.propose(i); p.failure == "" && (best == "" || first[container] > first[best]) {
			best = container
		}
	}
	return best
}

// lacksRequest finds a metric that fails for a request of the resource that a claim names.
func (l *look) lacksRequest(v *values, meant func(i int) bool) int {
	name := v.str("resource")
	for i := range l.w.HPA.Spec.Metrics {
		resource, container, _ := resourceOf(&l.w.HPA.Spec.Metrics[i])
		if string(resource) == name && l.propose(i).failure == requestMissing && meant(i) {
			v.set("lacking", l.lacking(resource, container))
			return i
		}
	}
	v.fault("no such metric fails for a request of %s", name)
	v.skip()
	return -1
}

func (l *look) measureOneContainer(v *values) {
	l.keda(v)
	container := v.str("container")
	whole := func(i int) bool { return l.w.HPA.Spec.Metrics[i].Type == autoscalingv2.ResourceMetricSourceType }
	if i := l.lacksRequest(v, whole); i >= 0 {
		if best := l.measurable(i); best != container {
			v.fault("the container to measure is %q", best)
		}
	}
	l.comesTo(v, effect{when: "done", must: true, typed: true, change: func(w *World) { measured(w, container) }})
}

func (l *look) setRequests(v *values) {
	l.comesToNothing(v)
	l.lacksRequest(v, func(i int) bool {
		if m := l.w.HPA.Spec.Metrics[i]; ofContainer(m) {
			return slices.Equal(v.strs("lacking"), []string{m.ContainerResource.Container})
		}
		resource, _, _ := resourceOf(&l.w.HPA.Spec.Metrics[i])
		return l.measurable(i) == "" && len(l.lacking(resource, "")) > 0
	})
	if v.has("command") {
		v.fault("there is a command")
	}
}

func (l *look) nameContainer(v *values) {
	l.keda(v)
	container, containers := v.str("container"), v.strs("containers")
	pods, _ := l.w.matched()
	for _, pod := range pods {
		if slices.ContainsFunc(l.w.runningContainers(pod), func(c corev1.Container) bool { return c.Name == container }) {
			v.fault("pod %s has the container", pod.Name)
		}
	}
	at := slices.IndexFunc(l.w.HPA.Spec.Metrics, func(m autoscalingv2.MetricSpec) bool {
		return ofContainer(m) && m.ContainerResource.Container == container
	})
	if at < 0 || l.propose(at).failure == "" || len(pods) == 0 || len(containers) == 0 {
		v.fault("no metric of container %s fails", container)
		v.skip()
		return
	}
	name, _, _ := resourceOf(&l.w.HPA.Spec.Metrics[at])
	want, _ := l.requested(name)
	lacks := ""
	if len(want) == 0 {
		if l.w.HPA.Spec.Metrics[at].ContainerResource.Target.AverageValue == nil {
			lacks = string(name)
		}
		for _, c := range l.w.runningContainers(pods[0]) {
			want = append(want, c.Name)
		}
	}
	if !slices.Equal(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(containers))) {
		v.fault("the containers to choose from are %v", want)
	}
	if v.has("lacks") != (lacks != "") {
		v.fault("they lack a request: %q", lacks)
	} else if lacks != "" {
		v.text("lacks", lacks)
	}
	if v.has("command") || v.has("replicas") && len(containers) != 1 {
		v.fault("there is a command, or replicas for one of several")
	}
	l.comesTo(v, effect{when: "done", change: func(w *World) { w.HPA.Spec.Metrics[at].ContainerResource.Container = containers[0] }})
}

// askMetricsAPI holds where the metrics that fail come from.
func (l *look) askMetricsAPI(v *values) {
	l.comesToNothing(v)
	if n := len(l.failing()); n != len(l.w.HPA.Spec.Metrics) {
		v.fault("only %d metrics fail", n)
	}
	want, keda := map[string]bool{}, l.w.scaledObject()
	for _, i := range l.failing() {
		m, p := &l.w.HPA.Spec.Metrics[i], l.propose(i)
		external := m.Type == autoscalingv2.ExternalMetricSourceType
		switch api := l.apiOf(i); {
		case p.failure != apiFailed && p.failure != emptyList:
		case external && keda != "":
			want[fmt.Sprintf("keda %s %s", m.External.Metric.Name, keda)] = true
		case p.failure == emptyList && api == "metrics.k8s.io":
			if !l.noneRuns() {
				want["no-samples"] = true
			}
		case p.failure == apiFailed && errorParts(p.err)[0] == "404" && strings.Contains(p.err.Error(), " could not find the metric "):
			want["no-metric "+api] = true
		case p.failure == apiFailed && slices.Contains([]string{"404", "503"}, errorParts(p.err)[0]):
			want["not-served "+api] = true
		case p.failure == emptyList && l.noneRuns() && m.Type == autoscalingv2.PodsMetricSourceType:
		case p.failure == emptyList:
			want["empty "+api] = true
		case errorParts(p.err)[0] == "403":
			want["forbidden "+api] = true
		default:
			want["fails "+api] = true
		}
	}
	got := map[string]bool{}
	for _, one := range v.objects("apis") {
		kind := one.str("kind")
		for _, key := range []string{"api", "metric", "scaledObject"} {
			if one.has(key) {
				name, _, _ := strings.Cut(one.str(key), "{") // the selector tells it from another
				kind += " " + name
			}
		}
		if one.has("trigger") {
			one.int("trigger")
			if metric := one.str("metric"); !strings.HasPrefix(metric, fmt.Sprintf("s%d-", one.int("trigger"))) {
				one.fault("%s is of another trigger", metric)
			}
		}
		got[kind] = true
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		v.fault("the metrics that fail come from %v, not from %v", want, got)
	}
	if v.has("command") {
		l.asks(v, want, keda)
	}
}

// asks holds what each of the commands asks for.
func (l *look) asks(v *values, apis map[string]bool, keda string) {
	of := "kubectl get apiservice "
	namespace := " -n " + l.w.HPA.Namespace
	for _, one := range strings.Split(v.str("command"), "; ") {
		command, asks := strings.Join(words(one), " "), false
		for api := range apis {
			kind, rest, _ := strings.Cut(api, " ")
			asks = asks || kind == "keda" && command == "kubectl describe scaledobject "+keda+namespace ||
				kind == "no-samples" && command == "kubectl top pods"+namespace+" -l "+l.selector() ||
				kind == "no-metric" && strings.HasPrefix(command, "kubectl get --raw /apis/"+rest+"/") ||
				kind == "not-served" && strings.HasPrefix(command, of) && strings.Contains(command, rest)
		}
		if !asks {
			v.fault("the command %q asks none of %v", command, apis)
		}
	}
}

// noneRuns tells whether none of the pods runs.
func (l *look) noneRuns() bool {
	pods, ok := l.w.matched()
	return ok && !slices.ContainsFunc(pods, mayRun)
}

func (l *look) startPods(v *values) {
	l.comesToNothing(v)
	pods, _ := l.w.matched()
	v.is("pods", int64(len(pods)))
	if l.w.current() == 0 || !l.noneRuns() || len(l.failing()) != len(l.w.HPA.Spec.Metrics) {
		v.fault("replicas are %d, a pod runs: %v, or a metric works", l.w.current(), !l.noneRuns())
	}
	for _, i := range l.failing() {
		if f := l.propose(i).failure; !slices.Contains([]failure{emptyList, noPods, noneUsable, noPodsToMultiply}, f) {
			v.fault("metric %d fails for another reason: %s", i, f)
		}
	}
	if len(pods) == 0 {
		l.namespaced(v, "describe", l.w.ofTarget())
	} else {
		l.namespaced(v, "describe", "pod/"+pods[0].Name)
	}
}

func (l *look) fixOrRemoveMetric(v *values) {
	if v.bool("removable") {
		l.keda(v)
	}
	failing, names := l.failing(), v.strs("metrics")
	var named []int
	for _, name := range names {
		named = append(named, l.w.named(name)...)
	}
	for _, i := range failing {
		if !slices.Contains(named, i) {
			v.fault("metric %d fails, too", i)
		}
	}
	if len(names) != len(failing) || len(failing) == len(l.w.HPA.Spec.Metrics) {
		v.fault("%d of %d metrics fail", len(failing), len(l.w.HPA.Spec.Metrics))
	}
	outside := false
	if best, _ := l.taken(); best == nil {
		v.fault("no other proposes replicas")
	}
	for i := range l.w.HPA.Spec.Metrics {
		outside = outside || !slices.Contains(failing, i) && slices.Contains(
			[]autoscalingv2.MetricSourceType{autoscalingv2.ObjectMetricSourceType, autoscalingv2.ExternalMetricSourceType}, l.w.HPA.Spec.Metrics[i].Type)
	}
	removable := l.w.min() != 0 || outside
	v.flag("removable", removable)
	if removable != v.has("replicas") {
		v.fault("they can be removed: %v, and replicas are there: %v", removable, v.has("replicas"))
	}
	if v.has("command") && !removable {
		v.fault("there is a command, and they can't be removed")
	}
	l.comesTo(v, effect{when: "done", must: removable, typed: v.has("command") && len(l.flags(v)) == len(names), change: func(w *World) {
		for _, i := range slices.Backward(failing) {
			w.HPA.Spec.Metrics = slices.Delete(w.HPA.Spec.Metrics, i, i+1)
		}
	}})
}

func (l *look) raiseMax(v *values) {
	l.keda(v)
	wanted := v.int("wanted")
	best, _ := l.taken()
	if best == nil || int64(best.replicas) != wanted || wanted <= int64(l.w.max()) || wanted > 1000*int64(l.w.max()) || best.ratio <= 1 {
		v.fault("maxReplicas is %d, and the highest proposal is %+v", l.w.max(), best)
	}
	if _, most := l.today(v); most != int64(l.w.max()) {
		v.fault("maxReplicas %d does not hold the replicas: at most %d", l.w.max(), most)
	}
	l.comesTo(v, effect{when: "done", must: true, tunes: true, typed: true, change: func(w *World) { w.HPA.Spec.MaxReplicas = int32(wanted) }})
}

// decider is the metric of a name that decides, of those that are meant.
func (l *look) decider(v *values, meant func(*autoscalingv2.MetricSpec) bool) (int, *proposal) {
	best, _ := l.taken()
	for _, i := range l.w.named(v.str("metric")) {
		if p := l.propose(i); best != nil && p.failure == "" && p.replicas == best.replicas && meant(&l.w.HPA.Spec.Metrics[i]) {
			return i, p
		}
	}
	v.fault("%s is not the metric that decides", v.str("metric"))
	v.skip()
	return -1, &proposal{}
}

func (l *look) divideTotal(v *values) {
	l.keda(v)
	i, p := l.decider(v, func(m *autoscalingv2.MetricSpec) bool { return targetOf(m) != nil && targetOf(m).Value != nil })
	if i < 0 {
		return
	}
	target := targetOf(&l.w.HPA.Spec.Metrics[i])
	value, err := resource.ParseQuantity(v.str("value"))
	if err != nil || value.Cmp(*target.Value) != 0 || p.kind != "value" || p.ratio <= 1 || p.multiply < 2 {
		v.fault("the target is %v, the ratio %v, %d ready pods", target.Value, p.ratio, p.multiply)
	}
	if v.has("command") {
		v.fault("there is a command")
	}
	l.comesTo(v, effect{when: "done", must: true, tunes: true, other: true, change: func(w *World) {
		target := targetOf(&w.HPA.Spec.Metrics[i])
		target.Type, target.AverageValue, target.Value = autoscalingv2.AverageValueMetricType, &value, nil
	}})
}

// targetOf is the target of a metric of type Object or External.
func targetOf(m *autoscalingv2.MetricSpec) *autoscalingv2.MetricTarget {
	switch m.Type {
	case autoscalingv2.ObjectMetricSourceType:
		return &m.Object.Target
	case autoscalingv2.ExternalMetricSourceType:
		return &m.External.Target
	}
	return nil
}

func amount(of *big.Int) *big.Int {
	if of == nil {
		return new(big.Int)
	}
	return of
}

// usedBy is what the containers of all pods use.
func (l *look) usedBy(name corev1.ResourceName) map[string]*big.Int {
	out, there := map[string]*big.Int{}, map[string]bool{}
	pods, _ := l.w.matched()
	for _, pod := range pods {
		there[pod.Name] = true
	}
	for _, item := range l.w.matchedSamples() {
		if !there[item.Name] {
			continue
		}
		for _, c := range item.Containers {
			usage := c.Usage[name]
			if out[c.Name] == nil {
				out[c.Name] = new(big.Int)
			}
			out[c.Name].Add(out[c.Name], big.NewInt(usage.MilliValue()))
		}
	}
	return out
}

// hides holds the container that works against the others, by its usage of what the metric that decides reads, and gives that.
func (l *look) hides(v *values) corev1.ResourceName {
	i, p := l.decider(v, func(m *autoscalingv2.MetricSpec) bool { return m.Type == autoscalingv2.ResourceMetricSourceType })
	container := v.str("container")
	if i < 0 {
		return ""
	}
	name, _, _ := resourceOf(&l.w.HPA.Spec.Metrics[i])
	containers, first := l.requested(name)
	if p.kind != "utilization" || len(containers) < 2 {
		v.fault("it reads a %s, and %v have a request in every pod", p.kind, containers)
	}
	if !slices.Contains(containers, container) {
		v.fault("container %s has no request in some pod", container)
	}
	used := l.usedBy(name)
	for _, other := range containers {
		more := amount(used[other]).Cmp(amount(used[container]))
		if more > 0 || more == 0 && first[other] > first[container] {
			v.fault("container %s uses more than %s, or as much and requests more", other, container)
		}
	}
	return name
}

func (l *look) leaveOutSidecars(v *values) {
	l.keda(v)
	name, container := l.hides(v), v.str("container")
	if name == "" {
		return
	}
	for _, one := range v.objects("shares") {
		one.is("percent", l.shareOf(name, one.str("container")))
	}
	l.comesTo(v, effect{when: "done", must: true, tunes: true, more: true, typed: true, change: func(w *World) { measured(w, container) }})
}

// shareOf is the usage of a container in percent of its requests, over the pods that have both.
func (l *look) shareOf(name corev1.ResourceName, container string) int64 {
	used, asked := new(big.Int), new(big.Int)
	pods, _ := l.w.matched()
	for _, item := range l.w.matchedSamples() {
		for _, pod := range pods {
			if pod.Name != item.Name {
				continue
			}
			for _, c := range withSidecars(pod) {
				for _, one := range item.Containers {
					request, requested := c.Resources.Requests[name]
					usage, has := one.Usage[name]
					if c.Name == container && one.Name == container && requested && has {
						used.Add(used, big.NewInt(usage.MilliValue()))
						asked.Add(asked, big.NewInt(request.MilliValue()))
					}
				}
			}
		}
	}
	if asked.Sign() == 0 {
		return 0
	}
	return used.Mul(used, big.NewInt(100)).Quo(used, asked).Int64()
}

func (l *look) allowFasterScaleUp(v *values) {
	l.keda(v)
	limit := max(2*int64(l.w.current()), 4)
	wanted, _ := l.wants(v, func(*World) {})
	for _, r := range l.w.Memory.Recommendations {
		if l.w.At.Sub(r.At) <= l.w.Downscale {
			wanted = max(wanted, r.Replicas)
		}
	}
	left := int64(wanted)
	if _, most := l.today(v); l.w.HPA.Spec.Behavior != nil || most != limit || left <= 4*most {
		v.fault("the decision is up to %d, doubling allows %d, and %d are left to decide", most, limit, left)
	}
	percent := int32(0)
	for _, flag := range l.flags(v) {
		if _, err := fmt.Sscanf(flag[1], "Percent=%d/15s", &percent); flag[0] != "--scale-up" || err != nil || percent%100 != 0 {
			v.fault("the command has the flag %v", flag)
		}
	}
	l.comesTo(v, effect{when: "done", must: true, tunes: true, more: true, typed: true, change: func(w *World) {
		w.behavior("scaleUp").Policies = []autoscalingv2.HPAScalingPolicy{{Type: autoscalingv2.PercentScalingPolicy, Value: percent, PeriodSeconds: 15}}
	}})
}

// behavior are the rules of a direction, made if there are none.
func (w *World) behavior(direction string) *autoscalingv2.HPAScalingRules {
	if w.HPA.Spec.Behavior == nil {
		w.HPA.Spec.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{}
	}
	rules := &w.HPA.Spec.Behavior.ScaleDown
	if direction == "scaleUp" {
		rules = &w.HPA.Spec.Behavior.ScaleUp
	}
	if *rules == nil {
		*rules = &autoscalingv2.HPAScalingRules{}
	}
	return *rules
}

// narrower are the tolerances that are proposed.
var narrower = []string{"0.05", "0.04", "0.03", "0.02"}

func (l *look) narrowTolerance(v *values) {
	l.keda(v)
	direction := v.str("direction")
	_, _, ownDown, ownUp := l.w.tolerances()
	if own := map[string]bool{"scaleUp": ownUp, "scaleDown": ownDown}; own[direction] || l.w.Minor < 33 || !l.w.gate("HPAConfigurableTolerance") {
		v.fault("it is set, or this version reads none")
	}
	_, tolerance, _ := strings.Cut(v.str("command"), "tolerance=")
	tolerance, _, _ = strings.Cut(tolerance, " ")
	place := slices.Index(narrower, tolerance)
	held := false
	for i := range l.w.HPA.Spec.Metrics {
		p := l.propose(i)
		off := p.lastRatio() - 1
		if direction == "scaleDown" {
			off = -off
		}
		first := slices.IndexFunc(narrower, func(one string) bool {
			wide, err := strconv.ParseFloat(one, 64)
			return err == nil && off > wide
		})
		held = held || p.failure == "" && p.kept && l.w.within(p.lastRatio()) && first >= 0 && first == place
	}
	if !held || math.IsNaN(l.w.Tolerance) {
		v.fault("no ratio is that far off and inside the tolerance")
	}
	if least, most := l.today(v); least > int64(l.w.current()) || most < int64(l.w.current()) {
		v.fault("the decision is %d to %d", least, most)
	}
	l.comesTo(v, effect{when: "done", must: true, tunes: true, other: true, typed: true, change: func(w *World) {
		setTolerance(w.behavior(direction), resource.MustParse(narrower[max(place, 0)]))
	}})
}

func (l *look) shortenWindow(v *values) {
	l.keda(v)
	direction := v.str("direction")
	window := l.windows()[direction]
	if window.Seconds() <= 300 || !l.claims("stabilized", "highest-counts") {
		v.fault("the window of %s is %v, or it holds nothing", direction, window)
	}
	if controllers := l.w.HPA.Spec.Behavior == nil; v.has("window") != controllers {
		v.fault("spec.behavior is set: %v, and window is there: %v", !controllers, v.has("window"))
	} else if controllers && v.duration("window") != l.w.Downscale {
		v.fault("the window of the controller is %v", l.w.Downscale)
	}
	l.windowActs(v, true)
	l.comesTo(v, effect{when: "done", must: true, tunes: true, other: true, typed: true, change: func(w *World) {
		length := int32(300)
		w.behavior(direction).StabilizationWindowSeconds = &length
	}})
}
