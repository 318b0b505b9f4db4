//! The other HPAs of a namespace: how few requests their scales take, and what is kept of them.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kubectl_hpa::cluster::ConnectArgs;
use kubectl_hpa_core::snapshot::Case;
use serde_json::{Value, json};

use crate::cluster::{Cluster, MANAGERS, SCALE, ask, ask_as, hpa, kubeconfig_file, list, scale};
use crate::fleet::world::{World, parameter};
use crate::run::run_on;
use crate::server::{Reply, Request, Server};
use crate::watch::{PATIENCE, Watching};

/// How many requests a list of each of the kinds takes that have one.
const LISTS: usize = 3;
/// How many looks are counted: two sync periods, for what is shared is kept for one.
const LOOKS: usize = 10;
/// The first of them: neither it nor the one after the last reads what is shared, in whatever order.
const FIRST: usize = 2;
/// The first target of this world is a Deployment that is there.
const SEED: u64 = 107;
const NAME: &str = "web-000";
const PATH: &str = "/apis/autoscaling/v2/namespaces/ns-00/horizontalpodautoscalers/web-000";

/// So many HPAs of one namespace, with targets of so many kinds.
fn world(hpas: usize, kinds: u64) -> Arc<World> {
    Arc::new(World::of(SEED, 1, hpas, kinds))
}

/// Requests that are no further pages: an API server's are seventy times as long as those of the played one.
fn count(requests: &[Request]) -> usize {
    requests.iter().filter(|request| parameter(request, "continue").is_none()).count()
}

fn serve(world: Arc<World>, fault: impl Fn(&Request) -> Option<Reply> + Send + Sync + 'static) -> Server {
    Server::start(move |request| fault(request).unwrap_or_else(|| world.answer(request)))
}

/// The case of the first HPA, and how many requests it took.
fn explained(server: &Server) -> (Case, usize) {
    let before = server.requests().len();
    let args = ConnectArgs { namespace: Some("ns-00".into()), ..ConnectArgs::default() };
    let case = ask_as(server, NAME, args).expect("a case");
    (case, count(&server.requests()[before..]))
}

#[test]
fn an_explain_takes_three_more_requests_at_most_however_many_others_there_are() {
    let [alone, some, many] = [1, 10, 200].map(|hpas| {
        let told = run_on(&serve(world(hpas, 3), |_| None), &["explain", NAME, "-n", "ns-00", "-o", "name"]);
        assert_eq!(told.err, "");
        count(&told.requests)
    });
    assert!(some <= alone + LISTS && many <= alone + LISTS, "{alone}, {some} and {many} requests");
    // The lists are what is read, and no scale but its own.
    let (case, _) = explained(&serve(world(200, 3), |_| None));
    assert_eq!(
        (case.other_hpas.len(), case.pods.is_some(), case.history.target_events.is_some()),
        (199, true, true)
    );
}

