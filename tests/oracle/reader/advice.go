package reader

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// adviceChecks are by what is to be done.
var adviceChecks = map[string]check{
	"wake-up":                (*look).wakeUp,
	"scale-owner":            (*look).scaleOwner,
	"name-scalable":          (*look).nameScalable,
	"create-target":          (*look).createTarget,
	"start-controller":       (*look).startController,
	"grant-right":            (*look).grantRight,
	"separate-selectors":     (*look).separateSelectors,
	"measure-one-container":  (*look).measureOneContainer,
	"set-requests":           (*look).setRequests,
	"name-container":         (*look).nameContainer,
	"select-own-pods":        (*look).selectOwnPods,
	"leave-replicas-out":     (*look).leaveReplicasOut,
	"ask-metrics-api":        (*look).askMetricsAPI,
	"start-pods":             (*look).startPods,
	"create-pods":            (*look).createPods,
	"fix-or-remove-metric":   (*look).fixOrRemoveMetric,
	"make-room":              (*look).makeRoom,
	"check-scheduling-gates": (*look).checkSchedulingGates,
	"start-containers":       (*look).startContainers,
	"get-ready":              (*look).getReady,
	"delete-finished-pods":   (*look).deleteFinishedPods,
	"restore-samples":        (*look).restoreSamples,
	"widen-window":           (*look).widenWindow,
	"raise-max":              (*look).raiseMax,
	"divide-total":           (*look).divideTotal,
	"leave-out-sidecars":     (*look).leaveOutSidecars,
	"allow-faster-scale-up":  (*look).allowFasterScaleUp,
	"narrow-tolerance":       (*look).narrowTolerance,
	"shorten-window":         (*look).shortenWindow,
}

// effect is what a piece of advice says of its change.
type effect struct {
	when   string // of the values: done, sampled, readied or ready
	must   bool   // replicas have to be there
	other  bool   // they are not the decision of now
	more   bool   // they are more than that
	typed  bool   // the command makes the same change
	tunes  bool   // nothing is broken that it mends
	change func(*World)
}

// spoken are the values that the text of a piece has to name; of a list the first three.
var spoken = map[string][]string{
	"name-scalable": {"meant"}, "create-target": {"target", "scaledObject"}, "grant-right": {"user", "verb", "resource", "group"},
	"separate-selectors": {"earlier", "hpas"}, "measure-one-container": {"lacking", "resource", "container", "scaledObject"},
	"set-requests": {"lacking", "resource"}, "name-container": {"container", "containers", "lacks", "scaledObject"},
	"scale-owner": {"target", "owners", "selector"}, "select-own-pods": {"target", "owners", "selector"}, "ask-metrics-api": {"apis"}, "fix-or-remove-metric": {"metrics", "scaledObject"},
	"create-pods": {"absent", "target"}, "make-room": {"reason"}, "start-containers": {"containers", "reasons"}, "delete-finished-pods": {"selector"},
	"raise-max": {"scaledObject", "wanted"}, "divide-total": {"metric", "scaledObject"}, "leave-out-sidecars": {"metric", "container", "shares", "scaledObject"},
	"allow-faster-scale-up": {"scaledObject"}, "narrow-tolerance": {"direction", "scaledObject"}, "shorten-window": {"direction", "scaledObject"},
}

// speaks holds that the text of a piece names what it is about.
func speaks(claim map[string]any, text string) (faults []string) {
	code, _ := claim["code"].(string)
	for _, key := range spoken[code] {
		for _, word := range leaves(claim[key]) {
			if !strings.Contains(text, word) {
				faults = append(faults, fmt.Sprintf("the text does not name %s %q", key, word))
			}
		}
	}
	return faults
}

// leaves are the words and numbers of a value.
func leaves(value any) (out []string) {
	switch it := value.(type) {
	case string:
		return []string{it}
	case json.Number:
		return []string{it.String()}
	case []any:
		for i, one := range it {
			if i < 3 {
				out = append(out, leaves(one)...)
			}
		}
	case map[string]any:
		for key, one := range it {
			if key != "kind" && key != "trigger" {
				out = append(out, leaves(one)...)
			}
		}
	}
	return out
}

