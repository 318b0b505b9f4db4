package e2e

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/metrics"
)

const (
	mostMore = 3 // requests, beside those for one HPA
	overseen = 8 * time.Second
)

// crowd is a namespace with an HPA named web, and others.
type crowd struct {
	*world
	path, log string
}

// One explain and one watch of an HPA ask for as much in a namespace of 200 HPAs as in one of its own, but for three requests.
func TestRequestsOfOne(t *testing.T) {
	t.Parallel()
	path := binary(t)
	c, log := audited(t, settings)
	explained, watched := map[int]float64{}, map[int]float64{}
	for _, size := range []int{1, 10, 200} {
		one := &crowd{world: inNamespace(t, c, fmt.Sprintf("crowd-of-%d", size)), path: path, log: log}
		one.gathers(size)
		explained[size], watched[size] = one.explained(), one.watched()
		t.Logf("%d HPAs: %.0f requests for one explain, %.1f for each look of a watch", size, explained[size], watched[size])
		if explained[size] > explained[1]+mostMore || watched[size] > watched[1]+mostMore {
			t.Errorf("%d HPAs cost more than %d requests beside those for one", size, mostMore)
		}
	}
}

// gathers makes the HPAs, each for a Deployment of its own with one pod.
func (c *crowd) gathers(size int) {
	c.Helper()
	c.Metrics.Update(func(state *metrics.State) {
		state.Loads = append(state.Loads, metrics.Load{Namespace: c.namespace, CPU: "50m"})
	})
	for i := range size {
		name := web
		if i > 0 {
			name = fmt.Sprintf("%s-%d", web, i)
		}
		c.create(name, 1)
		c.autoscaleAs(name, name, nil)
	}
	c.eventually("each HPA has decided", func(ctx context.Context) error {
		hpas, err := c.all(ctx)
		if err != nil {
			return err
		}
		for name, hpa := range hpas {
			if len(hpa.Status.CurrentMetrics) == 0 && strings.HasPrefix(name, c.namespace+"/") {
				return fmt.Errorf("%s has not", name)
			}
		}
		return nil
	})
}

func (c *crowd) command(args ...string) *exec.Cmd {
	return exec.CommandContext(c.Context(), c.path, append([]string{"explain", web, "-n", c.namespace, "--kubeconfig", c.Kubeconfig(cluster.Admin)}, args...)...)
}

// explained is how many requests one explain makes.
func (c *crowd) explained() float64 {
	c.Helper()
	before := len(requested(c.T, c.log))
	text, err := c.command("-o", "json").CombinedOutput()
	if err != nil {
		c.Fatalf("%v: %s", err, text)
	}
	return float64(len(requested(c.T, c.log)) - before)
}

// watched is how many requests a watch makes for each look; its first second is not counted, in which it reads what lasts.
func (c *crowd) watched() float64 {
	c.Helper()
	watching := c.command("--watch", "-o", "jsonl")
	c.must(nil, watching.Start())
	time.Sleep(2 * syncPeriod)
	before := len(requested(c.T, c.log))
	time.Sleep(overseen)
	uris := requested(c.T, c.log)[before:]
	c.must(nil, watching.Process.Signal(syscall.SIGINT))
	c.must(nil, watching.Wait())
	looks := 0
	for _, uri := range uris {
		if strings.HasSuffix(strings.Split(uri, "?")[0], "/horizontalpodautoscalers/"+web) {
			looks++
		}
	}
	if looks < 2 {
		c.Fatalf("%d looks in %s: %s", looks, overseen, strings.Join(uris, "\n"))
	}
	return float64(len(uris)) / float64(looks)
}
