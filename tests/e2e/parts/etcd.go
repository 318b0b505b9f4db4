package parts

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"syscall"

	"go.etcd.io/etcd/server/v3/embed"
)

// runEtcd serves one member that forgets: nothing is synced to the disk, the data live as long as the run.
func runEtcd(args []string) int {
	flags := flag.NewFlagSet(Etcd, flag.ContinueOnError)
	dir := flags.String("data-dir", "", "folder of the data")
	clientURL := flags.String("client-url", "", "where clients connect")
	peerURL := flags.String("peer-url", "", "where peers would connect")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	member, err := embed.StartEtcd(etcdConfig(*dir, parseURL(*clientURL), parseURL(*peerURL)))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer member.Close()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	select {
	case <-stop:
		return 0
	case err := <-member.Err():
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
}

func etcdConfig(dir string, client, peer url.URL) *embed.Config {
	config := embed.NewConfig()
	config.Dir = dir
	config.LogLevel = "error"
	config.UnsafeNoFsync = true
	config.QuotaBackendBytes = 8 << 30 // 10,000 pods of 11 KB and their history outgrow the default of 2 GB
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	return config
}

func parseURL(text string) url.URL {
	parsed, err := url.Parse(text)
	if err != nil {
		return url.URL{}
	}
	return *parsed
}
