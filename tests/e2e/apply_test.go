package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
	rbac "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/clientcmd"

	"kubectl-hpa.local/e2e/cluster"
)

// A change that was simulated and applied by kubectl-hpa ends at the simulated replicas, and its undo restores the HPA.
func TestApply(t *testing.T) {
	t.Parallel()
	w := playedWorld(t)
	w.deploy(2)
	w.share("200m")
	w.autoscale(nil)
	w.settles(expectation{4, 4, []string{cpuIs(50, "50m")}, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	before := w.spec()

	change := []string{"simulate", web, "--target", "25", "--max", "7", "--apply"}
	said := w.simulates(web, "--target", "25", "--max", "7")
	version := w.version()
	if _, talk := w.applies(0, append(change, "--dry-run=server")...); !strings.Contains(talk, "patched (server dry run)") {
		t.Errorf("a server dry run says: %s", talk)
	}
	if got := w.version(); got != version {
		t.Errorf("resourceVersion %s after a server dry run, %s before", got, version)
	}

	_, talk := w.applies(0, append(change, "--yes", "--require", "desired<=7")...)
	w.settles(expectation{7, 7, []string{cpuIs(28, "28m")}, []string{readyForNewScale, cpuIsValid, tooMany, notScaledToZero}})
	if said.end() != 7 {
		t.Errorf("kubectl-hpa says that it ends at %d, the controller does at 7", said.end())
	}
	w.agrees("changed")

	// What the API server fills in beside a change goes with it.
	between := w.spec()
	_, again := w.applies(0, "simulate", web, "--scale-down", "window=60s", "--apply", "--yes")
	if up := w.spec().Behavior.ScaleUp; up == nil || len(up.Policies) != 2 {
		t.Errorf("the API server fills in the policies of a scale-up, not %s", indented(up))
	}
	w.undoes(again)
	w.is(between)
	w.undoes(talk)
	w.is(before)

	// A manifest as people write it, without what the API server fills in: that is not removed, and the same again is no change.
	written := before
	written.MinReplicas = nil
	written.Behavior = &autoscaling.HorizontalPodAutoscalerBehavior{ScaleDown: &autoscaling.HPAScalingRules{StabilizationWindowSeconds: new(int32(60))}}
	manifest := w.manifest(written)
	_, replaced := w.applies(0, "simulate", "-f", manifest, "--apply", "--yes")
	if now := w.spec(); *now.MinReplicas != 1 || len(now.Behavior.ScaleUp.Policies) != 2 {
		t.Errorf("the API server fills in a manifest, but stored is %s", indented(now))
	}
	stored := w.spec()
	if _, talk := w.applies(0, "simulate", "-f", manifest, "--apply", "--yes"); !strings.Contains(talk, "already has these values") {
		t.Errorf("the same manifest again: %s", talk)
	}
	w.is(stored)
	w.undoes(replaced)
	w.is(before)
}

// manifest writes an HPA to a file.
func (w *world) manifest(spec autoscaling.HorizontalPodAutoscalerSpec) string {
	w.Helper()
	text, err := json.Marshal(autoscaling.HorizontalPodAutoscaler{
		TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"},
		ObjectMeta: metav1.ObjectMeta{Name: web},
		Spec:       spec,
	})
	w.must(text, err)
	path := filepath.Join(w.TempDir(), "hpa.json")
	w.must(nil, os.WriteFile(path, text, 0o600))
	return path
}

func (w *world) is(expected autoscaling.HorizontalPodAutoscalerSpec) {
	w.Helper()
	if got := w.spec(); !equality.Semantic.DeepEqual(got, expected) {
		w.Errorf("stored is\n%s\nnot\n%s", indented(got), indented(expected))
	}
}

// explain --apply writes the replicas that the controller would ask for itself, here of a paused Deployment that was scaled
// by hand, before its next sync.
func TestApplyReplicas(t *testing.T) {
	t.Parallel()
	// A controller that has all the time in the world: what happens is done by kubectl-hpa alone.
	c, err := cluster.Start("", cluster.Settings{SyncPeriod: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	w := inCluster(t, c)
	w.deploy(2)
	w.share("100m")
	w.autoscale(nil)
	w.eventually("the first status", func(ctx context.Context) error {
		hpa, err := w.hpa(ctx)
		if err == nil && hpa.Status.DesiredReplicas != 2 {
			err = fmt.Errorf("desired %d", hpa.Status.DesiredReplicas)
		}
		return err
	})
	w.share("180m")
	_, talk := w.applies(0, "explain", "deploy/"+web, "--apply", "--yes")
	w.asks(4)
	w.undoes(talk)
	w.asks(2)
}

// Nothing is written where the question is answered too late, where a requirement does not hold, or without the right.
func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	w := playedWorld(t)
	w.deploy(2)
	w.share("200m")
	w.autoscale(nil)
	w.settles(expectation{4, 4, []string{cpuIs(50, "50m")}, []string{readyForNewScale, cpuIsValid, withinRange, notScaledToZero}})
	before := w.spec()
	change := []string{"simulate", web, "--max", "9", "--apply"}

	if _, talk := w.applies(1, append(change, "--yes", "--require", "desired>4")...); !strings.Contains(talk, "--require desired>4 is not met") {
		t.Errorf("a requirement that does not hold: %s", talk)
	}
	if _, talk := w.applies(1, change...); !strings.Contains(talk, "there is no terminal") {
		t.Errorf("nobody can be asked: %s", talk)
	}
	viewer := w.viewer()
	if _, talk := w.appliesAs(viewer, 1, append(change, "--yes")...); !strings.Contains(talk, "patch horizontalpodautoscalers of autoscaling in namespace "+w.namespace) {
		t.Errorf("a viewer: %s", talk)
	}

	answered := w.asked(change, "n", nil)
	if !strings.Contains(answered, "nothing was written") {
		t.Errorf("the answer is no: %s", answered)
	}
	moved := w.asked(change, "y", func() {
		w.share("400m")
		w.eventually("the controller scales", func(ctx context.Context) error {
			hpa, err := w.hpa(ctx)
			if err == nil && hpa.Status.DesiredReplicas != 8 {
				err = fmt.Errorf("desired %d", hpa.Status.DesiredReplicas)
			}
			return err
		})
	})
	if !strings.Contains(moved, "the decision has changed: it was 4 replicas") {
		t.Errorf("the world moved between question and answer: %s", moved)
	}
	if got := w.spec(); !equality.Semantic.DeepEqual(got, before) {
		t.Errorf("something was written: %s", indented(got))
	}

	overtaken := w.asked(change, "y", func() {
		w.must(w.Client.AutoscalingV2().HorizontalPodAutoscalers(w.namespace).Patch(t.Context(), web,
			types.MergePatchType, []byte(`{"spec":{"maxReplicas":11}}`), metav1.PatchOptions{}))
	})
	if !strings.Contains(overtaken, "changed by somebody else") && !strings.Contains(overtaken, "the decision has changed") {
		t.Errorf("somebody else was faster: %s", overtaken)
	}
	if got := w.spec().MaxReplicas; got != 11 {
		t.Errorf("maxReplicas %d: somebody else's 11 was written over", got)
	}
}

// A write that carries an old resourceVersion is refused by the API server, and decided on again: with --yes and a
// stranger who writes all the time it is either written on top of the newest version or not at all.
func TestApplyAmongWriters(t *testing.T) {
	t.Parallel()
	w := playedWorld(t)
	w.deploy(2)
	w.share("100m")
	w.autoscale(nil)
	w.settles(expectation{2, 2, []string{cpuIs(50, "50m")}, []string{readyForNewScale, cpuIsValid, withinRange}})
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
			label := fmt.Sprintf(`{"metadata":{"labels":{"touched":"%d"}}}`, i)
			_, _ = w.Client.AutoscalingV2().HorizontalPodAutoscalers(w.namespace).Patch(w.Context(), web,
				types.MergePatchType, []byte(label), metav1.PatchOptions{})
		}
	}()
	command := w.command(w.Kubeconfig(cluster.Admin), "simulate", web, "--max", "9", "--apply", "--yes")
	output, err := command.CombinedOutput()
	close(stop)
	<-stopped
	switch got := w.spec().MaxReplicas; {
	case err == nil && got == 9 && bytes.Contains(output, []byte("web patched\n")):
	case err != nil && got == 12 && bytes.Contains(output, []byte("nothing was written")):
	default:
		t.Errorf("maxReplicas %d, and kubectl-hpa says (%v): %s", got, err, output)
	}
}

func (w *world) command(kubeconfig string, args ...string) *exec.Cmd {
	args = append(args, "-n", w.namespace, "--kubeconfig", kubeconfig)
	return exec.CommandContext(w.Context(), binary(w.T), args...)
}

// applies runs the binary as the administrator, where nobody can be asked.
func (w *world) applies(code int, args ...string) (stdout, stderr string) {
	w.Helper()
	return w.appliesAs(w.Kubeconfig(cluster.Admin), code, args...)
}

// appliesAs does what the plugin says of a decision that changed between its screen and its write: it runs it again.
func (w *world) appliesAs(kubeconfig string, code int, args ...string) (stdout, stderr string) {
	w.Helper()
	for tries := 1; ; tries++ {
		var out, talk bytes.Buffer
		command := w.command(kubeconfig, args...)
		command.Stdout, command.Stderr = &out, &talk
		err := command.Run()
		got := command.ProcessState.ExitCode()
		if got != code && tries < 5 && strings.Contains(talk.String(), "the decision has changed: ") {
			continue
		}
		if got != code {
			w.Fatalf("%s: %v\nexit code %d, not %d\n%s%s", command, err, got, code, &out, &talk)
		}
		return out.String(), talk.String()
	}
}

// asked runs the binary on a terminal of its own, and answers its question after something has happened.
func (w *world) asked(args []string, answer string, meanwhile func()) string {
	w.Helper()
	terminal, user := w.terminal()
	defer terminal.Close()
	command := w.command(w.Kubeconfig(cluster.Admin), args...)
	command.Stdin, command.Stdout, command.Stderr = user, user, user
	w.must(nil, command.Start())
	user.Close()
	said := make(chan string)
	go func() {
		var all bytes.Buffer
		buffer := make([]byte, 4096)
		for asked := false; ; {
			n, err := terminal.Read(buffer)
			all.Write(buffer[:n])
			if !asked && bytes.Contains(all.Bytes(), []byte("Write it (y/N)?")) {
				asked = true
				said <- ""
			}
			if err != nil { // the last one who had it open has closed it
				said <- strings.ReplaceAll(all.String(), "\r\n", "\n")
				return
			}
		}
	}()
	if all := <-said; all != "" {
		w.Fatalf("no question: %s", all)
	}
	if meanwhile != nil {
		meanwhile()
	}
	w.must(io.WriteString(terminal, answer+"\n"))
	all := <-said
	_ = command.Wait()
	return all
}

// By whatever flags the cluster was reached, kubectl reaches it by the undo, too.
func TestUndoReaches(t *testing.T) {
	t.Parallel()
	w := playedWorld(t)
	w.deploy(2)
	w.share("100m")
	w.autoscale(nil)
	w.eventually("the first decision", func(ctx context.Context) error { _, err := w.hpa(ctx); return err })
	admin := w.Kubeconfig(cluster.Admin)
	config, err := clientcmd.LoadFromFile(admin)
	w.must(config, err)
	reached, user := config.Clusters["e2e"], config.AuthInfos[cluster.Admin]
	authority := filepath.Join(t.TempDir(), "ca of e2e.pem")
	w.must(nil, os.WriteFile(authority, reached.CertificateAuthorityData, 0o600))
	none := filepath.Join(t.TempDir(), "none")
	w.must(nil, os.WriteFile(none, nil, 0o600))
	token := []string{"--token", user.Token}
	for i, it := range []struct {
		kubeconfig     string
		flags, secrets []string
	}{
		{none, []string{"--kubeconfig", admin}, nil},
		{admin, []string{"--context", "e2e"}, nil},
		{admin, []string{"--cluster", "e2e", "--user", cluster.Admin}, nil},
		{none, []string{"--server", reached.Server, "--certificate-authority", authority}, token},
		{none, []string{"--server", reached.Server, "--insecure-skip-tls-verify"}, token},
		{none, []string{"--server", reached.Server, "--certificate-authority", authority, "--tls-server-name", "localhost"}, token},
		{admin, []string{"--as", "o'brien", "--as-group", "a b", "--as-group", "system:masters", "--as-uid", "7"}, nil},
	} {
		before := w.spec()
		args := append([]string{"simulate", web, "-n", w.namespace, "--max", fmt.Sprint(20 + i), "--apply", "--yes"}, append(it.flags, it.secrets...)...)
		apply := func() ([]byte, error) {
			command := exec.CommandContext(t.Context(), binary(t), args...)
			command.Env = append(os.Environ(), "KUBECONFIG="+it.kubeconfig)
			return command.CombinedOutput()
		}
		talk, err := apply()
		// A sync between the answer and the write may tell more of the controller's memory.
		for try := 0; try < 3 && err != nil && strings.Contains(string(talk), "the decision has changed"); try++ {
			talk, err = apply()
		}
		if err != nil {
			t.Fatalf("%v: %v: %s", it.flags, err, talk)
		}
		if strings.Contains(string(talk), "--token "+user.Token) {
			t.Errorf("a token is printed: %s", talk)
		}
		w.undoesBy(string(talk), it.kubeconfig, it.secrets...)
		w.is(before)
	}
}

// undoes runs the command that was printed as the undo.
func (w *world) undoes(talk string) {
	w.Helper()
	w.undoesBy(talk, w.Kubeconfig(cluster.Admin))
}

// undoesBy does so beside a kubeconfig, with the flags that must not be printed.
func (w *world) undoesBy(talk, kubeconfig string, secrets ...string) {
	w.Helper()
	_, undo, found := strings.Cut(talk, "\nundo: kubectl ")
	if !found {
		w.Fatalf("no undo in: %s", talk)
	}
	undo, _, _ = strings.Cut(undo, "\nthe undo lacks ")
	shell := exec.CommandContext(w.Context(), "sh", "-c", "kubectl "+strings.TrimSpace(undo)+" "+strings.Join(secrets, " "))
	shell.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
	if output, err := shell.CombinedOutput(); err != nil {
		w.Fatalf("%s: %v: %s", undo, err, output)
	}
}

func (w *world) spec() autoscaling.HorizontalPodAutoscalerSpec {
	w.Helper()
	hpa, err := w.hpa(w.Context())
	w.must(hpa, err)
	return hpa.Spec
}

func (w *world) version() string {
	w.Helper()
	hpa, err := w.hpa(w.Context())
	w.must(hpa, err)
	return hpa.ResourceVersion
}

// asks waits until the Deployment asks for so many replicas.
func (w *world) asks(replicas int32) {
	w.Helper()
	w.eventually("the replicas", func(ctx context.Context) error {
		deployment, err := w.Client.AppsV1().Deployments(w.namespace).Get(ctx, web, metav1.GetOptions{})
		if err == nil && *deployment.Spec.Replicas != replicas {
			err = fmt.Errorf("%d replicas", *deployment.Spec.Replicas)
		}
		return err
	})
}

// viewer gives the cluster's viewer all reads of the namespace and no write.
func (w *world) viewer() string {
	w.Helper()
	role := &rbac.Role{ObjectMeta: metav1.ObjectMeta{Name: "reader"}, Rules: []rbac.PolicyRule{
		{APIGroups: []string{"*"}, Resources: []string{"*"}, Verbs: []string{"get", "list"}},
	}}
	w.must(w.Client.RbacV1().Roles(w.namespace).Create(w.Context(), role, metav1.CreateOptions{}))
	binding := &rbac.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "reader"},
		RoleRef:  rbac.RoleRef{APIGroup: rbac.GroupName, Kind: "Role", Name: "reader"},
		Subjects: []rbac.Subject{{APIGroup: rbac.GroupName, Kind: rbac.UserKind, Name: cluster.Viewer}}}
	w.must(w.Client.RbacV1().RoleBindings(w.namespace).Create(w.Context(), binding, metav1.CreateOptions{}))
	return w.Kubeconfig(cluster.Viewer)
}
