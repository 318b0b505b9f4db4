package main

import (
	"net/url"

	"golang.org/x/net/http/httpproxy"
)

// proxy is the proxy that Go takes for a URL.
type proxy struct {
	HTTP    string `json:"http"`
	HTTPS   string `json:"https"`
	NoProxy string `json:"noProxy"`
	URL     string `json:"url"`
	Proxy   string `json:"proxy"`
}

func proxies() []proxy {
	var rows []proxy
	for _, direct := range []string{
		"", "*", "api.example", ".example", "*.example", "example", "10.0.0.0/8", "10.1.2.3", "10.1.2.3:6443", "10.1.2.3:443",
		"api.example:6443", "other, API.example ", "pi.example", "2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:6443", "2001:db8::/32",
		"10.1.2.0/25,x", ",", "api.example:", "*.api.example", "0.0.0.0/0", "192.168.0.0/16",
	} {
		for _, to := range []string{
			"https://api.example:6443", "https://api.example", "http://api.example:6443", "https://10.1.2.3:6443", "https://10.1.2.3",
			"https://[2001:db8::1]:6443", "https://localhost:6443", "https://127.0.0.1:6443", "https://[::1]:6443", "https://example",
			"http://deep.api.example",
		} {
			config := httpproxy.Config{HTTPProxy: "http://plain:3128", HTTPSProxy: "secure:3129", NoProxy: direct}
			parsed, err := url.Parse(to)
			check(err)
			found, err := config.ProxyFunc()(parsed)
			check(err)
			row := proxy{HTTP: config.HTTPProxy, HTTPS: config.HTTPSProxy, NoProxy: direct, URL: to}
			if found != nil {
				row.Proxy = found.String()
			}
			rows = append(rows, row)
		}
	}
	return rows
}
