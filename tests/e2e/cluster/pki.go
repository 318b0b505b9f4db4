package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// authority is a certificate authority that lives for one run.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte
}

func newAuthority(name string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := certificate(name)
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{certificate: parsed, key: key, pem: encode("CERTIFICATE", der)}, nil
}

func certificate(name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(48 * time.Hour),
	}
}

// pair is a certificate and its key, in PEM.
type pair struct{ certificate, key []byte }

func (a *authority) sign(template *x509.Certificate) (*pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		return nil, err
	}
	private, err := keyPEM(key)
	return &pair{certificate: encode("CERTIFICATE", der), key: private}, err
}

func (a *authority) server(names ...string) (*pair, error) {
	template := certificate(names[0])
	template.DNSNames = names
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	return a.sign(template)
}

func (a *authority) client(name string) (*pair, error) {
	template := certificate(name)
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return a.sign(template)
}

func keyPEM(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalECPrivateKey(key)
	return encode("EC PRIVATE KEY", der), err
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// keys are all keys of a control plane; write puts those into a folder that its parts read.
type keys struct {
	ca, frontProxyCA               *authority
	apiserver, metrics, frontProxy *pair
	serviceAccounts                []byte
}

func newKeys() (k keys, err error) {
	if k.ca, err = newAuthority("e2e"); err != nil {
		return k, err
	}
	if k.frontProxyCA, err = newAuthority("e2e-front-proxy"); err != nil {
		return k, err
	}
	if k.apiserver, err = k.ca.server("localhost", "kubernetes.default.svc"); err != nil {
		return k, err
	}
	if k.metrics, err = k.ca.server(metricsService + ".kube-system.svc"); err != nil {
		return k, err
	}
	if k.frontProxy, err = k.frontProxyCA.client(frontProxyName); err != nil {
		return k, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return k, err
	}
	k.serviceAccounts, err = keyPEM(key)
	return k, err
}

func (k *keys) write(dir string) error {
	for name, content := range map[string][]byte{
		"ca.crt": k.ca.pem, "front-proxy-ca.crt": k.frontProxyCA.pem, "sa.key": k.serviceAccounts,
		"apiserver.crt": k.apiserver.certificate, "apiserver.key": k.apiserver.key,
		"metrics.crt": k.metrics.certificate, "metrics.key": k.metrics.key,
		"front-proxy.crt": k.frontProxy.certificate, "front-proxy.key": k.frontProxy.key,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}
