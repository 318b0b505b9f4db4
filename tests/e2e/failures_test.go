package e2e

import (
	"net/http"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	api "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/metrics"
)

// A metric that can't be read stops the HPA; the reason is the API's answer, word for word.
func TestFailingMetric(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]*metrics.Error{
		"no-samples":  nil,
		"unavailable": {API: api.GroupName, Code: http.StatusServiceUnavailable, Reason: metav1.StatusReasonServiceUnavailable, Message: "no pod was scraped yet"},
		"broken":      {API: api.GroupName, Code: http.StatusInternalServerError, Reason: metav1.StatusReasonInternalError, Message: "the scraper is broken"},
		"forbidden":   {API: api.GroupName, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden, Message: "nobody may look"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := playedWorld(t)
			w.deploy(2)
			because := "no metrics returned from resource metrics API"
			if answer != nil {
				w.fail(*answer)
				because = unreadable + answer.Message
			}
			w.autoscale(nil)
			w.settles(cpuFails(because))
			w.agrees("failing")
		})
	}
}

// Nobody installed a metrics server, the most common of all failures; then one is installed, but it is down. This
// concerns a whole cluster, hence one of its own.
func TestNoMetricsServer(t *testing.T) {
	t.Parallel()
	c, err := cluster.Start("", settings)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop()
	for _, step := range []struct {
		name    string
		change  func() error
		because string
	}{
		{"not-installed", func() error { return c.Unregister(t.Context(), api.GroupName) },
			"the server could not find the requested resource (get pods.metrics.k8s.io)"},
		{"down", func() error {
			c.Metrics.Update(func(state *metrics.State) {
				state.Errors = []metrics.Error{{API: api.GroupName, Code: http.StatusServiceUnavailable, Unavailable: true}}
			})
			return c.Register(t.Context(), api.GroupName)
		}, "the server is currently unable to handle the request (get pods.metrics.k8s.io)"},
	} {
		t.Run(step.name, func(t *testing.T) {
			w := inCluster(t, c) // a new HPA: the controller's events about one are limited in number
			w.must(nil, step.change())
			w.deploy(2)
			w.autoscale(nil)
			w.settles(cpuFails(unreadable + step.because))
			w.agrees("failing")
		})
	}
}

const unreadable = "unable to fetch metrics from resource metrics API: "

func cpuFails(because string) expectation {
	return expectation{2, 0, []string{`{"type":""}`}, []string{
		gotScale,
		"ScalingActive False FailedGetResourceMetric the HPA was unable to compute the replica count: " +
			"failed to get cpu utilization: unable to get metrics for resource cpu: " + because,
	}}
}
