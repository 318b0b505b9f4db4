//go:build !before_34

package oracle

import (
	problems "k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/apis/autoscaling/validation"
)

func validate(internal *autoscaling.HorizontalPodAutoscaler) problems.ErrorList {
	return validation.ValidateHorizontalPodAutoscaler(internal, validation.HorizontalPodAutoscalerSpecValidationOptions{
		MinReplicasLowerBound:           0,
		ScaleTargetRefValidationOptions: validation.CrossVersionObjectReferenceValidationOptions{AllowInvalidAPIVersion: true},
		ObjectMetricsValidationOptions:  validation.CrossVersionObjectReferenceValidationOptions{AllowEmptyAPIGroup: true},
	})
}
