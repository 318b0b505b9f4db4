package reader

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// separateSelectors holds the selectors of the HPAs that match the same pods.
func (l *look) separateSelectors(v *values) {
	told := v.has("earlier") || l.claims("selector-ambiguous", "rival-may-be-known", "earlier-rival-may-be-known", "rival-not-compared", "same-target")
	if reason, _ := l.active(); !told && reason != "AmbiguousSelector" && !l.alone && len(l.rivals(true)) == 0 {
		v.fault("no other HPA has the same pods or the same target")
	}
	all := v.objects("hpas")
	for i, one := range all {
		name, selector := one.str("hpa"), one.str("selector")
		if i == 0 {
			one.text("hpa", l.w.HPA.Name)
			one.text("selector", l.selector())
			continue
		}
		at := slices.IndexFunc(l.w.Others, func(o Other) bool { return o.Name == name && o.Namespace == l.w.HPA.Namespace })
		if at < 0 {
			one.fault("there is no HPA %s", name)
		} else if other := l.w.Others[at]; !sameSelector(other, selector) {
			one.fault("HPA %s has the selector %s", name, other.Selector)
		} else if selector != l.selector() && !slices.Contains(l.rivals(true), other.Namespace+"/"+other.Name) {
			one.fault("HPA %s matches none of the pods", name)
		}
	}
	l.earlier(v, len(all))
	foreign, _, _ := l.ofAnother()
	l.comesTo(v, effect{when: "done", change: func(w *World) {
		w.Others = nil
		w.drop(foreign)
	}})
}

// earlier holds the HPA of which an earlier selector may match the pods, and that none is named beside it.
func (l *look) earlier(v *values, named int) {
	if v.has("possibly") && (!v.bool("possibly") || !v.has("earlier")) {
		v.fault("possibly is of an earlier selector")
	}
	if !v.has("earlier") {
		if named < 2 {
			v.fault("no other HPA is named")
		}
		return
	}
	name := v.str("earlier")
	if named > 0 || slices.ContainsFunc(l.rivals(true), func(other string) bool { return other == l.w.HPA.Namespace+"/"+name }) {
		v.fault("%d HPAs are named, or HPA %s matches the pods now", named, name)
	}
	if !slices.ContainsFunc(l.w.Others, func(o Other) bool { return o.Name == name }) {
		v.fault("there is no HPA %s", name)
	}
}

// sameSelector tells whether another HPA has a selector, however it is written.
func sameSelector(other Other, text string) bool {
	selector, err := labels.Parse(text)
	return err == nil && selector.String() == other.Selector.String()
}

// ofAnother are the pods of another with their owners, and whether others have no owner.
func (l *look) ofAnother() (names []string, owners map[string]bool, loose bool) {
	owners = map[string]bool{}
	pods, _ := l.w.matched()
	for _, pod := range pods {
		if ownerOf(pod) == "no owner" {
			loose = true
		} else if !l.own(pod) {
			names = append(names, pod.Name)
			owners[ownerOf(pod)] = true
		}
	}
	return names, owners, loose
}

func (l *look) selectOwnPods(v *values) {
	pods, _ := l.w.matched()
	foreign, owners, loose := l.ofAnother()
	v.is("foreign", int64(len(foreign)))
	v.is("pods", int64(len(pods)))
	v.set("owners", owners)
	v.text("target", l.w.target())
	v.text("selector", l.selector())
	if len(foreign) == 0 {
		v.fault("each pod is an own one")
	}
	if v.has("command") == (loose && len(foreign) > 3) {
		v.fault("%d pods are of another, other pods have no owner: %v, and there is a command: %v", len(foreign), loose, v.has("command"))
	}
	l.comesTo(v, effect{when: "done", must: true, typed: true, change: func(w *World) { w.drop(foreign) }})
}

// drop takes pods away with their samples.
func (w *World) drop(names []string) {
	w.Pods = slices.DeleteFunc(slices.Clone(w.Pods), func(pod *corev1.Pod) bool {
		return pod.Namespace == w.HPA.Namespace && slices.Contains(names, pod.Name)
	})
	w.forget(names)
}

