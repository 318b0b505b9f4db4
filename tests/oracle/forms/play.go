package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
)

// date is the same in every answer, so that it is in every case.
const date = "Sat, 21 Nov 2026 10:42:00 GMT"

// jsonOnly begins the paths of a cluster that has no protobuf.
const jsonOnly = "/json"

// play serves what was drawn on loopback until standard input ends: as protobuf to who takes it, and below /json as JSON alone.
func play(seed uint64, count int) error {
	byPath, customVersion := lists(seed, count)
	for _, part := range byPath[podsPath] {
		for i := range part.(*corev1.PodList).Items {
			withoutDebts(&part.(*corev1.PodList).Items[i].Spec)
		}
	}
	answers := map[string][]byte{}
	for path, parts := range byPath {
		for number, part := range parts {
			for _, form := range []string{runtime.ContentTypeProtobuf, runtime.ContentTypeJSON} {
				text, err := encoded(part, form)
				if err != nil {
					return err
				}
				answers[fmt.Sprint(form, path, number)] = text
			}
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		form := runtime.ContentTypeJSON
		path, isJSON := strings.CutPrefix(r.URL.Path, jsonOnly)
		if !isJSON && strings.Contains(r.Header.Get("Accept"), runtime.ContentTypeProtobuf) {
			form = runtime.ContentTypeProtobuf
		}
		number, _ := strconv.Atoi(r.URL.Query().Get("continue"))
		w.Header().Set("Date", date)
		text, found := answers[fmt.Sprint(form, path, number)]
		if !found {
			form = runtime.ContentTypeJSON
			text = []byte(documents(customVersion)[path])
		}
		if len(text) == 0 {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", form)
		_, _ = w.Write(text)
	}))
}

// withoutDebts makes all requests positive: the API server takes no others, and neither does the program.
func withoutDebts(spec *corev1.PodSpec) {
	lists := []corev1.ResourceList{spec.Overhead}
	of := func(resources corev1.ResourceRequirements) {
		lists = append(lists, resources.Requests, resources.Limits)
	}
	if spec.Resources != nil {
		of(*spec.Resources)
	}
	for _, container := range append(spec.Containers, spec.InitContainers...) {
		of(container.Resources)
	}
	for _, list := range lists {
		for name, amount := range list {
			if amount.Sign() < 0 {
				list[name] = resource.MustParse(strings.TrimPrefix(amount.String(), "-")) // Neg has none of the smallest int64
			}
		}
	}
}

// documents are what else is asked of the cluster.
func documents(customVersion string) map[string]string {
	const hpa = `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web","namespace":"shop"},
		"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"minReplicas":1,"maxReplicas":10,"metrics":[
			{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}},
			{"type":"Pods","pods":{"metric":{"name":"requests"},"target":{"type":"AverageValue","averageValue":"1"}}},
			{"type":"External","external":{"metric":{"name":"queue"},"target":{"type":"Value","value":"1"}}}]},
		"status":{"currentReplicas":2,"desiredReplicas":2,"currentMetrics":null}}`
	group := func(name, version, resource, kind string) string {
		return fmt.Sprintf(`{"metadata":{"name":%q},"versions":[{"version":%q,"freshness":"Current","resources":[{"resource":%q,"scope":"Namespaced",
			"singularResource":"","verbs":["get"],"responseKind":{"group":"","version":"","kind":%q}}]}]}`, name, version, resource, kind)
	}
	discovery := func(groups ...string) string {
		return `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[` + strings.Join(groups, ",") + "]}"
	}
	list := func(kind, version, items string) string {
		return fmt.Sprintf(`{"kind":%q,"apiVersion":%q,"metadata":{},"items":[%s]}`, kind, version, items)
	}
	const hpas = "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers"
	return map[string]string{
		"/version":    `{"major":"1","minor":"37","gitVersion":"v1.37.1"}`,
		"/api":        discovery(group("", "v1", "pods", "Pod")),
		"/apis":       discovery(group("apps", "v1", "deployments", "Deployment"), group("custom.metrics.k8s.io", customVersion, "pods/requests", "MetricValueList")),
		hpas:          list("HorizontalPodAutoscalerList", "autoscaling/v2", hpa),
		hpas + "/web": hpa,
		"/apis/apps/v1/namespaces/shop/deployments/web/scale": `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"web","namespace":"shop"},
			"spec":{"replicas":2},"status":{"replicas":2,"selector":"app=web"}}`,
		"/api/v1/namespaces/shop/events":      list("EventList", "v1", ""),
		"/api/v1/namespaces/kube-system/pods": list("PodList", "v1", ""),
	}
}
