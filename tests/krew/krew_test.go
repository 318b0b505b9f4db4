// Package krew holds what is published to the real krew, and to its budgets.
package krew

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const (
	first, second = "v0.1.0", "v0.2.0"
	// Whatever krew would download from here fails.
	nowhere = "http://127.0.0.1:1"
)

const here = runtime.GOOS + "-" + runtime.GOARCH

var platforms = []string{
	"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "windows-arm64",
}

// place is a home of its own with krew in it, and the archives of two versions.
type place struct {
	*testing.T
	root, dist string
}

// newPlace makes a home; krew finds archives below base.
func newPlace(t *testing.T, base string) *place {
	t.Helper()
	p := &place{T: t, root: t.TempDir()}
	p.dist = filepath.Join(p.root, "dist")
	for _, folder := range []string{"bin", "krew/bin", "index/plugins"} {
		p.must(os.MkdirAll(p.path(folder), 0o755))
	}
	p.must(os.Symlink(built(t, "krew"), p.path("bin/kubectl-krew")))
	p.must(os.CopyFS(p.dist, os.DirFS(archives(t))))
	for _, version := range []string{first, second} {
		p.manifests(version, base)
	}
	return p
}

var packed string // the archives, once there are any

// archives packs both versions for all platforms, once for all tests.
func archives(t *testing.T) string {
	t.Helper()
	if packed == "" {
		folder, err := os.MkdirTemp("", "kubectl-hpa-archives")
		if err != nil {
			t.Fatal(err)
		}
		p := &place{T: t, root: folder, dist: folder}
		p.pack(first, binary(t))
		p.pack(second, binary(t))
		packed = folder
	}
	return packed
}

func TestMain(m *testing.M) {
	code := m.Run()
	if packed != "" {
		_ = os.RemoveAll(packed)
	}
	os.Exit(code)
}

// pack makes the archives of a version. krew starts no binary, so those of other platforms need not be one.
func (p *place) pack(version, binary string) {
	p.Helper()
	for _, platform := range platforms {
		file := binary
		if platform != here {
			file = "../../LICENSE"
		}
		p.run("../../.ci/release", "pack", version, platform, file, ".build/THIRD-PARTY", filepath.Join(p.dist, version))
	}
}

func (p *place) manifests(version, base string) {
	p.Helper()
	for _, name := range []string{"hpa", "hpa-decision"} {
		p.run("../../.ci/release", "manifest", version, filepath.Join(p.dist, version), name, base)
	}
}

func (p *place) path(name string) string { return filepath.Join(p.root, name) }

func (p *place) manifest(version, name string) string {
	return filepath.Join(p.dist, version, name+".yaml")
}

func (p *place) archive(version, platform string) string {
	return filepath.Join(p.dist, version, "kubectl-hpa-"+version+"-"+platform)
}

// try runs a program with nothing of the caller's environment but the PATH.
func (p *place) try(program string, args ...string) (string, error) {
	command := exec.Command(program, args...)
	command.Env = []string{
		"HOME=" + p.root,
		"PATH=" + p.path("krew/bin") + ":" + p.path("bin") + ":" + os.Getenv("PATH"),
		"KREW_ROOT=" + p.path("krew"),
		"KREW_NO_UPGRADE_CHECK=1",
		"KREW_DEFAULT_INDEX_URI=" + p.path("index"),
		"SOURCE_DATE_EPOCH=1795000000",
		"GIT_AUTHOR_NAME=test", "GIT_AUTHOR_EMAIL=test@localhost",
		"GIT_COMMITTER_NAME=test", "GIT_COMMITTER_EMAIL=test@localhost",
	}
	said, err := command.CombinedOutput()
	return string(said), err
}

func (p *place) run(program string, args ...string) string {
	p.Helper()
	said, err := p.try(program, args...)
	if err != nil {
		p.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, said)
	}
	return said
}

func (p *place) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// publish puts a version into the index.
func (p *place) publish(version string) {
	p.Helper()
	manifest, err := os.ReadFile(p.manifest(version, "hpa"))
	p.must(err)
	p.must(os.WriteFile(p.path("index/plugins/hpa.yaml"), manifest, 0o644))
	p.run("git", "-C", p.path("index"), "init", "-q")
	p.run("git", "-C", p.path("index"), "add", ".")
	p.run("git", "-C", p.path("index"), "commit", "-qm", version)
}

