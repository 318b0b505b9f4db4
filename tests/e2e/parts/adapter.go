package parts

import (
	genericapiserver "k8s.io/apiserver/pkg/server"

	"kubectl-hpa.local/e2e/adapter"
)

// runAdapter serves the custom and the external metrics.
func runAdapter(args []string) int {
	return served(adapter.Serve(genericapiserver.SetupSignalContext(), Adapter, args))
}
