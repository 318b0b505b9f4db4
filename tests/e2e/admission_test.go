package e2e

import (
	"fmt"
	"testing"

	admission "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/cluster"
)

const (
	admissionLabel = "e2e.example/scaling" // of a namespace: which admission its scales meet
	refusing       = "refused"
	capping        = "capped"
	hanging        = "unheard"
	mostAdmitted   = 6 // replicas, where sizes are capped
)

// admits adds what refuses writes of scales in namespaces with a label.
func admits(t *testing.T, c *cluster.Cluster) {
	t.Helper()
	for label, expression := range map[string]string{refusing: "false", capping: fmt.Sprintf("object.spec.replicas <= %d", mostAdmitted)} {
		policy := &admission.ValidatingAdmissionPolicy{
			ObjectMeta: metav1.ObjectMeta{Name: label},
			Spec: admission.ValidatingAdmissionPolicySpec{
				MatchConstraints: &admission.MatchResources{ResourceRules: []admission.NamedRuleWithOperations{{RuleWithOperations: scaleWrites}}},
				Validations:      []admission.Validation{{Expression: expression, Message: "this team's quota is used up"}},
			},
		}
		binding := &admission.ValidatingAdmissionPolicyBinding{
			ObjectMeta: metav1.ObjectMeta{Name: label},
			Spec: admission.ValidatingAdmissionPolicyBindingSpec{
				PolicyName: label, ValidationActions: []admission.ValidationAction{admission.Deny},
				MatchResources: &admission.MatchResources{NamespaceSelector: labeled(label)},
			},
		}
		if _, err := c.Client.AdmissionregistrationV1().ValidatingAdmissionPolicies().Create(t.Context(), policy, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Client.AdmissionregistrationV1().ValidatingAdmissionPolicyBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Create(t.Context(), unheard(c), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// scaleWrites are those of Deployments.
var scaleWrites = admission.RuleWithOperations{
	Operations: []admission.OperationType{admission.Update},
	Rule:       admission.Rule{APIGroups: []string{"apps"}, APIVersions: []string{"v1"}, Resources: []string{"deployments/scale"}},
}

func labeled(value string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{admissionLabel: value}}
}

// unheard is a webhook at a port on which nobody listens.
func unheard(c *cluster.Cluster) *admission.ValidatingWebhookConfiguration {
	return &admission.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: hanging},
		Webhooks: []admission.ValidatingWebhook{{
			Name: "quota.e2e.example", AdmissionReviewVersions: []string{"v1"}, FailurePolicy: new(admission.Fail),
			SideEffects: new(admission.SideEffectClassNone), Rules: []admission.RuleWithOperations{scaleWrites},
			NamespaceSelector: labeled(hanging),
			ClientConfig:      admission.WebhookClientConfig{URL: new("https://127.0.0.1:1/"), CABundle: c.CA()},
		}},
	}
}
