//go:build !before_26

package oracle

import (
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller/util/selectors"
)

func (i *hpaInformer) AddEventHandlerWithResyncPeriod(h cache.ResourceEventHandler, _ time.Duration) (cache.ResourceEventHandlerRegistration, error) {
	i.handlers = h
	return nil, nil
}

// rememberSelector serves both ways in which the controller has kept selectors: a tracker since 1.37, a map before.
func (j *judge) rememberSelector(namespace, name string, selector labels.Selector) {
	type tracker interface {
		PutIfPresent(namespace string, key selectors.Key, selector labels.Selector) bool
	}
	key := selectors.Key{Namespace: namespace, Name: name}
	controller := reflect.ValueOf(j.controller).Elem()
	if f := controller.FieldByName("selectorTracker"); f.IsValid() {
		reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem().Interface().(tracker).PutIfPresent(namespace, key, selector)
		return
	}
	field[*selectors.BiMultimap](j, "hpaSelectors").PutSelector(key, selector)
}
