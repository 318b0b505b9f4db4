package e2e

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	registration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	custom "k8s.io/metrics/pkg/apis/custom_metrics"
	external "k8s.io/metrics/pkg/apis/external_metrics"
	api "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/metrics"
	"kubectl-hpa.local/e2e/parts"
)

var (
	metricsGroups = []string{api.GroupName, custom.GroupName, external.GroupName}
	apiServices   = []string{"v1beta1." + api.GroupName, "v1beta2." + custom.GroupName, "v1beta1." + external.GroupName}
)

// absences are APIs that nobody installed, or without a server behind them.
func (r *recorder) absences() {
	r.Helper()
	for _, group := range metricsGroups {
		r.must(nil, r.Unregister(r.Context(), group))
	}
	r.await("no such API", 404, "", measuredReads...)
	r.record("no such API", append(reads(kindPath), scaleReads...)...)
	for _, group := range metricsGroups {
		r.must(nil, r.Register(r.Context(), group))
	}
	r.available(true)

	services := r.Client.CoreV1().Services(metav1.NamespaceSystem)
	r.services(func(s *registration.APIService) { s.Spec.Service.Name = "absent" })
	r.await("no such Service", 503, "service unavailable", measuredReads...)
	r.must(services.Create(r.Context(), &v1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: "empty"},
		Spec:       v1.ServiceSpec{Selector: map[string]string{"app": "nobody"}, Ports: []v1.ServicePort{{Port: 443}}},
	}, metav1.CreateOptions{}))
	r.services(func(s *registration.APIService) { s.Spec.Service.Name, s.Spec.Service.Port = "empty", new(int32(443)) })
	r.await("no endpoints", 503, "service unavailable", measuredReads...)
	for _, group := range metricsGroups {
		r.must(nil, r.Unregister(r.Context(), group))
		r.must(nil, r.Register(r.Context(), group))
	}
	r.available(true)
}

// services changes the APIServices of all metrics APIs.
func (r *recorder) services(change func(*registration.APIService)) {
	r.Helper()
	client := r.Aggregator().ApiregistrationV1().APIServices()
	for _, name := range apiServices {
		r.eventually("the change of "+name, func(ctx context.Context) error {
			service, err := client.Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			change(service)
			_, err = client.Update(ctx, service, metav1.UpdateOptions{})
			return err
		})
	}
}

// touch has the API server look at its APIServices at once.
func (r *recorder) touch() {
	r.Helper()
	r.services(func(s *registration.APIService) {
		s.Annotations = map[string]string{"touched": time.Now().Format(time.RFC3339Nano)}
	})
}

func (r *recorder) available(yes bool) {
	r.Helper()
	for _, group := range metricsGroups {
		r.eventually(group, func(ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			r.touch()
			if yes && r.revives {
				r.must(nil, r.ReviveMetrics(r.Context()))
			}
			return r.Available(ctx, group, yes)
		})
	}
}

// backends are servers behind the aggregator that fail.
func (r *recorder) backends() {
	r.Helper()
	say := http.HandlerFunc(nil)
	backend, err := r.Backend(func(w http.ResponseWriter, request *http.Request) {
		if words := strings.Split(strings.Trim(request.URL.Path, "/"), "/"); len(words) == 3 { // discovery, which is asked as a health check
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"%s/%s","resources":[]}`, words[1], words[2])
			return
		}
		say(w, request)
	})
	r.must(backend, err)
	port := int32(backend.Port)
	r.services(func(s *registration.APIService) { s.Spec.Service.Port = &port })
	say = replies(http.StatusTeapot, "", "it is me")
	r.await("", 418, "it is me", measuredReads...)
	r.answers = r.answers[:len(r.answers)-len(measuredReads)]
	r.available(true)

	for _, of := range []struct {
		fault string
		say   http.HandlerFunc
	}{
		{"backend hangs", func(_ http.ResponseWriter, request *http.Request) { <-request.Context().Done() }},
		{"backend redirects", func(w http.ResponseWriter, request *http.Request) {
			http.Redirect(w, request, "https://sso.example.org/login", http.StatusFound)
		}},
		{"backend aborts", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		{"backend breaks off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"kind":"PodMetricsList","apiVersion":"metrics.k8s.io/v1beta1","metadata":{},"items":[`)
		}},
		{"backend says 500", replies(500, "text/plain; charset=utf-8", "boom\n")},
		{"backend says 503", replies(503, "text/plain; charset=utf-8", "no healthy upstream")},
		{"backend says 404", replies(404, "text/plain; charset=utf-8", "404 page not found\n")},
		{"backend gives a page", replies(502, "text/html", "<html><head><title>502 Bad Gateway</title></head></html>")},
		{"backend gives nothing", replies(503, "", "")},
		{"backend is not ready", replies(429, "text/plain; charset=utf-8", "slow down\n")},
	} {
		say = of.say
		r.record(of.fault, measuredReads...)
	}
	for _, trouble := range []cluster.Trouble{
		cluster.HangsUp, cluster.SpeaksPlain, cluster.SpeaksOther, cluster.Untrusted, cluster.Expired, cluster.Misnamed, cluster.NobodyListen,
	} {
		r.briefly(backend, trouble)
	}
	r.services(func(s *registration.APIService) { s.Spec.Service.Port = r.PortOf(s.Name) })
	r.available(true)
}

