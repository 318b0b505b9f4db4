//go:build before_27

package oracle

import (
	"time"

	"k8s.io/kubernetes/pkg/controller/podautoscaler"
)

// newController builds a controller on the clients of a world.
func newController(w *world, informer *hpaInformer) *podautoscaler.HorizontalController {
	return podautoscaler.NewHorizontalController(noEvents{}, scales{w: w}, hpaClient{w: w}, mapper{w: w},
		w.metrics(), informer, podInformer{w: w}, time.Minute, time.Minute, 0, 0, 0)
}

// configureContainerMetrics does nothing: the controller does not ask for its gate.
func (j *judge) configureContainerMetrics() {}
