package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sort"
	"testing"
)

// kustomized is a base and what is laid over it: another prefix, another namespace, a patch of the bounds, a component.
var kustomized = map[string]string{
	"base/kustomization.yaml": "resources: [hpa.yaml, web.yaml]\n",
	"base/hpa.yaml": `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 6
  metrics:
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
`,
	"base/web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: web, resources: {requests: {cpu: 100m}}}]}
`,
	"dev/kustomization.yml":    "resources: [../base]\nnamePrefix: dev-\npatches:\n- target: {kind: HorizontalPodAutoscaler}\n  patch: '[{\"op\": \"replace\", \"path\": \"/spec/maxReplicas\", \"value\": 2}]'\n",
	"prod/Kustomization":       "resources: [../base]\nnamespace: prod\npatches: [{path: hpa.yaml}]\ncomponents: [../extra]\n",
	"prod/hpa.yaml":            "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: webb}\n",
	"extra/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [more.yaml]\n",
	"extra/more.yaml": `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: more}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 6
  behavior: {scaleUp: {selectPolicy: Disabled}}
`,
}

// linted is what lint finds, each finding with its object, without its place.
func linted(t *testing.T, stdin []byte, arguments ...string) []string {
	t.Helper()
	command := exec.CommandContext(t.Context(), binary(t), append([]string{"lint", "-o", "json"}, arguments...)...)
	command.Stdin = bytes.NewReader(stdin)
	output, err := command.Output()
	if _, isExit := err.(*exec.ExitError); err != nil && !isExit {
		t.Fatal(err)
	}
	var report struct {
		Findings []struct {
			Rule, Message, Path string
			Object              struct{ Kind, Namespace, Name string }
		}
	}
	if err := json.Unmarshal(output, &report); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	found := []string{}
	for _, it := range report.Findings {
		found = append(found, it.Rule+" "+it.Object.Kind+" "+it.Object.Namespace+"/"+it.Object.Name+" "+it.Path+": "+it.Message)
	}
	sort.Strings(found)
	return found
}

// What lint says of a folder with kustomizations is what it says of each as kubectl builds it.
func TestLintOfKustomizations(t *testing.T) {
	t.Parallel()
	binary(t)
	folder := t.TempDir()
	for name, text := range kustomized {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{}
	for _, root := range []string{"dev", "prod"} {
		built, err := exec.CommandContext(t.Context(), "kubectl", "kustomize", filepath.Join(folder, root)).Output()
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, linted(t, built, "-f", "-")...)
	}
	sort.Strings(want)
	if got := linted(t, nil, "-f", folder); !reflect.DeepEqual(got, want) || len(want) < 3 {
		t.Errorf("of the folder:\n%q\nof what kubectl builds:\n%q", got, want)
	}
}
