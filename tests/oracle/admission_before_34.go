//go:build before_34 && !before_33

package oracle

import (
	problems "k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/apis/autoscaling/validation"
)

func validate(internal *autoscaling.HorizontalPodAutoscaler) problems.ErrorList {
	return validation.ValidateHorizontalPodAutoscaler(internal, validation.HorizontalPodAutoscalerSpecValidationOptions{})
}