func built(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(".build", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func binary(t *testing.T) string {
	t.Helper()
	path := os.Getenv("KUBECTL_HPA_BIN")
	if path == "" {
		t.Fatal("KUBECTL_HPA_BIN is not set; use tests/krew/run")
	}
	return path
}

// explains checks that a plugin answers through kubectl as the binary does by itself.
func (p *place) explains(name string) {
	p.Helper()
	said := p.run("kubectl", name, "explain", "--example", "missing-samples")
	if direct := p.run(binary(p.T), "explain", "--example", "missing-samples"); said != direct {
		p.Fatalf("through kubectl:\n%s\ndirectly:\n%s", said, direct)
	}
	if !strings.Contains(said, "5 replicas → stays at 5") {
		p.Fatal(said)
	}
}

func (p *place) says(said, words string) {
	p.Helper()
	if !strings.Contains(said, words) {
		p.Fatalf("%q is not in:\n%s", words, said)
	}
}

func TestManifestIsValid(t *testing.T) {
	p := newPlace(t, nowhere)
	template, err := os.ReadFile("../../krew-manifest.yaml")
	p.must(err)
	p.must(os.WriteFile(p.path("hpa.yaml"), template, 0o644))
	for _, manifest := range []string{p.path("hpa.yaml"), p.manifest(first, "hpa"), p.manifest(first, "hpa-decision")} {
		said := p.run(built(t, "validate-krew-manifest"), "--manifest", manifest, "--skip-install")
		p.says(said, "structural validation OK")
	}
	broken := bytes.Replace(template, []byte("arch: arm64"), []byte("arch: amd64"), 1)
	p.must(os.WriteFile(p.path("hpa.yaml"), broken, 0o644))
	if said, err := p.try(built(t, "validate-krew-manifest"), "--manifest", p.path("hpa.yaml"), "--skip-install"); err == nil {
		t.Fatalf("two archives for one platform are valid:\n%s", said)
	}
}

// The validator of krew's index also installs every platform, from a server on loopback.
func TestEveryPlatformInstalls(t *testing.T) {
	server := httptest.NewServer(nil)
	defer server.Close()
	p := newPlace(t, server.URL)
	server.Config.Handler = http.FileServer(http.Dir(p.dist))
	said := p.run(built(t, "validate-krew-manifest"), "--manifest", p.manifest(first, "hpa"))
	p.says(said, fmt.Sprintf("all %d spec.platforms installed fine", len(platforms)))
}

func TestOfflineInstall(t *testing.T) {
	p := newPlace(t, nowhere)
	manifest := "--manifest=" + p.manifest(first, "hpa")
	if said, err := p.try("kubectl", "krew", "install", manifest, "--archive="+p.archive(first, "windows-amd64.zip")); err == nil {
		t.Fatalf("an archive with another sum is installed:\n%s", said)
	}
	p.run("kubectl", "krew", "install", manifest, "--archive="+p.archive(first, here+".tar.gz"))
	p.says(p.run("kubectl", "plugin", "list"), "kubectl-hpa")
	p.explains("hpa")

	// The completion that the installed plugin prints is the one that kubectl finds.
	script := p.run("kubectl", "hpa", "completion", "kubectl")
	p.must(os.WriteFile(p.path("bin/kubectl_complete-hpa"), []byte(script), 0o755))
	p.says(p.run("kubectl", "__complete", "hpa", "expl"), "explain\tExplain the decision")
	p.says(p.run("kubectl", "__complete", "hpa", "explain", "--example", "rol"), "rollout\t")
}

func TestFallbackName(t *testing.T) {
	p := newPlace(t, nowhere)
	p.run("kubectl", "krew", "install", "--manifest="+p.manifest(first, "hpa-decision"), "--archive="+p.archive(first, here+".tar.gz"))
	p.explains("hpa-decision")
	p.says(p.run("kubectl", "hpa-decision", "explain", "--help"), "\nUsage: kubectl hpa-decision explain ")
	script := p.run("kubectl", "hpa-decision", "completion", "kubectl")
	p.must(os.WriteFile(p.path("bin/kubectl_complete-hpa_decision"), []byte(script), 0o755))
	p.says(p.run("kubectl", "__complete", "hpa-decision", "expl"), "explain\tExplain the decision")
}

func TestInstallUpgradeUninstall(t *testing.T) {
	server := httptest.NewServer(nil)
	defer server.Close()
	p := newPlace(t, server.URL)
	server.Config.Handler = http.FileServer(http.Dir(p.dist))
	p.publish(first)
	p.run("kubectl", "krew", "update")
	p.says(p.run("kubectl", "krew", "search", "hpa"), "Explain what a HorizontalPodAutoscaler decided")
	p.run("kubectl", "krew", "install", "hpa")
	p.says(p.run("kubectl", "krew", "list"), "hpa")
	p.says(p.target(), first)
	p.explains("hpa")

	p.publish(second)
	p.run("kubectl", "krew", "update")
	p.run("kubectl", "krew", "upgrade", "hpa")
	p.says(p.target(), second)
	p.explains("hpa")

	p.run("kubectl", "krew", "uninstall", "hpa")
	if said, err := p.try("kubectl", "hpa", "--version"); err == nil {
		t.Fatalf("it is still there: %s", said)
	}
}

// target is where krew's link leads.
func (p *place) target() string {
	p.Helper()
	target, err := os.Readlink(p.path("krew/bin/kubectl-hpa"))
	p.must(err)
	return target
}

// The same binary gives the same archive, whenever and wherever it is packed.
func TestArchivesAreReproducible(t *testing.T) {
	p := newPlace(t, nowhere)
	sums := func() string {
		said, err := os.ReadFile(filepath.Join(p.dist, first, "SHA256SUMS"))
		p.must(err)
		return string(said)
	}
	before := sums()
	p.must(os.RemoveAll(p.dist))
	copied := filepath.Join(t.TempDir(), "renamed")
	p.run("cp", binary(t), copied)
	p.must(os.Chmod(copied, 0o600))
	p.pack(first, copied)
	p.manifests(first, nowhere)
	if after := sums(); after != before || strings.Count(before, "\n") != len(platforms) {
		t.Fatalf("before:\n%s\nafter:\n%s", before, after)
	}
}
