package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	autoscaling "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/client-go/tools/clientcmd"

	"kubectl-hpa.local/e2e/cluster"
)

const (
	watchedVariable = "KUBECTL_HPA_WATCHED" // how long each half of the watch is, in seconds
	heldWindow      = 15 * time.Second      // the flag's window, as long as the longest of the HPAs'
	// fullWindow is that, and what the watch and the controller may be late.
	fullWindow = heldWindow + 2*syncPeriod
	// syncTakes is how long before its status the controller may have read what it decided on.
	syncTakes = syncPeriod / 2
	away      = 4 * time.Second // of the API server
)

// The loads of the HPAs of TestLiveDecisions are changed at random while each of them is watched. Every decision of the
// controller is held against what the watch said last before it. In between the API server is restarted, and the token
// that the watches have is not accepted any more.
func TestWatch(t *testing.T) {
	seconds := number(t, watchedVariable, 0)
	if seconds == 0 {
		t.Skipf("it judges how much is exact, which hangs on how busy the machine is; %s=45 runs it", watchedVariable)
	}
	path := binary(t)
	seed := number(t, seedVariable, int(time.Now().Unix()))
	c, err := cluster.Start("", cluster.Settings{SyncPeriod: syncPeriod, DownscaleStabilization: heldWindow, Kwok: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	kubeconfig, rotate := rotating(t, c)
	m := watch(t.Context(), c.Client)
	t.Cleanup(m.running.Wait)
	restart := sync.OnceValue(func() error {
		if err := c.RestartAPIServer(t.Context(), away); err != nil {
			return err
		}
		rotate()
		return nil
	})
	tallies := make([]vigilTally, len(autoscalers))
	var begun, halved sync.WaitGroup
	begun.Add(len(autoscalers))
	halved.Add(len(autoscalers))
	t.Run("of", func(t *testing.T) {
		for i, autoscaler := range autoscalers {
			t.Run(autoscaler.name, func(t *testing.T) {
				t.Parallel()
				v := &vigil{live: live{
					world: inCluster(t, c), monitor: m, path: path, random: rand.New(rand.NewPCG(uint64(seed), uint64(i))),
				}, tally: &tallies[i]}
				v.begin(autoscaler.change)
				begun.Done()
				begun.Wait()
				v.start(kubeconfig)
				v.stir(time.Duration(seconds) * time.Second)
				halved.Done()
				halved.Wait()
				time.Sleep(2 * syncPeriod)
				gap := span{from: time.Now()}
				v.must(nil, restart())
				back := time.Now()
				v.eventually("the watch goes on", func(context.Context) error { return v.hasLookedSince(back) })
				// What happens is watched here as well, and that may take longer to go on than the watch under test.
				gap.to = back.Add(heldWindow)
				v.stir(time.Duration(seconds) * time.Second)
				v.stop()
				v.judgeAll(gap)
			})
		}
	})
	sum := vigilTally{}
	for i, one := range tallies {
		t.Logf("%-16s %s", autoscalers[i].name, one)
		sum.add(one)
	}
	t.Logf("seed %d, all: %s", seed, sum)
	if sum.whole < 100 || sum.wholeExact*100 < sum.whole*95 {
		t.Errorf("after one full window %d of %d answers are exact", sum.wholeExact, sum.whole)
	}
}

// rotating writes a kubeconfig whose token is in a file of its own, and returns what puts the newest one there.
func rotating(t *testing.T, c *cluster.Cluster) (path string, rotate func()) {
	t.Helper()
	folder := t.TempDir()
	path, token := filepath.Join(folder, "kubeconfig"), filepath.Join(folder, "token")
	config, err := clientcmd.LoadFromFile(c.Kubeconfig(cluster.Admin))
	if err != nil {
		t.Fatal(err)
	}
	config.AuthInfos[cluster.Admin].Token, config.AuthInfos[cluster.Admin].TokenFile = "", token
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		t.Fatal(err)
	}
	rotate = func() {
		if err := os.WriteFile(token, []byte(c.RotatedToken()), 0o600); err != nil {
			t.Error(err)
		}
	}
	rotate()
	return path, rotate
}

// vigilTally counts decisions of the controller by what the watch had said before.
type vigilTally struct {
	exact, interval, unknown, wrong int
	whole, wholeExact               int // after one full window
	changed, timed                  int // set aside: an input changed just before, or time alone was about to change the answer
}

func (t *vigilTally) add(o vigilTally) {
	t.exact, t.interval, t.unknown, t.wrong = t.exact+o.exact, t.interval+o.interval, t.unknown+o.unknown, t.wrong+o.wrong
	t.whole, t.wholeExact, t.changed, t.timed = t.whole+o.whole, t.wholeExact+o.wholeExact, t.changed+o.changed, t.timed+o.timed
}

func (t vigilTally) String() string {
	return fmt.Sprintf("%d exact, %d intervals, %d unknown, %d wrong; after one full window %d of %d exact; set aside: %d changed just before, %d by time alone",
		t.exact, t.interval, t.unknown, t.wrong, t.wholeExact, t.whole, t.changed, t.timed)
}

type span struct{ from, to time.Time }

func (s span) holds(at time.Time) bool { return at.After(s.from) && at.Before(s.to) }

// statement is what the watch says until it says something else.
type statement struct {
	decision
	At      time.Time `json:"at"`
	Outlook struct {
		Next *struct {
			At time.Time `json:"at"`
		} `json:"next"`
	} `json:"outlook"`
	heard time.Time
	text  []byte
}

// moment is what there was from a time on.
type moment struct {
	snapshot
	at time.Time
}

// vigil is a world that is watched.
type vigil struct {
	live
	tally   *vigilTally
	begun   time.Time
	command *exec.Cmd
	running sync.WaitGroup
	ending  chan struct{}

	lock    sync.Mutex
	said    []statement
	looks   []time.Time // when the HPA was asked for, and answered
	talk    bytes.Buffer
	moments []moment
	set     []time.Time // when values were published
}

// start runs the watch, and writes down what it says and what happens.
func (v *vigil) start(kubeconfig string) {
	v.Helper()
	v.begun, v.ending = time.Now(), make(chan struct{})
	v.command = exec.CommandContext(v.Context(), v.path, "explain", web, "-n", v.namespace, "--kubeconfig", kubeconfig, "--watch", "-o", "jsonl", "-v=6")
	stdout, err := v.command.StdoutPipe()
	v.must(stdout, err)
	stderr, err := v.command.StderrPipe()
	v.must(stderr, err)
	v.must(nil, v.command.Start())
	v.running.Go(func() { v.eachLine(stdout, v.hear) })
	v.running.Go(func() { v.eachLine(stderr, v.overhear) })
	v.running.Go(func() {
		for {
			select {
			case <-v.ending:
				return
			case <-time.After(glance):
				v.note(v.see())
			}
		}
	})
}

func (v *vigil) eachLine(stream io.Reader, do func([]byte)) {
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		v.lock.Lock()
		do(lines.Bytes())
		v.lock.Unlock()
	}
}

