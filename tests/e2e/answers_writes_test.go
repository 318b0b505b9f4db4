package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	admission "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/cluster"
)

// patch is the write of a bound, as --apply makes it.
func patch(body string) question {
	return question{
		method: http.MethodPatch, path: hpaPath + "?fieldManager=kubectl-hpa&fieldValidation=Strict", body: body,
		headers: map[string]string{"Content-Type": "application/merge-patch+json"},
	}
}

var (
	write = patch(`{"spec":{"maxReplicas":13}}`)
	trial = question{method: write.method, path: strings.Replace(write.path, "?", "?dryRun=All&", 1), body: write.body, headers: write.headers}
)

// writes are patches that are refused.
func (r *recorder) writes() {
	r.Helper()
	absent, text, strategic := write, write, write
	absent.path = strings.Replace(write.path, "/web?", "/absent?", 1)
	text.headers = map[string]string{"Content-Type": "text/plain"}
	strategic.body = "{"
	r.record("write: unknown token", by("unknown", []question{write, trial})...)
	r.record("write: no right", by(cluster.Viewer, []question{write, trial})...)
	r.record("write: no such object", absent)
	r.record("write: no such form", text)
	r.record("write: no JSON", strategic)
	r.record("write: no such field", patch(`{"spec":{"maxReplica":13}}`))
	r.record("write: no such value", patch(`{"spec":{"maxReplicas":0}}`))
	r.record("write: another type", patch(`{"spec":{"maxReplicas":"many"}}`))
	r.record("write: changed meanwhile", patch(`{"metadata":{"resourceVersion":"1"},"spec":{"maxReplicas":13}}`))
	r.record("write: another object", patch(`{"metadata":{"uid":"3d0c1c5e-6a0e-4a62-9a52-2f5b2f1f3c11"},"spec":{"maxReplicas":13}}`))
	r.record("write: too large", patch(`{"spec":{"maxReplicas":13},"x":"`+strings.Repeat("x", 4<<20)+`"}`))
	r.webhooks()
}

// webhooks are those that are asked before an HPA is stored.
func (r *recorder) webhooks() {
	r.Helper()
	say := http.HandlerFunc(nil)
	backend, err := r.Backend(func(w http.ResponseWriter, request *http.Request) { say(w, request) })
	r.must(backend, err)
	hang := func(_ http.ResponseWriter, request *http.Request) { <-request.Context().Done() }
	for _, of := range []struct {
		fault   string
		say     http.HandlerFunc
		seconds int32
		trouble cluster.Trouble
	}{
		{"refuses", reviewed(`"allowed":false,"status":{"message":"no more than 12"}`), 1, ""},
		{"refuses in no words", reviewed(`"allowed":false`), 1, ""},
		{"refuses with 400", reviewed(`"allowed":false,"status":{"code":400,"reason":"BadRequest","message":"no more than 12"}`), 1, ""},
		{"refuses with 403", reviewed(`"allowed":false,"status":{"code":403,"reason":"Forbidden","message":"not you"}`), 1, ""},
		{"refuses with 409", reviewed(`"allowed":false,"status":{"code":409,"reason":"Conflict","message":"a freeze is on"}`), 1, ""},
		{"refuses with 422", reviewed(`"allowed":false,"status":{"code":422,"reason":"Invalid","message":"no more than 12"}`), 1, ""},
		{"refuses with 500", reviewed(`"allowed":false,"status":{"code":500,"reason":"InternalError","message":"no policy"}`), 1, ""},
		{"refuses with 503", reviewed(`"allowed":false,"status":{"code":503,"reason":"ServiceUnavailable","message":"no policy yet"}`), 1, ""},
		{"refuses with 429", reviewed(`"allowed":false,"status":{"code":429,"reason":"TooManyRequests","message":"slow down"}`), 1, ""},
		{"says nothing", replies(200, "application/json", `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}`), 1, ""},
		{"says 500", replies(500, "text/plain", "boom\n"), 1, ""},
		{"gives a page", replies(200, "text/html", "<html></html>"), 1, ""},
		{"hangs", hang, 1, ""},
		{"hangs beyond the request", hang, 30, ""},
		{"is away", hang, 1, cluster.NobodyListen},
	} {
		say = of.say
		if of.trouble != "" {
			backend.Set(of.trouble)
		}
		r.hook(backend.Port, of.seconds)
		r.record("webhook "+of.fault, write, trial)
		r.unhook()
	}
	r.hook(backend.Port, 1)
	r.rewritten("/registry/validatingwebhookconfigurations/bounds", "\x04None", "\x04Some")
	r.await("webhook does not support dry run", 400, "dry run", trial)
	r.unhook()
}

