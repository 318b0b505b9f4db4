// Package metrics keeps the values behind the three metrics APIs, which a test (or a person, over HTTP) sets, and
// plays the one of the metrics server; the other two are package adapter's.
package metrics

import (
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// State is all that the server answers from. Quantities are in the API's notation ("80m", "50Mi").
type State struct {
	// Loads give usage to running pods; the last one that matches a pod wins. A pod without a load has no sample.
	// With a real metrics server neither they nor Pods have any effect.
	Loads []Load `json:"loads,omitempty"`
	// Pods are exceptions for single pods, stronger than loads.
	Pods []Pod `json:"pods,omitempty"`
	// Custom are the values of custom.metrics.k8s.io.
	Custom []Custom `json:"custom,omitempty"`
	// External are the values of external.metrics.k8s.io.
	External []External `json:"external,omitempty"`
	// Errors make an API fail.
	Errors []Error `json:"errors,omitempty"`
}

// Load is the usage of the pods of a namespace that match a selector (empty: all).
type Load struct {
	Namespace string `json:"namespace"`
	Selector  string `json:"selector,omitempty"`
	CPU       string `json:"cpu,omitempty"`
	Memory    string `json:"memory,omitempty"`
	// Shared says that the quantities are the sum over all matching pods, dealt out evenly; else each pod uses as much.
	Shared bool `json:"shared,omitempty"`
}

// Pod is the usage of one pod; a hidden pod has no sample.
type Pod struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	CPU       string `json:"cpu,omitempty"`
	Memory    string `json:"memory,omitempty"`
	Hidden    bool   `json:"hidden,omitempty"`
}

// Custom is a metric of one object: Resource is its plural with the group ("pods", "services",
// "ingresses.networking.k8s.io"). For a metric of a Namespace, Resource is "namespaces" and Name the namespace's.
type Custom struct {
	Namespace string            `json:"namespace"`
	Resource  string            `json:"resource"`
	Name      string            `json:"name"`
	Metric    string            `json:"metric"`
	Labels    map[string]string `json:"labels,omitempty"`
	Value     string            `json:"value"`
}

// External is a value of a metric that belongs to no object.
type External struct {
	Namespace string            `json:"namespace"`
	Metric    string            `json:"metric"`
	Labels    map[string]string `json:"labels,omitempty"`
	Value     string            `json:"value"`
}

// Error is what one API answers to every request about a namespace (empty: all) instead of values.
type Error struct {
	// API is a group: metrics.k8s.io, custom.metrics.k8s.io or external.metrics.k8s.io.
	API       string `json:"api"`
	Namespace string `json:"namespace,omitempty"`
	// User is the only one who gets this answer (empty: all).
	User string `json:"user,omitempty"`
	// Code is the HTTP status, Reason and Message those of the Status object.
	Code    int32               `json:"code"`
	Reason  metav1.StatusReason `json:"reason,omitempty"`
	Message string              `json:"message"`
	// After is how long the adapter lets a caller wait for it.
	After time.Duration `json:"after,omitempty"`
	// Unavailable fails the health check of metrics.k8s.io too, so that the aggregator itself answers 503.
	Unavailable bool `json:"unavailable,omitempty"`
}

// Store keeps the State for concurrent use.
type Store struct {
	lock  sync.RWMutex
	state State
}

// Update changes the state; change may keep nothing of what it is given.
func (s *Store) Update(change func(*State)) {
	s.lock.Lock()
	defer s.lock.Unlock()
	change(&s.state)
}

// read calls look with the state, which must not be changed or kept.
func (s *Store) read(look func(*State)) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	look(&s.state)
}

// Failure is what an API is to answer to a user's questions about a namespace, if not values.
func (s *State) Failure(api, namespace, user string) *Error {
	for i := range s.Errors {
		e := &s.Errors[i]
		if e.API == api && (e.Namespace == "" || e.Namespace == namespace) && (e.User == "" || e.User == user) {
			return e
		}
	}
	return nil
}

// Forget drops the custom and the external values of a namespace.
func (s *State) Forget(namespace string) {
	s.Custom = slices.DeleteFunc(s.Custom, func(value Custom) bool { return value.Namespace == namespace })
	s.External = slices.DeleteFunc(s.External, func(value External) bool { return value.Namespace == namespace })
}

// Recover ends the errors of a namespace.
func (s *State) Recover(namespace string) {
	s.Errors = slices.DeleteFunc(s.Errors, func(failure Error) bool { return failure.Namespace == namespace })
}