/// The requests of a watch's looks, from one look at the HPA to another.
fn watched(hpas: usize) -> usize {
    let world = world(hpas, 3);
    let server = serve(world, |request| (request.path() == MANAGERS).then(each_second));
    let kubeconfig = kubeconfig_file(&server.url());
    let _watching = watch(&server, kubeconfig);
    let begun = Instant::now();
    loop {
        let requests = server.requests();
        let looks = requests.iter().enumerate().filter(|(_, request)| request.path() == PATH);
        let looks: Vec<usize> = looks.map(|(index, _)| index).collect();
        if let (Some(first), Some(last)) = (looks.get(FIRST), looks.get(FIRST + LOOKS)) {
            return count(&requests[*first..*last]);
        }
        assert!(begun.elapsed() < 3 * PATIENCE, "{} looks", looks.len());
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn watch(server: &Server, kubeconfig: PathBuf) -> Watching {
    assert!(server.requests().is_empty());
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
    command.args(["explain", NAME, "-n", "ns-00", "--watch", "--kubeconfig"]).arg(&kubeconfig);
    Watching::start(command, kubeconfig)
}

/// A controller that syncs each second.
fn each_second() -> Reply {
    let command = ["kube-controller-manager", "--horizontal-pod-autoscaler-sync-period=1s"];
    let manager = json!({"metadata": {"name": "kcm-n1", "namespace": "kube-system"}, "spec": {"containers": [
        {"name": "kube-controller-manager", "command": command}]}});
    Reply::json(list("PodList", json!([manager])))
}

#[test]
fn a_look_takes_three_more_requests_at_most_however_many_others_there_are() {
    let [alone, some, many] = [1, 10, 200].map(watched);
    // The lists are read once in five looks. At both ends the Lease and the events may have been asked for before the HPA.
    let most = alone + LISTS * LOOKS / 5 + 4;
    assert!(some <= most && many <= most, "{alone}, {some} and {many} requests of {LOOKS} looks");
}

fn is_list_of_workloads(request: &Request) -> bool {
    let lists = ["/deployments", "/statefulsets", "/replicasets"];
    lists.iter().any(|list| request.path().ends_with(list))
}

/// Whoever may get scales alone learns as much: selectors in lists are those of the scales, to the letter.
#[test]
fn lists_that_are_refused_are_replaced_by_a_few_single_scales() {
    for seed_kinds in [1, 3, 4] {
        let listed = serve(world(8, seed_kinds), |_| None);
        let refused = serve(world(8, seed_kinds), |request| {
            is_list_of_workloads(request).then(|| Reply::forbidden("no list"))
        });
        let ((of_lists, few), (of_scales, many)) = (explained(&listed), explained(&refused));
        assert!(few < many, "{few} and {many} requests");
        assert_eq!(json!(of_lists), json!(of_scales));
        let scales: Vec<String> = refused.requests().iter().map(|it| it.target.clone()).collect();
        let scales: Vec<&String> = scales.iter().filter(|it| it.ends_with("/scale")).collect();
        let mut distinct = scales.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!((scales.len(), distinct.len()), (8, 8), "each scale once");
    }
    // Of many that would be a storm, which a server in trouble would get from each that asks.
    let refused =
        serve(world(30, 1), |request| is_list_of_workloads(request).then(|| Reply::forbidden("no list")));
    let (case, requests) = explained(&refused);
    assert!(requests < 20, "{requests}");
    let unread = case
        .other_hpas
        .all()
        .iter()
        .filter(|other| other.scale.as_ref().is_some_and(|it| it.error.is_some()));
    assert_eq!(unread.count(), 29);
}

fn shop(others: &[(&str, &str, &str)]) -> Server {
    let other = |(name, kind, target): &(&str, &str, &str)| hpa(name, "apps/v1", kind, target, json!([]));
    let web = hpa("web", "apps/v1", "Deployment", "web", json!([]));
    let hpas: Vec<Value> = std::iter::once(web).chain(others.iter().map(other)).collect();
    Cluster::shop().with_hpas(&hpas).with(&SCALE.replace("/web/", "/api/"), scale("app=api")).serve()
}

fn asked(server: &Server, end: &str) -> usize {
    server.requests().iter().filter(|request| request.path().ends_with(end)).count()
}

#[test]
fn one_other_target_is_read_singly_and_ones_own_once() {
    let server =
        shop(&[("api", "Deployment", "api"), ("twin", "Deployment", "web"), ("more", "Deployment", "api")]);
    let case = ask(&server, "web").expect("a case");
    let selector = |other: &kubectl_hpa_core::snapshot::case::OtherCase| {
        let scale = other.scale.as_ref().and_then(|scale| scale.object.as_ref());
        scale.map(|scale| scale.status.selector.clone()).unwrap_or_default()
    };
    let selectors: Vec<String> = case.other_hpas.iter().map(selector).collect();
    assert_eq!(selectors, ["app=api", "app=web", "app=api"]);
    assert_eq!(
        (asked(&server, "/web/scale"), asked(&server, "/api/scale"), asked(&server, "/deployments")),
        (1, 1, 0)
    );
}

/// What tells which selector the controller holds of another HPA; nothing else of its status.
#[test]
fn of_another_hpa_is_kept_what_the_controller_wrote_last() {
    let mut other = hpa("api", "apps/v1", "Deployment", "api", json!([]));
    other["metadata"] = json!({
        "name": "api", "namespace": "shop", "generation": 3, "creationTimestamp": "2026-11-21T08:00:00Z",
        "deletionTimestamp": "2026-11-21T10:41:30Z", "annotations": {"secret": "of the annotation"},
        "managedFields": [
            {"manager": "kubectl", "operation": "Apply", "time": "2026-11-21T09:00:00Z",
                "fieldsV1": {"f:spec": {"f:maxReplicas": {}}}},
            {"manager": "kube-controller-manager", "operation": "Update", "subresource": "status",
                "time": "2026-11-21T10:41:50Z", "fieldsV1": {"f:status": {"f:conditions": {}}}},
        ],
    });
    let condition = json!({"type": "ScalingActive", "status": "True", "reason": "ValidMetricFound",
        "lastTransitionTime": "2026-11-21T09:01:00Z", "message": "the HPA was able to compute"});
    other["status"] = json!({
        "observedGeneration": 2, "lastScaleTime": "2026-11-21T10:30:00Z", "currentReplicas": 4, "desiredReplicas": 5,
        "currentMetrics": [{"type": "Resource", "resource": {"name": "cpu", "current": {"averageUtilization": 70}}}],
        "conditions": [condition],
    });
    let web = hpa("web", "apps/v1", "Deployment", "web", json!([]));
    let mut null = hpa("null", "apps/v1", "Deployment", "web", json!([]));
    null["status"]["currentMetrics"] = Value::Null;
    let case = Cluster::shop().with_hpas(&[web, other.clone(), null]).ask("web").expect("a case");
    let others: Vec<Value> = case.other_hpas.iter().map(|other| json!(other.hpa)).collect();
    assert_eq!(others[0]["spec"]["maxReplicas"], 10);
    assert_eq!(
        others[0]["metadata"],
        json!({
            "name": "api", "namespace": "shop", "generation": 3, "creationTimestamp": "2026-11-21T08:00:00Z",
            "deletionTimestamp": "2026-11-21T10:41:30Z",
            "managedFields": [{"manager": "kube-controller-manager", "operation": "Update", "subresource": "status",
                "time": "2026-11-21T10:41:50Z"}],
        })
    );
    assert_eq!(
        others[0]["status"],
        json!({
            "observedGeneration": 2, "lastScaleTime": "2026-11-21T10:30:00Z", "currentReplicas": 4,
            "desiredReplicas": 5, "currentMetrics": [],
            "conditions": [{"type": "ScalingActive", "status": "True", "reason": "ValidMetricFound",
                "lastTransitionTime": "2026-11-21T09:01:00Z"}],
        })
    );
    assert_eq!(others[1]["status"]["currentMetrics"], Value::Null);
}
