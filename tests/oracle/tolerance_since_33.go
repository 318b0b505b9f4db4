//go:build !before_33

package oracle

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
)

// calculator makes the replica calculator of a case; the controller holds the tolerance.
func (j *judge) calculator(s settings) *podautoscaler.ReplicaCalculator {
	setField(j, "tolerance", s.tolerance)
	return podautoscaler.NewReplicaCalculator(j.world.metrics(), podLister{w: j.world}, s.cpuInitialization, s.readyDelay)
}

// setTolerance sets the HPA's own tolerance.
func setTolerance(rules *autoscalingv2.HPAScalingRules, amount resource.Quantity) {
	rules.Tolerance = &amount
}
