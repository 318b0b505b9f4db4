package e2e

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/parts"
)

// restarts are API servers with other flags.
func (r *recorder) restarts() {
	r.Helper()
	r.restart("--max-requests-inflight=1", "--max-mutating-requests-inflight=1", "--enable-priority-and-fairness=false")
	r.held(cluster.Admin, func() { r.await("too many requests", 429, "", by(cluster.Viewer, everyRead)...) })
	r.restart("--authorization-mode=Webhook", "--authorization-webhook-config-file="+r.nobody(), "--request-timeout=20s")
	bindings := r.Client.RbacV1().ClusterRoleBindings()
	for _, name := range []string{"system:discovery", "system:public-info-viewer", "system:basic-user", "usage"} {
		r.must(nil, bindings.Delete(r.Context(), name, metav1.DeleteOptions{}))
	}
	r.await("authorizer is away", 500, "", by(cluster.Viewer, everyRead)...)
	r.restart("--proxy-client-cert-file="+r.Key("apiserver.crt"), "--proxy-client-key-file="+r.Key("apiserver.key"))
	r.await("servers do not know the API server", 503, "service unavailable", measuredReads...)
	r.restart("--anonymous-auth=false", "--runtime-config=autoscaling/v2=false")
	r.record("no anonymous", by("-", everyRead)...)
	r.await("version of the HPA not served", 404, "requested resource", reads(hpaPath, hpasPath)...)
	r.restart()
	r.available(true)
}

// shutdowns are API servers that end, in two ways.
func (r *recorder) shutdowns() {
	r.Helper()
	r.shutsDown("shuts down and says so", "--shutdown-send-retry-after=true")
	r.shutsDown("shuts down")
}

// restart ends the API server, and starts it with these flags.
func (r *recorder) restart(flags ...string) {
	r.Helper()
	r.End(parts.APIServer)
	r.must(nil, r.StartAPIServer(r.Context(), append(append([]string{}, shortly...), flags...)...))
}

// nobody is a kubeconfig of a server that is not there.
func (r *recorder) nobody() string {
	r.Helper()
	config := api.NewConfig()
	config.Clusters["nobody"] = &api.Cluster{Server: "https://127.0.0.1:1/authorize", InsecureSkipTLSVerify: true}
	config.AuthInfos["nobody"] = &api.AuthInfo{Token: "x"}
	config.Contexts["nobody"] = &api.Context{Cluster: "nobody", AuthInfo: "nobody"}
	config.CurrentContext = "nobody"
	path := r.TempDir() + "/nobody.kubeconfig"
	r.must(nil, clientcmd.WriteToFile(*config, path))
	return path
}

// shutsDown ends the API server while requests have begun.
func (r *recorder) shutsDown(fault string, flags ...string) {
	r.Helper()
	r.restart(append(flags, "--request-timeout=30s")...)
	r.available(true)
	r.must(nil, r.Signal(parts.MetricsServer, syscall.SIGSTOP))
	hanging, stop := context.WithCancel(r.Context())
	go func() {
		request, _ := http.NewRequestWithContext(hanging, http.MethodGet, r.Endpoint()+usagePath, nil)
		request.Header.Set("Authorization", "Bearer "+cluster.Admin)
		if response, err := r.client.Do(request); err == nil {
			_ = response.Body.Close()
		}
	}()
	var open []*begun
	for _, q := range everyRead {
		open = append(open, r.begin(q))
	}
	time.Sleep(time.Second) // the hanging one is on its way
	r.must(nil, r.Signal(parts.APIServer, syscall.SIGTERM))
	time.Sleep(time.Second) // less than the five seconds after which a connection without a request is closed
	for _, one := range open {
		seen, err := one.end()
		r.must(seen, err)
		r.keep(fault, seen)
	}
	stop()
	r.must(nil, r.Signal(parts.MetricsServer, syscall.SIGCONT))
}

// begun is a request of which the last line is missing.
type begun struct {
	question
	net.Conn
}

func (r *recorder) begin(q question) *begun {
	r.Helper()
	transport, err := r.Anonymous()
	r.must(transport, err)
	connection, err := tls.Dial("tcp", strings.TrimPrefix(r.Endpoint(), "https://"), transport.TLSClientConfig)
	r.must(connection, err)
	q.method = http.MethodGet
	_, err = fmt.Fprintf(connection, "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nAuthorization: Bearer %s\r\n", q.path, cluster.Admin)
	r.must(nil, err)
	return &begun{question: q, Conn: connection}
}

func (b *begun) end() (answer, error) {
	defer b.Close()
	if _, err := fmt.Fprint(b.Conn, "\r\n"); err != nil {
		return answer{}, err
	}
	response, err := http.ReadResponse(bufio.NewReader(b.Conn), nil)
	if err != nil { // it was closed without an answer
		return answer{Method: b.method, Path: b.path, Headers: map[string]string{}, Breaks: true}, nil
	}
	return received(b.question, response)
}

// starts asks an API server that has just begun to listen. It has not the time to be asked for everything: what was missed is
// asked again at the next start.
func (r *recorder) starts() {
	r.Helper()
	const words = "before all known HTTP paths"
	questions := append(append(reads(kindPath), scaleReads...), measuredReads...)
	seen := make([]answer, len(questions))
	for range 10 {
		r.End(parts.APIServer)
		asking, stop := context.WithCancel(r.Context())
		var asked sync.WaitGroup
		for i, q := range questions {
			asked.Go(func() {
				for asking.Err() == nil && seen[i].Code == 0 {
					one, err := r.ask(q)
					if err == nil && one.Code == 503 && strings.Contains(one.Body, words) {
						seen[i] = one
					}
					time.Sleep(time.Millisecond)
				}
			})
		}
		r.must(nil, r.StartAPIServer(r.Context(), shortly...))
		stop()
		asked.Wait()
	}
	for i, one := range seen {
		if one.Code == 0 {
			r.Logf("starts: nothing of %s", questions[i].path)
			continue
		}
		r.keep("starts", one)
	}
}

// storage is an etcd that hangs, and then is away. The answer may break off instead: that is no answer to keep.
func (r *recorder) storage() {
	r.Helper()
	r.available(true)
	const words = "did not complete within the allotted timeout"
	questions := append(append(reads(hpaPath, hpasPath, podsPath+selected, eventsPath), scaleReads...), write, trial)
	r.must(nil, r.Signal(parts.Etcd, syscall.SIGSTOP))
	r.await("etcd hangs", 504, words, questions...)
	r.must(nil, r.Signal(parts.Etcd, syscall.SIGCONT))
	r.answered(200, scaleReads)
	r.End(parts.Etcd)
	r.await("etcd is away", 504, words, questions...)
}