// own tells whether a pod is of the target; if that is of a kind of which it can't be told, or no pod has an owner, each is.
func (l *look) own(pod *corev1.Pod) bool {
	if pods, _ := l.w.matched(); !slices.ContainsFunc(pods, func(pod *corev1.Pod) bool { return ownerOf(pod) != "no owner" }) {
		return true
	}
	target := l.w.target()
	kind, name, _ := strings.Cut(target, "/")
	switch owner := ownerOf(pod); kind {
	case "Deployment":
		return ofDeployment(pod, owner, name)
	case "StatefulSet", "ReplicaSet", "ReplicationController":
		return owner == target
	}
	return true
}

// owned are the own pods that are meant.
func (l *look) owned(meant func(*corev1.Pod) bool) (out []*corev1.Pod) {
	pods, _ := l.w.matched()
	for _, pod := range pods {
		if l.own(pod) && meant(pod) {
			out = append(out, pod)
		}
	}
	return out
}

func (l *look) createPods(v *values) {
	l.comesToNothing(v)
	v.text("target", l.w.target())
	ended := int64(0)
	there := l.owned(func(pod *corev1.Pod) bool {
		if pod.DeletionTimestamp != nil {
			v.fault("pod %s is being deleted", pod.Name)
		}
		if pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
			ended++
			return false
		}
		return true
	})
	v.is("ended", ended)
	absent := int64(l.w.current()) - int64(len(there))
	v.is("absent", absent)
	if last := l.w.HPA.Status.LastScaleTime; absent <= 0 || last != nil && l.w.At.Sub(last.Time) < time.Minute {
		v.fault("each replica has a pod, or may soon have: %v", last)
	}
	l.namespaced(v, "describe", l.w.ofTarget())
}

func (l *look) makeRoom(v *values) {
	l.comesToNothing(v)
	held := l.owned(func(pod *corev1.Pod) bool {
		reason := unscheduled(pod)
		return reason != "" && reason != "SchedulingGated"
	})
	v.is("pods", int64(len(held)))
	l.outlasts(v, len(held))
	reasons := map[string]bool{}
	for _, pod := range held {
		reasons[unscheduled(pod)] = true
	}
	known := len(reasons) == 1 && (reasons["Unschedulable"] || reasons["SchedulerError"])
	if v.has("reason") != known {
		v.fault("the pods have no node for %v", reasons)
	} else if known && !reasons[v.str("reason")] {
		v.fault("the pods have no node for %v", reasons)
	}
	if first := l.sinceOf(v, held); first != "" {
		l.namespaced(v, "describe", "pod/"+first)
	}
}

func (l *look) checkSchedulingGates(v *values) {
	l.comesToNothing(v)
	held := l.owned(func(pod *corev1.Pod) bool { return unscheduled(pod) == "SchedulingGated" })
	v.is("pods", int64(len(held)))
	l.outlasts(v, len(held))
	if first := l.sinceOf(v, held); first != "" {
		l.namespaced(v, "get", "pod/"+first, "-o", "jsonpath={.spec.schedulingGates}")
	}
}

// outlasts holds that so many pods are more than the real controller takes away.
func (l *look) outlasts(v *values, pods int) {
	stays := int64(l.desired())
	if best, _ := l.taken(); best != nil {
		stays = min(stays, max(int64(best.replicas), int64(l.w.min())))
	}
	if gone := int64(l.w.current()) - stays; gone >= int64(pods) && !l.decision.Open {
		v.fault("the real controller takes %d away", gone)
	}
}

// sinceOf holds since when the first of some pods has had no node, and names it.
func (l *look) sinceOf(v *values, pods []*corev1.Pod) (name string) {
	var since time.Time
	for _, pod := range pods {
		for _, c := range pod.Status.Conditions {
			if at := c.LastTransitionTime.Time; c.Type == corev1.PodScheduled && !at.IsZero() && (since.IsZero() || at.Before(since)) {
				name, since = pod.Name, at
			}
		}
	}
	v.instant("since", since)
	if len(pods) == 0 {
		v.fault("no own pod waits for a node")
	}
	return name
}

