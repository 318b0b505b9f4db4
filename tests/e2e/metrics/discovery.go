package metrics

import (
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	custom "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	external "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	api "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// discovery answers with the resources of one API. The aggregator takes this path for its health check too.
func (s *server) discovery(gv metav1.GroupVersion) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		list := metav1.APIResourceList{
			TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
			GroupVersion: gv.String(),
			APIResources: []metav1.APIResource{},
		}
		down := false
		s.store.read(func(state *State) {
			failure := state.failure(gv.Group, "")
			down = failure != nil && failure.Unavailable
			list.APIResources = append(list.APIResources, state.resources(gv.Group)...)
		})
		if down {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		writeJSON(w, http.StatusOK, list)
	}
}

func (s *State) resources(group string) []metav1.APIResource {
	resources := []metav1.APIResource{}
	switch group {
	case api.GroupName:
		resources = append(resources, metav1.APIResource{
			Name: "pods", Namespaced: true, Kind: "PodMetrics", Verbs: metav1.Verbs{"get", "list"},
		})
	case custom.GroupName:
		for _, value := range s.Custom {
			resources = append(resources, metav1.APIResource{
				Name: value.Resource + "/" + value.Metric, Namespaced: value.Resource != "namespaces",
				Kind: "MetricValueList", Verbs: metav1.Verbs{"get"},
			})
		}
	case external.GroupName:
		for _, value := range s.External {
			resources = append(resources, metav1.APIResource{
				Name: value.Metric, Namespaced: true, Kind: "ExternalMetricValueList", Verbs: metav1.Verbs{"get"},
			})
		}
	}
	slices.SortFunc(resources, func(a, b metav1.APIResource) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(resources, func(a, b metav1.APIResource) bool { return a.Name == b.Name })
}
