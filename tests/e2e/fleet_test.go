package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	rbac "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	external "k8s.io/metrics/pkg/apis/external_metrics"
	api "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/metrics"
)

const (
	defaultSync  = 15 * time.Second
	mostTime     = 5 * time.Second
	mostRequests = 40 // beside further pages, and one for each distinct external metric
)

// row is an HPA as `kubectl hpa list -o json` shows it.
type row struct {
	Namespace, Name, State, Why string
	CurrentReplicas             *int32
	NextReplicas                *struct{ Lowest, Highest int32 }
}

// fleet is a cluster with many HPAs, and the log of what its API server was asked for.
type fleet struct {
	*world
	path, log string
	members   []*world
}

// 200 HPAs in 20 namespaces, in every state: each line of the list is what `explain` says of that HPA, and what the
// controller does next, with a number of requests that does not grow with the HPAs.
func TestFleet(t *testing.T) {
	t.Parallel()
	f := newFleet(t)
	f.rests()
	t.Run("explained", f.explained)
	t.Run("asks-little", f.asksLittle)
	t.Run("faults", f.faults)
	t.Run("decided", f.decided)
}

func newFleet(t *testing.T) *fleet {
	t.Helper()
	path := binary(t)
	c, log := audited(t, cluster.Settings{})
	w := inCluster(t, c)
	return &fleet{world: w, path: path, log: log, members: found(w, number(t, fleetVariable, someNamespaces))}
}

// audited is a cluster and the log of what its API server was asked for.
func audited(t *testing.T, settings cluster.Settings) (c *cluster.Cluster, log string) {
	t.Helper()
	folder := t.TempDir()
	policy, log := filepath.Join(folder, "policy.yaml"), filepath.Join(folder, "audit.log")
	text := "apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: Metadata}]\n"
	if err := os.WriteFile(policy, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	settings.APIServerFlags = []string{"--audit-policy-file=" + policy, "--audit-log-path=" + log, "--audit-log-mode=blocking"}
	c, err := cluster.Start("", settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	return c, log
}

// rests waits until every line has the state that its HPA was made for.
func (f *fleet) rests() {
	f.Helper()
	f.eventually("the states", func(ctx context.Context) error {
		others, rows := []string{}, f.list(f.T)
		for _, row := range rows {
			if row.State != atRest(row.Name) {
				others = append(others, fmt.Sprintf("%s/%s is %s (%s)", row.Namespace, row.Name, row.State, row.Why))
			}
		}
		if len(others) > 0 || len(rows) != len(f.members)*len(members) {
			return fmt.Errorf("%d of %d: %s", len(others), len(rows), strings.Join(others[:min(5, len(others))], ", "))
		}
		return nil
	})
}

// list is `kubectl hpa list -A`.
func (f *fleet) list(t *testing.T, args ...string) (rows []row) {
	t.Helper()
	rows, _ = f.listed(t, f.Kubeconfig(cluster.Admin), args...)
	return rows
}

// listed is the same for a user, with what is complained of.
func (f *fleet) listed(t *testing.T, kubeconfig string, args ...string) ([]row, string) {
	t.Helper()
	stdout, stderr := f.ran(t, append([]string{"list", "-A", "-o", "json", "--kubeconfig", kubeconfig}, args...)...)
	var answer struct{ Items []row }
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
		t.Fatalf("%v\nstdout: %s\nstderr: %s", err, stdout, stderr)
	}
	return answer.Items, stderr
}

// ran is what the binary printed, whatever its exit code.
func (f *fleet) ran(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, complaints bytes.Buffer
	command := exec.CommandContext(t.Context(), f.path, args...)
	command.Stdout, command.Stderr = &out, &complaints
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), complaints.String()
}

// holds is whether a row has what an explanation says: the same, or an interval around it.
func (r row) holds(lowest, highest int32) (holds, same bool) {
	if r.NextReplicas == nil {
		return false, false
	}
	low, high := r.NextReplicas.Lowest, r.NextReplicas.Highest
	return low <= lowest && highest <= high, low == lowest && high == highest
}

