package cluster

import (
	"context"
	"fmt"
	"net/http"
	"syscall"

	"k8s.io/client-go/rest"
	"k8s.io/kube-aggregator/pkg/client/clientset_generated/clientset"

	"kubectl-hpa.local/e2e/parts"
)

// Aggregator is a client for the APIServices.
func (c *Cluster) Aggregator() clientset.Interface { return c.aggregator }

// Endpoint is the API server's URL.
func (c *Cluster) Endpoint() string { return c.server() }

// Anonymous speaks HTTP/1.1 with the API server, without credentials.
func (c *Cluster) Anonymous() (*http.Transport, error) {
	config, err := rest.TLSConfigFor(rest.AnonymousClientConfig(c.Config))
	if err != nil {
		return nil, err
	}
	return &http.Transport{TLSClientConfig: config}, nil
}

// Signal sends a part a signal: to stop and to go on, or to end.
func (c *Cluster) Signal(part string, signal syscall.Signal) error {
	return c.processes[c.last(part)].cmd.Process.Signal(signal)
}

// End ends a part at once.
func (c *Cluster) End(part string) { c.end(part) }

// StartAPIServer starts the API server again, with these flags after its own, and waits until it is ready.
func (c *Cluster) StartAPIServer(ctx context.Context, flags ...string) error {
	c.settings.APIServerFlags = flags
	return c.startAPIServer(ctx)
}

// ReviveMetrics starts the metrics server and the adapter again if they have ended, as they may without an API server.
func (c *Cluster) ReviveMetrics(ctx context.Context) error {
	for part, start := range map[string]func(context.Context) error{parts.Adapter: c.startAdapter, parts.MetricsServer: c.startMetricsServer} {
		select {
		case <-c.processes[c.last(part)].done:
			if err := start(ctx); err != nil {
				return err
			}
		default:
		}
	}
	return nil
}

// Key is the path of one of the control plane's certificates or keys.
func (c *Cluster) Key(name string) string { return c.path(name) }

// EtcdURL is where etcd listens.
func (c *Cluster) EtcdURL() string { return c.etcdURL() }

// Available waits until the API server finds a metrics API healthy, or the contrary.
func (c *Cluster) Available(ctx context.Context, group string, yes bool) error {
	gv, err := served(group)
	if err != nil {
		return err
	}
	return insist(ctx, func(ctx context.Context) error {
		err := c.available(ctx, gv)
		if !yes && err == nil {
			return fmt.Errorf("%s is available", group)
		}
		if !yes {
			return nil
		}
		return err
	})
}

// PortOf is the port of the server behind an APIService.
func (c *Cluster) PortOf(service string) *int32 {
	port := int32(c.ports.adapter)
	if service == apiService(groupVersions[0]) {
		port = int32(c.ports.metrics)
	}
	return &port
}

// CA is the authority that signs all certificates, in PEM.
func (c *Cluster) CA() []byte { return c.keys.ca.pem }