func (v *vigil) hear(line []byte) {
	one := statement{heard: time.Now(), text: bytes.Clone(line)}
	if err := json.Unmarshal(one.text, &one); err != nil {
		v.Error(err)
	}
	v.said = append(v.said, one)
}

var asked = regexp.MustCompile(`^GET .*/horizontalpodautoscalers/\S+ (\d+) .* in (\d+) milliseconds$`)

// overhear takes a look's time from the request for the HPA: from when on what was seen counts.
func (v *vigil) overhear(line []byte) {
	if told := asked.FindSubmatch(line); told != nil {
		if took, err := strconv.Atoi(string(told[2])); err == nil && string(told[1]) == "200" {
			v.looks = append(v.looks, time.Now().Add(-time.Duration(took)*time.Millisecond))
		}
	} else if !bytes.HasPrefix(line, []byte("GET ")) {
		v.talk.Write(append(line, '\n'))
	}
}

func (v *vigil) note(now snapshot) {
	v.lock.Lock()
	defer v.lock.Unlock()
	if last := len(v.moments) - 1; last < 0 || v.moments[last].inputs() != now.inputs() || v.moments[last].decided(now) {
		v.moments = append(v.moments, moment{now, time.Now()})
	}
}

// stir changes the load again and again.
func (v *vigil) stir(howLong time.Duration) {
	for end := time.Now().Add(howLong); time.Now().Before(end); {
		v.set = append(v.set, time.Now())
		v.change()
		v.set = append(v.set, time.Now())
		time.Sleep(time.Duration(1500+v.random.IntN(5000)) * time.Millisecond)
	}
}

func (v *vigil) hasLookedSince(at time.Time) error {
	v.lock.Lock()
	defer v.lock.Unlock()
	if last := len(v.looks) - 1; last < 0 || v.looks[last].Before(at) {
		return fmt.Errorf("nothing since %s: %s", at, &v.talk)
	}
	return nil
}

