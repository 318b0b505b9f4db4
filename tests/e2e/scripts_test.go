package e2e

import (
	_ "embed"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-hpa.local/e2e/metrics"
)

// scriptsVariable names the file that TestSigns writes.
const scriptsVariable = "KUBECTL_HPA_SIGNS"

//go:embed scripts.txt
var scriptsText string

// script is a line of scripts.txt.
type script struct {
	name, behavior string
	acts           []string
}

// took is one word of an act as it was done.
type took struct {
	Did string `json:"did"`
	// From and To are when it was begun and when the API server had answered.
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// signs are what the API shows of a world's past.
type signs struct {
	Name         string                               `json:"name"`
	Done         []took                               `json:"done"`
	At           time.Time                            `json:"at"`
	HPA          *autoscaling.HorizontalPodAutoscaler `json:"hpa"`
	Target       metav1.ObjectMeta                    `json:"target"`
	Replicas     int32                                `json:"replicas"`
	Events       []v1.Event                           `json:"events"`
	TargetEvents []v1.Event                           `json:"targetEvents"`
}

var behaviors = map[string]*autoscaling.HorizontalPodAutoscalerBehavior{
	"held": nil,
	"free": down(window(0)),
	"slow": {
		ScaleDown: limited(window(0), policy(autoscaling.PodsScalingPolicy, 2, 60)),
		ScaleUp:   limited(window(0), policy(autoscaling.PodsScalingPolicy, 4, 30)),
	},
}

// What the real control plane shows after each of fifty scripts, in one file: what plays it elsewhere can be held against that.
func TestSigns(t *testing.T) {
	path, given := os.LookupEnv(scriptsVariable)
	if !given {
		t.Skipf("it records; %s=FILE runs it", scriptsVariable)
	}
	u := newUpheaval(t, hostileSettings)
	all := scripts()
	recorded := make([]signs, len(all))
	t.Run("of", func(t *testing.T) {
		for i, script := range all {
			t.Run(script.name, func(t *testing.T) {
				t.Parallel()
				recorded[i] = u.newHostile(t, 1, i).play(script)
			})
		}
	})
	if err := os.WriteFile(path, byLine(recorded), 0o600); err != nil {
		t.Fatal(err)
	}
}

// byLine is a JSON list with one script on each line.
func byLine(recorded []signs) []byte {
	texts := []string{}
	for _, one := range recorded {
		texts = append(texts, compact(one))
	}
	return []byte("[\n" + strings.Join(texts, ",\n") + "\n]\n")
}

func scripts() (all []script) {
	for line := range strings.Lines(scriptsText) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] == "#" {
			continue
		}
		acts := strings.Split(strings.Join(words[2:], " "), "; ")
		all = append(all, script{words[0], words[1], acts})
	}
	return all
}

// play does what a script says, lets the controller answer to each act, and returns what is seen in the end.
func (h *hostile) play(script script) signs {
	h.Helper()
	h.upheaval.lock.RLock()
	defer h.upheaval.lock.RUnlock()
	h.deploy(2)
	h.publish("queue", "12")
	begin := time.Now()
	h.autoscale(func(spec *autoscaling.HorizontalPodAutoscalerSpec) {
		spec.Metrics = []autoscaling.MetricSpec{externalMetric("queue", average("6"))}
		spec.Behavior = behaviors[script.behavior]
	})
	done := []took{{Did: "create", From: begin, To: time.Now()}}
	h.eventually("the first decision", h.hasStatus)
	for _, act := range script.acts {
		words := strings.Fields(act)
		for i := range max(1, len(words)-1) {
			did := words[0]
			if len(words) > 1 {
				did += " " + words[1+i]
			}
			begin := time.Now()
			h.act(did)
			done = append(done, took{did, begin, time.Now()})
		}
		time.Sleep(syncPeriod + syncPeriod/2)
	}
	seen := h.signs()
	seen.Name, seen.Done = script.name, done
	return seen
}

// act does one thing that a script names.
func (h *hostile) act(did string) {
	h.Helper()
	word, value, _ := strings.Cut(did, " ")
	number, _ := strconv.Atoi(value) // some words have none
	switch word {
	case "wait":
		time.Sleep(time.Duration(number) * time.Second)
	case "queue":
		h.Metrics.Update(func(state *metrics.State) { state.Recover(h.namespace) })
		h.publish("queue", value)
	case "scale":
		h.scaleTo(int32(number))
	case "helm":
		h.sets("helm", types.MergePatchType, int32(number))
	case "argocd":
		h.sets("argocd-controller", types.ApplyPatchType, int32(number))
	case "max":
		h.edit(map[string]any{"maxReplicas": number})
	case "min":
		h.edit(map[string]any{"minReplicas": number})
	case "target":
		h.edit(map[string]any{"metrics": []autoscaling.MetricSpec{externalMetric("queue", average(value))}})
	case "down":
		pods, period, _ := strings.Cut(value, "/")
		h.edit(map[string]any{"behavior": map[string]any{"scaleDown": limited(window(0),
			policy(autoscaling.PodsScalingPolicy, h.number(pods), h.number(period)))}})
	case "no-behavior":
		h.dropBehavior()
	case "touch":
		h.touch()
	case "fail":
		h.publish()
	case "renew":
		h.anew(0)
	case "renew-later":
		h.anew(3 * syncPeriod)
	case restarted.name, outage.name:
		h.upheaval.lock.RUnlock()
		err := h.upheaval.alone(h.Context(), act{name: word})
		h.upheaval.lock.RLock()
		h.must(nil, err)
	default:
		h.Fatalf("no act is named %q", word)
	}
}

func (h *hostile) number(text string) int32 {
	h.Helper()
	number, err := strconv.ParseInt(text, 10, 32)
	h.must(number, err)
	return int32(number)
}

func (h *hostile) signs() (seen signs) {
	h.Helper()
	deployment, err := h.Client.AppsV1().Deployments(h.namespace).Get(h.Context(), web, metav1.GetOptions{})
	h.must(deployment, err)
	hpa, err := h.hpa(h.Context())
	h.must(hpa, err)
	untold(&deployment.ObjectMeta, "f:replicas")
	untold(&hpa.ObjectMeta, "f:spec")
	return signs{
		At: time.Now(), HPA: hpa, Target: deployment.ObjectMeta, Replicas: *deployment.Spec.Replicas,
		Events: h.eventsOf("HorizontalPodAutoscaler"), TargetEvents: h.eventsOf("Deployment"),
	}
}

// untold takes the fields out of entries of managed fields that hold nothing of interest, which are long.
func untold(meta *metav1.ObjectMeta, interest string) {
	for i := range meta.ManagedFields {
		entry := &meta.ManagedFields[i]
		if entry.Subresource == "status" || !strings.Contains(string(entry.FieldsV1.Raw), interest) {
			entry.FieldsV1 = nil
		}
	}
}

func (h *hostile) eventsOf(kind string) []v1.Event {
	h.Helper()
	list, err := h.Client.CoreV1().Events(h.namespace).List(h.Context(), metav1.ListOptions{
		FieldSelector: fmt.Sprintf("involvedObject.kind=%s,involvedObject.name=%s", kind, web),
	})
	h.must(list, err)
	for i := range list.Items {
		list.Items[i].ManagedFields = nil // of the event itself
	}
	return list.Items
}