// comesTo carries out a change and holds what is said of the replicas after it.
func (l *look) comesTo(v *values, e effect) {
	if !v.has("replicas") {
		if e.must {
			v.fault("replicas is missing")
		}
		l.comesToNothing(v)
		return
	}
	v.text("when", e.when)
	replicas := v.object("replicas")
	least, most := replicas.int("lowest"), replicas.int("highest")
	if lowest, highest := l.today(v); e.other && least == lowest && most == highest {
		v.fault("%d to %d is the decision of now", least, most)
	}
	if _, highest := l.today(v); e.more && most <= highest {
		v.fault("%d to %d is not more than the decision of now", least, most)
	}
	if least > most || least != most && !l.decision.Open && !l.idle() {
		v.fault("%d to %d, and the memory is known", least, most)
	}
	l.outcome(v, least, most)
	out := l.rerun(v, e.change)
	if out == nil || out.Desired == nil {
		return
	}
	n := l.left(out)
	if n < least || n > most {
		v.fault("after the change the real controller decides %d, not %d to %d", n, least, most)
	}
	l.anew(v, e.change, least, most)
	if e.tunes {
		l.towards(v, e.change, least, most)
	}
	if e.typed && v.has("command") {
		l.typed(v, n)
	}
	l.settled(v, e.change, out, least, most)
}

// anew holds that a controller which has just started decides within the same bounds, if the memory is not known.
func (l *look) anew(v *values, change func(*World), least, most int64) {
	if !l.decision.Open {
		return
	}
	out := l.rerun(v, func(w *World) {
		change(w)
		w.Memory = Memory{}
	})
	if out != nil && out.Desired != nil && (l.left(out) < least || l.left(out) > most) {
		v.fault("after the change and with an empty memory the real controller decides %d, not %d to %d", l.left(out), least, most)
	}
}

// towards holds that the replicas do not go away from the target: not to fewer while the ratio that decides after the change is
// above 1, and not to more while it is below, each than they are and than the decision of now.
func (l *look) towards(v *values, change func(*World), least, most int64) {
	then := &look{w: l.w.copied(), proposals: map[int]*proposal{}}
	change(then.w)
	best, _ := then.taken()
	if best == nil {
		v.fault("no metric decides after the change")
		return
	}
	lowest, highest := l.today(v)
	lowest, highest = min(lowest, int64(l.w.current())), max(highest, int64(l.w.current()))
	if ratio := best.lastRatio(); ratio > 1 && least < lowest || ratio < 1 && most > highest {
		v.fault("at a ratio of %v it goes from %d to %d to %d to %d", ratio, lowest, highest, least, most)
	}
}

// left are the replicas that a decision leaves: if its write is refused, those of now.
func (l *look) left(out *Outcome) int64 {
	if l.w.PutScale != nil {
		return int64(l.w.current())
	}
	return int64(*out.Desired)
}

// comesToNothing holds that nothing is said of what follows.
func (l *look) comesToNothing(v *values) {
	for _, key := range []string{"replicas", "when", "settles", "outcome"} {
		if v.has(key) {
			v.fault("%s is there, and nothing follows", key)
		}
	}
}

var outcomes = regexp.MustCompile(`^(.+): (?:stays at (\d+)( for now)?|(\d+) replicas? → (-?\d+)(?:–(-?\d+))?)(?:, then (-?\d+) if the load stays)?$`)

// conditions are the words of an outcome for `when`.
var conditions = map[string]string{
	"done": "would be", "sampled": "with samples like the others'", "readied": "once ready, with samples like the others'",
	"ready": "once ready",
}

// outcome holds the words of what would come of it against the values.
func (l *look) outcome(v *values, least, most int64) {
	text, settles := v.str("outcome"), ""
	if v.has("settles") {
		settles = fmt.Sprint(v.int("settles"))
	}
	found := outcomes.FindStringSubmatch(text)
	if found == nil {
		v.fault("the outcome %q has another form", text)
		return
	}
	want := []string{text, conditions[v.str("when")], "", "", fmt.Sprint(l.w.current()), fmt.Sprint(least), "", settles}
	if most != least {
		want[6] = fmt.Sprint(most)
	} else if least == int64(l.w.current()) {
		want[2], want[4], want[5] = want[5], "", ""
		if settles != "" {
			want[3] = " for now"
		}
	}
	if !slices.Equal(found, want) {
		v.fault("the outcome is %q, and the values are %q", text, want[1:])
	}
}

// words are those of a command, without the quotes of a shell.
func words(command string) (out []string) {
	word, inside, open := "", false, false
	for _, c := range command {
		switch {
		case c == '\'':
			inside, open = true, !open
		case c == ' ' && !open:
			if inside {
				out = append(out, word)
			}
			word, inside = "", false
		default:
			word, inside = word+string(c), true
		}
	}
	if inside {
		out = append(out, word)
	}
	return out
}

// flags are those of a command that simulates this HPA, with their values.
func (l *look) flags(v *values) (out [][2]string) {
	all := words(v.str("command"))
	want := []string{"kubectl", "hpa", "simulate", l.w.HPA.Name, "-n", l.w.HPA.Namespace}
	if len(all) <= len(want) || !slices.Equal(all[:len(want)], want) {
		v.fault("the command %q simulates nothing of this HPA", v.str("command"))
		return nil
	}
	for all = all[len(want):]; len(all) > 0; all = all[1:] {
		flag := [2]string{all[0], ""}
		if len(all) > 1 && !strings.HasPrefix(all[1], "--") {
			flag[1], all = all[1], all[1:]
		}
		out = append(out, flag)
	}
	return out
}

