//! Many HPAs at once: what is picked out of whole lists is what single reads give, in few requests.

mod ahead;
mod guest;
mod simulation;
mod status;
mod undecoded;
pub mod world;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use kubectl_hpa::cluster::{ConnectArgs, Connection, HpaQuery, Subject};
use kubectl_hpa::commands::Ending;
use kubectl_hpa_core::snapshot::Case;
use serde_json::{Value, json};

use crate::cluster::{ask_as, kubeconfig_file};
use crate::run::{Told, run_on};
use crate::server::{Reply, Request, Server};
use world::{Fault, World, parameter};

fn serve(world: Arc<World>, fault: Fault) -> Server {
    Server::start(move |request| fault(request).unwrap_or_else(|| world.answer(request)))
}

/// The same with other HPAs.
fn serve_changed(world: World, fault: Fault, change: fn(&mut Value)) -> Server {
    Server::start(move |request| {
        let mut reply = fault(request).unwrap_or_else(|| world.answer(request));
        if request.path().contains("horizontalpodautoscalers") {
            let mut body: Value = serde_json::from_slice(&reply.body).expect("JSON");
            match body["items"].as_array_mut() {
                Some(items) => items.iter_mut().for_each(change),
                None => change(&mut body),
            }
            reply.body = body.to_string().into_bytes();
        }
        reply
    })
}

fn healthy(_: &Request) -> Option<Reply> {
    None
}

