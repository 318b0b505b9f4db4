package metrics

import (
	"fmt"
	"net/http"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1 "k8s.io/client-go/listers/core/v1"
	custom "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	external "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	api "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// GroupVersions are the three APIs served.
var GroupVersions = []metav1.GroupVersion{
	{Group: api.GroupName, Version: "v1beta1"},
	{Group: custom.GroupName, Version: "v1beta2"},
	{Group: external.GroupName, Version: "v1beta1"},
}

type server struct {
	store *Store
	pods  corev1.PodLister
}

// Handler serves the three APIs as an aggregated API server does, without asking who calls.
func Handler(store *Store, pods corev1.PodLister) http.Handler {
	s := &server{store: store, pods: pods}
	mux := http.NewServeMux()
	for _, gv := range GroupVersions {
		mux.HandleFunc("GET /apis/"+gv.String(), s.discovery(gv))
	}
	mux.HandleFunc("GET /apis/metrics.k8s.io/v1beta1/pods", s.listPods)
	mux.HandleFunc("GET /apis/metrics.k8s.io/v1beta1/namespaces/{namespace}/pods", s.listPods)
	mux.HandleFunc("GET /apis/metrics.k8s.io/v1beta1/namespaces/{namespace}/pods/{name}", s.getPod)
	mux.HandleFunc("GET /apis/custom.metrics.k8s.io/v1beta2/namespaces/{namespace}/{resource}/{name}/{metric}", s.getCustom)
	mux.HandleFunc("GET /apis/custom.metrics.k8s.io/v1beta2/namespaces/{namespace}/metrics/{metric}", s.getCustom)
	mux.HandleFunc("GET /apis/external.metrics.k8s.io/v1beta1/namespaces/{namespace}/{metric}", s.getExternal)
	return mux
}

func (s *server) listPods(w http.ResponseWriter, r *http.Request) {
	selector, err := labels.Parse(r.URL.Query().Get("labelSelector"))
	if err != nil {
		fail(w, errors.NewBadRequest(err.Error()))
		return
	}
	items, err := s.samples(r.PathValue("namespace"), selector)
	if err != nil {
		fail(w, err)
		return
	}
	answer(w, r, &api.PodMetricsList{Items: items}, api.SchemeGroupVersion)
}

func (s *server) getPod(w http.ResponseWriter, r *http.Request) {
	items, err := s.samples(r.PathValue("namespace"), labels.Everything())
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

func (s *server) samples(namespace string, selector labels.Selector) (items []api.PodMetrics, err error) {
	pods, err := s.listed(namespace)
	if err != nil {
		return nil, err
	}
	s.store.read(func(state *State) {
		if failure := state.failure(api.GroupName, namespace); failure != nil {
			err = failure.status()
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

func (s *server) getCustom(w http.ResponseWriter, r *http.Request) {
	query, err := s.customQuery(r)
	if err != nil {
		fail(w, err)
		return
	}
	list := &custom.MetricValueList{}
	s.store.read(func(state *State) {
		if failure := state.failure(custom.GroupName, query.namespace); failure != nil {
			err = failure.status()
			return
		}
		var known bool
		list.Items, known, err = state.customValues(query, sampledAt())
		if err == nil && (!known || query.name != custom.AllObjects && len(list.Items) == 0) {
			err = metricNotFound(query)
		}
	})
	if err != nil {
		fail(w, err)
		return
	}
	answer(w, r, list, custom.SchemeGroupVersion)
}

func (s *server) customQuery(r *http.Request) (customQuery, error) {
	query := customQuery{
		namespace: r.PathValue("namespace"), resource: r.PathValue("resource"),
		name: r.PathValue("name"), metric: r.PathValue("metric"),
	}
	if query.resource == "" { // the metric of the namespace itself
		query.resource, query.name = "namespaces", query.namespace
	}
	objects, err := labels.Parse(r.URL.Query().Get("labelSelector"))
	if err != nil {
		return query, errors.NewBadRequest(err.Error())
	}
	query.objects = func(name string) bool {
		pod, err := s.pods.Pods(query.namespace).Get(name)
		return err == nil && objects.Matches(labels.Set(pod.Labels))
	}
	if query.series, err = labels.Parse(r.URL.Query().Get("metricLabelSelector")); err != nil {
		return query, errors.NewBadRequest(err.Error())
	}
	return query, nil
}

func (s *server) getExternal(w http.ResponseWriter, r *http.Request) {
	series, err := labels.Parse(r.URL.Query().Get("labelSelector"))
	if err != nil {
		fail(w, errors.NewBadRequest(err.Error()))
		return
	}
	namespace := r.PathValue("namespace")
	list := &external.ExternalMetricValueList{}
	s.store.read(func(state *State) {
		if failure := state.failure(external.GroupName, namespace); failure != nil {
			err = failure.status()
			return
		}
		list.Items, err = state.externalValues(namespace, r.PathValue("metric"), series, sampledAt())
	})
	if err != nil {
		fail(w, err)
		return
	}
	answer(w, r, list, external.SchemeGroupVersion)
}

// sampledAt is the time of every sample: whole seconds, as the API prints them.
func sampledAt() time.Time { return time.Now().Truncate(time.Second) }

func metricNotFound(query customQuery) error {
	about := query.resource
	if query.name != custom.AllObjects {
		about += " " + query.name
	}
	return (&Error{
		Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound,
		Message: fmt.Sprintf("the server could not find the metric %s for %s", query.metric, about),
	}).status()
}

func (e *Error) status() error {
	return &errors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: e.Code, Reason: e.Reason, Message: e.Message,
	}}
}
