package e2e

import (
	autoscaling "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	custom "k8s.io/metrics/pkg/apis/custom_metrics"
	external "k8s.io/metrics/pkg/apis/external_metrics"
	api "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"kubectl-hpa.local/e2e/cluster"
)

// prepare makes the HPA web.
func (r *recorder) prepare() {
	r.Helper()
	r.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "argoproj.io/v1alpha1", Kind: "Rollout", Name: web}
	})
}

// rights are credentials that are not accepted, and rights that are missing.
func (r *recorder) rights() {
	r.Helper()
	r.record("unknown token", by("unknown", everyRead)...)
	rbac := r.Client.RbacV1().ClusterRoleBindings()
	for _, name := range []string{"system:discovery", "system:public-info-viewer", "system:basic-user"} {
		r.must(nil, rbac.Delete(r.Context(), name, metav1.DeleteOptions{}))
	}
	r.await("no right", 403, "cannot get path", by(cluster.Viewer, reads("/api", "/apis", kindPath, "/version"))...)
	r.record("no right", by(cluster.Viewer, everyRead)...)
}

// absences are APIs that nobody installed.
func (r *recorder) absences() {
	r.Helper()
	groups := []string{api.GroupName, custom.GroupName, external.GroupName}
	for _, group := range groups {
		r.must(nil, r.Unregister(r.Context(), group))
	}
	r.await("no such API", 404, "", measuredReads...)
	r.record("no such API", append(reads(kindPath), scaleReads...)...)
	for _, group := range groups {
		r.must(nil, r.Register(r.Context(), group))
		r.must(nil, r.Available(r.Context(), group, true))
	}
}
