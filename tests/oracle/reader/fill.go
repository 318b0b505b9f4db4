package reader

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

var fillChecks = map[string]check{
	"filled-in":         (*look).filledIn,
	"filled-in-vain":    (*look).filledInVain,
	"left-out-at-one":   (*look).leftOut,
	"same-without-them": (*look).sameWithout,
	"deleting-count":    (*look).deletingCount,
	"multiplied":        (*look).multiplied,
	"status-replicas":   (*look).statusReplicas,
	"other-owners":      (*look).otherOwners,
	"tolerance-ignored": (*look).toleranceIgnored,
}

// last is the proposal of the claim `reads` before.
func (l *look) last(v *values) *proposal {
	if l.metric < 0 {
		v.fault("no claim `reads` goes before it")
		return &proposal{}
	}
	return l.propose(l.metric)
}

func (l *look) filledIn(v *values) {
	p := l.last(v)
	v.is("counted", int64(p.matched-len(p.groups.ignored)))
	v.near("ratio", p.second)
	if v.has("missing") {
		missing := v.object("missing")
		missing.is("pods", int64(len(p.groups.missing)))
		l.assumed(missing, p)
	} else if p.fillsMissing != "" {
		v.fault("%d pods have no sample", len(p.groups.missing))
	}
	fillsUnready := p.ratio > 1 && len(p.groups.unready) > 0
	if v.has("unready") {
		v.is("unready", int64(len(p.groups.unready)))
		if !fillsUnready {
			v.fault("unready pods don't count at a ratio of %v", p.ratio)
		}
	} else if fillsUnready {
		v.fault("%d unready pods count as 0", len(p.groups.unready))
	}
	then := v.object("then")
	turns := p.second < 1 != (p.ratio < 1)
	switch kind := then.str("kind"); kind {
	case "leads":
		to := then.object("to")
		l.leadsTo(to, to.str("kind"), p, p.second)
	case "other-side":
		if !turns || !p.kept {
			v.fault("the ratios are %v and %v", p.ratio, p.second)
		}
	case "other-way":
		then.is("pods", int64(p.counted))
		if turns || !p.kept || l.w.within(p.second) {
			v.fault("the ratios are %v and %v", p.ratio, p.second)
		}
	case "within":
		l.insideTolerance(then, p, p.second)
	case "on-target":
		if p.second != 1 {
			v.fault("the ratio is %v", p.second)
		}
	default:
		v.fault("unknown then %q", kind)
	}
}

// assumed holds as what the pods without a sample count.
func (l *look) assumed(v *values, p *proposal) {
	if text, ok := v.in["assumed"].(string); ok {
		v.has("assumed")
		if l.w.Minor < 28 && p.ratio == 1 && text == "zero-always" {
			text = "zero"
		}
		if text != p.fillsMissing {
			v.fault("missing pods count as %s, not %s", p.fillsMissing, text)
		}
		return
	}
	request := v.object("assumed").object("request")
	request.is("percent", p.percent)
	if p.fillsMissing != "request" {
		v.fault("missing pods count as %s", p.fillsMissing)
	}
}

// filledInVain lets the real controller decide without the pods that are filled in.
func (l *look) filledInVain(v *values) {
	p := l.last(v)
	v.is("missing", int64(len(p.groups.missing)))
	unready := v.int("unready")
	if want := int64(len(p.groups.unready)); unready != want && (unready != 0 || p.ratio > 1) {
		v.fault("unready is %d, and the objects show %d", unready, want)
	}
	if with, without, ok := l.without(v, p); ok && with != without {
		v.fault("the real controller proposes %d with them, %d without", with, without)
	}
}

// without are the real proposals of the metric with the pods that are filled in, and without them.
func (l *look) without(v *values, p *proposal) (with, less int32, ok bool) {
	if l.metric < 0 || !l.readsMetrics() || l.w.current() == 0 {
		return 0, 0, false
	}
	with, ok = l.wants(v, func(w *World) { w.HPA.Spec.Metrics = w.HPA.Spec.Metrics[l.metric : l.metric+1] })
	less, found := l.wants(v, func(w *World) {
		w.HPA.Spec.Metrics = w.HPA.Spec.Metrics[l.metric : l.metric+1]
		w.Pods = slices.DeleteFunc(slices.Clone(w.Pods), func(pod *corev1.Pod) bool {
			return slices.Contains(p.groups.missing, pod.Name) || slices.Contains(p.groups.unready, pod.Name)
		})
		w.forget(p.groups.unready)
	})
	return with, less, ok && found
}

// forget takes the samples of pods away.
func (w *World) forget(pods []string) {
	w.PodMetrics.Items = slices.Clone(w.PodMetrics.Items)
	for i := len(w.PodMetrics.Items) - 1; i >= 0; i-- {
		if slices.Contains(pods, w.PodMetrics.Items[i].Name) {
			w.PodMetrics.Items = slices.Delete(w.PodMetrics.Items, i, i+1)
		}
	}
	w.Custom = slices.Clone(w.Custom)
	for i := range w.Custom {
		q := &w.Custom[i]
		for at := len(q.Answer.Items) - 1; q.Object == nil && at >= 0; at-- {
			if slices.Contains(pods, q.Answer.Items[at].DescribedObject.Name) {
				q.Answer.Items = slices.Delete(slices.Clone(q.Answer.Items), at, at+1)
			}
		}
	}
}

