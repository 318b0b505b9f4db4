package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
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
	rounds       = 5

	longestStart = time.Second // for an explanation of fewer than manyPods
	dearest      = 1.3         // an explanation of manyPods, as a multiple of its two lists' transfer
	fattest      = 100_000_000 // bytes
)

// A live explanation takes hardly longer than the transfer of its two long lists, and doesn't hold them in memory.
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
		fetch, bytes := fetchLists(t, c.Config)
		run := explainMany(t, path, c.Kubeconfig(cluster.Admin), pods)
		peak, size = max(peak, run.peak), bytes
		if round > 0 { // the first warms up
			fetches, runs = append(fetches, fetch), append(runs, run.wall)
		}
	}
	fetch, run := median(fetches), median(runs)
	ratio := run.Seconds() / fetch.Seconds()
	t.Logf("%d pods (%.0f MB of lists): plain fetch %.3f s, explain %.3f s (medians of %d), ratio %.2f, peak memory %.0f MB",
		pods, float64(size)/1e6, fetch.Seconds(), run.Seconds(), rounds, ratio, float64(peak)/1e6)
	t.Logf("plain fetches %v, explanations %v", fetches, runs)
	if peak > fattest {
		t.Errorf("peak memory %d bytes, more than %d", peak, fattest)
	}
	if pods >= manyPods && ratio > dearest {
		t.Errorf("%.2f times the plain fetch, more than %.2f", ratio, dearest)
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

// fetchLists transfers the lists that an explanation reads, side by side as it does, each through a new connection
// of HTTP/1.1 and uncompressed, and drops every byte.
func fetchLists(t *testing.T, config *rest.Config) (wall time.Duration, size int64) {
	t.Helper()
	tls, err := rest.TLSConfigFor(config)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: tls, DisableCompression: true}
	defer transport.CloseIdleConnections()
	type answer struct {
		size int64
		err  error
	}
	answers := make(chan answer)
	urls := []string{"/api/v1", "/apis/metrics.k8s.io/v1beta1"}
	begin := time.Now()
	for _, url := range urls {
		url = config.Host + url + "/namespaces/" + demo.Namespace + "/pods?labelSelector=app%3D" + web
		go func() {
			size, err := fetchList(t.Context(), transport, url, config.BearerToken)
			answers <- answer{size, err}
		}()
	}
	for range urls {
		a := <-answers
		if a.err != nil {
			t.Error(a.err)
		}
		size += a.size
	}
	return time.Since(begin), size
}

func fetchList(ctx context.Context, transport *http.Transport, url, token string) (int64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	for name, value := range map[string]string{
		"Accept": "application/json", "Authorization": "Bearer " + token, "User-Agent": "kubectl-hpa/0",
	} {
		request.Header.Set(name, value)
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%s answers %s", url, response.Status)
	}
	return io.Copy(io.Discard, response.Body)
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