/// The cases of all HPAs, read together.
pub fn together(server: &Server, namespace: Option<&str>) -> Vec<Case> {
    let file = kubeconfig_file(&server.url());
    let args = ConnectArgs {
        kubeconfig: Some(file.clone()),
        namespace: namespace.map(Into::into),
        ..ConnectArgs::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let cases = runtime.block_on(async {
        let connection = Connection::new(args).await.expect("a connection").sharing();
        let query = HpaQuery { everywhere: namespace.is_none(), selector: None };
        let mut cases = Vec::new();
        for (connection, subject) in connection.matching(&query).await.expect("HPAs") {
            let Subject::Hpa(_) = &subject else { panic!("{subject}") };
            cases.push(connection.gather(&subject).await.expect("a case"));
        }
        cases
    });
    std::fs::remove_file(file).expect("to remove the kubeconfig");
    cases
}

/// Whether each case is the one that is read alone.
fn check(world: World, fault: Fault, namespace: Option<&str>, what: &str) {
    let world = Arc::new(world);
    let server = serve(Arc::clone(&world), fault);
    let cases = together(&server, namespace);
    assert_eq!(cases.len(), world.names().len());
    for case in cases {
        let metadata = &case.hpa.0.metadata;
        let args = ConnectArgs { namespace: Some(metadata.namespace.to_string()), ..ConnectArgs::default() };
        let alone = ask_as(&server, &metadata.name, args).expect("a case");
        let [one, other] = [&alone, &case].map(|case| serde_json::to_string_pretty(case).expect("JSON"));
        assert!(one == other, "{what}: {}\n--- alone\n{one}\n--- together\n{other}", metadata.name);
    }
}

#[test]
fn the_cases_are_those_of_single_reads() {
    for seed in 0..4 {
        check(World::of(seed, 1, 30, 4), healthy, Some("ns-00"), "of one namespace");
    }
    check(World::of(7, 3, 6, 4), healthy, None, "of few namespaces");
    check(World::of(8, 10, 4, 4), healthy, None, "of many namespaces");
}

/// Rights that are missing and servers that fail: what an HPA's own reads would have said is said.
#[test]
fn errors_are_those_of_single_reads_too() {
    let faults: [(&str, Fault); 7] = [
        ("no metrics API", |it| {
            let error = || Reply::failure(503, "ServiceUnavailable", "the server is currently unable");
            it.path().contains("metrics.k8s.io/v1beta1").then(|| error().signed())
        }),
        ("pods forbidden", |it| of(it, "/pods").then(|| Reply::forbidden("pods is forbidden"))),
        ("events forbidden", |it| of(it, "/events").then(|| Reply::forbidden("events is forbidden"))),
        ("nothing in the whole cluster", |it| {
            let is_everywhere = !it.path().contains("/namespaces/") && it.path().split('/').count() > 4;
            let is_hpas = it.path().ends_with("horizontalpodautoscalers");
            (is_everywhere && !is_hpas).then(|| Reply::forbidden("at the cluster scope"))
        }),
        ("pods of one namespace forbidden", |it| {
            let is_one = matches!(it.path(), "/api/v1/pods" | "/api/v1/namespaces/ns-01/pods");
            is_one.then(|| Reply::forbidden("no"))
        }),
        ("the second page is gone", |it| {
            let gone = || Reply::failure(410, "Expired", "The provided continue parameter is too old");
            parameter(it, "continue").map(|_| gone().signed())
        }),
        ("a server error", |it| {
            of(it, "/events")
                .then(|| Reply::failure(500, "InternalError", "etcdserver: leader changed").signed())
        }),
    ];
    for (what, fault) in faults {
        check(World::of(3, 1, 12, 4), fault, Some("ns-00"), what);
        // What is forbidden in the whole cluster may be allowed in a namespace: the words are those of the list.
        if !matches!(what, "pods forbidden" | "events forbidden") {
            check(World::of(4, 9, 4, 4), fault, None, what);
        }
    }
}

fn of(request: &Request, end: &str) -> bool {
    request.path().ends_with(end) && !request.path().contains("kube-system")
}

fn run(world: World, args: &[&str]) -> (Told, usize) {
    let singles = world.singles();
    let told = run_on(&serve(Arc::new(world), healthy), args);
    (told, singles)
}

/// Requests that are no further pages.
fn requests(told: &Told) -> usize {
    told.requests.iter().filter(|request| parameter(request, "continue").is_none()).count()
}

#[test]
fn requests_do_not_grow_with_the_hpas() {
    for args in [&["list", "-n", "ns-00"][..], &["explain", "-n", "ns-00", "--all", "-o", "name"]] {
        let counts = [20, 200].map(|hpas| {
            let (told, singles) = run(World::of(1, 1, hpas, 3), args);
            let number = requests(&told);
            assert!(number <= 14 + singles, "{hpas} HPAs: {number} requests, {singles} singles: {args:?}");
            number - singles
        });
        assert!(counts[1] <= counts[0], "{counts:?}");
    }
    // Another kind of target takes two reads: its scale, and who set it.
    let (told, singles) = run(World::of(2, 20, 10, 4), &["list", "-A", "-o", "csv"]);
    let number = requests(&told);
    // An external metric is read once in each namespace.
    assert!(number <= 20 + 20 + 2 * singles, "{number} requests, {singles} singles");
    assert_eq!(told.out.lines().count(), 201, "{}", told.err);
}

/// An API server that something in front of it keeps from telling everything at once.
fn tells_piecewise(request: &Request) -> Option<Reply> {
    let groups = json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": []});
    matches!(request.path(), "/api" | "/apis").then(|| Reply::json(groups))
}

#[test]
fn what_is_served_is_asked_once_for_all() {
    let world = World::of(1, 1, 40, 3);
    let told = run_on(&serve(Arc::new(world), tells_piecewise), &["list", "-n", "ns-00"]);
    let versions = ["/api/v1", "/apis/apps/v1", "/apis/custom.metrics.k8s.io"];
    let times = |path: &&str| told.requests.iter().filter(|request| request.path() == *path).count();
    assert_eq!(versions.each_ref().map(times), [1, 1, 1], "{}", told.err);
}

/// Lists of everybody's pods are not read for a few HPAs.
#[test]
fn a_few_of_many_are_read_singly() {
    let (told, _) = run(World::of(1, 1, 9, 1), &["list", "-n", "ns-00"]);
    let pods = told.requests.iter().filter(|request| of(request, "v1/namespaces/ns-00/pods"));
    assert!(pods.clone().count() > 0 && pods.clone().all(|it| parameter(it, "labelSelector").is_some()));
}

#[test]
fn reads_at_the_same_time_are_bounded() {
    let (world, running, most) = (World::of(5, 1, 60, 4), AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
    let seen = Arc::clone(&most);
    let server = Server::start(move |request| {
        seen.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(2));
        let reply = world.answer(request);
        running.fetch_sub(1, Ordering::SeqCst);
        reply
    });
    let told = run_on(&server, &["list", "-n", "ns-00"]);
    assert_eq!(told.err, "");
    let most = most.load(Ordering::SeqCst);
    assert!((2..=64).contains(&most), "{most} at the same time");
}

#[test]
fn a_busy_server_is_asked_again_when_it_says() {
    let (world, refused) = (World::of(6, 1, 12, 1), AtomicUsize::new(0));
    let server = Server::start(move |request| {
        if parameter(request, "resourceVersion").is_some() && refused.fetch_add(1, Ordering::SeqCst) == 0 {
            let busy = Reply::failure(429, "TooManyRequests", "too many requests").signed();
            return Reply { retry_after_seconds: Some(1), ..busy };
        }
        world.answer(request)
    });
    let begun = Instant::now();
    let told = run_on(&server, &["list", "-n", "ns-00", "-o", "json"]);
    assert!(begun.elapsed() >= Duration::from_secs(1), "it did not wait");
    let lists = told.requests.iter().filter(|request| parameter(request, "resourceVersion").is_some());
    assert_eq!((lists.count(), told.err.as_str()), (2, ""));
    let states = &told.json()["items"];
    assert!(states.as_array().expect("items").iter().all(|item| item["state"] != "unknown"), "{states}");
}

/// One HPA that cannot be explained is a row and an error; the others are right.
#[test]
fn a_part_that_fails_is_a_row_an_error_and_an_exit_code() {
    let world = World::of(9, 1, 12, 1);
    let server = Server::start(move |request| {
        let mut reply = world.answer(request);
        if request.path().ends_with("horizontalpodautoscalers") {
            let text = String::from_utf8(reply.body).expect("UTF-8");
            let mut all: Value = serde_json::from_str(&text).expect("JSON");
            let items = all["items"].as_array_mut().expect("items");
            for item in items.iter_mut().filter(|item| item["metadata"]["name"] == "web-002") {
                item["spec"]["metrics"][0]["resource"]["target"]["type"] = "Percent".into();
            }
            reply.body = all.to_string().into_bytes();
        }
        reply
    });
    let told = run_on(&server, &["list", "-n", "ns-00", "-o", "json", "--fail-on", "broken"]);
    let list = told.json();
    assert_eq!(told.ending, Ending::Failed);
    assert!(told.err.starts_with("error: hpa/web-002: "), "{}", told.err);
    assert_eq!(list["errors"][0]["name"], "web-002");
    assert_eq!(
        (list["items"].as_array().map(Vec::len), &list["counts"]["unknown"]),
        (Some(12), &Value::from(1))
    );
}

/// Each line has the decision that `explain` shows of that HPA alone.
#[test]
fn each_row_says_what_explain_says() {
    let world = Arc::new(World::of(10, 1, 40, 4));
    let server = serve(Arc::clone(&world), healthy);
    let list = run_on(&server, &["list", "-n", "ns-00", "-o", "json"]).json();
    for item in list["items"].as_array().expect("items") {
        let name = item["name"].as_str().expect("a name");
        let alone = run_on(&server, &["explain", name, "-n", "ns-00", "-o", "json"]).json();
        let (low, high) = match &alone["interval"] {
            Value::Null => (&alone["desiredReplicas"], &alone["desiredReplicas"]),
            interval => (&interval["lowest"], &interval["highest"]),
        };
        let next = &item["nextReplicas"];
        assert_eq!((&next["lowest"], &next["highest"]), (low, high), "{item}\n{alone}");
    }
}
