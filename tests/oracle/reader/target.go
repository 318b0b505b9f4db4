package reader

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	batchclient "k8s.io/client-go/kubernetes/typed/batch/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
)

var targetChecks = map[string]check{
	"target-api-version-invalid": func(l *look, v *values) {
		_, err := schema.ParseGroupVersion(l.w.HPA.Spec.ScaleTargetRef.APIVersion)
		if err == nil {
			v.fault("apiVersion %q can be parsed", l.w.HPA.Spec.ScaleTargetRef.APIVersion)
		}
		v.text("error", fmt.Sprint(err))
		l.able(v, "FailedGetScale")
	},
	"target-kind-unknown": func(l *look, v *values) {
		v.text("target", l.w.target())
		v.failed("error", l.w.MappingErr)
		l.able(v, "FailedGetScale")
	},
	"target-cannot-scale": func(l *look, v *values) {
		v.text("target", l.w.target())
		l.withoutScale(v)
	},
	"scale-unreadable": func(l *look, v *values) {
		v.text("target", l.w.target())
		v.failed("error", l.w.ScaleErr)
		v.flag("absent", l.w.targetIsAbsent())
		l.able(v, "FailedGetScale")
	},
	"nothing-without-scale": func(l *look, v *values) {
		if l.w.MappingErr == nil && l.w.ScaleErr == nil && l.w.apiVersionParses() {
			v.fault("the scale can be read")
		}
		if l.real.Rescaled {
			v.fault("the real controller sets replicas")
		}
	},
	"kind-not-found": func(l *look, v *values) {
		v.text("target", l.w.target())
		if l.w.Scale == nil || !l.w.lastSyncFoundNoKind() {
			v.fault("the scale cannot be read, or no condition says that the kind was not found")
		}
	},
	"not-read-here": func(l *look, v *values) {
		v.str("what")
		v.has("error")
		l.unchecked = true
	},
	// The command names the namespace of the HPA.
	"not-given": func(l *look, v *values) {
		v.str("what")
		if !strings.Contains(v.str("command"), l.w.HPA.Namespace) || l.decision.Desired != nil {
			v.fault("the decision is known, or another namespace is read")
		}
		l.unchecked = true
	},
	"only-described": onlyText,
	"only-rounded":   onlyText,
	"not-recomputed": func(l *look, v *values) {
		if l.decision.Desired != nil {
			v.fault("the decision is known: %d", *l.decision.Desired)
		}
	},
}

// withoutScale holds that the target is of a kind without a scale.
func (l *look) withoutScale(v *values) {
	target := l.w.HPA.Spec.ScaleTargetRef
	v.text("kind", target.Kind)
	if has, known := hasScale(group(target.APIVersion), target.Kind); has || !known {
		v.fault("the kind has a scale: %v, or is none of its group: %v", has, !known)
	}
	l.able(v, "FailedGetScale")
}

// clients are those of the groups of which every kind is known.
var clients = map[string]reflect.Type{
	"":      reflect.TypeFor[coreclient.CoreV1Interface](),
	"apps":  reflect.TypeFor[appsclient.AppsV1Interface](),
	"batch": reflect.TypeFor[batchclient.BatchV1Interface](),
}

// hasScale tells whether the client of a kind can get a scale: those of client-go are generated for the subresources that
// there are. It is not known of a kind without a client.
func hasScale(group, kind string) (has, known bool) {
	of := clients[group]
	if of == nil {
		return false, false
	}
	for i := range of.NumMethod() {
		method := of.Method(i).Type
		if method.NumOut() == 1 && method.Out(0).Name() == kind+"Interface" {
			_, has = method.Out(0).MethodByName("GetScale")
			return has, true
		}
	}
	return false, false
}

// lastSyncFoundNoKind tells whether the status says that the kind of the target was not found.
func (w *World) lastSyncFoundNoKind() bool {
	target := w.HPA.Spec.ScaleTargetRef
	words := fmt.Sprintf("no matches for kind %q in group %q", target.Kind, group(target.APIVersion))
	for _, c := range w.HPA.Status.Conditions {
		if c.Type == "AbleToScale" && c.Status == corev1.ConditionFalse && strings.HasSuffix(c.Message, words) {
			return true
		}
	}
	return false
}

func (w *World) apiVersionParses() bool {
	_, err := schema.ParseGroupVersion(w.HPA.Spec.ScaleTargetRef.APIVersion)
	return err == nil
}

// able holds the reason of the real condition AbleToScale.
func (l *look) able(v *values, want string) {
	if reason, status := l.real.condition("AbleToScale"); reason != want || status != corev1.ConditionFalse {
		v.fault("the real condition AbleToScale is %s %s", status, reason)
	}
}

// failed holds a text against the error that the controller saw: its code, reason and message.
func (v *values) failed(key string, err error) {
	text := v.str(key)
	if err == nil {
		v.fault("there is no such error: %q", text)
		return
	}
	for _, part := range errorParts(err) {
		if !strings.Contains(text, part) {
			v.fault("%s %q lacks %q of the error", key, text, part)
		}
	}
}

func errorParts(err error) []string {
	var status *apierrors.StatusError
	if !errors.As(err, &status) {
		return []string{err.Error()}
	}
	parts := []string{fmt.Sprint(status.ErrStatus.Code), string(status.ErrStatus.Reason)}
	if message := strings.TrimSuffix(status.ErrStatus.Message, "."); message != "" {
		parts = append(parts, message)
	}
	return parts
}

// targetIsAbsent tells whether the read of the scale got a 404 that names the target's object.
func (w *World) targetIsAbsent() bool {
	var status *apierrors.StatusError
	return errors.As(w.ScaleErr, &status) && status.ErrStatus.Code == 404 &&
		strings.HasSuffix(status.ErrStatus.Message, fmt.Sprintf("%q not found", w.HPA.Spec.ScaleTargetRef.Name))
}

// onlyText holds that kubectl's text for people is all that there is, and that a command of the namespace prints more.
func onlyText(l *look, v *values) {
	if !strings.Contains(v.str("command"), l.w.HPA.Namespace) || l.decision.Desired != nil {
		v.fault("the decision is known, or another namespace is read")
	}
	l.unchecked = true
}
