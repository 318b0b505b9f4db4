package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-hpa.local/e2e/cluster"
)

var (
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	rollouts    = schema.GroupVersionResource{Group: "argoproj.io", Version: "v1beta1", Resource: "rollouts"}
)

// rolloutKind is stored in a version that the controller does not ask for.
const rolloutKind = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: rollouts.argoproj.io}
spec:
  group: argoproj.io
  scope: Namespaced
  names: {plural: rollouts, singular: rollout, kind: Rollout, listKind: RolloutList}
  versions:
  - name: v1beta1
    served: true
    storage: true
    schema: &schema {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
    subresources: &subresources {scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}}
  - name: v1alpha1
    served: true
    storage: false
    schema: *schema
    subresources: *subresources
`

// kinds are targets of a kind that is broken in many ways.
func (r *recorder) kinds() {
	r.Helper()
	r.must(nil, r.Define(r.Context(), []byte(rolloutKind)))
	r.await("no such object", 404, "not found", scaleReads...)
	for _, name := range []string{"web", "api"} {
		r.rollout(name, map[string]any{"replicas": int64(2), "words": "two"})
	}
	r.answered(200, scaleReads)
	r.record("no such object", reads(hpasPath+"/absent", kindPath+"/namespaces/absent/rollouts/web/scale", "/apis/argoproj.io/v1", "/apis/absent.io/v1")...)

	r.counts("replicas that are no number", ".spec.words")
	r.counts("replicas that are not there", ".spec.absent")
	r.define(func(versions []any) { delete(versions[1].(map[string]any)["subresources"].(map[string]any), "scale") })
	r.await("no scale", 404, "", scaleReads...)
	r.define(func(versions []any) { versions[1].(map[string]any)["served"] = false })
	r.await("version not served", 404, "", append(reads(kindPath), scaleReads...)...)
	r.must(nil, r.Dynamic.Resource(definitions).Delete(r.Context(), "rollouts.argoproj.io", metav1.DeleteOptions{}))
	r.eventually("the end of the kind", func(ctx context.Context) error {
		_, err := r.Dynamic.Resource(definitions).Get(ctx, "rollouts.argoproj.io", metav1.GetOptions{})
		if err == nil {
			return fmt.Errorf("it is there")
		}
		return nil
	})
	r.must(nil, r.Define(r.Context(), []byte(rolloutKind)))
	for _, name := range []string{"web", "api"} {
		r.rollout(name, map[string]any{"replicas": int64(2), "words": "two"})
	}
	r.conversions()
}

func (r *recorder) rollout(name string, spec map[string]any) {
	r.Helper()
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "argoproj.io/v1beta1", "kind": "Rollout", "metadata": map[string]any{"name": name}, "spec": spec,
	}}
	text, err := object.MarshalJSON()
	r.must(text, err)
	r.eventually("Rollout "+name, func(ctx context.Context) error {
		_, err := r.Dynamic.Resource(rollouts).Namespace(r.namespace).Patch(
			ctx, name, types.ApplyPatchType, text, metav1.PatchOptions{FieldManager: "e2e", Force: new(true)})
		return err
	})
}

// answered waits until all questions are answered with a code.
func (r *recorder) answered(code int, questions []question) {
	r.Helper()
	for _, q := range questions {
		r.eventually(q.path, func(context.Context) error {
			seen, err := r.ask(q)
			if err == nil && seen.Code != code {
				err = fmt.Errorf("%d %s", seen.Code, seen.Body)
			}
			return err
		})
	}
}

// define changes the versions of the kind.
func (r *recorder) define(change func(versions []any)) {
	r.Helper()
	r.redefine(func(spec map[string]any) { change(spec["versions"].([]any)) })
}

// counts has the number of replicas read elsewhere.
func (r *recorder) counts(fault, path string) {
	r.Helper()
	r.define(func(versions []any) {
		for _, version := range versions {
			version.(map[string]any)["subresources"].(map[string]any)["scale"].(map[string]any)["specReplicasPath"] = path
		}
	})
	r.await(fault, 500, path, scaleReads...)
}

func (r *recorder) redefine(change func(spec map[string]any)) {
	r.Helper()
	r.eventually("the definition", func(ctx context.Context) error {
		definition, err := r.Dynamic.Resource(definitions).Get(ctx, "rollouts.argoproj.io", metav1.GetOptions{})
		if err != nil {
			return err
		}
		change(definition.Object["spec"].(map[string]any))
		_, err = r.Dynamic.Resource(definitions).Update(ctx, definition, metav1.UpdateOptions{})
		return err
	})
}

// conversions are webhooks that do not convert what is stored.
func (r *recorder) conversions() {
	r.Helper()
	say := http.HandlerFunc(converted(`"result":{"status":"Failure","message":"not yet"}`))
	backend, err := r.Backend(func(w http.ResponseWriter, request *http.Request) { say(w, request) })
	r.must(backend, err)
	r.redefine(func(spec map[string]any) {
		spec["conversion"] = map[string]any{"strategy": "Webhook", "webhook": map[string]any{
			"conversionReviewVersions": []any{"v1"},
			"clientConfig": map[string]any{
				"url": fmt.Sprintf("https://127.0.0.1:%d/convert", backend.Port), "caBundle": base64.StdEncoding.EncodeToString(r.CA()),
			},
		}}
	})
	r.answered(500, scaleReads)
	for _, of := range []struct {
		fault string
		say   http.HandlerFunc
	}{
		{"conversion fails", converted(`"result":{"status":"Failure","message":"not yet"}`)},
		{"conversion says nothing", converted(`"result":{"status":"Success"}`)},
		{"conversion says 500", replies(500, "text/plain", "boom\n")},
		{"conversion gives a page", replies(200, "text/html", "<html></html>")},
		{"conversion hangs", func(_ http.ResponseWriter, request *http.Request) { <-request.Context().Done() }},
	} {
		say = of.say
		r.record(of.fault, scaleReads...)
	}
	for _, trouble := range []cluster.Trouble{cluster.HangsUp, cluster.SpeaksPlain, cluster.Untrusted, cluster.Expired, cluster.NobodyListen} {
		backend.Set(trouble)
		r.record("conversion "+string(trouble), scaleReads...)
	}
	r.redefine(func(spec map[string]any) { spec["conversion"] = map[string]any{"strategy": "None"} })
	r.answered(200, scaleReads)
}

// converted answers a ConversionReview.
func converted(rest string) http.HandlerFunc {
	return review("ConversionReview", "apiextensions.k8s.io/v1", rest)
}

// review answers what a webhook is asked.
func review(kind, version, rest string) http.HandlerFunc {
	return func(w http.ResponseWriter, request *http.Request) {
		var review struct{ Request struct{ UID string } }
		body, _ := io.ReadAll(request.Body)
		_ = json.Unmarshal(body, &review) // what cannot be read has no uid
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"kind":%q,"apiVersion":%q,"response":{"uid":%q,%s}}`, kind, version, review.Request.UID, rest)
	}
}