// explained holds each line against an explanation of its HPA alone.
func (f *fleet) explained(t *testing.T) {
	rows := f.list(t)
	answers, turn, working := make([]decision, len(rows)), make(chan int), sync.WaitGroup{}
	for range 4 {
		working.Go(func() {
			for i := range turn {
				answers[i] = explain(t, f.path, rows[i].Name, "-n", rows[i].Namespace, "--kubeconfig", f.Kubeconfig(cluster.Admin))
			}
		})
	}
	for i := range rows {
		turn <- i
	}
	close(turn)
	working.Wait()
	wider := 0
	for i, row := range rows {
		lowest, highest := answers[i].bounds()
		holds, same := row.holds(lowest, highest)
		if !holds {
			t.Errorf("%s/%s: listed %v, explained %d to %d", row.Namespace, row.Name, row.NextReplicas, lowest, highest)
		}
		if holds && !same {
			wider++
		}
	}
	if wider*10 > len(rows) {
		t.Errorf("%d of %d lines are intervals around what is explained", wider, len(rows))
	}
	t.Logf("%d lines, %d wider than the explanation", len(rows), wider)
}

func (d decision) bounds() (lowest, highest int32) {
	switch {
	case d.Interval != nil:
		return d.Interval.Lowest, d.Interval.Highest
	case d.DesiredReplicas != nil:
		return *d.DesiredReplicas, *d.DesiredReplicas
	default:
		return -1, -1
	}
}

// asksLittle counts what the API server is asked for by each command on many HPAs.
func (f *fleet) asksLittle(t *testing.T) {
	for _, args := range [][]string{
		{"list", "-A"},
		{"simulate", "-A", "--target", "70"},
		{"explain", "-A", "--upgrade-to", "1.37"},
	} {
		before, begin := requested(t, f.log), time.Now()
		f.ran(t, append(args, "-o", "json", "--kubeconfig", f.Kubeconfig(cluster.Admin))...)
		t.Logf("%s: in %s", args, time.Since(begin))
		requests := requested(t, f.log)[len(before):]
		others := 0
		for _, uri := range requests {
			if strings.Contains(uri, "external.metrics.k8s.io") && strings.Contains(uri, "namespaces") || strings.Contains(uri, "continue=") {
				others++
			}
		}
		t.Logf("%s: %d requests for %d HPAs, %d of them for external metrics and further pages", args, len(requests), len(f.members)*len(members), others)
		if len(requests)-others > mostRequests || len(requests) == 0 {
			t.Errorf("%s: %d requests:\n%s", args, len(requests), strings.Join(requests, "\n"))
		}
	}
}

// requested are the URIs of the requests of kubectl-hpa so far.
func requested(t *testing.T, log string) (uris []string) {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1] // its last line may be half-written
	for line := range bytes.Lines(whole) {
		var event struct{ RequestURI, UserAgent string }
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if strings.HasPrefix(event.UserAgent, "kubectl-hpa") {
			uris = append(uris, event.RequestURI)
		}
	}
	return uris
}

// decided changes loads, lists at once, and compares with what each controller does first afterwards.
func (f *fleet) decided(t *testing.T) {
	before, err := f.all(t.Context())
	f.must(before, err)
	overload(f.world)
	rows := f.list(t)
	looked, err := f.all(t.Context())
	f.must(looked, err)
	first := map[string]int32{} // replicas after the first sync that wrote anything
	for end := time.Now().Add(defaultSync + 3*time.Second); time.Now().Before(end); time.Sleep(250 * time.Millisecond) {
		now, err := f.all(t.Context())
		f.must(now, err)
		for name, hpa := range now {
			if _, is := first[name]; !is && hpa.ResourceVersion != looked[name].ResourceVersion {
				first[name] = hpa.Status.DesiredReplicas
			}
		}
	}
	judged, aside, moved, wrong := 0, 0, 0, 0
	for _, row := range rows {
		name := row.Namespace + "/" + row.Name
		if before[name].ResourceVersion != looked[name].ResourceVersion { // it may have decided before the look, or after
			aside++
			continue
		}
		if row.State == "broken" || row.State == "switched-off" { // nothing is decided
			continue
		}
		decided, wrote := first[name]
		if !wrote {
			decided = *row.CurrentReplicas
		}
		judged++
		if decided != *row.CurrentReplicas {
			moved++
		}
		if holds, _ := row.holds(decided, decided); !holds {
			wrong++
			t.Errorf("%s: listed %d → %v (%s), the controller %d", name, *row.CurrentReplicas, row.NextReplicas, row.State, decided)
		}
	}
	t.Logf("%d judged, %d of them rescaled, %d set aside, %d wrong", judged, moved, aside, wrong)
	if judged < len(rows)/2 || moved < len(rows)/10 {
		t.Errorf("only %d judged, %d rescaled", judged, moved)
	}
}

