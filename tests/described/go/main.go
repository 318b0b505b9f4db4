// Prints what the real kubectl prints of autoscalers and pods; see README.md.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// server answers what kubectl asks of an API server.
type server struct {
	hpas   []any
	events map[string][]any
	pods   []any
	// Whether it is from before autoscaling/v2.
	isOld bool
}

func list(version, kind string, items []any) object {
	if items == nil {
		items = []any{}
	}
	return object{"apiVersion": version, "kind": kind, "metadata": object{"resourceVersion": "1"}, "items": items}
}

func resources(version string, all ...object) object {
	return object{"apiVersion": "v1", "kind": "APIResourceList", "groupVersion": version, "resources": all}
}

func resource(name, kind string) object {
	return object{"name": name, "singularName": "", "namespaced": true, "kind": kind, "verbs": []string{"get", "list"}}
}

func group(name string, versions ...string) object {
	var all []any
	for _, version := range versions {
		all = append(all, object{"groupVersion": name + "/" + version, "version": version})
	}
	return object{"name": name, "versions": all, "preferredVersion": all[0]}
}

func (s server) answer(path, field string) any {
	versions := []string{"v2", "v1"}
	if s.isOld {
		versions = versions[1:]
	}
	switch path {
	case "/api":
		return object{"kind": "APIVersions", "versions": []string{"v1"}}
	case "/apis":
		groups := []any{group("autoscaling", versions...), group("metrics.k8s.io", "v1beta1")}
		return object{"apiVersion": "v1", "kind": "APIGroupList", "groups": groups}
	case "/api/v1":
		return resources("v1", resource("events", "Event"), resource("pods", "Pod"))
	case "/apis/autoscaling/v1", "/apis/autoscaling/v2":
		return resources(strings.TrimPrefix(path, "/apis/"), resource("horizontalpodautoscalers", "HorizontalPodAutoscaler"))
	case "/apis/metrics.k8s.io/v1beta1":
		return resources("metrics.k8s.io/v1beta1", resource("pods", "PodMetrics"))
	case "/apis/metrics.k8s.io/v1beta1/pods":
		return list("metrics.k8s.io/v1beta1", "PodMetricsList", s.pods)
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	switch {
	case strings.HasSuffix(path, "/events"):
		for _, selector := range strings.Split(field, ",") {
			if name, found := strings.CutPrefix(selector, "involvedObject.name="); found {
				return list("v1", "EventList", s.events[name])
			}
		}
	case parts[0] == "apis" && parts[1] == "autoscaling" && (parts[2] == "v1") == s.isOld:
		if len(parts) == 4 {
			return list("autoscaling/"+parts[2], "HorizontalPodAutoscalerList", s.hpas)
		}
		for _, hpa := range s.hpas {
			metadata := hpa.(object)["metadata"].(object)
			if metadata["namespace"] == parts[4] && len(parts) == 7 && metadata["name"] == parts[6] {
				return hpa
			}
		}
	}
	return nil
}

func (s server) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	response.Header().Set("Content-Type", "application/json")
	answer := s.answer(request.URL.Path, request.URL.Query().Get("fieldSelector"))
	if answer == nil {
		response.WriteHeader(http.StatusNotFound)
		answer = object{"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404}
	}
	check(json.NewEncoder(response).Encode(answer))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func specs(path string) (found []object) {
	file, err := os.Open(path)
	check(err)
	unpacked, err := gzip.NewReader(file)
	check(err)
	rows := json.NewDecoder(unpacked)
	for rows.More() {
		var row row
		check(rows.Decode(&row))
		if len(row.Errors) == 0 && fits(row.Spec) {
			found = append(found, row.Spec)
		}
	}
	return found
}

func write(path string, text []byte) {
	file, err := os.Create(path)
	check(err)
	packed, _ := gzip.NewWriterLevel(file, gzip.BestCompression)
	buffered := bufio.NewWriter(packed)
	_, err = buffered.Write(text)
	check(err)
	check(buffered.Flush())
	check(packed.Close())
	check(file.Close())
}

// printed is what a kubectl prints that asks the server.
func printed(kubectl, home string, server server, words ...string) []byte {
	listening := httptest.NewServer(server)
	defer listening.Close()
	command := exec.Command(kubectl, append([]string{"--server", listening.URL}, words...)...)
	command.Env = []string{"HOME=" + home, "TZ=UTC", "KUBECONFIG=/dev/null"}
	command.Stderr = os.Stderr
	text, err := command.Output()
	check(err)
	return text
}

func main() {
	seed := flag.Int64("seed", 1, "")
	count := flag.Int("count", 400, "")
	out := flag.String("o", "..", "")
	flag.Parse()
	random := rand.New(rand.NewSource(*seed))
	server := server{events: map[string][]any{}}
	var truth strings.Builder
	all := specs("../../loader/apiserver.jsonl.gz")
	for index := range *count {
		hpa := drawn(random, index, pick(random, all))
		server.hpas = append(server.hpas, hpa)
		metadata := hpa["metadata"].(object)
		server.events[metadata["name"].(string)] = events(random, hpa)
		line, err := json.Marshal(hpa)
		check(err)
		truth.Write(append(line, '\n'))
	}
	write(filepath.Join(*out, "hpas.jsonl.gz"), []byte(truth.String()))
	old := server
	old.isOld = true
	old.hpas = []any{object{
		"apiVersion": "autoscaling/v1", "kind": "HorizontalPodAutoscaler",
		"metadata": object{"name": "old", "namespace": "shop", "creationTimestamp": "2026-11-20T17:15:00Z"},
		"spec":     object{"scaleTargetRef": object{"kind": "Deployment", "name": "old"}, "maxReplicas": 7, "minReplicas": 2, "targetCPUUtilizationPercentage": 80},
		"status":   object{"currentReplicas": 3, "desiredReplicas": 4, "currentCPUUtilizationPercentage": 92},
	}}
	usage := func(cpu, memory string) object { return object{"cpu": cpu, "memory": memory} }
	for index := range 3 {
		server.pods = append(server.pods, object{
			"metadata":   object{"name": fmt.Sprintf("web-6c8f9d7b54-%d", index), "namespace": "shop"},
			"timestamp":  "2026-11-20T17:15:00Z",
			"window":     "15s",
			"containers": []any{object{"name": "app", "usage": usage("1234567n", "190840Ki")}, object{"name": "proxy", "usage": usage("3m", "5Mi")}},
		})
	}
	var texts map[string][]byte
	for _, kubectl := range flag.Args() {
		home, err := os.MkdirTemp("", "")
		check(err)
		var top [][]byte
		for _, words := range [][]string{{}, {"--containers"}, {"--sum"}} {
			top = append(top, printed(kubectl, home, server, append([]string{"top", "pods", "-A"}, words...)...))
		}
		these := map[string][]byte{
			"described": printed(kubectl, home, server, "describe", "horizontalpodautoscalers", "-A"),
			"old":       printed(kubectl, home, old, "describe", "horizontalpodautoscalers", "-A"),
			"top":       bytes.Join(top, []byte("\n")),
		}
		for name, text := range these {
			if texts != nil && !bytes.Equal(texts[name], text) {
				log.Fatalf("%s prints other text: %s", kubectl, name)
			}
		}
		texts = these
		check(os.RemoveAll(home))
	}
	for name, text := range texts {
		write(filepath.Join(*out, name+".txt.gz"), text)
	}
}
