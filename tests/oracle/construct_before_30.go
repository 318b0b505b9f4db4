//go:build before_30 && !before_27

package oracle

import (
	"time"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/features"
)

// newController builds a controller on the clients of a world.
func newController(w *world, informer *hpaInformer) *podautoscaler.HorizontalController {
	return podautoscaler.NewHorizontalController(noEvents{}, scales{w: w}, hpaClient{w: w}, mapper{w: w},
		w.metrics(), informer, podInformer{w: w}, time.Minute, time.Minute, 0, 0, 0, true)
}

// configureContainerMetrics tells the controller of its gate, which it has read when it was built.
func (j *judge) configureContainerMetrics() {
	setField(j, "containerResourceMetricsEnabled", utilfeature.DefaultFeatureGate.Enabled(features.HPAContainerMetrics))
}
