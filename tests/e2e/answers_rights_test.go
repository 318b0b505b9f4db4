package e2e

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"syscall"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	flowcontrol "k8s.io/api/flowcontrol/v1"
	rbac "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/parts"
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
	robot, err := r.Client.CoreV1().ServiceAccounts(r.namespace).Create(
		r.Context(), &v1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot"}}, metav1.CreateOptions{})
	r.must(robot, err)
	expired, err := r.ExpiredToken(robot.Namespace, robot.Name, string(robot.UID))
	r.must(expired, err)
	r.record("expired token", by(expired, everyRead)...)
	bindings := r.Client.RbacV1().ClusterRoleBindings()
	for _, name := range []string{"system:discovery", "system:public-info-viewer", "system:basic-user"} {
		r.must(nil, bindings.Delete(r.Context(), name, metav1.DeleteOptions{}))
	}
	r.await("no right", 403, "cannot get path", by(cluster.Viewer, reads("/api", "/apis", kindPath, "/version"))...)
	r.record("no right", by(cluster.Viewer, everyRead)...)
	r.record("no token", by("-", everyRead)...)
	r.record("may not act for another", with(map[string]string{"Impersonate-User": "eve"}, by(cluster.Viewer, everyRead))...)
	xml := map[string]string{"Accept": "application/xml"}
	for _, q := range with(xml, append(append([]question{}, ownReads...), measuredReads...)) {
		if q.path != kindPath { // which is not served yet
			r.record("no such form", q)
		}
	}
	for _, q := range measuredReads {
		r.record("another method", question{path: q.path, method: http.MethodDelete})
	}
}

func with(headers map[string]string, questions []question) (all []question) {
	for _, q := range questions {
		q.headers = headers
		all = append(all, q)
	}
	return all
}

// held has requests with a token hang one after another while something else is done.
func (r *recorder) held(token string, meanwhile func()) {
	r.Helper()
	r.must(nil, r.Signal(parts.MetricsServer, syscall.SIGSTOP))
	done := make(chan struct{})
	var asked sync.WaitGroup
	for i := range 5 { // one of them finds a free place
		asked.Go(func() {
			for wait := time.Duration(i) * 300 * time.Millisecond; ; wait = 20 * time.Millisecond {
				select {
				case <-done:
					return
				case <-time.After(wait):
					_, _ = r.ask(question{path: usagePath, token: token}) // it is to take its time, no more
				}
			}
		})
	}
	meanwhile()
	close(done)
	r.must(nil, r.Signal(parts.MetricsServer, syscall.SIGCONT))
	asked.Wait()
}

// jail gives the viewer a share of no request at all, so that a second one beside a first is refused.
func (r *recorder) jail() {
	r.Helper()
	r.grant()
	fairness := r.Client.FlowcontrolV1()
	r.must(fairness.PriorityLevelConfigurations().Create(r.Context(), &flowcontrol.PriorityLevelConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "jail"},
		Spec: flowcontrol.PriorityLevelConfigurationSpec{
			Type: flowcontrol.PriorityLevelEnablementLimited,
			Limited: &flowcontrol.LimitedPriorityLevelConfiguration{
				NominalConcurrencyShares: new(int32(0)), BorrowingLimitPercent: new(int32(0)),
				LimitResponse: flowcontrol.LimitResponse{Type: flowcontrol.LimitResponseTypeReject},
			},
		},
	}, metav1.CreateOptions{}))
	everything := flowcontrol.PolicyRulesWithSubjects{
		Subjects: []flowcontrol.Subject{{Kind: flowcontrol.SubjectKindUser, User: &flowcontrol.UserSubject{Name: cluster.Viewer}}},
		ResourceRules: []flowcontrol.ResourcePolicyRule{{
			Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}, Namespaces: []string{"*"}, ClusterScope: true,
		}},
		NonResourceRules: []flowcontrol.NonResourcePolicyRule{{Verbs: []string{"*"}, NonResourceURLs: []string{"*"}}},
	}
	schema := &flowcontrol.FlowSchema{
		ObjectMeta: metav1.ObjectMeta{Name: "jail"},
		Spec: flowcontrol.FlowSchemaSpec{
			PriorityLevelConfiguration: flowcontrol.PriorityLevelConfigurationReference{Name: "jail"},
			MatchingPrecedence:         2, Rules: []flowcontrol.PolicyRulesWithSubjects{everything},
		},
	}
	r.must(fairness.FlowSchemas().Create(r.Context(), schema, metav1.CreateOptions{}))
	r.held(cluster.Viewer, func() { r.await("no share", 429, "", by(cluster.Viewer, everyRead)...) })
	r.must(nil, fairness.FlowSchemas().Delete(r.Context(), "jail", metav1.DeleteOptions{}))
}

// grant lets the viewer read pod metrics.
func (r *recorder) grant() {
	r.Helper()
	roles, bindings := r.Client.RbacV1().ClusterRoles(), r.Client.RbacV1().ClusterRoleBindings()
	role := &rbac.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "usage"}, Rules: []rbac.PolicyRule{rule("metrics.k8s.io", "pods", "get list")}}
	r.must(roles.Create(r.Context(), role, metav1.CreateOptions{}))
	r.must(bindings.Create(r.Context(), &rbac.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "usage"},
		RoleRef:    rbac.RoleRef{APIGroup: rbac.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects:   []rbac.Subject{{APIGroup: rbac.GroupName, Kind: rbac.UserKind, Name: cluster.Viewer}},
	}, metav1.CreateOptions{}))
	r.eventually("the right", func(context.Context) error {
		seen, err := r.ask(question{path: usagePath, token: cluster.Viewer})
		if err == nil && seen.Code != 200 {
			err = errors.New(seen.Body)
		}
		return err
	})
}
