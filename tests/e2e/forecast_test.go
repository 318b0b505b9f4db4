package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/parts"
)

const (
	horizon     = 220 * time.Second // how far each forecast goes, with a sync each second
	settledFor  = 6 * time.Second   // without a change, before the forecast
	scrapeEvery = time.Second
	// metricsLag is told to every forecast alike: a sample is that old at most before the next one is there.
	metricsLag = "1s"
)

// future is what is looked at of the output of `kubectl-hpa simulate --over -o json`.
type future struct {
	Start time.Time `json:"start"`
	Runs  []struct {
		Changes []struct {
			After    float64 `json:"after"`
			From, To int32
		} `json:"changes"`
		Spans []struct {
			FewestReplicas int32 `json:"fewestReplicas"`
		} `json:"spans"`
	} `json:"runs"`
}

// Ten loads at once: simulate --over says how the replicas will go, then the load goes as it was told, and the replicas must
// go as it said. Not parallel, as the seconds count.
func TestForecasts(t *testing.T) {
	path := binary(t)
	c, err := cluster.Start("", cluster.Settings{SyncPeriod: syncPeriod, Kwok: true, SlowPods: true, Resolution: scrapeEvery, Decisions: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop) // after the watches, which end with the test's context
	scales, err := followScales(t.Context(), c.Client)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := make([]verdict, len(forecastLoads))
	t.Run("of", func(t *testing.T) {
		for i, load := range forecastLoads {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				d := &driver{world: inNamespace(t, c, fmt.Sprintf("forecast-%d", i)), load: load, scales: scales}
				verdicts[i] = d.forecast(path)
			})
		}
	})
	keepLog(t, c)
	all := verdict{}
	for i, one := range verdicts {
		t.Logf("%s: %s (%d syncs) %v", one, forecastLoads[i].name, one.decided, one.apart)
		if one.decided < fewestSyncs {
			t.Errorf("%s: the controller made only %d syncs", forecastLoads[i].name, one.decided)
		}
		all.add(one)
	}
	t.Logf("%s: all", all)
	for _, fault := range all.faults() {
		t.Error(fault)
	}
}

// forecast begins the load, asks how it goes on, lets it go on so, and compares.
func (d *driver) forecast(path string) verdict {
	d.Helper()
	d.begin()
	said := d.ask(path)
	origin, before := said.Start, d.decided()
	for time.Since(origin) < horizon+syncPeriod {
		d.drive(time.Since(origin))
		time.Sleep(tick)
	}
	predicted, real := said.course(), d.scales.since(d.namespace, origin, horizon)
	d.Logf("%s\npredicted: %s\nreal:      %s", d.load.name, predicted, real)
	v := judge(predicted, real, int(horizon/syncPeriod))
	v.decided = d.decided() - before
	return v
}

// decided is how often the controller has decided, by its log.
func (d *driver) decided() (count int) {
	d.Helper()
	text, err := os.ReadFile(d.Log(parts.ControllerManager))
	d.must(text, err)
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, `"Proposing desired replicas"`) && strings.Contains(line, `"Deployment/`+d.namespace+`/`+web+`"`) {
			count++
		}
	}
	return count
}

// course is what the forecast says.
func (f future) course() course {
	run := f.Runs[0]
	predicted := course{first: run.Spans[0].FewestReplicas}
	if len(run.Changes) > 0 {
		predicted.first = run.Changes[0].From
	}
	for _, change := range run.Changes {
		predicted.to(time.Duration(change.After*float64(time.Second)), change.To)
	}
	return predicted
}

// keepLog keeps the log of the controller with the cases.
func keepLog(t *testing.T, c *cluster.Cluster) {
	t.Helper()
	folder := os.Getenv(casesVariable)
	if folder == "" {
		return
	}
	text, err := os.ReadFile(c.Log(parts.ControllerManager))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "controller.log"), text, 0o600)
	}
	if err != nil {
		t.Error(err)
	}
}
