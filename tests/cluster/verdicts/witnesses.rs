//! The API server's own words without its `Audit-Id`: who vouches for them, and who does not.

use kubectl_hpa_core::snapshot::{Scope, Snapshot};
use serde_json::{Value, json};

use super::recorded;
use crate::cluster::{Cluster, POD_METRICS, hpa};
use crate::connections::kubectl_hpa;
use crate::run::file;
use crate::server::Reply;

const SERVICE: &str = "/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io";
const DOWN: &str = "service unavailable\n";
const ABSENT: &str = "404 page not found\n";

/// The scope of the resource metrics' error in the end, and how often the APIService was asked for.
fn scope(cluster: Cluster) -> (Scope, usize) {
    let server = cluster.serve();
    let case = crate::cluster::ask(&server, "web").expect("a case");
    let snapshot = Snapshot::freeze(case).expect("a snapshot");
    let error = snapshot.usages.expect_err("an error");
    (error.scope, server.requests().iter().filter(|request| request.path() == SERVICE).count())
}

fn service(available: &str) -> Value {
    json!({"kind": "APIService", "apiVersion": "apiregistration.k8s.io/v1",
        "metadata": {"name": "v1beta1.metrics.k8s.io"}, "spec": {},
        "status": {"conditions": [{"type": "Available", "status": available}]}})
}

fn answered(code: u16, text: &str) -> Cluster {
    Cluster::shop().reply(POD_METRICS, Reply::new(code, Some("text/plain; charset=utf-8"), text))
}

#[test]
fn an_api_service_vouches_for_what_its_absence_or_state_explains() {
    let gone = Reply::failure(404, "NotFound", "apiservices \"v1beta1.metrics.k8s.io\" not found");
    let down = |available| Reply::json(service(available));
    for (code, text, reply, expected, why) in [
        (503, DOWN, down("False"), Scope::Everyone, "it is not available"),
        (503, DOWN, down("True"), Scope::Reader, "it is available"),
        (503, DOWN, down("Unknown"), Scope::Reader, "nobody knows whether it is available"),
        (503, DOWN, gone.clone(), Scope::Reader, "without one the API server says 404"),
        (404, ABSENT, gone.clone(), Scope::Everyone, "there is none"),
        (404, ABSENT, down("False"), Scope::Reader, "there is one, so the API server says 503"),
        (
            404,
            ABSENT,
            Reply::unserved(),
            Scope::Everyone,
            "there are none at all, as the API server itself says",
        ),
        (
            404,
            ABSENT,
            Reply::new(404, Some("text/plain"), ABSENT),
            Scope::Reader,
            "it is answered as strangely",
        ),
        (503, DOWN, Reply::forbidden("no"), Scope::Reader, "it may not be read"),
        (503, DOWN, Reply::json(json!({})), Scope::Reader, "it is none"),
    ] {
        assert_eq!(scope(answered(code, text).reply(SERVICE, reply)), (expected, 1), "{code}: {why}");
    }
    let error = "error trying to reach service: dial tcp: connection refused\n";
    assert_eq!(scope(answered(503, error).reply(SERVICE, down("False"))).0, Scope::Everyone);
    // What is certainly somebody else's, or certainly the API server's, is not asked about.
    for (reply, expected) in [
        (Reply::new(503, Some("text/html"), "<html>"), Scope::Reader),
        (Reply::new(503, Some("text/plain"), "no healthy upstream"), Scope::Reader),
        (Reply::new(503, Some("text/plain"), DOWN).signed(), Scope::Everyone),
    ] {
        let cluster = Cluster::shop().reply(POD_METRICS, reply).reply(SERVICE, down("False"));
        assert_eq!(scope(cluster), (expected, 0));
    }
}

/// The same in the real API server's words, which a load balancer has taken the sign from.
#[test]
fn a_recorded_api_service_vouches_for_the_recorded_answer() {
    for fault in ["backend found away", "servers found stopped"] {
        let cluster = Cluster::shop()
            .reply(POD_METRICS, recorded::answer(fault, POD_METRICS).unsigned())
            .reply(SERVICE, recorded::answer(fault, SERVICE).reply());
        assert_eq!(scope(cluster), (Scope::Everyone, 1), "{fault}");
    }
}

#[test]
fn the_last_status_vouches_for_what_it_quotes() {
    let quoting = |message: &str| {
        let cpu = json!([{"type": "Resource", "resource": {
            "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}}]);
        let mut web = hpa("web", "apps/v1", "Deployment", "web", cpu);
        web["status"]["conditions"] = json!([{"type": "ScalingActive", "status": "False",
            "reason": "FailedGetResourceMetric", "message": format!("the HPA was unable to compute the replica count: \
            failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from \
            resource metrics API: {message}")}]);
        web
    };
    let words = "the server is currently unable to handle the request (get pods.metrics.k8s.io)";
    assert_eq!(scope(answered(503, DOWN).with_hpas(&[quoting(words)])), (Scope::Everyone, 0));
    let other = "the server could not find the requested resource (get pods.metrics.k8s.io)";
    assert_eq!(scope(answered(503, DOWN).with_hpas(&[quoting(other)])), (Scope::Reader, 1));
    // Of a page nothing is known but its code, and that code is any server's.
    let page = Reply::new(503, Some("text/html"), "<html>503</html>");
    assert_eq!(
        scope(Cluster::shop().with_hpas(&[quoting(words)]).reply(POD_METRICS, page)),
        (Scope::Reader, 0)
    );
}

/// A case that was saved tells the same.
#[test]
fn who_answered_is_kept_in_a_case() {
    let page = Reply::new(503, Some("text/html"), "<html>503</html>");
    let case = Cluster::shop().reply(POD_METRICS, page).ask("web").expect("a case");
    let error = case.pod_metrics.clone().and_then(|read| read.error).expect("an error");
    assert!(error.is_foreign() && error.scope == Scope::Reader);
    let path = file("foreign.yaml", &serde_json::to_string(&case).expect("JSON"));
    let told = Cluster::shop().run(&["explain", "-f", &path]);
    let words = "something on the way to the API server answered (503)";
    assert!(told.out.contains(words), "{}", told.out);
}

#[test]
fn the_read_that_vouches_is_named_where_a_role_can_give_it() {
    let roles = |args: &[&str]| {
        let output = kubectl_hpa(&[&["rbac"], args].concat(), &[]);
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(roles(&[]).contains(
        "- apiGroups:\n  - apiregistration.k8s.io\n  resources:\n  - apiservices\n  verbs:\n  - get\n"
    ));
    assert!(!roles(&["-n", "shop"]).contains("apiservices"));
}
