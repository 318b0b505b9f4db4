// Package parts holds the real programs of a control plane, each to be run as a process of its own:
// feature gates, flags and metric registries are globals of a process, so they can't share one.
package parts

import (
	"fmt"
	"os"
	_ "time/tzdata" // some controllers know time zones

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

// Names of the parts, as given to Run.
const (
	Etcd              = "etcd"
	APIServer         = "kube-apiserver"
	ControllerManager = "kube-controller-manager"
	Kwok              = "kwok"
	MetricsServer     = "metrics-server"
	Adapter           = "custom-metrics-adapter"
)

// Run becomes the named part and returns its exit code once it has ended.
func Run(name string, args []string) int {
	os.Args = append([]string{name}, args...)
	switch name {
	case Etcd:
		return runEtcd(args)
	case APIServer:
		return runCommand(apiserver.NewAPIServerCommand(), args)
	case Kwok:
		return runKwok(args)
	case MetricsServer:
		return runMetricsServer(args)
	case Adapter:
		return runAdapter(args)
	case ControllerManager:
		return runCommand(controllermanager.NewControllerManagerCommand(), args)
	}
	fmt.Fprintf(os.Stderr, "no part is named %q\n", name)
	return 2
}

func runCommand(command *cobra.Command, args []string) int {
	command.SetArgs(args)
	return cli.Run(command)
}

// served is the exit code of a server that ended so.
func served(err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
