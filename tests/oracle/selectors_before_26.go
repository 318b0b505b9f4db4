//go:build before_26

package oracle

import (
	"time"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"
)

func (i *hpaInformer) AddEventHandlerWithResyncPeriod(h cache.ResourceEventHandler, _ time.Duration) {
	i.handlers = h
}

// rememberSelector does nothing: the controller doesn't know of other HPAs.
func (j *judge) rememberSelector(string, string, labels.Selector) {}
