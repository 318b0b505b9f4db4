package reader

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// boundWorld has more replicas than maxReplicas, and the real controller set that bound.
func boundWorld() (*World, *Outcome) {
	hpa := &autoscalingv2.HorizontalPodAutoscaler{}
	least, bound := int32(1), int32(4)
	hpa.Spec.MinReplicas, hpa.Spec.MaxReplicas = &least, bound
	hpa.Spec.ScaleTargetRef.APIVersion = "apps/v1"
	w := &World{Minor: 37, At: time.Unix(0, 0), HPA: hpa, Scale: &autoscalingv1.Scale{}}
	w.Scale.Spec.Replicas = 6
	w.Decide = func(*World) (*Outcome, error) { return &Outcome{}, nil }
	return w, &Outcome{Desired: &bound, Rescaled: true}
}

func TestJudge(t *testing.T) {
	for _, one := range []struct {
		claims string
		faults []string // what each says, in part
	}{
		{`[{"code": "above-max", "replicas": 6, "maxReplicas": 4, "text": "6 are more than 4."}]`, nil},
		{`[{"code": "above-max", "replicas": 7, "maxReplicas": 4, "text": "7 are more than 4."}]`, []string{"replicas is 7"}},
		{`[{"code": "above-max", "replicas": 6, "maxReplicas": 4, "text": "6 are more than 5."}]`, []string{"the number 5"}},
		{`[{"code": "above-max", "replicas": 6, "text": "6."}]`, []string{"maxReplicas is missing"}},
		{`[{"code": "above-max", "replicas": 6, "maxReplicas": 4, "more": 1, "text": "6, 4"}]`, []string{"unknown value more"}},
		{`[{"code": "above-max", "replicas": 6, "maxReplicas": 4, "text": " "}]`, []string{"empty"}},
		{`[{"code": "no-such-code", "text": "Yes."}]`, []string{"unknown code", "no claim tells"}},
		{`[{"code": "bounds-first", "text": "Bounds."}]`, []string{"no claim tells"}},
		{`[]`, []string{"has no claim"}},
	} {
		w, real := boundWorld()
		decision := &Decision{Then: []map[string]any{{"code": "scales", "replicas": json.Number("6"), "to": json.Number("4"), "onlyNow": false, "text": "6 replicas → 4"}}}
		decoder := json.NewDecoder(strings.NewReader(one.claims))
		decoder.UseNumber()
		if err := decoder.Decode(&decision.Claims); err != nil {
			t.Fatal(err)
		}
		faults := Judge(w, real, decision).Faults
		if len(faults) != len(one.faults) {
			t.Errorf("%s: %v", one.claims, faults)
			continue
		}
		for i, part := range one.faults {
			if !strings.Contains(faults[i].What, part) {
				t.Errorf("%s: %v, not %q", one.claims, faults[i], part)
			}
		}
	}
}

func TestKindsWithScale(t *testing.T) {
	for _, one := range []struct {
		group, kind string
		has, known  bool
	}{
		{"apps", "Deployment", true, true},
		{"apps", "StatefulSet", true, true},
		{"apps", "ReplicaSet", true, true},
		{"", "ReplicationController", true, true},
		{"apps", "DaemonSet", false, true},
		{"batch", "CronJob", false, true},
		{"", "Pod", false, true},
		{"", "Deployment", false, false},
		{"argoproj.io", "Rollout", false, false},
	} {
		if has, known := hasScale(one.group, one.kind); has != one.has || known != one.known {
			t.Errorf("%s %s: %v, %v", one.group, one.kind, has, known)
		}
	}
}

func TestNoCodeIsUnchecked(t *testing.T) {
	for _, part := range parts {
		w, real := boundWorld()
		decision := &Decision{}
		unknown := []map[string]any{{"code": "no-such-code", "text": "Yes."}}
		switch part {
		case "then ":
			decision.Then = unknown
		case "because ":
			decision.Because = unknown
		case "note ":
			decision.Notes = unknown
		case "basis ":
			decision.Basis = unknown
		case "outlook ":
			decision.Outlook = unknown
		case "check ":
			decision.Check = unknown
		case "guess ":
			decision.Guess = unknown
		case "advice ":
			decision.Advice = unknown
		case "cause ":
			decision.Causes = unknown
		case "listed ":
			decision.Listed = unknown
		default:
			decision.Claims = unknown
		}
		if faults := Judge(w, real, decision).Faults; !slices.ContainsFunc(faults, func(f Fault) bool {
			return f.Code == part+"no-such-code" && f.What == "unknown code"
		}) {
			t.Errorf("%q: %v", part, faults)
		}
	}
}
