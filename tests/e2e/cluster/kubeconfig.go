package cluster

import (
	"fmt"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// Kubeconfig is the file with which a user (Admin, Viewer) reaches the API server.
func (c *Cluster) Kubeconfig(user string) string { return c.path(user + ".kubeconfig") }

func (c *Cluster) server() string { return fmt.Sprintf("https://127.0.0.1:%d", c.ports.apiserver) }

func (c *Cluster) writeKubeconfigs() error {
	for _, user := range []string{Admin, Viewer} {
		config := api.NewConfig()
		config.Clusters["e2e"] = &api.Cluster{Server: c.server(), CertificateAuthorityData: c.keys.ca.pem}
		config.AuthInfos[user] = &api.AuthInfo{Token: user}
		config.Contexts["e2e"] = &api.Context{Cluster: "e2e", AuthInfo: user, Namespace: "default"}
		config.CurrentContext = "e2e"
		if err := clientcmd.WriteToFile(*config, c.Kubeconfig(user)); err != nil {
			return err
		}
	}
	return nil
}
