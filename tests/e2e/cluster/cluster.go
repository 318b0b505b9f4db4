// Package cluster starts a real control plane on 127.0.0.1: etcd, kube-apiserver, kube-controller-manager and an
// adapter for custom and external metrics as children of this process; and as more of them kwok and metrics-server, or
// inside of it what plays both. Everything lives in one folder, on ports that were free, and ends with the process.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kube-aggregator/pkg/client/clientset_generated/clientset"

	"kubectl-hpa.local/e2e/kubelet"
	"kubectl-hpa.local/e2e/metrics"
	"kubectl-hpa.local/e2e/parts"
)

// PartWord, as the first argument, makes the executable become the part that the second argument names.
const PartWord = "e2e-part"

const startTimeout = 2 * time.Minute

// Cluster is a running control plane. Stop it, whatever happened.
type Cluster struct {
	// Client is the administrator's, Config what it was made from.
	Client kubernetes.Interface
	Config *rest.Config
	// Dynamic is a client for kinds that Client doesn't know.
	Dynamic dynamic.Interface
	// Kubelet runs the pods (nil with kwok), Metrics is what the metrics APIs answer from.
	Kubelet *kubelet.Kubelet
	Metrics *metrics.Store
	// Control is the URL of the endpoint that shows and changes Metrics by hand.
	Control string

	aggregator clientset.Interface
	dir        string
	settings   Settings
	keys       keys
	ports      ports
	processes  []*process
	servers    []*http.Server
	cancel     context.CancelFunc
	restarts   int
	running    sync.WaitGroup
}

type ports struct{ etcd, etcdPeer, apiserver, controllerManager, kwok, metrics, adapter int }

// Start brings all parts up in a folder of its own below dir; once it returns, the metrics APIs are available.
func Start(dir string, settings Settings) (*Cluster, error) {
	dir, err := os.MkdirTemp(dir, "control-plane-")
	if err != nil {
		return nil, err
	}
	background, cancel := context.WithCancel(context.Background())
	c := &Cluster{Metrics: &metrics.Store{}, dir: dir, settings: settings, cancel: cancel}
	limited, done := context.WithTimeout(background, startTimeout)
	defer done()
	if err := c.start(limited, background); err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

// Stop ends every part and removes the folder.
func (c *Cluster) Stop() {
	c.cancel()
	for _, server := range c.servers {
		_ = server.Close() // nobody is left to be served
	}
	for i := range c.processes {
		c.processes[len(c.processes)-1-i].kill()
	}
	c.running.Wait()
	_ = os.RemoveAll(c.dir) // a leftover in the temporary folder harms nobody
}

func (c *Cluster) path(name string) string { return filepath.Join(c.dir, name) }

func (c *Cluster) start(ctx, background context.Context) error {
	for _, step := range []func(context.Context) error{
		c.prepare, c.startEtcd, c.startAPIServer,
		c.startControl, c.startAdapter, c.startControllerManager,
		func(ctx context.Context) error { return c.startPods(ctx, background) },
		c.registerAll, c.showControlPlane,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) prepare(context.Context) (err error) {
	if c.keys, err = newKeys(); err != nil {
		return err
	}
	free, err := freePorts(7)
	if err != nil {
		return err
	}
	c.ports = ports{
		etcd: free[0], etcdPeer: free[1], apiserver: free[2], controllerManager: free[3],
		kwok: free[4], metrics: free[5], adapter: free[6],
	}
	if err := c.keys.write(c.dir); err != nil {
		return err
	}
	if err := c.writeTokens(); err != nil {
		return err
	}
	return c.writeKubeconfigs()
}

func (c *Cluster) writeTokens() error {
	return os.WriteFile(c.path("tokens.csv"), []byte(c.tokens()), 0o600)
}

func (c *Cluster) startEtcd(ctx context.Context) error {
	return c.run(ctx, parts.Etcd, c.etcdFlags(), func(ctx context.Context) error {
		return healthy(ctx, c.etcdURL()+"/health")
	})
}

func (c *Cluster) startAPIServer(ctx context.Context) error {
	if err := c.newClient(); err != nil {
		return err
	}
	return c.run(ctx, parts.APIServer, c.apiserverFlags(), func(ctx context.Context) error {
		return c.Client.CoreV1().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
	})
}

func (c *Cluster) startControllerManager(ctx context.Context) error {
	return c.run(ctx, parts.ControllerManager, c.controllerManagerFlags(), func(context.Context) error { return nil })
}

func (c *Cluster) startAdapter(ctx context.Context) error {
	return c.run(ctx, parts.Adapter, c.adapterFlags(), func(context.Context) error { return nil })
}

// startPods starts what runs the pods and what measures them.
func (c *Cluster) startPods(ctx, background context.Context) error {
	if c.settings.Kwok {
		return c.startNodes(ctx)
	}
	if err := c.playPods(ctx, background); err != nil {
		return err
	}
	return c.playMetrics()
}

// playPods starts the kubelet, whose view of the pods the metrics server shares.
func (c *Cluster) playPods(ctx, background context.Context) (err error) {
	informer := informers.NewSharedInformerFactoryWithOptions(c.Client, 0, informers.WithTransform(kubelet.Trim)).
		Core().V1().Pods().Informer()
	if c.Kubelet, err = kubelet.New(c.Client, informer); err != nil {
		return err
	}
	c.running.Go(func() { informer.Run(background.Done()) })
	c.running.Go(func() { c.Kubelet.Run(background) })
	for !informer.HasSynced() {
		select {
		case <-ctx.Done():
			return errors.New("the pods can't be watched")
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}

// run starts a part and waits until it is ready.
func (c *Cluster) run(ctx context.Context, name string, flags []string, ready func(context.Context) error) error {
	part, err := spawn(c.dir, name, flags)
	if err != nil {
		return err
	}
	c.processes = append(c.processes, part)
	return part.until(ctx, ready)
}

// newClient makes the administrator's client: protobuf and no rate limit, for thousands of pods.
func (c *Cluster) newClient() (err error) {
	c.Config = &rest.Config{
		Host: c.server(), BearerToken: Admin, TLSClientConfig: rest.TLSClientConfig{CAData: c.keys.ca.pem}, QPS: -1,
		ContentConfig: rest.ContentConfig{
			ContentType: runtime.ContentTypeProtobuf, AcceptContentTypes: runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON,
		},
	}
	if c.Dynamic, err = dynamic.NewForConfig(c.Config); err != nil {
		return err
	}
	c.Client, err = kubernetes.NewForConfig(c.Config)
	return err
}

func healthy(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, response.Status)
	}
	return nil
}

// freePorts finds ports that nobody listens on; all are held until the last is found, so that they differ.
func freePorts(count int) (free []int, err error) {
	for range count {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		free = append(free, listener.Addr().(*net.TCPAddr).Port)
	}
	return free, nil
}
