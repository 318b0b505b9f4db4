package reader

import (
	"math"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	customv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// A play has at most so many pods and syncs.
const mostPlayed, longestPlay = 150, 400

// load is what the counted pods use in total, shared by all pods: of each container and resource, and for each Pods metric.
type load struct {
	like   *corev1.Pod
	used   map[string]map[corev1.ResourceName]int64
	values map[int]int64 // by query
}

// settled holds where the replicas end if syncs follow with the same load.
func (l *look) settled(v *values, change func(*World), first *Outcome, least, most int64) {
	if !v.has("settles") {
		return
	}
	said := v.int("settles")
	if said == least && said == most {
		v.fault("settles is %d, as replicas are", said)
	}
	w := l.w.copied()
	if l.alone {
		w.Others = nil
	}
	change(w)
	shared, ok := w.loadOf()
	if !ok {
		return
	}
	end, ends := w.playOn(l.w.Decide, shared, first)
	if !ends {
		return
	}
	l.played++
	if end != said {
		v.fault("it settles at %d in the real controller, not at %d", end, said)
	}
}

// loadOf is the load of a world, unless its pods are not those that its replicas make.
func (w *World) loadOf() (*load, bool) {
	pods, ok := w.matched()
	out := &load{used: map[string]map[corev1.ResourceName]int64{}, values: map[int]int64{}}
	if !ok || w.PodsErr != nil || w.Scale.Spec.Replicas > mostPlayed || len(pods) == 0 {
		return nil, false
	}
	counted := map[string]bool{}
	for _, pod := range pods {
		if !ignored(pod) {
			counted[pod.Name] = true
			out.like = settledPod(pod)
		}
	}
	if len(counted) != int(w.current()) || len(pods) != len(counted) {
		return nil, false
	}
	for _, item := range w.matchedSamples() {
		if !counted[item.Name] {
			continue
		}
		for _, c := range item.Containers {
			if out.used[c.Name] == nil {
				out.used[c.Name] = map[corev1.ResourceName]int64{}
			}
			for name, usage := range c.Usage {
				if out.used[c.Name][name], ok = added(out.used[c.Name][name], usage.MilliValue()); !ok {
					return nil, false
				}
			}
		}
	}
	for i, q := range w.Custom {
		if q.Object != nil {
			continue
		}
		// Of several values of a pod the last counts; see GetRawMetric.
		last := map[string]int64{}
		for _, item := range q.Answer.Items {
			last[item.DescribedObject.Name] = item.Value.MilliValue()
		}
		for pod, value := range last {
			if !counted[pod] {
				continue
			}
			if out.values[i], ok = added(out.values[i], value); !ok {
				return nil, false
			}
		}
	}
	return out, true
}

// added is a total with one more sample, unless that is below 0 or the total is too large.
func added(total, value int64) (int64, bool) {
	return total + value, value >= 0 && total <= math.MaxInt64-value
}

// share is what one of so many pods has of a total.
func share(total int64, at, pods int) int64 {
	part := divided(total, int64(pods), false)
	if int64(at) < total-part*int64(pods) {
		part++
	}
	return part
}

// podNamed is the name of a played pod.
func podNamed(at int) string {
	return apart + "-" + string(rune('a'+at/26/26)) + string(rune('a'+at/26%26)) + string(rune('a'+at%26))
}

// playOn lets the real controller sync every 15s, while the pods share the load, until nothing changes any more.
func (w *World) playOn(decide func(*World) (*Outcome, error), shared *load, last *Outcome) (int64, bool) {
	now := w.At
	for round := range longestPlay {
		replicas := *last.Desired
		if replicas > mostPlayed || replicas < 0 {
			return 0, false
		}
		still := replicas == w.current()
		w.Scale.Spec.Replicas, w.Scale.Status.Replicas = replicas, replicas
		w.Memory, w.HPA.Status = last.Memory, last.Status
		next := now.Add(syncPeriod)
		if still && round > 0 {
			due, any := w.nextChange(now)
			if !any {
				return int64(replicas), true
			}
			for !next.After(due) {
				next = next.Add(syncPeriod)
			}
		}
		now = next
		w.At = now
		w.shareOut(shared, int(replicas))
		out, err := decide(w)
		if err != nil || out.Desired == nil {
			return 0, false
		}
		last = out
	}
	return 0, false
}

// nextChange is when the next recommendation or rescale leaves its window, after a sync in which the replicas stayed.
func (w *World) nextChange(now time.Time) (due time.Time, found bool) {
	l := &look{w: w}
	consider := func(at time.Time) {
		if !at.Before(now) && (!found || at.Before(due)) {
			due, found = at, true
		}
	}
	if n := len(w.Memory.Recommendations); n > 0 {
		newest := slices.MaxFunc(w.Memory.Recommendations, func(a, b Recommendation) int { return a.At.Compare(b.At) })
		for _, r := range w.Memory.Recommendations {
			for _, window := range l.windows() {
				if r.Replicas != newest.Replicas {
					consider(r.At.Add(window))
				}
			}
		}
	}
	for _, rules := range l.rules() {
		if rules == nil {
			continue
		}
		for _, policy := range rules.Policies {
			for _, change := range slices.Concat(w.Memory.Ups, w.Memory.Downs) {
				consider(change.At.Add(time.Duration(policy.PeriodSeconds) * time.Second))
			}
		}
	}
	return due, found
}

// shareOut makes so many ready pods with a sample each, which share the load.
func (w *World) shareOut(shared *load, replicas int) {
	w.Pods, w.PodMetrics.Items = nil, nil
	at := metav1.NewTime(w.At)
	for i := range replicas {
		pod := shared.like.DeepCopy()
		pod.Name = podNamed(i)
		w.Pods = append(w.Pods, pod)
		item := metricsv1beta1.PodMetrics{Timestamp: at}
		item.Name, item.Namespace = pod.Name, pod.Namespace
		for container, used := range shared.used {
			usage := corev1.ResourceList{}
			for name, total := range used {
				usage[name] = *milli(share(total, i, replicas))
			}
			item.Containers = append(item.Containers, metricsv1beta1.ContainerMetrics{Name: container, Usage: usage})
		}
		w.PodMetrics.Items = append(w.PodMetrics.Items, item)
	}
	w.Custom = slices.Clone(w.Custom)
	for i, total := range shared.values {
		q := &w.Custom[i]
		q.Answer.Items = nil
		for pod := range replicas {
			one := customv1beta2.MetricValue{DescribedObject: corev1.ObjectReference{Kind: "Pod", Name: podNamed(pod)}, Timestamp: at}
			one.Value = *milli(share(total, pod, replicas))
			q.Answer.Items = append(q.Answer.Items, one)
		}
	}
}
