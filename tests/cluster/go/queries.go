package main

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// plain is the question with which each client meets every answer.
var plain = map[string]query{
	"podMetrics":     {Selector: "app=web"},
	"scale":          {APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
	"podsMetric":     {Metric: "rps", Selector: "app=web"},
	"objectMetric":   {APIVersion: "v1", Kind: "Service", Name: "web", Metric: "rps"},
	"externalMetric": {Metric: "queue"},
}

// odd are the questions whose path or kind takes some care.
var odd = map[string][]query{
	"podMetrics": {
		{Selector: "b=2,a=1"},
		{Selector: "tier in (front,back),!canary,app"},
		{Selector: "weight>3,app notin (b,a)"},
		{Selector: "example.com/app.kubernetes=web"},
	},
	"scale": {
		{APIVersion: "v1", Kind: "ReplicationController", Name: "web"},
		{APIVersion: "extensions/v1beta1", Kind: "Deployment", Name: "web"},
		{APIVersion: "apps/v1beta9", Kind: "Deployment", Name: "web"},
		{APIVersion: "apps/v1", Kind: "deployment", Name: "web"},
		{APIVersion: "apps/v1", Kind: "DEPLOYMENT", Name: "web"},
		{APIVersion: "apps/v1", Kind: "Unknown", Name: "web"},
		{APIVersion: "", Kind: "Deployment", Name: "web"},
		{APIVersion: "a/b/c", Kind: "Deployment", Name: "web"},
		{APIVersion: "argoproj.io/v1alpha1", Kind: "Rollout", Name: "web"},
		{APIVersion: "argoproj.io/v1", Kind: "Rollout", Name: "web.1"},
		{APIVersion: "argoproj.io/v1alpha1", Kind: "Old", Name: "web"},
		{APIVersion: "argoproj.io/v1alpha1", Kind: "Moved", Name: "web"},
	},
	"podsMetric": {
		{Metric: "http|p99: a+b,c;d=e@f&g$h", Selector: "b=2,a=1"},
		{Metric: "caf\u00e9 (1)*!'~", MetricSelector: labeled("verb", "GET", in("code", "204", "200")), Selector: "app=web"},
		{Metric: "rps", MetricSelector: labeled("verb", "GET"), Selector: "app in (b,a)"},
	},
	"objectMetric": {
		{APIVersion: "v1", Kind: "Namespace", Name: "other", Metric: "rps", MetricSelector: labeled("verb", "GET")},
		{APIVersion: "example.com/v1", Kind: "Namespace", Name: "other", Metric: "rps"},
		{APIVersion: "apps/v1", Kind: "Deployment", Name: "web", Metric: "rps"},
		{APIVersion: "argoproj.io/v1alpha1", Kind: "Rollout", Name: "web", Metric: "rps", MetricSelector: labeled("b", "2", in("a", "1"))},
		{APIVersion: "networking.k8s.io/v1", Kind: "Ingress", Name: "web", Metric: "rps"},
		{APIVersion: "", Kind: "Service", Name: "web", Metric: "rps"},
		{APIVersion: "a/b/c", Kind: "Service", Name: "web", Metric: "rps"},
	},
	"externalMetric": {
		{Metric: "s0-rabbitmq-queue", MetricSelector: labeled("scaledobject.keda.sh/name", "web")},
		{Metric: "pubsub.googleapis.com|subscription|num_undelivered_messages", MetricSelector: labeled("resource.labels.subscription_id", "a", metav1.LabelSelectorRequirement{Key: "b", Operator: "Exists"})},
		{Metric: "everything", MetricSelector: &metav1.LabelSelector{}},
		{Metric: "a b?c#d", MetricSelector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "q", Operator: "NotIn", Values: []string{"y", "x"}}}}},
	},
}

func labeled(key, value string, more ...metav1.LabelSelectorRequirement) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{key: value}, MatchExpressions: more}
}

func in(key string, values ...string) metav1.LabelSelectorRequirement {
	return metav1.LabelSelectorRequirement{Key: key, Operator: "In", Values: values}
}

// documents are the discovery documents by name and path.
var documents = map[string]map[string]string{
	"all": {
		"/api": list(group("", version("v1", core))),
		"/apis": list(
			group("apps", version("v1", apps)),
			group("argoproj.io",
				version("v1", resource("rollouts", "Rollout")+","+resource("movers", "Moved")),
				version("v1alpha1", resource("rollouts", "Rollout")+","+resource("olds", "Old")+","+resource("moveds", "Moved"))),
			group("example.com", version("v1", resource("namespaces", "Namespace"))),
			group("custom.metrics.k8s.io", version("v1beta2", ""), version("v1beta1", "")),
		),
	},
	// Neither apps nor custom metrics.
	"bare": {
		"/api":  list(group("", version("v1", resource("pods", "Pod")+","+resource("replicationcontrollers", "ReplicationController")))),
		"/apis": list(group("batch", version("v1", resource("jobs", "Job")))),
	},
	// Only the older custom metrics version.
	"old": {
		"/api":  list(group("", version("v1", core))),
		"/apis": list(group("apps", version("v1", apps)), group("custom.metrics.k8s.io", version("v1beta1", ""))),
	},
	// A custom metrics version that nobody knows.
	"strange": {
		"/api":  list(group("", version("v1", core))),
		"/apis": list(group("apps", version("v2", apps), version("v1", apps)), group("custom.metrics.k8s.io", version("v7", ""))),
	},
	// Versions whose server does not answer.
	"stale": {
		"/api": list(group("", version("v1", core))),
		"/apis": list(
			group("apps", stale("v2", apps), version("v1", apps)),
			group("custom.metrics.k8s.io", stale("v1beta2", ""), stale("v1beta1", ""))),
	},
}

var (
	core = resource("pods", "Pod") + "," + resource("services", "Service") + "," + resource("namespaces", "Namespace") +
		"," + resource("replicationcontrollers", "ReplicationController")
	apps = resource("deployments", "Deployment") + "," + resource("statefulsets", "StatefulSet")
)

func list(groups ...string) string {
	items := ""
	for i, g := range groups {
		if i > 0 {
			items += ","
		}
		items += g
	}
	return `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[` + items + `]}`
}

func group(name string, versions ...string) string {
	all := ""
	for i, v := range versions {
		if i > 0 {
			all += ","
		}
		all += v
	}
	return `{"metadata":{"name":"` + name + `","creationTimestamp":null},"versions":[` + all + `]}`
}

func version(name, resources string) string {
	return `{"version":"` + name + `","resources":[` + resources + `],"freshness":"Current"}`
}

func stale(name, resources string) string {
	return `{"version":"` + name + `","resources":[` + resources + `],"freshness":"Stale"}`
}

func resource(name, kind string) string {
	return `{"resource":"` + name + `","responseKind":{"group":"","version":"","kind":"` + kind +
		`"},"scope":"Namespaced","singularResource":"","verbs":["get"],"subresources":[{"subresource":"scale","responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"},"verbs":["get"]}]}`
}