// faults in some places leave the rest as it is, and what is missing is said.
func (f *fleet) faults(t *testing.T) {
	for _, fault := range []struct {
		name  string
		begin func() (kubeconfig string)
		hits  func(row) bool
		state string // empty: the one of its status, which may be older
		why   string
		note  string // on standard error
	}{
		{"a-namespace-forbidden", func() string { return f.allBut(t, team(3)) },
			func(row row) bool { return row.Namespace == team(3) }, "", "by status",
			"note: the state of 10 HPAs is that of their last status (not read: 403 Forbidden for deployments of apps); kubectl hpa rbac prints the rights"},
		{"metrics-down", func() string {
			f.Metrics.Update(func(state *metrics.State) {
				state.Errors = []metrics.Error{{API: api.GroupName, Code: http.StatusServiceUnavailable, Reason: metav1.StatusReasonServiceUnavailable, Message: "no shard"}}
			})
			return f.Kubeconfig(cluster.Admin)
		}, func(row row) bool {
			return row.State != "switched-off" && row.Name != "queue" && row.Name != "one" && row.Name != "other"
		},
			"broken", "503 ServiceUnavailable", ""},
		{"an-answer-is-slow", func() string {
			f.Metrics.Update(func(state *metrics.State) {
				state.Errors = []metrics.Error{{API: external.GroupName, Namespace: team(5), After: 2 * mostTime, Code: http.StatusInternalServerError, Message: "late"}}
			})
			return f.Kubeconfig(cluster.Admin)
		}, func(row row) bool { return row.Namespace == team(5) && row.Name == "queue" }, "", "by status",
			"note: the state of 1 HPA is that of its last status (not read: no answer for queue of external.metrics.k8s.io)"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			f.rests() // a sync during the fault before this one left a status without a recommendation
			kubeconfig := fault.begin()
			rows, note := f.listed(t, kubeconfig, "--request-timeout", mostTime.String())
			if strings.TrimSpace(note) != fault.note {
				t.Errorf("%q, not %q", note, fault.note)
			}
			f.Metrics.Update(func(state *metrics.State) { state.Errors = nil })
			if len(rows) != len(f.members)*len(members) {
				t.Errorf("%d rows", len(rows))
			}
			for _, row := range rows {
				state, why := atRest(row.Name), ""
				if fault.hits(row) {
					state, why = fault.state, fault.why
				}
				if state != "" && row.State != state || !strings.Contains(row.Why, why) {
					t.Errorf("%s/%s is %s (%s), not %s", row.Namespace, row.Name, row.State, row.Why, state)
				}
			}
		})
	}
}

// allBut is a user who may see all HPAs, and the rest everywhere but in one namespace.
func (f *fleet) allBut(t *testing.T, hidden string) string {
	t.Helper()
	here, _ := f.printed()
	for _, member := range f.members {
		rules := here
		if member.namespace == hidden {
			rules = []rbac.PolicyRule{rule("autoscaling", "horizontalpodautoscalers", "get list")}
		}
		member.as(rules, nil)
	}
	role := &rbac.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "hpas"}, Rules: []rbac.PolicyRule{
		rule("autoscaling", "horizontalpodautoscalers", "get list")}}
	f.must(f.Client.RbacV1().ClusterRoles().Create(t.Context(), role, metav1.CreateOptions{}))
	f.must(f.Client.RbacV1().ClusterRoleBindings().Create(t.Context(), &rbac.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "hpas"},
		RoleRef:    rbac.RoleRef{APIGroup: rbac.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects:   []rbac.Subject{{APIGroup: rbac.GroupName, Kind: rbac.UserKind, Name: cluster.Viewer}},
	}, metav1.CreateOptions{}))
	return f.Kubeconfig(cluster.Viewer)
}
