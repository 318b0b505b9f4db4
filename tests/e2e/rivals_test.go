package e2e

import (
	"testing"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-hpa.local/e2e/cluster"
	"kubectl-hpa.local/e2e/parts"
)

const (
	rival      = "rival"     // the other HPA
	other      = "other"     // a Deployment whose pods the HPA's selector matches, too
	asleep     = "asleep"    // one of no replicas
	elsewhere  = "elsewhere" // one whose pods no other HPA selects
	nowhere    = "nowhere"   // none
	shortLease = 6 * syncPeriod
	restarts   = 8 // of so many rounds of one world, one begins with a restart of the controller
)

// besetting are the HPAs that have rivals.
var besetting = []struct {
	name   string
	target string // of the rival
	change func(*autoscaling.HorizontalPodAutoscalerSpec)
}{
	{"same-cpu", web, func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.Behavior = down(window(0)) }},
	{"same-queue", web, meeting("external.metrics.k8s.io")},
	{"same-policies", web, meeting("")},
	{"same-window", web, func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.Behavior = down(window(8)) }},
	{"pods-cpu", other, func(spec *autoscaling.HorizontalPodAutoscalerSpec) { spec.Behavior = down(window(0)) }},
	{"pods-hits", other, meeting("custom.metrics.k8s.io")},
	{"pods-queue", other, meeting("external.metrics.k8s.io")},
	{"pods-policies", other, meeting("")},
}

// rivalry is a world with another HPA for the same target, or for a Deployment whose pods are selected by both.
type rivalry struct {
	*believer
	upheaval *upheaval
	target   string
	seen     int // how many restarts it knows of
}

// withRivals judges HPAs that have rivals, while the controller is restarted in between.
func withRivals(t *testing.T, l *ledger, count, seed int) {
	u := newUpheaval(t, cluster.Settings{SyncPeriod: syncPeriod, Elected: true, Lease: shortLease, Decisions: true})
	known := evidence{u.monitor, newJournal(u.Log(parts.ControllerManager))}
	for i, one := range besetting {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			r := &rivalry{target: one.target, upheaval: u}
			u.quietly(func() {
				r.believer = newBeliever(inCluster(t, u.Cluster), known, l, seed, i)
				r.besets(one.change)
			})
			if i%watchers == 0 {
				defer r.isWatched()()
			}
			for rounds := 1; l.judged() < count; rounds++ {
				if i == 0 && rounds%restarts == 2 {
					r.must(nil, u.alone(t.Context(), restarted))
				}
				r.round()
			}
		})
	}
}

// besets an HPA with a rival, and with targets that this may go to.
func (r *rivalry) besets(change func(*autoscaling.HorizontalPodAutoscalerSpec)) {
	r.Helper()
	r.rivaled = r.target == web
	r.begins(change)
	r.create(asleep, 0)
	r.create(elsewhere, 1)
	if r.target == other {
		r.create(other, 2, func(spec *apps.DeploymentSpec) {
			spec.Selector.MatchLabels, spec.Template.Labels = map[string]string{"part": other}, map[string]string{"app": web, "part": other}
		})
	}
	r.does(rivalMade.name, r.make)
}

// round does one thing, and judges looks at once and after two syncs.
func (r *rivalry) round() {
	r.upheaval.lock.RLock()
	defer r.upheaval.lock.RUnlock()
	if past := len(r.upheaval.past); past > r.seen {
		r.seen = past
		r.does("controller restarted with a rival", func() {})
	} else {
		act := r.next()
		r.does(act.name, func() { act.do(r) })
	}
	if r.random.IntN(2) == 0 {
		r.judges(r.look)
	}
	r.tires()
	r.judges(r.look)
	if r.random.IntN(4) == 0 {
		r.judges(r.foresees)
	}
}

// next is something that may be done as it is.
func (r *rivalry) next() rivalAct {
	_, err := r.Client.AutoscalingV2().HorizontalPodAutoscalers(r.namespace).Get(r.Context(), rival, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return rivalMade
	}
	r.must(nil, err)
	return rivalActs[r.random.IntN(len(rivalActs))]
}
