package parts

import (
	"context"
	"time"

	"github.com/spf13/pflag"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/component-base/logs"
	"sigs.k8s.io/metrics-server/cmd/metrics-server/app/options"
)

// shortest is the least resolution that metrics-server's own validation lets pass.
const shortest = 10 * time.Second

// runMetricsServer is metrics-server with one difference: it may scrape more often than every ten seconds.
func runMetricsServer(args []string) int {
	logs.InitLogs()
	defer logs.FlushLogs()
	return served(serveMetrics(genericapiserver.SetupSignalContext(), args))
}

func serveMetrics(ctx context.Context, args []string) error {
	settings := options.NewOptions()
	flags := pflag.NewFlagSet(MetricsServer, pflag.ContinueOnError)
	for _, set := range settings.Flags().FlagSets {
		flags.AddFlagSet(set)
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	resolution := settings.MetricResolution
	settings.MetricResolution = max(resolution, shortest)
	if failures := settings.Validate(); len(failures) > 0 {
		return failures[0]
	}
	settings.MetricResolution = resolution
	config, err := settings.ServerConfig()
	if err != nil {
		return err
	}
	server, err := config.Complete()
	if err != nil {
		return err
	}
	return server.RunUntil(ctx.Done())
}
