//go:build !before_31

package oracle

import "k8s.io/client-go/util/workqueue"

// idleQueue takes the place of the controller's work queue and does nothing.
type idleQueue struct {
	workqueue.TypedRateLimitingInterface[string]
}

func (idleQueue) Add(string)            {}
func (idleQueue) AddRateLimited(string) {}
func (idleQueue) Forget(string)         {}

// silenceQueue ends the controller's own queue.
func (j *judge) silenceQueue() {
	field[workqueue.TypedRateLimitingInterface[string]](j, "queue").ShutDown()
	setField[workqueue.TypedRateLimitingInterface[string]](j, "queue", idleQueue{})
}
