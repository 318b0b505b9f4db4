package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Settings of the HPA controller; a zero leaves the flag away, so that the controller has its default.
type Settings struct {
	SyncPeriod              time.Duration
	DownscaleStabilization  time.Duration
	CPUInitializationPeriod time.Duration
	InitialReadinessDelay   time.Duration
	Tolerance               float64
	FeatureGates            string // of the API server too

	// APIServerFlags come after the API server's own.
	APIServerFlags []string

	// Elected has the controller manager lead by the Lease that it holds, with the durations of a real cluster.
	Elected bool
	// Lease is how long that Lease lasts, if not as long as in a real cluster.
	Lease time.Duration
	// OwnRights has each controller be a ServiceAccount with the role made for it, as in a real cluster, and no administrator.
	OwnRights bool
	// Without are controllers that the controller manager does not run.
	Without []string
	// Decisions are logged by the controller, one line each.
	Decisions bool

	// Kwok runs the pods with kwok and measures them with metrics-server, in place of what plays both.
	Kwok bool
	// SlowPods start as late as their annotations start-delay and ready-delay say (with Kwok).
	SlowPods bool
	// Resolution is the time between two scrapes of the real metrics server, if not the one of the same name.
	Resolution time.Duration
}

const (
	metricsService = "metrics"
	frontProxyName = "front-proxy-client"
)

// Users of the API server, each known by the token of the same name.
const (
	Admin  = "admin"
	Viewer = "viewer" // may do nothing until a test grants it something
)

// tokens also hold one of an administrator that is another one after each start of the API server.
func (c *Cluster) tokens() string {
	return "admin,admin,admin,system:masters\nviewer,viewer,viewer\n" + c.RotatedToken() + ",rotated,rotated,system:masters\n"
}

// RotatedToken is the one of this start of the API server.
func (c *Cluster) RotatedToken() string { return fmt.Sprintf("rotated-%d", c.restarts) }

// HPAController is the name of the HPA controller in --controllers.
const HPAController = "horizontal-pod-autoscaler-controller"

// controllers are the HPA's own and those without which its world would stand still.
var controllers = []string{
	HPAController, "deployment-controller", "replicaset-controller",
	"statefulset-controller", "job-controller", "garbage-collector-controller", "clusterrole-aggregation-controller",
}

func (c *Cluster) etcdFlags() []string {
	return []string{
		"--data-dir=" + c.path("etcd"),
		"--client-url=" + c.etcdURL(),
		fmt.Sprintf("--peer-url=http://127.0.0.1:%d", c.ports.etcdPeer),
	}
}

func (c *Cluster) etcdURL() string { return fmt.Sprintf("http://127.0.0.1:%d", c.ports.etcd) }

func (c *Cluster) apiserverFlags() []string {
	return append([]string{
		"--etcd-servers=" + c.etcdURL(),
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", c.ports.apiserver),
		"--cert-dir=" + c.dir, "--tls-cert-file=" + c.path("apiserver.crt"), "--tls-private-key-file=" + c.path("apiserver.key"),
		"--client-ca-file=" + c.path("ca.crt"), "--token-auth-file=" + c.path("tokens.csv"), "--authorization-mode=RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + c.path("sa.key"), "--service-account-signing-key-file=" + c.path("sa.key"),
		"--service-cluster-ip-range=10.0.0.0/24", "--disable-admission-plugins=ServiceAccount",
		"--requestheader-client-ca-file=" + c.path("front-proxy-ca.crt"), "--requestheader-allowed-names=" + frontProxyName,
		"--requestheader-username-headers=X-Remote-User", "--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file=" + c.path("front-proxy.crt"), "--proxy-client-key-file=" + c.path("front-proxy.key"),
		"--enable-aggregator-routing=false", "--endpoint-reconciler-type=none",
		"--max-requests-inflight=3000", "--max-mutating-requests-inflight=1000",
	}, append(c.settings.gates(), c.settings.APIServerFlags...)...)
}

