package cluster

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	registration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"k8s.io/kube-aggregator/pkg/client/clientset_generated/clientset"
	custom "k8s.io/metrics/pkg/apis/custom_metrics"
	external "k8s.io/metrics/pkg/apis/external_metrics"

	"kubectl-hpa.local/e2e/metrics"
)

// startControl shows the values behind the metrics to the adapter and to people, who may also change them.
func (c *Cluster) startControl(context.Context) error {
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	c.Control = fmt.Sprintf("http://%s/", plain.Addr())
	c.serve(plain, metrics.ControlHandler(c.Metrics))
	return nil
}

// playMetrics serves metrics.k8s.io over TLS for the aggregator.
func (c *Cluster) playMetrics() error {
	identity, err := tls.X509KeyPair(c.keys.metrics.certificate, c.keys.metrics.key)
	if err != nil {
		return err
	}
	secure, err := tls.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", c.ports.metrics), &tls.Config{Certificates: []tls.Certificate{identity}})
	if err != nil {
		return err
	}
	c.serve(secure, metrics.Handler(c.Metrics, c.Kubelet.Pods()))
	return nil
}

func (c *Cluster) serve(listener net.Listener, handler http.Handler) {
	server := &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0)}
	c.servers = append(c.servers, server)
	c.running.Go(func() { _ = server.Serve(listener) }) // it ends with Close, in Stop
}

// registerAll makes the metrics APIs part of the API server and waits until it finds them healthy. With routing off,
// the aggregator goes to the Service's external name and the APIService's own port.
func (c *Cluster) registerAll(ctx context.Context) (err error) {
	if c.aggregator, err = clientset.NewForConfig(c.Config); err != nil {
		return err
	}
	service := &v1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: metricsService},
		Spec:       v1.ServiceSpec{Type: v1.ServiceTypeExternalName, ExternalName: "localhost"},
	}
	if err := insist(ctx, func(ctx context.Context) error { // the namespace is made a moment after the start
		_, err := c.Client.CoreV1().Services(metav1.NamespaceSystem).Create(ctx, service, metav1.CreateOptions{})
		return err
	}); err != nil {
		return err
	}
	for _, gv := range groupVersions {
		if err := c.Register(ctx, gv.Group); err != nil {
			return err
		}
	}
	for _, gv := range groupVersions {
		if err := insist(ctx, func(ctx context.Context) error { return c.available(ctx, gv) }); err != nil {
			return err
		}
	}
	return nil
}

// Register adds one of the metrics APIs, by its group, to the API server.
func (c *Cluster) Register(ctx context.Context, group string) error {
	gv, err := served(group)
	if err != nil {
		return err
	}
	port := int32(c.ports.adapter)
	if gv == metrics.GroupVersion {
		port = int32(c.ports.metrics)
	}
	_, err = c.aggregator.ApiregistrationV1().APIServices().Create(ctx, &registration.APIService{
		ObjectMeta: metav1.ObjectMeta{Name: apiService(gv)},
		Spec: registration.APIServiceSpec{
			Group: gv.Group, Version: gv.Version, GroupPriorityMinimum: 100, VersionPriority: 100,
			Service:  &registration.ServiceReference{Namespace: metav1.NamespaceSystem, Name: metricsService, Port: &port},
			CABundle: c.keys.ca.pem,
		},
	}, metav1.CreateOptions{})
	return err
}

// Unregister removes one of the metrics APIs, as if nobody had installed it.
func (c *Cluster) Unregister(ctx context.Context, group string) error {
	gv, err := served(group)
	if err != nil {
		return err
	}
	return c.aggregator.ApiregistrationV1().APIServices().Delete(ctx, apiService(gv), metav1.DeleteOptions{})
}

// groupVersions are the three APIs that the HPA controller asks for metrics.
var groupVersions = []metav1.GroupVersion{
	metrics.GroupVersion,
	{Group: custom.GroupName, Version: "v1beta2"},
	{Group: external.GroupName, Version: "v1beta1"},
}

func served(group string) (metav1.GroupVersion, error) {
	for _, gv := range groupVersions {
		if gv.Group == group {
			return gv, nil
		}
	}
	return metav1.GroupVersion{}, fmt.Errorf("nobody serves %s", group)
}

func apiService(gv metav1.GroupVersion) string { return gv.Version + "." + gv.Group }

func (c *Cluster) available(ctx context.Context, gv metav1.GroupVersion) error {
	service, err := c.aggregator.ApiregistrationV1().APIServices().Get(ctx, apiService(gv), metav1.GetOptions{})
	if err != nil {
		return err
	}
	for _, condition := range service.Status.Conditions {
		if condition.Type == registration.Available && condition.Status == registration.ConditionTrue {
			return nil
		}
	}
	return fmt.Errorf("APIService %s is not available: %+v", service.Name, service.Status.Conditions)
}

// insist tries until it works or the context ends, and then says what went wrong last.
func insist(ctx context.Context, try func(context.Context) error) error {
	var last error
	err := wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		last = try(ctx)
		return last == nil, nil
	})
	if err != nil && last != nil {
		return last
	}
	return err
}
