package adapter

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/dynamic"
	custom "k8s.io/metrics/pkg/apis/custom_metrics"
	external "k8s.io/metrics/pkg/apis/external_metrics"
	library "sigs.k8s.io/custom-metrics-apiserver/pkg/provider"

	"kubectl-hpa.local/e2e/metrics"
)

// provider answers the library's questions from the values at a URL (see metrics.ControlHandler).
type provider struct {
	values string
	client dynamic.Interface
	mapper meta.RESTMapper
}

var _ library.MetricsProvider = &provider{}

// state fetches the values; if one of the two APIs is to fail for the namespace, it fails so.
func (p *provider) state(ctx context.Context, group, namespace string) (state metrics.State, err error) {
	question, err := http.NewRequestWithContext(ctx, http.MethodGet, p.values, nil)
	if err != nil {
		return state, err
	}
	response, err := http.DefaultClient.Do(question)
	if err != nil {
		return state, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return state, fmt.Errorf("the values: %s", response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(&state); err != nil {
		return state, err
	}
	name := ""
	if asking, known := request.UserFrom(ctx); known {
		name = asking.GetName()
	}
	if failure := state.Failure(group, namespace, name); failure != nil {
		select {
		case <-ctx.Done():
		case <-time.After(failure.After):
		}
		return state, failure.Status()
	}
	return state, nil
}

// ListAllMetrics names no metric that isn't there; the library asks it for discovery only.
func (p *provider) ListAllMetrics() (all []library.CustomMetricInfo) {
	state, err := p.state(context.Background(), custom.GroupName, "")
	if err != nil {
		return nil
	}
	known := map[library.CustomMetricInfo]bool{}
	for _, value := range state.Custom {
		if info := about(value); !known[info] {
			known[info] = true
			all = append(all, info)
		}
	}
	return all
}

// ListAllExternalMetrics is the same for the other API.
func (p *provider) ListAllExternalMetrics() (all []library.ExternalMetricInfo) {
	state, err := p.state(context.Background(), external.GroupName, "")
	if err != nil {
		return nil
	}
	known := map[string]bool{}
	for _, value := range state.External {
		if !known[value.Metric] {
			known[value.Metric] = true
			all = append(all, library.ExternalMetricInfo{Metric: value.Metric})
		}
	}
	return all
}
