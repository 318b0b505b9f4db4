//go:build !before_30

package oracle

import (
	"context"
	"time"

	"k8s.io/kubernetes/pkg/controller/podautoscaler"
)

// newController builds a controller on the clients of a world, and ends the goroutines that it starts.
func newController(w *world, informer *hpaInformer) *podautoscaler.HorizontalController {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	return podautoscaler.NewHorizontalController(ctx, noEvents{}, scales{w: w}, hpaClient{w: w}, mapper{w: w},
		w.metrics(), informer, podInformer{w: w}, time.Minute, time.Minute, 0, 0, 0)
}

// configureContainerMetrics does nothing: ContainerResource metrics are always served.
func (j *judge) configureContainerMetrics() {}
