//go:build before_33

package oracle

import (
	problems "k8s.io/apimachinery/pkg/util/validation/field"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/apis/autoscaling/validation"
	"k8s.io/kubernetes/pkg/features"
)

// validate switches on for a moment the gate by which the validation itself decides whether no replicas are allowed.
func validate(internal *autoscaling.HorizontalPodAutoscaler) problems.ErrorList {
	set := func(value bool) {
		if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{string(features.HPAScaleToZero): value}); err != nil {
			panic(err)
		}
	}
	defer set(utilfeature.DefaultFeatureGate.Enabled(features.HPAScaleToZero))
	set(true)
	return validation.ValidateHorizontalPodAutoscaler(internal)
}
