package cluster

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"time"
)

// ExpiredToken is a service account's token, signed with the API server's own key, whose time is over.
func (c *Cluster) ExpiredToken(namespace, name, uid string) (string, error) {
	block, _ := pem.Decode(c.keys.serviceAccounts)
	key, err := x509.ParseECPrivateKey(block.Bytes)
	if err != nil {
		return "", err
	}
	now := time.Now()
	claims, err := json.Marshal(map[string]any{
		"iss": "https://kubernetes.default.svc", "aud": []string{"https://kubernetes.default.svc"},
		"sub": "system:serviceaccount:" + namespace + ":" + name,
		"iat": now.Add(-2 * time.Hour).Unix(), "nbf": now.Add(-2 * time.Hour).Unix(), "exp": now.Add(-time.Hour).Unix(),
		"kubernetes.io": map[string]any{"namespace": namespace, "serviceaccount": map[string]any{"name": name, "uid": uid}},
	})
	if err != nil {
		return "", err
	}
	encoding := base64.RawURLEncoding
	text := encoding.EncodeToString([]byte(`{"alg":"ES256"}`)) + "." + encoding.EncodeToString(claims)
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
	if err != nil {
		return "", err
	}
	signature := append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	return text + "." + encoding.EncodeToString(signature), nil
}
