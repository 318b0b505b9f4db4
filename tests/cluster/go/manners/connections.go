package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// connection is what client-go makes of kubeconfig files and flags.
type connection struct {
	Files  []string       `json:"files"`
	Flags  []string       `json:"flags"`
	Error  string         `json:"error,omitempty"`
	Config map[string]any `json:"config,omitempty"`
}

const one = `{apiVersion: v1, kind: Config, current-context: a,
contexts: [{name: a, context: {cluster: east, user: ann, namespace: shop}}, {name: b, context: {cluster: west, user: bob}},
  {name: lost, context: {cluster: gone, user: ann}}, {name: nobody, context: {cluster: east, user: ghost}}],
clusters: [{name: east, cluster: {server: "https://east:6443", certificate-authority: ca.crt, tls-server-name: east.example}},
  {name: west, cluster: {server: "https://west:6443/base", certificate-authority-data: Y2VydA==, disable-compression: true, proxy-url: "http://proxy:3128"}},
  {name: open, cluster: {server: "https://open:6443", insecure-skip-tls-verify: true}},
  {name: plain, cluster: {server: "http://plain:8080"}}, {name: nowhere, cluster: {certificate-authority: ca.crt}}],
users: [{name: ann, user: {token: anns}}, {name: bob, user: {client-certificate: bob.crt, client-key: keys/bob.key}},
  {name: data, user: {client-certificate-data: Y2VydA==, client-key-data: a2V5}},
  {name: plug, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plug, interactiveMode: Never}}},
  {name: path, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: plug, interactiveMode: Never}}},
  {name: basic, user: {username: u, password: p}}, {name: keyless, user: {client-certificate: bob.crt}},
  {name: acting, user: {token: t, as: root, as-uid: "7", as-groups: [ops, dev]}},
  {name: empty, user: {token: "", client-certificate-data: "", username: ""}}]}`

const two = `{apiVersion: v1, kind: Config, current-context: c,
contexts: [{name: a, context: {cluster: other, user: other, namespace: other}}, {name: c, context: {cluster: north, user: cid, namespace: ice}}],
clusters: [{name: east, cluster: {server: "https://other"}}, {name: north, cluster: {server: "https://north", certificate-authority: ca.crt}}],
users: [{name: ann, user: {token: other, username: other}}, {name: cid, user: {client-certificate: bob.crt, client-key: keys/bob.key}}]}`

const silent = `{apiVersion: v1, kind: Config, current-context: "", contexts: [], clusters: null, users: []}`

func connections() []connection {
	var rows []connection
	add := func(files []string, flags ...string) { rows = append(rows, connect(files, flags)) }
	a := []string{one}
	for _, flags := range []string{
		"", "--context b", "--context c", "--context lost", "--context nobody", "--context lost --server https://typed",
		"--cluster west", "--cluster none", "--cluster nowhere", "--cluster nowhere --server https://typed", "--user bob", "--user none",
		"--user data", "--user plug", "--user path", "--user basic", "--user keyless", "--user acting", "--user empty",
		"--context b --cluster east --user acting --namespace else", "-n else",
		"--server https://typed", "-s https://typed --tls-server-name name", "--tls-server-name name", "--server http://typed",
		"--server https://typed --cluster none", "--server https://typed --context none",
		"--token t", "--token t --user bob", "--token t --user plug", "--token t --user basic", "--token t --user data",
		"--client-certificate DIR/0/bob.crt", "--client-certificate DIR/0/bob.crt --client-key DIR/0/keys/bob.key",
		"--client-certificate DIR/0/bob.crt --client-key DIR/0/keys/bob.key --user data",
		"--client-key DIR/0/keys/bob.key --user bob", "--client-certificate DIR/0/bob.crt --user data",
		"--certificate-authority DIR/0/other.crt", "--certificate-authority DIR/0/other.crt --cluster west",
		"--certificate-authority DIR/0/other.crt --cluster open",
		"--insecure-skip-tls-verify", "--insecure-skip-tls-verify=true --cluster west", "--insecure-skip-tls-verify=false",
		"--insecure-skip-tls-verify --cluster open", "--insecure-skip-tls-verify=false --cluster open",
		"--insecure-skip-tls-verify --certificate-authority DIR/0/other.crt",
		"--as root", "--as root --as-group a --as-group b", "--as-group a", "--as-uid 3", "--as root --as-uid 3",
		"--as-group x --user acting", "--as other --user acting", "--as-uid 9 --user acting",
		"--cluster plain", "--cluster plain --as root", "--cluster plain --user plug",
		"--disable-compression", "--disable-compression=false --cluster west",
	} {
		add(a, strings.Fields(flags)...)
	}
	for _, files := range [][]string{{one, two}, {two, one}, {silent, two}, {silent, one, two}, {two, silent}} {
		for _, flags := range []string{"", "--context a", "--context c", "--cluster north", "--user cid", "--user bob"} {
			add(files, strings.Fields(flags)...)
		}
	}
	for _, flags := range []string{
		"--server https://typed", "--server https://typed --token t", "--context a", "--cluster a", "--user a",
		"--server https://typed --user a", "--server https://typed -n shop --as root",
	} {
		add([]string{silent}, strings.Fields(flags)...)
		add(nil, strings.Fields(flags)...)
	}
	return rows
}

