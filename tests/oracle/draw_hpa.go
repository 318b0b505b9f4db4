package oracle

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	problems "k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
)

// redrawSpec draws until the API server would admit the HPA.
func (s *sequence) redrawSpec() error {
	var err error
	for range 200 {
		s.drawSpec()
		if err = s.valid(); err == nil {
			s.readTolerances()
			return nil
		}
	}
	return err
}

// valid asks the real validation, as it is done for an update that keeps the target: its apiVersion may be one that is
// refused today, when an older API server took it.
func (s *sequence) valid() error {
	hpa := s.hpa()
	hpa["status"] = object{}
	v2, err := decodeHPA(encode(hpa))
	if err != nil {
		return err
	}
	if s.old {
		if v2, err = decodeHPA(s.asOld(encode(hpa))); err != nil {
			return err
		}
	}
	return admission(v2).ToAggregate()
}

// admission is the API server's judgment of an HPA, with what depends on gates or on the object before allowed.
func admission(v2 *autoscalingv2.HorizontalPodAutoscaler) problems.ErrorList {
	internal := &autoscaling.HorizontalPodAutoscaler{}
	if err := legacyscheme.Scheme.Convert(v2, internal, nil); err != nil {
		return problems.ErrorList{problems.InternalError(nil, err)}
	}
	return validate(internal)
}

// asOld writes an autoscaling/v2 HPA as autoscaling/v1, as the API server does.
func (s *sequence) asOld(in []byte) []byte {
	v2, err := decodeHPA(in)
	if err != nil {
		panic(err)
	}
	v1 := &autoscalingv1.HorizontalPodAutoscaler{}
	if err := convertHPA(v2, v1); err != nil {
		panic(err)
	}
	v1.APIVersion, v1.Kind = "autoscaling/v1", "HorizontalPodAutoscaler"
	return encode(v1)
}

func (s *sequence) readTolerances() {
	s.toleranceDown, s.toleranceUp = s.tolerance, s.tolerance
	own, given := s.gates["HPAConfigurableTolerance"]
	if given && !own || !given && s.minor() < 35 {
		return
	}
	for name, into := range map[string]*float64{"scaleDown": &s.toleranceDown, "scaleUp": &s.toleranceUp} {
		if rules, ok := s.behavior[name].(object); ok && rules["tolerance"] != nil {
			q := resource.MustParse(rules["tolerance"].(string))
			*into = q.AsApproximateFloat64()
		}
	}
}

func (s *sequence) drawStatus() object {
	d := s.dice
	out := object{}
	conditions := []object{}
	add := func(kind string, status ...string) {
		c := object{"type": kind, "status": pick(d, status...), "reason": "R", "message": "m", "lastTransitionTime": longAgo}
		if d.chance(4) {
			delete(c, "lastTransitionTime")
		}
		conditions = append(conditions, c)
	}
	kind := d.weighted(20, 70, 10)
	if s.aimed(aimFormats, 80) {
		kind = 1
	}
	switch kind {
	case 1:
		add("AbleToScale", "True", "True", "False")
		add("ScalingActive", "True", "True", "False")
		add("ScalingLimited", "True", "False", "False")
	case 2:
		for range d.between(1, 5) {
			add(pick(d, "AbleToScale", "ScalingActive", "ScalingLimited", "ScaledToZero", "Other"), "True", "False", "Unknown", "")
		}
	}
	if (s.zero || s.size == 0) && d.chance(75) || d.chance(5) {
		add("ScaledToZero", "True", "True", "True", "False", "Unknown")
	}
	if len(conditions) > 0 {
		out["conditions"] = conditions
		out["currentReplicas"], out["desiredReplicas"] = s.replicas, s.replicas
		if d.chance(40) {
			out["lastScaleTime"] = "2026-11-21T10:00:00Z"
		}
		if d.chance(30) {
			out["observedGeneration"] = s.generation
		}
		if d.chance(25) || s.aimed(aimFormats, 70) {
			out["currentMetrics"] = []object{{"type": "Resource", "resource": object{"name": "cpu", "current": object{"averageUtilization": 50, "averageValue": "50m"}}}}
		}
	}
	return out
}

// rushPercent makes a percentage the only limit of a strong change, where a count times a percentage is not exact in
// binary: 50 and 10 percent more come to 56.
func (s *sequence) rushPercent() error {
	d := s.dice
	s.replicas = pick[int32](d, 10, 20, 30, 50, 70, 100, 10, 90, 110, 500, int32(d.between(5, 200)))
	s.statusReplicas = s.replicas
	s.max = 100_000
	if s.min != 0 {
		s.min = 1
	}
	rules := object{"stabilizationWindowSeconds": 0, "policies": []object{
		{"type": "Percent", "value": pick(d, 10, 10, 10, 20, 30, 40, 60, 70, 80, 90, 5, 15, int(d.between(1, 99))), "periodSeconds": 15}}}
	s.behavior = object{"scaleUp": rules, "scaleDown": rules}
	s.readTolerances()
	return s.valid()
}
