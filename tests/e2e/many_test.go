package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/demo"
)

const (
	podsVariable = "KUBECTL_HPA_PODS"
	fewPods      = 1_000
	manyPods     = 10_000 // from here on the transfer outweighs the start of a process
	rounds       = 9

	longestStart = time.Second // for an explanation of fewer than manyPods
	dearest      = 1.0         // an explanation of manyPods, as a multiple of its two lists' transfer as JSON
	fattest      = 100_000_000 // bytes
)

// A live explanation reads its two long lists as protobuf, in less time than their JSON takes to be transferred, and doesn't
// hold them in memory.
// Not parallel: Go runs it to its end while the parallel scenarios wait, so that nothing else takes the processors.
func TestManyPods(t *testing.T) {
	path, pods := binary(t), podCount(t)
	c, err := cluster.Start("", cluster.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop()
	if err := demo.Fill(t.Context(), c, pods, true); err != nil {
		t.Fatal(err)
	}
	fetches, runs, peak, size := []time.Duration{}, []time.Duration{}, int64(0), int64(0)
	for round := range rounds + 1 {
		fetch, bytes := fetchLists(t, c.Config, podLists())
		run := explainMany(t, path, c.Kubeconfig(cluster.Admin), pods)
		peak, size = max(peak, run.peak), bytes
		if round > 0 { // the first warms up
			fetches, runs = append(fetches, fetch), append(runs, run.wall)
		}
	}
	fetch, run := median(fetches), median(runs)
	ratio := run.Seconds() / fetch.Seconds()
	t.Logf("%d pods (%.0f MB of JSON): curl %.3f s, explain %.3f s (medians of %d), ratio %.2f, peak memory %.0f MB",
		pods, float64(size)/1e6, fetch.Seconds(), run.Seconds(), rounds, ratio, float64(peak)/1e6)
	t.Logf("curl %v, explanations %v", fetches, runs)
	if peak > fattest {
		t.Errorf("peak memory %d bytes, more than %d", peak, fattest)
	}
	if pods >= manyPods && ratio > dearest {
		t.Errorf("%.2f times the fetch, more than %.2f", ratio, dearest)
	}
	if pods < manyPods && run > longestStart {
		t.Errorf("%s, more than %s", run, longestStart)
	}
}

func podCount(t *testing.T) int {
	t.Helper()
	text, given := os.LookupEnv(podsVariable)
	if !given {
		return fewPods
	}
	pods, err := strconv.Atoi(text)
	if err != nil || pods < fewPods {
		t.Fatalf("%s=%q: a number from %d on is needed", podsVariable, text, fewPods)
	}
	return pods
}

const (
	asJSON     = "application/json"
	asProtobuf = "application/vnd.kubernetes.protobuf"
)

// podLists are the lists that an explanation reads, as JSON.
func podLists() map[string]string {
	lists := map[string]string{}
	for _, api := range []string{"/api/v1", "/apis/metrics.k8s.io/v1beta1"} {
		lists[api+"/namespaces/"+demo.Namespace+"/pods?labelSelector=app%3D"+web] = asJSON
	}
	return lists
}

// fetchLists transfers lists in the forms that are accepted with curl, uncompressed and side by side, and drops every byte.
// For another User-Agent than curl's own the API server does not indent JSON.
func fetchLists(t *testing.T, config *rest.Config, lists map[string]string) (wall time.Duration, size int64) {
	t.Helper()
	authority := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(authority, config.CAData, 0o600); err != nil {
		t.Fatal(err)
	}
	type answer struct {
		size int64
		err  error
	}
	answers, begin := make(chan answer), time.Now()
	for path, accept := range lists {
		go func() {
			size, err := fetchList(t.Context(), authority, config.Host+path, accept, config.BearerToken)
			answers <- answer{size, err}
		}()
	}
	for range lists {
		a := <-answers
		if a.err != nil {
			t.Error(a.err)
		}
		size += a.size
	}
	return time.Since(begin), size
}

func fetchList(ctx context.Context, authority, url, accept, token string) (int64, error) {
	curl := exec.CommandContext(ctx, "curl", "--silent", "--show-error", "--fail", "--cacert", authority, "--user-agent", "kubectl-hpa/0",
		"--header", "Accept: "+accept, "--header", "Authorization: Bearer "+token, "--output", os.DevNull, "--write-out", "%{size_download}", url)
	curl.Stderr = os.Stderr
	size, err := curl.Output()
	if err != nil {
		return 0, fmt.Errorf("curl %s: %w", url, err)
	}
	return strconv.ParseInt(string(size), 10, 64)
}

// explainMany measures one run of the binary, whose answer must be that all pods are seen and none is to be added.
func explainMany(t *testing.T, path, kubeconfig string, pods int) measured {
	t.Helper()
	run := measure(t, path, "explain", web, "-n", demo.Namespace, "-o", "json", "--kubeconfig", kubeconfig)
	var answer struct {
		CurrentReplicas, DesiredReplicas int
		Metrics                          []struct {
			Census struct {
				Ready int
				Pods  []struct{ Name string }
			}
		}
	}
	if err := json.Unmarshal(run.output, &answer); err != nil {
		t.Fatal(err)
	}
	if answer.CurrentReplicas != pods || answer.DesiredReplicas != pods {
		t.Errorf("replicas: current %d, desired %d, not %d", answer.CurrentReplicas, answer.DesiredReplicas, pods)
	}
	if len(answer.Metrics) != 1 {
		t.Fatalf("%d metrics", len(answer.Metrics))
	}
	names := map[string]bool{}
	for _, pod := range answer.Metrics[0].Census.Pods {
		names[pod.Name] = true
	}
	if ready := answer.Metrics[0].Census.Ready; ready != pods || len(names) != pods {
		t.Errorf("%d pods ready, %d named, not %d", ready, len(names), pods)
	}
	return run
}

func median(times []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(times))[len(times)/2]
}