// typed holds that the flags of the command lead the real controller to the same replicas.
func (l *look) typed(v *values, replicas int64) {
	flags := l.flags(v)
	if len(flags) == 0 {
		return
	}
	w := l.w.copied()
	if l.alone {
		w.Others = nil
	}
	if out, err := w.Simulate(w, flags); err != nil {
		v.fault("the command can't be carried out: %v", err)
	} else if out.Desired != nil && l.left(out) != replicas {
		v.fault("with the command the real controller decides %d, and after the change %d", l.left(out), replicas)
	}
}

// runs holds a command word by word.
func (l *look) runs(v *values, want ...string) {
	if got := words(v.str("command")); !slices.Equal(got, want) {
		v.fault("the command is %q, not %q", got, want)
	}
}

// namespaced is a command of kubectl in the namespace of the HPA: what is behind the namespace follows it.
func (l *look) namespaced(v *values, verb, object string, rest ...string) {
	l.runs(v, append([]string{"kubectl", verb, object, "-n", l.w.HPA.Namespace}, rest...)...)
}

// ofTarget is the target as an argument of kubectl.
func (w *World) ofTarget() string {
	ref := w.HPA.Spec.ScaleTargetRef
	return strings.ToLower(ref.Kind) + "/" + ref.Name
}

// scaledObject is the ScaledObject that controls the HPA.
func (w *World) scaledObject() string {
	if owner := metav1.GetControllerOf(w.HPA); owner != nil && owner.Kind == "ScaledObject" {
		return owner.Name
	}
	return ""
}

// keda holds the ScaledObject whose field is the one to change, which is there if one controls the HPA.
func (l *look) keda(v *values) {
	want := l.w.scaledObject()
	if v.has("scaledObject") != (want != "") {
		v.fault("the HPA is controlled by ScaledObject %q, and scaledObject is there: %v", want, v.has("scaledObject"))
	} else if want != "" {
		v.text("scaledObject", want)
	}
}

func (l *look) wakeUp(v *values) {
	l.asleep(v)
	if pods, _ := l.elsewhere(); len(pods) > 0 {
		v.fault("something else runs %v", pods)
	}
	if v.has("setter") {
		v.object("setter").skip()
	}
	v.flag("stopsAgain", l.w.min() == 0 && !l.w.gate("HPAScaleToZero"))
	l.namespaced(v, "scale", l.w.ofTarget(), fmt.Sprintf("--replicas=%d", max(1, l.w.min())))
}

func (l *look) scaleOwner(v *values) {
	l.asleep(v)
	pods, owners := l.elsewhere()
	v.is("pods", int64(len(pods)))
	v.set("owners", owners)
	v.text("target", l.w.target())
	v.text("selector", l.selector())
	if len(pods) > 0 {
		_, name, _ := strings.Cut(ownerOf(pods[0]), "/")
		l.namespaced(v, "describe", "replicaset/"+name)
	}
}

// elsewhere are the pods that a ReplicaSet of something else runs.
func (l *look) elsewhere() (out []*corev1.Pod, owners map[string]bool) {
	owners = map[string]bool{}
	pods, _ := l.w.matched()
	for _, pod := range pods {
		ended := pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded
		if !l.own(pod) && !ended && pod.DeletionTimestamp == nil && strings.HasPrefix(ownerOf(pod), "ReplicaSet/") {
			out, owners[ownerOf(pod)] = append(out, pod), true
		}
	}
	return out, owners
}

// asleep holds that the controller leaves the target at 0.
func (l *look) asleep(v *values) {
	l.comesToNothing(v)
	if l.w.Scale == nil || l.w.current() != 0 || l.w.scaledObject() != "" {
		v.fault("replicas are %d, or ScaledObject %q sets them", l.w.current(), l.w.scaledObject())
	}
	pods, _ := l.w.matched()
	podless := len(pods) == 0 && len(l.failing()) == len(l.w.HPA.Spec.Metrics)
	for _, i := range l.failing() {
		podless = podless && slices.Contains([]failure{emptyList, noPods, noneUsable, noPodsToMultiply}, l.propose(i).failure)
	}
	if reason, status := l.active(); !podless && (reason != "ScalingDisabled" || status != corev1.ConditionFalse) {
		v.fault("the real condition ScalingActive is %s %s, and metrics do not fail for lack of pods", status, reason)
	}
}

// likeScalable are the kinds of apps that have a scale.
var likeScalable = []string{"Deployment", "StatefulSet", "ReplicaSet"}