func connect(files, flags []string) connection {
	folder, err := os.MkdirTemp("", "manners")
	check(err)
	defer os.RemoveAll(folder)
	rules := clientcmd.ClientConfigLoadingRules{}
	for index, text := range files {
		place := filepath.Join(folder, fmt.Sprint(index))
		check(os.MkdirAll(filepath.Join(place, "keys"), 0o755))
		for _, name := range []string{"ca.crt", "other.crt", "bob.crt", "keys/bob.key", "plug"} {
			check(os.WriteFile(filepath.Join(place, name), nil, 0o755))
		}
		check(os.WriteFile(filepath.Join(place, "config"), []byte(text), 0o600))
		// One that is not there is passed over.
		rules.Precedence = append(rules.Precedence, filepath.Join(place, "absent"), filepath.Join(place, "config"))
	}
	overrides := clientcmd.ConfigOverrides{}
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	clientcmd.BindOverrideFlags(&overrides, set, clientcmd.RecommendedConfigOverrideFlags(""))
	typed := make([]string, len(flags))
	for index, flag := range flags {
		typed[index] = strings.ReplaceAll(flag, "DIR", folder)
	}
	// kubectl has -s for --server.
	set.Lookup(clientcmd.FlagAPIServer).Shorthand = "s"
	again := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.VisitAll(func(flag *pflag.Flag) { again.AddFlag(flag) })
	check(again.Parse(typed))
	row := connection{Files: files, Flags: flags}
	client := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(&rules, &overrides)
	config, err := client.ClientConfig()
	if err != nil {
		row.Error = strings.ReplaceAll(err.Error(), folder, "DIR")
		return row
	}
	if config.Insecure && config.CAFile != "" {
		// It is refused when the first connection is made.
		_, err := rest.TLSConfigFor(config)
		row.Error = err.Error()
		return row
	}
	namespace, _, err := client.Namespace()
	check(err)
	text := func(value string) string { return strings.ReplaceAll(value, folder, "DIR") }
	merged := map[string]any{
		"host": config.Host, "namespace": namespace, "token": config.BearerToken, "username": config.Username,
		"password": config.Password, "caFile": text(config.CAFile), "caData": string(config.CAData), "insecure": config.Insecure,
		"serverName": config.ServerName, "certFile": text(config.CertFile), "certData": string(config.CertData),
		"keyFile": text(config.KeyFile), "keyData": string(config.KeyData), "disableCompression": config.DisableCompression,
		"as": config.Impersonate.UserName, "asUid": config.Impersonate.UID, "asGroups": config.Impersonate.Groups,
		"exec": command(config.ExecProvider, text), "hasProxy": config.Proxy != nil,
	}
	row.Config = map[string]any{}
	for name, value := range merged {
		switch value := value.(type) {
		case string:
			if value != "" {
				row.Config[name] = value
			}
		case bool:
			if value {
				row.Config[name] = value
			}
		case []string:
			if len(value) > 0 {
				row.Config[name] = value
			}
		}
	}
	return row
}

func command(exec *clientcmdapi.ExecConfig, text func(string) string) string {
	if exec == nil {
		return ""
	}
	return text(exec.Command)
}
