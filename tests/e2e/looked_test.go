package e2e

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"kubectl-hpa.local/e2e/cluster"
)

// judges tries again what is set aside, up to a limit.
func (b *believer) judges(look func() bool) {
	for range mostTries {
		if look() {
			b.ledger.looked()
			return
		}
	}
	b.ledger.setAside("given up")
}

// look asks several commands, and judges their answers by what the controller does next.
func (b *believer) look() bool {
	b.settle()
	before := b.see()
	if b.watched != nil {
		b.watched.note(before) // on a busy machine before the vigil itself
	}
	asked, late := time.Now(), time.Since(b.acted) > lateness
	saved := b.newCase()
	said := []said{b.explained(saved), b.listed()}
	if b.watched != nil {
		said = append(said, b.overheard(asked)...)
	}
	if b.random.IntN(2) == 0 {
		said = append(said, b.waited())
	}
	if now := b.see(); before.inputs() != now.inputs() || before.decided(now) {
		b.ledger.setAside("changed")
		return false
	}
	truth, known := b.truth(before, asked)
	if !known {
		return false
	}
	if one := said[0]; one.is() == exactly && b.outdated(*one.decision, saved) {
		b.ledger.setAside("by time alone")
		return false
	}
	for _, one := range said {
		b.judge(one, truth, late, saved)
	}
	return true
}

// judge counts an answer, and keeps its case if it is wrong.
func (b *believer) judge(one said, now truth, late bool, saved string) {
	b.Helper()
	how := one.wrong(now)
	b.ledger.enter(b.kind, one.command, judgment{one.is(), late, how != ""})
	if how == "" && late && one.is() == ranged {
		b.keep(intervalsVariable, saved, fmt.Sprintf("%s: %s: %s, the controller %d", b.kind, one.command, one.text, now.replicas))
	}
	if how == "" {
		return
	}
	kept := filepath.Join(b.cases, fmt.Sprintf("%s-%d.yaml", strings.NewReplacer(" ", "-", "/", "-", "*", "all").Replace(b.kind+" "+how), b.numbers))
	b.must(nil, copied(saved, kept))
	b.contradicted(kept, fmt.Sprintf("%s: %s: %s", b.kind, how, one.text))
}

func (b *believer) newCase() string {
	b.numbers++
	return filepath.Join(b.cases, fmt.Sprintf("%d.yaml", b.numbers))
}

// reader are the flags with which every command reads.
func (b *believer) reader() []string {
	return []string{"-n", b.namespace, "--kubeconfig", b.Kubeconfig(cluster.Admin)}
}

// exit runs a command and returns what it prints and its exit code.
func (b *believer) exit(args ...string) (stdout string, code int) {
	b.Helper()
	command := exec.CommandContext(b.Context(), b.path, append(args, b.reader()...)...)
	text, err := command.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		b.Fatal(err)
	}
	return string(text), command.ProcessState.ExitCode()
}