func replies(code int, media, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		if media != "" {
			w.Header().Set("Content-Type", media)
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, text)
	}
}

// briefly records what is answered until the API server itself finds the backend in trouble, and then that, too.
func (r *recorder) briefly(backend *cluster.Backend, trouble cluster.Trouble) {
	r.Helper()
	r.eventually(string(trouble), func(context.Context) error {
		backend.Set(cluster.NoTrouble)
		r.available(true)
		backend.Set(trouble)
		answers := r.askAll(measuredReads)
		for _, seen := range answers {
			if !strings.Contains(seen.Body, "error trying to reach service: ") {
				return fmt.Errorf("%d %s", seen.Code, seen.Body)
			}
		}
		for _, seen := range answers {
			r.keep("backend "+string(trouble), seen)
		}
		return nil
	})
	if trouble == cluster.NobodyListen {
		r.available(false)
		r.await("backend found away", 503, "service unavailable", measuredReads...)
		r.witness("backend found away")
	}
}

// witness keeps what the API server says of its APIServices.
func (r *recorder) witness(fault string) {
	r.Helper()
	for _, name := range apiServices {
		seen, err := r.ask(question{path: "/apis/apiregistration.k8s.io/v1/apiservices/" + name})
		r.must(seen, err)
		seen.Fault = fault
		r.answers = append(r.answers, seen)
	}
}

// servers are the real metrics server and the real adapter, which fail.
func (r *recorder) servers() {
	r.Helper()
	r.record("no such metric", measuredReads[1:]...)
	r.record("malformed selector", reads(strings.Replace(usagePath, "%3D", "%3D%3D%3D", 1), "/api/v1/namespaces/shop/pods?labelSelector=a%3D%3D%3Db")...)
	for _, failure := range []struct {
		fault string
		metrics.Error
	}{
		{"adapter says 500", metrics.Error{Code: 500, Reason: metav1.StatusReasonInternalError, Message: "Prometheus is away"}},
		{"adapter says 403", metrics.Error{Code: 403, Reason: metav1.StatusReasonForbidden, Message: "nobody may look"}},
	} {
		r.Metrics.Update(func(state *metrics.State) {
			for _, group := range metricsGroups[1:] {
				failure.API = group
				state.Errors = append(state.Errors, failure.Error)
			}
		})
		r.record(failure.fault, measuredReads[1:]...)
		r.Metrics.Update(func(state *metrics.State) { state.Errors = nil })
	}
	both := []string{parts.MetricsServer, parts.Adapter}
	for _, part := range both {
		r.must(nil, r.Signal(part, syscall.SIGSTOP))
	}
	r.record("servers hang", measuredReads...)
	for _, part := range both {
		r.must(nil, r.Signal(part, syscall.SIGCONT))
	}
	r.available(true)
	for _, part := range both {
		r.End(part)
	}
	r.await("servers stopped", 503, "error trying to reach service: ", measuredReads...)
	r.available(false)
	r.await("servers found stopped", 503, "service unavailable", measuredReads...)
	r.witness("servers found stopped")
	r.revives = true
	r.available(true)
}
