package cluster

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// Backend is a server behind the API server, for an APIService or a webhook, that fails as it is told.
type Backend struct {
	// Handler answers what comes so far.
	Handler http.HandlerFunc
	Port    int

	listener     net.Listener
	server       *http.Server
	certificates map[Trouble]tls.Certificate
	lock         sync.Mutex
	trouble      Trouble
	connections  map[net.Conn]bool
}

// Trouble is what is wrong with all of a Backend's connections.
type Trouble string

const (
	NoTrouble    Trouble = ""
	HangsUp      Trouble = "hangs up"
	SpeaksPlain  Trouble = "speaks plain HTTP"
	SpeaksOther  Trouble = "speaks another protocol"
	Untrusted    Trouble = "has a certificate of another authority"
	Expired      Trouble = "has an expired certificate"
	Misnamed     Trouble = "has a certificate of another name"
	NobodyListen Trouble = "is away"
)

// Backend starts one.
func (c *Cluster) Backend(handler http.HandlerFunc) (*Backend, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &Backend{Handler: handler, Port: listener.Addr().(*net.TCPAddr).Port, listener: listener, connections: map[net.Conn]bool{}}
	if b.certificates, err = c.certificates(); err != nil {
		return nil, err
	}
	b.server = &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0)}
	c.servers = append(c.servers, b.server)
	c.running.Go(func() { _ = b.server.Serve(b) }) // it ends with Close, in Stop
	return b, nil
}

func (c *Cluster) certificates() (all map[Trouble]tls.Certificate, err error) {
	other, err := newAuthority("other")
	if err != nil {
		return nil, err
	}
	all = map[Trouble]tls.Certificate{}
	for trouble, make := range map[Trouble]func() (*pair, error){
		NoTrouble: func() (*pair, error) { return c.keys.metrics, nil },
		Untrusted: func() (*pair, error) { return other.server(metricsService + ".kube-system.svc") },
		Misnamed:  func() (*pair, error) { return c.keys.ca.server("elsewhere.svc") },
		Expired: func() (*pair, error) {
			template := certificate(metricsService + ".kube-system.svc")
			template.DNSNames = []string{metricsService + ".kube-system.svc"}
			template.NotAfter = time.Now().Add(-time.Minute)
			return c.keys.ca.sign(template)
		},
	} {
		keys, err := make()
		if err != nil {
			return nil, err
		}
		if all[trouble], err = tls.X509KeyPair(keys.certificate, keys.key); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Set makes the trouble that of all connections from now on; those of before are closed.
func (b *Backend) Set(trouble Trouble) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.trouble = trouble
	for connection := range b.connections {
		_ = connection.Close()
	}
	clear(b.connections)
	if trouble == NobodyListen {
		_ = b.listener.Close()
	}
}

// Accept returns the next connection that has come far enough for HTTP.
func (b *Backend) Accept() (net.Conn, error) {
	for {
		connection, err := b.listener.Accept()
		if err != nil {
			return nil, err
		}
		b.lock.Lock()
		trouble := b.trouble
		b.connections[connection] = true
		b.lock.Unlock()
		certificate, has := b.certificates[trouble]
		if !has {
			certificate = b.certificates[NoTrouble]
		}
		secure := tls.Server(connection, &tls.Config{Certificates: []tls.Certificate{certificate}})
		switch trouble {
		case HangsUp:
			go say(connection, "")
		case SpeaksPlain:
			go say(connection, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\nno TLS here\n")
		case SpeaksOther:
			go say(secure, "SSH-2.0-OpenSSH_9.2\r\n")
		default:
			return secure, nil
		}
	}
}

// say answers the first bytes with a text.
func say(connection net.Conn, text string) {
	_, _ = connection.Read(make([]byte, 4096)) // all of it: what is left unread would reset the connection
	_, _ = io.WriteString(connection, text)
	_ = connection.Close()
}

// Addr and Close make it a listener.
func (b *Backend) Addr() net.Addr { return b.listener.Addr() }

// Close ends it.
func (b *Backend) Close() error { return b.listener.Close() }