func (l *look) startContainers(v *values) {
	l.comesToNothing(v)
	stuck := l.owned(func(pod *corev1.Pod) bool { return stuckFor(pod) != "" })
	v.is("pods", int64(len(stuck)))
	if len(stuck) == 0 {
		v.fault("no own pod has a container that waits")
		v.skip()
		return
	}
	containers, reasons := map[string]bool{}, map[string]bool{}
	first := stuck[0]
	for _, pod := range stuck {
		name, reason := stuckIn(pod)
		containers[name], reasons[reason] = true, true
		if startedBefore(pod, first) {
			first = pod
		}
	}
	v.set("containers", containers)
	v.set("reasons", reasons)
	name, reason := stuckIn(first)
	if got := v.strs("containers"); len(got) == 0 || got[0] != name {
		v.fault("container %s of the first pod is not the first", name)
	}
	if got := v.strs("reasons"); len(got) == 0 || got[0] != reason {
		v.fault("%s of the first pod is not the first", reason)
	}
	if reason == "CrashLoopBackOff" {
		l.namespaced(v, "logs", first.Name, "-c", name, "--previous")
	} else {
		l.namespaced(v, "describe", "pod/"+first.Name)
	}
}

func (l *look) getReady(v *values) {
	never := map[string]bool{}
	for i := range l.w.HPA.Spec.Metrics {
		for _, name := range l.propose(i).groups.unready {
			never[name] = true
		}
	}
	pods := l.owned(func(pod *corev1.Pod) bool {
		started, condition := pod.Status.StartTime, readyCondition(pod)
		if !never[pod.Name] || started == nil || condition == nil || stuckFor(pod) != "" ||
			pod.Status.Phase == corev1.PodPending || pod.Status.Phase == corev1.PodSucceeded {
			return false
		}
		return !started.Add(l.w.Initialization).After(l.w.At)
	})
	v.is("pods", int64(len(pods)))
	if len(pods) == 0 {
		v.fault("no own pod has never been ready")
		return
	}
	first, settles := pods[0], map[string]bool{}
	for _, pod := range pods {
		settles[pod.Name] = true
		if startedBefore(pod, first) {
			first = pod
		}
	}
	l.namespaced(v, "describe", "pod/"+first.Name)
	l.comesTo(v, effect{when: "ready", must: true, other: len(l.failing()) == 0, change: func(w *World) {
		w.Pods = slices.Clone(w.Pods)
		for i, pod := range w.Pods {
			if pod.Namespace == w.HPA.Namespace && settles[pod.Name] {
				w.Pods[i] = settledPod(pod)
			}
		}
	}})
}

// stuckIn is the first container that waits for more than its start, and why.
func stuckIn(pod *corev1.Pod) (name, reason string) {
	names, reasons := waiting(pod)
	for i := range names {
		if !slices.Contains(starting, reasons[i]) {
			return names[i], reasons[i]
		}
	}
	return "", ""
}

func startedBefore(a, b *corev1.Pod) bool {
	switch {
	case a.Status.StartTime == nil:
		return false
	case b.Status.StartTime == nil:
		return true
	}
	return a.Status.StartTime.Time.Before(b.Status.StartTime.Time)
}

func (l *look) deleteFinishedPods(v *values) {
	if v.has("resource") {
		l.deleteEndedPods(v, corev1.ResourceName(v.str("resource")))
		return
	}
	missing := map[string]bool{}
	for i := range l.w.HPA.Spec.Metrics {
		for _, name := range l.propose(i).groups.missing {
			missing[name] = true
		}
	}
	var gone []string
	owners := map[string]bool{}
	pods, _ := l.w.matched()
	for _, pod := range pods {
		if pod.Status.Phase == corev1.PodSucceeded && missing[pod.Name] {
			gone = append(gone, pod.Name)
			owners[ownerOf(pod)] = true
		}
	}
	v.is("pods", int64(len(gone)))
	v.set("owners", owners)
	v.text("selector", l.selector())
	if len(gone) == 0 {
		v.fault("no pod has succeeded and counts as missing")
	}
	if v.has("command") != (len(gone) <= 3) {
		v.fault("%d pods have finished, and there is a command: %v", len(gone), v.has("command"))
	}
	l.comesTo(v, effect{when: "done", must: true, other: !v.has("settles"), typed: true, change: func(w *World) { w.drop(gone) }})
}

