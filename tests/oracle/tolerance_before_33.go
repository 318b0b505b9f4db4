//go:build before_33

package oracle

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
)

// calculator makes the replica calculator of a case, which holds the tolerance.
func (j *judge) calculator(s settings) *podautoscaler.ReplicaCalculator {
	return podautoscaler.NewReplicaCalculator(j.world.metrics(), podLister{w: j.world}, s.tolerance, s.cpuInitialization, s.readyDelay)
}

// setTolerance does nothing: an HPA has no tolerance of its own.
func setTolerance(*autoscalingv2.HPAScalingRules, resource.Quantity) {}