func (l *look) nameScalable(v *values) {
	l.comesToNothing(v)
	ref := l.w.HPA.Spec.ScaleTargetRef
	has, known := hasScale(group(ref.APIVersion), ref.Kind)
	built := clients[group(ref.APIVersion)] != nil
	if l.w.Scale != nil || !built || has || !known && l.w.MappingErr == nil {
		v.fault("the scale is read: %v, the kind has one: %v", l.w.Scale != nil, has)
	}
	if v.has("meant") {
		like := strings.TrimSuffix(strings.ToLower(ref.Kind), "s")
		if meant := v.str("meant"); !slices.Contains(likeScalable, meant) || strings.ToLower(meant) != like {
			v.fault("%s is not called like %s", meant, ref.Kind)
		}
	}
	if v.has("command") {
		v.fault("there is a command")
	}
}

func (l *look) createTarget(v *values) {
	l.comesToNothing(v)
	l.keda(v)
	v.text("target", l.w.target())
	parts := []string{"", "", ""}
	if l.w.ScaleErr != nil {
		parts = append(errorParts(l.w.ScaleErr), "", "", "")
	}
	if parts[0] != "404" || !strings.HasSuffix(parts[2], strconv.Quote(l.w.HPA.Spec.ScaleTargetRef.Name)+" not found") {
		v.fault("the read of the scale gave %v", parts)
	}
	kind, _, _ := strings.Cut(l.w.ofTarget(), "/")
	l.namespaced(v, "get", kind)
}

func (l *look) grantRight(v *values) {
	resource := v.str("resource")
	l.said(v, strconv.Quote(v.str("user"))+" cannot "+v.str("verb")+" resource "+strconv.Quote(resource))
	words := "in API group \"\""
	if v.has("group") {
		words = "in API group " + strconv.Quote(v.str("group"))
	}
	l.said(v, words)
	if command := v.str("command"); !strings.Contains(command, "auth can-i "+v.str("verb")+" ") || !strings.Contains(command, "--as="+v.str("user")) {
		v.fault("the command %q does not ask for that right", command)
	}
	l.comesTo(v, effect{when: "done", change: func(*World) {}})
}

func (l *look) startController(v *values) {
	v.flag("leftOut", l.w.Controller.LeftOut)
	if !l.idle() {
		v.fault("a controller may be at work")
	}
	if !l.w.Controller.LeftOut {
		l.runs(v, "kubectl", "get", "lease", "kube-controller-manager", "-n", "kube-system", "-o", "yaml")
	}
	l.comesTo(v, effect{when: "done", change: func(*World) {}})
}

// leaveReplicasOut is not drawn: the oracle's cases have no events of rescales.
// setByOthers holds the replicas against what the controller has left.
func (l *look) setByOthers(v *values) {
	v.is("wrote", int64(l.w.HPA.Status.DesiredReplicas))
	v.is("found", int64(l.w.current()))
	able := l.before(autoscalingv2.AbleToScale)
	if v.int("wrote") == v.int("found") || v.int("wrote") < 1 || able.Status != corev1.ConditionTrue {
		v.fault("the status has %d replicas, the scale %d, and AbleToScale is %s", v.int("wrote"), v.int("found"), able.Status)
	}
}

func (l *look) leaveReplicasOut(v *values) {
	l.comesToNothing(v)
	l.setByOthers(v)
	v.object("setter").skip()
	l.namespaced(v, "get", l.w.ofTarget(), "-o", "yaml", "--show-managed-fields")
	l.unchecked = true
}

// flaps holds the turns of the last hour.
func (l *look) flaps(v *values) {
	ups, downs, turns, last := int64(0), int64(0), 0, ""
	var since time.Time
	for _, event := range slices.SortedFunc(slices.Values(l.w.Rescales), func(a, b Rescale) int { return a.At.Compare(b.At) }) {
		way := ""
		switch {
		case event.At.Before(l.w.At.Add(-time.Hour)):
		case strings.HasSuffix(event.Message, "above target"):
			way, ups = "up", ups+1
		case strings.HasSuffix(event.Message, "All metrics below target"):
			way, downs = "down", downs+1
		}
		if way == "" {
			continue
		}
		if last == "" {
			since = event.At
		} else if way != last {
			turns++
		}
		last = way
	}
	v.is("ups", ups)
	v.is("downs", downs)
	v.instant("since", since)
	if turns < 3 {
		v.fault("the direction changes %d times", turns)
	}
}

func (l *look) widenWindow(v *values) {
	l.keda(v)
	l.flaps(v)
	window := l.windows()["scaleDown"]
	if v.duration("window") != window {
		v.fault("the window is %v", window)
	}
	wide := min(max(2*window, 5*time.Minute), time.Hour)
	l.comesTo(v, effect{when: "done", must: wide > window, typed: true, change: func(w *World) {
		length := int32(wide.Seconds())
		w.behavior("scaleDown").StabilizationWindowSeconds = &length
	}})
}