func (l *look) restoreSamples(v *values) {
	all, first, unready := map[string]bool{}, -1, false
	for i := range l.w.HPA.Spec.Metrics {
		for _, name := range l.propose(i).groups.missing {
			if first < 0 {
				first = i
			}
			all[name] = true
		}
	}
	if first < 0 {
		v.fault("no pod counts as missing")
		v.skip()
		return
	}
	if !slices.Contains(l.w.named(v.str("metric")), first) {
		v.fault("pods count as missing for metric %d", first)
	}
	missing := l.propose(first).groups.missing
	v.is("pods", int64(len(missing)))
	var started []time.Time
	pods, _ := l.w.matched()
	for _, pod := range pods {
		condition := readyCondition(pod)
		ready := condition != nil && condition.Status == corev1.ConditionTrue && pod.Status.Phase == corev1.PodRunning
		unready = unready || all[pod.Name] && !ready
		if slices.Contains(missing, pod.Name) {
			if pod.Status.Phase == corev1.PodSucceeded || stuckFor(pod) != "" {
				v.fault("pod %s has ended, or a container of it waits", pod.Name)
			}
			if at := pod.Status.StartTime; at != nil && !at.Time.Before(l.w.At.Add(-2*time.Minute)) {
				started = append(started, at.Time)
			}
		}
	}
	v.instant("started", earliest(started, len(missing)))
	if resource, _, _ := resourceOf(&l.w.HPA.Spec.Metrics[first]); resource != "" {
		l.runs(v, "kubectl", "get", "--raw", "/apis/metrics.k8s.io/v1beta1/namespaces/"+l.w.HPA.Namespace+"/pods/"+missing[0])
	} else if v.has("command") {
		v.fault("there is a command, and the metric is of no resource")
	}
	when := map[bool]string{true: "readied", false: "sampled"}[unready]
	l.comesTo(v, effect{when: when, must: true, other: true, change: func(w *World) { l.restore(w, all) }})
}

// earliest is the first of so many instants, if all of them are there.
func earliest(times []time.Time, all int) (first time.Time) {
	if len(times) < all {
		return first
	}
	return slices.MinFunc(times, time.Time.Compare)
}

// settledPod makes a pod ready for longer than any initialization.
func settledPod(pod *corev1.Pod) *corev1.Pod {
	long := metav1.NewTime(time.Unix(0, 0))
	pod = pod.DeepCopy()
	pod.DeletionTimestamp, pod.Status.Phase, pod.Status.StartTime = nil, corev1.PodRunning, &long
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: long}}
	return pod
}

// deleteEndedPods is of pods that have ended without a request.
func (l *look) deleteEndedPods(v *values, resource corev1.ResourceName) {
	container := ""
	of := func(i int) bool {
		name, one, _ := resourceOf(&l.w.HPA.Spec.Metrics[i])
		container = one
		return name == resource
	}
	i := slices.IndexFunc(l.failing(), func(i int) bool { return of(i) && l.propose(i).failure == requestMissing })
	if i < 0 {
		v.fault("no metric fails for a request of %s", resource)
		return
	}
	var gone []string
	leaving := 0
	owners := map[string]bool{}
	pods, _ := l.w.matched()
	for _, pod := range pods {
		_, without := l.w.requests([]*corev1.Pod{pod}, resource, container)
		ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
		switch {
		case !without.any():
		case pod.DeletionTimestamp != nil:
			leaving++
		case ended:
			gone = append(gone, pod.Name)
			owners[ownerOf(pod)] = true
		default:
			v.fault("%s lacks the request, too", pod.Name)
		}
	}
	v.is("pods", int64(len(gone)))
	v.set("owners", owners)
	v.text("selector", l.selector())
	if len(gone) == 0 || v.has("command") != (len(gone) <= 3) {
		v.fault("%d pods have ended, and there is a command: %v", len(gone), v.has("command"))
	}
	if leaving > 0 && v.has("replicas") {
		v.fault("%d pods are being deleted, and lack it, too", leaving)
	}
	l.comesTo(v, effect{when: "done", typed: true, change: func(w *World) { w.drop(gone) }})
}
