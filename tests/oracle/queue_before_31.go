//go:build before_31

package oracle

import "k8s.io/client-go/util/workqueue"

// idleQueue takes the place of the controller's work queue and does nothing.
type idleQueue struct {
	workqueue.RateLimitingInterface
}

func (idleQueue) Add(interface{})            {}
func (idleQueue) AddRateLimited(interface{}) {}
func (idleQueue) Forget(interface{})         {}

// silenceQueue ends the controller's own queue.
func (j *judge) silenceQueue() {
	field[workqueue.RateLimitingInterface](j, "queue").ShutDown()
	setField[workqueue.RateLimitingInterface](j, "queue", idleQueue{})
}
