// Package adapter is a custom and an external metrics API on the library that real adapters are built with. Its
// provider's memory is the test's: it asks for the values, over HTTP, with every question.
package adapter

import (
	"context"

	"k8s.io/component-base/metrics/legacyregistry"
	"sigs.k8s.io/custom-metrics-apiserver/pkg/apiserver/metrics"
	"sigs.k8s.io/custom-metrics-apiserver/pkg/cmd"
)

// Serve runs the API server with its flags until the context ends.
func Serve(ctx context.Context, name string, args []string) error {
	base := &cmd.AdapterBase{Name: name}
	values := ""
	base.Flags().StringVar(&values, "values", "", "URL of the values")
	if err := base.Flags().Parse(args); err != nil {
		return err
	}
	client, err := base.DynamicClient()
	if err != nil {
		return err
	}
	mapper, err := base.RESTMapper()
	if err != nil {
		return err
	}
	from := &provider{values: values, client: client, mapper: mapper}
	base.WithCustomMetrics(from)
	base.WithExternalMetrics(from)
	if err := metrics.RegisterMetrics(legacyregistry.Register); err != nil {
		return err
	}
	return base.Run(ctx)
}
