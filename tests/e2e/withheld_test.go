package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"

	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	rbac "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/cluster"
)

// needed are the rights that a sync makes use of. (The HPAs and the pods come from caches that all controllers share.)
var needed = []string{
	"get */scale of *", "update */scale of *", "list pods of metrics.k8s.io", "get * of custom.metrics.k8s.io",
	"list * of external.metrics.k8s.io", "update horizontalpodautoscalers/status of autoscaling", "create events of ",
}

// withheld is a fault for each single right of the rules.
func withheld(rules []rbac.PolicyRule) (all []fault) {
	for i, rule := range rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					name := fmt.Sprintf("%s %s of %s", verb, resource, group)
					all = append(all, fault{
						name: strings.TrimSuffix(name, " of "), change: meeting(group), shown: true, harmless: !slices.Contains(needed, name),
						begin: func(b *believer) { b.grants(less(rules, i, group, resource, verb), false, group, resource, verb) },
						end:   func(b *believer) { b.grants(rules, true, group, resource, verb) },
					})
				}
			}
		}
	}
	return all
}

// less are the rules without one right.
func less(rules []rbac.PolicyRule, at int, group, resource, verb string) []rbac.PolicyRule {
	rule := rules[at]
	without := func(all []string, one string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other == one })
	}
	rest := slices.Delete(slices.Clone(rules), at, at+1)
	for _, part := range []rbac.PolicyRule{
		{APIGroups: without(rule.APIGroups, group), Resources: rule.Resources, Verbs: rule.Verbs},
		{APIGroups: []string{group}, Resources: without(rule.Resources, resource), Verbs: rule.Verbs},
		{APIGroups: []string{group}, Resources: []string{resource}, Verbs: without(rule.Verbs, verb)},
	} {
		if len(part.APIGroups) > 0 && len(part.Resources) > 0 && len(part.Verbs) > 0 {
			rest = append(rest, part)
		}
	}
	return rest
}

// meeting is an HPA that has need of an API.
func meeting(group string) func(*autoscaling.HorizontalPodAutoscalerSpec) {
	return func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Behavior = down(window(0))
		switch group {
		case "custom.metrics.k8s.io":
			spec.Metrics = []autoscaling.MetricSpec{objectMetric("hits", average("9"))}
		case "external.metrics.k8s.io":
			spec.Metrics = []autoscaling.MetricSpec{externalMetric("queue", average("6"))}
		case "": // events are what is known of the sizes before
			spec.Behavior = down(limited(window(0), policy(autoscaling.PodsScalingPolicy, 2, 15)))
			spec.Behavior.ScaleUp = limited(window(0), policy(autoscaling.PodsScalingPolicy, 2, 15))
		}
	}
}

// grants gives the controller these rights, and waits until the API server goes by them.
func (b *believer) grants(rules []rbac.PolicyRule, allowed bool, group, resource, verb string) {
	b.Helper()
	b.must(nil, b.Grant(b.Context(), b.namespace, rules))
	resource, subresource, _ := strings.Cut(resource, "/")
	group = strings.ReplaceAll(group, "*", "apps")
	resource = strings.ReplaceAll(resource, "*", "deployments")
	b.eventually("the rights", func(ctx context.Context) error {
		review, err := b.Client.AuthorizationV1().SubjectAccessReviews().Create(ctx, &authorization.SubjectAccessReview{
			Spec: authorization.SubjectAccessReviewSpec{User: cluster.HPAUser, ResourceAttributes: &authorization.ResourceAttributes{
				Namespace: b.namespace, Verb: verb, Group: group, Resource: resource, Subresource: subresource,
			}}}, metav1.CreateOptions{})
		if err == nil && review.Status.Allowed != allowed {
			err = fmt.Errorf("allowed %t", review.Status.Allowed)
		}
		return err
	})
}
