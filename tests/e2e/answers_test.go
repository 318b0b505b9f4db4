package e2e

import (
	"os"
	"strings"
	"testing"

	"kubectl-hpa.local/e2e/cluster"
)

// answersVariable names the file that TestAnswers writes.
const answersVariable = "KUBECTL_HPA_ANSWERS"

// The reads that kubectl-hpa makes of the HPA web in the namespace shop, whose target is a Rollout.
const (
	hpasPath   = "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers"
	hpaPath    = hpasPath + "/web"
	kindPath   = "/apis/argoproj.io/v1alpha1"
	scalePath  = kindPath + "/namespaces/shop/rollouts/web/scale"
	otherPath  = kindPath + "/namespaces/shop/rollouts/api/scale"
	selected   = "?labelSelector=app%3Dweb"
	podsPath   = "/api/v1/namespaces/shop/pods"
	usagePath  = "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods" + selected
	customPath = "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop"
	queuePath  = "/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/queue"
	eventsPath = "/api/v1/namespaces/shop/events"
)

var (
	measuredReads = reads(usagePath, customPath+"/pods/%2A/rps"+selected, customPath+"/services/web/hits", customPath+"/metrics/load", queuePath)
	scaleReads    = reads(scalePath, otherPath)
	ownReads      = reads(hpaPath, hpasPath, "/api", "/apis", kindPath, podsPath+selected,
		eventsPath+"?fieldSelector=involvedObject.kind%3DHorizontalPodAutoscaler%2CinvolvedObject.name%3Dweb",
		"/api/v1/namespaces/kube-system/pods?labelSelector=component+in+%28kube-apiserver%2Ckube-controller-manager%29", "/version")
	everyRead = append(append(append([]question{}, ownReads...), scaleReads...), measuredReads...)
)

func reads(paths ...string) (all []question) {
	for _, path := range paths {
		all = append(all, question{path: path})
	}
	return all
}

// by is the same questions, asked with another token.
func by(token string, questions []question) (all []question) {
	for _, q := range questions {
		q.token = token
		all = append(all, q)
	}
	return all
}

// How the real API server answers when it fails, in one file: tests of what kubectl-hpa makes of such answers play them.
func TestAnswers(t *testing.T) {
	path, given := os.LookupEnv(answersVariable)
	if !given {
		t.Skipf("it records; %s=FILE runs it", answersVariable)
	}
	c, err := cluster.Start("", cluster.Settings{SyncPeriod: syncPeriod, Kwok: true, APIServerFlags: shortly})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	r := newRecorder(inNamespace(t, c, "shop"))
	version, err := c.Client.Discovery().ServerVersion()
	r.must(version, err)
	t.Cleanup(func() {
		if t.Failed() {
			r.write(path+".failed", "")
		}
	})
	r.prepare()
	for _, step := range []func(){
		r.rights, r.jail, r.absences, r.backends, r.servers, r.kinds, r.writes, r.expiry, r.restarts, r.shutdowns, r.starts, r.storage,
	} {
		step()
	}
	r.write(path, strings.TrimSpace(version.GitVersion))
}

// shortly lets no request take long.
var shortly = []string{"--request-timeout=4s"}
