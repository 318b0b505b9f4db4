package metrics

import (
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// discovery answers with the resources of the API. The aggregator takes this path for its health check too.
func (s *server) discovery(w http.ResponseWriter, _ *http.Request) {
	down := false
	s.store.read(func(state *State) {
		failure := state.Failure(GroupVersion.Group, "", "")
		down = failure != nil && failure.Unavailable
	})
	if down {
		http.Error(w, "down", http.StatusServiceUnavailable)
		return
	}
	writeJSON(w, http.StatusOK, metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: GroupVersion.String(),
		APIResources: []metav1.APIResource{{
			Name: "pods", Namespaced: true, Kind: "PodMetrics", Verbs: metav1.Verbs{"get", "list"},
		}},
	})
}