// rewritten changes what etcd holds: an older API server accepted it.
func (r *recorder) rewritten(key, from, to string) {
	r.Helper()
	var found struct{ Kvs []struct{ Value []byte } }
	r.etcd("range", map[string]any{"key": []byte(key)}, &found)
	value := strings.Replace(string(found.Kvs[0].Value), from, to, 1)
	r.etcd("put", map[string]any{"key": []byte(key), "value": []byte(value)}, nil)
}

// etcd speaks with etcd itself.
func (r *recorder) etcd(call string, question, answer any) {
	r.Helper()
	r.must(nil, askEtcd(r.Cluster, call, question, answer))
}

func askEtcd(c *cluster.Cluster, call string, question, answer any) error {
	text, err := json.Marshal(question)
	if err != nil {
		return err
	}
	response, err := http.Post(c.EtcdURL()+"/v3/kv/"+call, "application/json", bytes.NewReader(text))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("etcd: %s", body)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(body, answer)
}

// expiry are lists of a past that is forgotten.
func (r *recorder) expiry() {
	r.Helper()
	var now struct{ Header struct{ Revision string } }
	r.etcd("range", map[string]any{"key": []byte("x")}, &now)
	r.etcd("compaction", map[string]any{"revision": now.Header.Revision, "physical": true}, nil)
	token := base64.RawURLEncoding.EncodeToString([]byte(`{"v":"meta.k8s.io/v1","rv":1,"start":"a"}`))
	r.record("expired continue", reads(eventsPath+"?limit=1&continue="+token)...) // others are kept in memory
	r.record("malformed continue", reads(hpasPath+"?limit=1&continue=x", podsPath+"?limit=1&continue=x", eventsPath+"?limit=1&continue=x")...)
	r.record("expired version", reads(eventsPath+"?resourceVersion=1&resourceVersionMatch=Exact")...)
}

// hook registers the webhook and waits until it is asked.
func (r *recorder) hook(port int, seconds int32) {
	r.Helper()
	url := fmt.Sprintf("https://127.0.0.1:%d/admit", port)
	r.must(r.Client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Create(r.Context(), &admission.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "bounds"},
		Webhooks: []admission.ValidatingWebhook{{
			Name: "bounds.example.org", ClientConfig: admission.WebhookClientConfig{URL: &url, CABundle: r.CA()},
			SideEffects: new(admission.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"}, TimeoutSeconds: &seconds,
			Rules: []admission.RuleWithOperations{{
				Operations: []admission.OperationType{admission.Update},
				Rule:       admission.Rule{APIGroups: []string{"autoscaling"}, APIVersions: []string{"*"}, Resources: []string{"horizontalpodautoscalers"}},
			}},
		}},
	}, metav1.CreateOptions{}))
	r.asked(func(code int) bool { return code != http.StatusOK })
}

func (r *recorder) unhook() {
	r.Helper()
	r.must(nil, r.Client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Delete(r.Context(), "bounds", metav1.DeleteOptions{}))
	r.asked(func(code int) bool { return code == http.StatusOK })
}

// asked tries a write until it is answered so.
func (r *recorder) asked(so func(code int) bool) {
	r.Helper()
	r.eventually("the webhook", func(context.Context) error {
		seen, err := r.ask(trial)
		if err == nil && !so(seen.Code) {
			time.Sleep(100 * time.Millisecond)
			err = apierrors.NewBadRequest(seen.Body)
		}
		return err
	})
}

// reviewed answers an AdmissionReview.
func reviewed(rest string) http.HandlerFunc {
	return review("AdmissionReview", "admission.k8s.io/v1", rest)
}
