package metrics

import (
	"net/http"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1 "k8s.io/client-go/listers/core/v1"
	api "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// GroupVersion is the API served.
var GroupVersion = metav1.GroupVersion{Group: api.GroupName, Version: "v1beta1"}

type server struct {
	store *Store
	pods  corev1.PodLister
}

// Handler serves the API as an aggregated API server does, without asking who calls.
func Handler(store *Store, pods corev1.PodLister) http.Handler {
	s := &server{store: store, pods: pods}
	root := "GET /apis/" + GroupVersion.String()
	mux := http.NewServeMux()
	mux.HandleFunc(root, s.discovery)
	mux.HandleFunc(root+"/pods", s.listPods)
	mux.HandleFunc(root+"/namespaces/{namespace}/pods", s.listPods)
	mux.HandleFunc(root+"/namespaces/{namespace}/pods/{name}", s.getPod)
	return mux
}

func (s *server) listPods(w http.ResponseWriter, r *http.Request) {
	selector, err := labels.Parse(r.URL.Query().Get("labelSelector"))
	if err != nil {
		fail(w, errors.NewBadRequest(err.Error()))
		return
	}
	items, err := s.samples(r, selector)
	if err != nil {
		fail(w, err)
		return
	}
	answer(w, r, &api.PodMetricsList{Items: items}, api.SchemeGroupVersion)
}

func (s *server) getPod(w http.ResponseWriter, r *http.Request) {
	items, err := s.samples(r, labels.Everything())
	if err != nil {
		fail(w, err)
		return
	}
	for i := range items {
		if items[i].Name == r.PathValue("name") {
			answer(w, r, &items[i], api.SchemeGroupVersion)
			return
		}
	}
	fail(w, errors.NewNotFound(api.Resource("pods"), r.PathValue("namespace")+"/"+r.PathValue("name")))
}

func (s *server) samples(r *http.Request, selector labels.Selector) (items []api.PodMetrics, err error) {
	namespace := r.PathValue("namespace")
	pods, err := s.listed(namespace)
	if err != nil {
		return nil, err
	}
	s.store.read(func(state *State) {
		if failure := state.Failure(api.GroupName, namespace, r.Header.Get("X-Remote-User")); failure != nil {
			err = failure.Status()
			return
		}
		items, err = state.podMetrics(pods, selector, sampledAt())
	})
	return items, err
}

func (s *server) listed(namespace string) ([]*v1.Pod, error) {
	if namespace == "" {
		return s.pods.List(labels.Everything())
	}
	return s.pods.Pods(namespace).List(labels.Everything())
}

// sampledAt is the time of every sample: whole seconds, as the API prints them.
func sampledAt() time.Time { return time.Now().Truncate(time.Second) }

// Status is the error as API servers send it.
func (e *Error) Status() error {
	return &errors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: e.Code, Reason: e.Reason, Message: e.Message,
	}}
}
