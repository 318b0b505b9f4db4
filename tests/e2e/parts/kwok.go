package parts

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/component-base/cli"
	"sigs.k8s.io/kwok/pkg/config"
	kwok "sigs.k8s.io/kwok/pkg/kwok/cmd"
	"sigs.k8s.io/kwok/pkg/log"
)

// runKwok runs the nodes and their pods. It reads its own flags from os.Args before its command does.
func runKwok(args []string) int {
	// Cobra adds the flags of this set to every command; those of Kubernetes, --version among them, aren't kwok's.
	pflag.CommandLine = pflag.NewFlagSet(Kwok, pflag.ContinueOnError)
	global := pflag.NewFlagSet("global", pflag.ContinueOnError)
	global.ParseErrorsAllowlist.UnknownFlags = true
	global.Usage = func() {}
	ctx, _ := log.InitFlags(genericapiserver.SetupSignalContext(), global)
	ctx, err := config.InitFlags(ctx, global)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	command := kwok.NewCommand(ctx)
	command.SetContext(ctx)
	command.PersistentFlags().AddFlagSet(global)
	command.SetArgs(args)
	return cli.Run(command)
}
