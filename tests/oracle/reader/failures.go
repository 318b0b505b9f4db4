package reader

import (
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
)

var failureChecks = map[string]check{
	"metric-api-error": func(l *look, v *values) {
		api := v.str("api")
		status, message := v.str("status"), ""
		if v.has("message") {
			message = v.str("message")
		}
		if v.has("path") {
			if path := v.str("path"); !strings.HasPrefix(path, "/apis/"+api+"/") {
				v.fault("%s is none of %s", path, api)
			}
		}
		for _, name := range v.strs("metrics") {
			p := l.fails(v, name, apiFailed)
			if p.err == nil {
				continue
			}
			parts := errorParts(p.err)
			if len(parts) > 1 && status != strings.TrimSpace(parts[0]+" "+parts[1]) {
				v.fault("the status of the answer to %s is %v", name, parts)
			}
			if v.has("message") && len(parts) > 2 && !strings.Contains(message, parts[2]) {
				v.fault("the answer to %s is %v", name, p.err)
			}
			l.api(v, name, api)
		}
	},
	"nothing-to-measure": func(l *look, v *values) {
		i := l.one(v, v.str("metric"))
		v.text("selector", l.selector())
		l.states(v.object("pods"))
		if i >= 0 && l.propose(i).failure == "" {
			v.fault("the metric works")
		}
	},
	"no-samples": func(l *look, v *values) {
		name := v.str("metric")
		l.fails(v, name, emptyList)
		l.api(v, name, v.str("api"))
		if v.has("selector") {
			v.text("selector", l.selector())
		}
	},
	"not-one-value": func(l *look, v *values) {
		name := v.str("metric")
		l.fails(v, name, notOne)
		for _, i := range l.w.named(name) {
			if source := l.w.HPA.Spec.Metrics[i].Object; source != nil {
				items, _ := find(l.w.Custom, source.Metric, &source.DescribedObject)
				v.is("values", int64(len(items)))
				return
			}
		}
		v.fault("%s is of no object", name)
	},
	"no-pods": func(l *look, v *values) {
		l.fails(v, v.str("metric"), noPods)
		l.matchesNone(v)
	},
	"no-pods-to-count": func(l *look, v *values) {
		l.fails(v, v.str("metric"), noPodsToMultiply)
		l.matchesNone(v)
	},
	"pods-unlisted-for": func(l *look, v *values) {
		p := l.fails(v, v.str("metric"), podsUnlisted)
		if v.has("error") && p.err != nil {
			v.text("error", p.err.Error())
		}
	},
	"sample-without-container": func(l *look, v *values) {
		pod := v.str("pod")
		name := ""
		if v.has("metric") {
			name = v.str("metric")
			l.fails(v, name, lacksContainer)
		}
		if v.has("container") {
			v.str("container")
		}
		for _, item := range l.w.matchedSamples() {
			if item.Name == pod && l.someContainerIsMissing(item.Containers, name) {
				return
			}
		}
		v.fault("no sample of pod %s lacks a container of a metric", pod)
	},
	"container-metrics-off": func(l *look, v *values) {
		if v.has("metric") {
			l.fails(v, v.str("metric"), gateOff)
		}
		if l.w.gate("HPAContainerMetrics") || !slices.ContainsFunc(l.w.HPA.Spec.Metrics, ofContainer) {
			v.fault("the gate is on, or no metric is of a container")
		}
	},
	"controller-crash": (*look).crashes,
	"crash-goes-on":    (*look).crashes,
	"target-without-value": func(l *look, v *values) {
		l.fails(v, v.str("metric"), noTarget)
		said := v.str("targetType")
		if !slices.ContainsFunc(l.w.named(v.str("metric")), func(i int) bool {
			return string(targetOf(&l.w.HPA.Spec.Metrics[i]).Type) == said
		}) {
			v.fault("the target has another type than %s", said)
		}
	},
	"metric-selector-invalid": func(l *look, v *values) {
		l.fails(v, v.str("metric"), selectorInvalid)
		says := func(i int) bool {
			err := l.propose(i).err
			return err == nil || strings.Contains(err.Error(), v.str("error"))
		}
		if v.has("error") && !slices.ContainsFunc(l.w.named(v.str("metric")), says) {
			v.fault("no metric of that name has this error")
		}
	},
}

func ofContainer(m autoscalingv2.MetricSpec) bool {
	return m.Type == autoscalingv2.ContainerResourceMetricSourceType
}

// crashes holds that the real controller panicked.
func (l *look) crashes(v *values) {
	if v.has("metric") {
		l.one(v, v.str("metric"))
	}
	if l.real.Panic == "" {
		v.fault("the real controller does not panic")
	}
}

func (l *look) api(v *values, name, api string) {
	for _, i := range l.w.named(name) {
		if l.apiOf(i) == api {
			return
		}
	}
	v.fault("%s is not read of %s", name, api)
}

func (l *look) matchesNone(v *values) {
	v.text("selector", l.selector())
	if pods, ok := l.w.matched(); !ok || len(pods) > 0 {
		v.fault("%d pods match", len(pods))
	}
}

// states counts the matching pods.
func (l *look) states(v *values) {
	pods, _ := l.w.matched()
	phases := map[corev1.PodPhase]int64{}
	gated, waiting, unexplained := int64(0), int64(0), int64(0)
	stuck := map[string]int64{}
	for _, pod := range pods {
		phases[pod.Status.Phase]++
		reason := stuckFor(pod)
		switch unscheduled := unscheduled(pod); {
		case unscheduled == "SchedulingGated":
			gated++
		case unscheduled != "":
			waiting++
		case pod.Status.Phase == corev1.PodPending && reason == "":
			unexplained++
		}
		if reason != "" {
			stuck[reason]++
		}
		if mayRun(pod) {
			v.fault("pod %s is %s", pod.Name, pod.Status.Phase)
		}
	}
	for _, one := range v.objects("stuck") {
		one.is("pods", stuck[one.str("reason")])
		delete(stuck, one.str("reason"))
	}
	if len(stuck) > 0 {
		v.fault("containers wait for %v, too", stuck)
	}
	v.is("matched", int64(len(pods)))
	v.is("failed", phases[corev1.PodFailed])
	v.is("succeeded", phases[corev1.PodSucceeded])
	v.is("gated", gated)
	v.is("waitingForNode", waiting)
	v.is("pending", unexplained)
}