// stop ends the watch as Ctrl-C does.
func (v *vigil) stop() {
	v.Helper()
	v.must(nil, v.command.Process.Signal(syscall.SIGINT))
	close(v.ending)
	v.running.Wait()
	if err := v.command.Wait(); err != nil {
		v.Errorf("the watch ends with %v: %s", err, &v.talk)
	}
	v.Logf("%d looks, %d statements; %s", len(v.looks), len(v.said), &v.talk)
	if folder, given := os.LookupEnv(casesVariable); given {
		text := []byte{}
		for _, one := range v.said {
			text = append(append(text, one.text...), '\n')
		}
		v.must(nil, os.WriteFile(filepath.Join(folder, v.namespace+".jsonl"), text, 0o600))
	}
}

// judgeAll holds each decision of the controller against the last statement before it; but not those of the time in which
// nobody could be asked.
func (v *vigil) judgeAll(gap span) {
	for i := 1; i < len(v.moments); i++ {
		before, now := v.moments[i-1], v.moments[i]
		if before.hpa.UID == now.hpa.UID && !equality.Semantic.DeepEqual(before.hpa.Status, now.hpa.Status) {
			v.judge(v.decidedAt(i), now.hpa, gap)
		} else if quiet := before.at.Add(rested); now.at.After(quiet) && before.replicas != 0 && !v.publishedIn(span{before.at, quiet}) {
			v.judge(quiet, before.hpa, gap)
		}
	}
}

// decidedAt is when the decision was made whose status was seen: the replicas are asked for just before.
func (v *vigil) decidedAt(i int) time.Time {
	status := v.moments[i].hpa.Status
	for k := i; k > 0 && v.moments[i].at.Sub(v.moments[k].at) < syncPeriod/2; k-- {
		if v.moments[k].replicas == status.DesiredReplicas && v.moments[k-1].replicas == status.CurrentReplicas && status.CurrentReplicas != status.DesiredReplicas {
			return v.moments[k].at
		}
	}
	return v.moments[i].at
}

func (v *vigil) judge(at time.Time, hpa *autoscaling.HorizontalPodAutoscaler, gap span) {
	said := v.saidBefore(at)
	switch {
	case said == nil || gap.holds(at):
		return
	case v.changedBefore(at):
		v.tally.changed++
		return
	case said.Outlook.Next != nil && said.Outlook.Next.At.Add(v.lag()).Before(at.Add(syncPeriod)):
		v.tally.timed++
		return
	}
	isWhole := at.After(v.begun.Add(fullWindow)) && !(span{gap.from, gap.to.Add(fullWindow - heldWindow)}).holds(at)
	if isWhole {
		v.tally.whole++
	}
	desired := hpa.Status.DesiredReplicas
	switch {
	case said.DesiredReplicas == nil && said.Interval == nil:
		v.tally.unknown++
	case !said.holds(&desired):
		v.tally.wrong++
		v.Errorf("%s: kubectl-hpa %s %s, the controller %d; said %s before: %s\nthe controller %s", at.Format(time.RFC3339Nano),
			indented(said.DesiredReplicas), indented(said.Interval), desired, at.Sub(said.heard), said.text, indented(hpa.Status))
	case said.Interval != nil:
		v.tally.interval++
	default:
		v.tally.exact++
		if isWhole {
			v.tally.wholeExact++
		}
	}
}

func (v *vigil) saidBefore(at time.Time) (last *statement) {
	for i := range v.said {
		if v.said[i].heard.Before(at) {
			last = &v.said[i]
		}
	}
	return last
}

// changedBefore tells whether anything that the controller may have seen changed after the last look before its decision.
func (v *vigil) changedBefore(at time.Time) bool {
	late := span{v.begun, at}
	for i := 1; i < len(v.looks) && v.looks[i].Before(at); i++ {
		late.from = v.looks[i-1] // it had ended when the next one began
	}
	if read := at.Add(-syncTakes); read.Before(late.from) {
		late.from = read
	}
	for i := 1; i < len(v.moments); i++ {
		// The controller may have had samples before they were asked for here.
		if (span{late.from, at.Add(syncTakes)}).holds(v.moments[i].at) && v.moments[i].samples != v.moments[i-1].samples {
			return true
		}
		if late.holds(v.moments[i].at) && (v.moments[i].inputs() != v.moments[i-1].inputs() || v.moments[i].decided(v.moments[i-1].snapshot)) {
			return true
		}
	}
	return v.publishedIn(late)
}

func (v *vigil) publishedIn(time span) bool {
	return slices.ContainsFunc(v.set, time.holds)
}

// lag is how far the watch's clock, which was set to a whole second, is behind.
func (v *vigil) lag() time.Duration {
	least := v.said[0].heard.Sub(v.said[0].At)
	for _, one := range v.said {
		least = min(least, one.heard.Sub(one.At))
	}
	return least
}