func (c *Cluster) controllerManagerFlags() []string {
	kubeconfig := c.Kubeconfig(Admin)
	return append(append([]string{
		"--kubeconfig=" + kubeconfig, "--authentication-kubeconfig=" + kubeconfig, "--authorization-kubeconfig=" + kubeconfig,
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", c.ports.controllerManager), "--cert-dir=" + c.dir,
		fmt.Sprintf("--leader-elect=%t", c.settings.Elected),
		fmt.Sprintf("--use-service-account-credentials=%t", c.settings.OwnRights), "--kube-api-qps=2000", "--kube-api-burst=4000",
		"--controllers=" + strings.Join(c.settings.controllers(), ","),
		"--concurrent-horizontal-pod-autoscaler-syncs=5",
	}, c.settings.flags()...), c.settings.gates()...)
}

// controllers are the value of --controllers: a minus is before those that are left out.
func (s Settings) controllers() (names []string) {
	for _, name := range controllers {
		if slices.Contains(s.Without, name) {
			name = "-" + name
		}
		names = append(names, name)
	}
	return names
}

func (c *Cluster) kwokFlags() []string {
	return []string{
		"--kubeconfig=" + c.Kubeconfig(Admin), "--config=" + c.path("kwok.yaml"), "--manage-all-nodes=true",
		"--node-ip=127.0.0.1", fmt.Sprintf("--node-port=%d", c.ports.kwok), fmt.Sprintf("--server-address=127.0.0.1:%d", c.ports.kwok),
		"--enable-crds=ClusterResourceUsage,ResourceUsage", "--v=WARN",
	}
}

func (c *Cluster) metricsServerFlags() []string {
	return append(c.aggregatedFlags(c.ports.metrics),
		"--kubeconfig="+c.Kubeconfig(Admin), "--metric-resolution="+cmp.Or(c.settings.Resolution, Resolution).String(), "--kubelet-request-timeout=2s",
		"--kubelet-insecure-tls", "--kubelet-use-node-status-port", "--kubelet-preferred-address-types=InternalIP")
}

func (c *Cluster) adapterFlags() []string {
	return append(c.aggregatedFlags(c.ports.adapter),
		"--lister-kubeconfig="+c.Kubeconfig(Admin), "--values="+c.Control, "--discovery-interval=10s", "--client-qps=500", "--client-burst=1000")
}

// aggregatedFlags are those of the API servers behind the aggregator, which know it by the certificates they read.
func (c *Cluster) aggregatedFlags(port int) []string {
	kubeconfig := c.Kubeconfig(Admin)
	return []string{
		"--authentication-kubeconfig=" + kubeconfig, "--authorization-kubeconfig=" + kubeconfig,
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port), "--cert-dir=" + c.dir,
		"--tls-cert-file=" + c.path("metrics.crt"), "--tls-private-key-file=" + c.path("metrics.key"),
	}
}

// flags are the settings as the controller manager takes them.
func (s Settings) flags() (flags []string) {
	for _, setting := range []struct {
		name  string
		value time.Duration
	}{
		{"sync-period", s.SyncPeriod}, {"downscale-stabilization", s.DownscaleStabilization},
		{"cpu-initialization-period", s.CPUInitializationPeriod}, {"initial-readiness-delay", s.InitialReadinessDelay},
	} {
		if setting.value != 0 {
			flags = append(flags, fmt.Sprintf("--horizontal-pod-autoscaler-%s=%s", setting.name, setting.value))
		}
	}
	if s.Tolerance != 0 {
		flags = append(flags, fmt.Sprintf("--horizontal-pod-autoscaler-tolerance=%g", s.Tolerance))
	}
	if s.Lease != 0 { // in the proportions of a real cluster: 15, 10 and 2 s
		flags = append(flags, fmt.Sprintf("--leader-elect-lease-duration=%s", s.Lease),
			fmt.Sprintf("--leader-elect-renew-deadline=%s", s.Lease*2/3), fmt.Sprintf("--leader-elect-retry-period=%s", s.Lease*2/15))
	}
	if s.Decisions {
		flags = append(flags, "--vmodule=horizontal=4")
	}
	return flags
}

func (s Settings) gates() []string {
	if s.FeatureGates == "" {
		return nil
	}
	return []string{"--feature-gates=" + s.FeatureGates}
}