func (l *look) leftOut(v *values) {
	p := l.last(v)
	v.is("missing", int64(len(p.groups.missing)))
	if p.ratio != 1 || p.fillsMissing != "" {
		v.fault("the ratio is %v, and missing pods count as %q", p.ratio, p.fillsMissing)
	}
}

func (l *look) sameWithout(v *values) {
	p := l.last(v)
	v.near("ratio", p.ratio)
	l.whoseTolerance(v, p.ratio)
	if !l.w.within(p.ratio) {
		v.fault("%v is outside", p.ratio)
	}
	if _, less, ok := l.without(v, p); ok && less != l.w.current() {
		v.fault("without them the real controller proposes %d", less)
	}
}

// multiplied holds the number that the ratio is multiplied by, which is not that of the replicas.
func (l *look) multiplied(v *values) {
	p := l.last(v)
	v.is("replicas", int64(l.w.current()))
	v.is("ready", int64(p.multiply))
	if p.filled || p.kept || int32(p.multiply) == l.w.current() {
		v.fault("filled %v, kept %v, multiplied by %d of %d", p.filled, p.kept, p.multiply, l.w.current())
	}
	against := p.ratio > 1 && p.replicas < l.w.current() && p.replicas >= 0 || p.ratio < 1 && p.replicas > l.w.current()
	if v.has("rises") != against {
		v.fault("the ratio is %v, the proposal %d", p.ratio, p.replicas)
	} else if against {
		v.flag("rises", p.replicas > l.w.current())
	}
	if v.has("ignored") {
		v.is("ignored", int64(len(p.groups.ignored)))
		own := len(l.owned(ignored))
		if int32(p.multiply+own) != l.w.current() || own != len(p.groups.ignored) {
			v.fault("%d own pods are ignored, and %d of %d count", own, p.multiply, l.w.current())
		}
	}
}

// statusReplicas tells the pods that match where status.replicas is another number.
func (l *look) statusReplicas(v *values) {
	v.is("status", int64(l.w.Scale.Status.Replicas))
	v.is("spec", int64(l.w.current()))
	if l.w.Scale.Status.Replicas == l.w.current() || !slices.Contains([]string{"average", "negative-sum"}, l.last(v).kind) {
		v.fault("nothing is divided by another number than the replicas")
	}
	pods, known := l.w.matched()
	if v.has("pods") {
		v.is("pods", int64(len(pods)))
	} else if known {
		v.fault("the pods are known")
	}
	ended, deleting, revisions := int64(0), int64(0), map[string]int64{}
	for _, pod := range pods {
		if pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
			ended++
		} else if pod.DeletionTimestamp != nil {
			deleting++
		}
		if !l.own(pod) {
			continue
		}
		if name, found := strings.CutPrefix(ownerOf(pod), "ReplicaSet/"); found {
			revisions[name]++
		} else if hash := pod.Labels["controller-revision-hash"]; strings.HasPrefix(ownerOf(pod), "StatefulSet/") && hash != "" {
			revisions[hash]++
		}
	}
	v.is("ended", ended)
	v.is("deleting", deleting)
	told := v.objects("revisions")
	if len(revisions) == 1 {
		clear(revisions)
	}
	if len(told) != len(revisions) {
		v.fault("the revisions are %v", revisions)
	}
	for _, one := range told {
		one.is("pods", revisions[one.str("revision")])
	}
}

func (l *look) deletingCount(v *values) {
	p := l.last(v)
	pods, _ := l.w.matched()
	n := int64(0)
	for _, pod := range pods {
		if pod.DeletionTimestamp != nil && runningReady([]*corev1.Pod{pod}) == 1 {
			n++
		}
	}
	v.is("pods", n)
	if p.kind != "value" || n == 0 {
		v.fault("it is a target of type %s", p.kind)
	}
}

// otherOwners counts the pods that do not belong to the target.
func (l *look) otherOwners(v *values) {
	count, others := int64(0), map[string]bool{}
	pods, _ := l.w.matched()
	for _, pod := range pods {
		owner := ownerOf(pod)
		if ignored(pod) || owner == l.w.target() {
			continue
		}
		if target, found := strings.CutPrefix(l.w.target(), "Deployment/"); found && ofDeployment(pod, owner, target) {
			continue
		}
		others[owner] = true
		count++
	}
	v.is("pods", count)
	if v.has("selector") {
		v.text("selector", l.selector())
	}
	v.set("owners", others)
}

// ofDeployment tells whether the owner is a ReplicaSet of the Deployment: it bears its name and the hash of the pod.
func ofDeployment(pod *corev1.Pod, owner, deployment string) bool {
	hash, found := strings.CutPrefix(owner, "ReplicaSet/"+deployment+"-")
	if label, labelled := pod.Labels["pod-template-hash"]; found && labelled {
		return hash == label
	}
	return found && hash != "" && !strings.Contains(hash, "-")
}

func ownerOf(pod *corev1.Pod) string {
	for _, o := range pod.OwnerReferences {
		if o.Controller != nil && *o.Controller {
			return o.Kind + "/" + o.Name
		}
	}
	return "no owner"
}

func (l *look) toleranceIgnored(v *values) {
	field, b := v.str("field"), l.w.HPA.Spec.Behavior
	if b == nil || l.w.Minor >= 33 && l.w.gate("HPAConfigurableTolerance") {
		v.fault("it is read, or spec.behavior is not set")
		return
	}
	for name, rules := range l.rules() {
		if strings.Contains(field, name) && rules != nil && (l.w.Minor < 33 || ownTolerance(rules) != nil) {
			return
		}
	}
	v.fault("spec.behavior does not set %s", field)
}
