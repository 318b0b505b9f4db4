//! Manners towards a server in trouble, counted: whatever is wrong with one list, it is hardly asked for more than usual.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use kubectl_hpa::commands::Ending;

use super::world::{World, parameter};
use crate::cluster::kubeconfig_file;
use crate::run::{Told, run_on};
use crate::server::{Reply, Request, Server};

/// What is asked for, by name.
type Asked = (&'static str, fn(&Request) -> bool);

fn core(request: &Request, end: &str) -> bool {
    request.path().starts_with("/api/v1/") && request.path().ends_with(end) && !is_of_system(request)
}

fn is_of_system(request: &Request) -> bool {
    request.path().contains("/kube-system/")
}

/// Of what there is a list, or a read that tells more.
const ASKED: [Asked; 12] = [
    ("HPAs", |it| it.path().contains("/horizontalpodautoscalers")),
    ("pods", |it| core(it, "/pods")),
    ("samples", |it| it.path().starts_with("/apis/metrics.k8s.io/")),
    ("deployments", |it| it.path().contains("/deployments")),
    ("stateful sets", |it| it.path().contains("/statefulsets")),
    ("replica sets", |it| it.path().contains("/replicasets")),
    ("events", |it| core(it, "/events")),
    ("external metrics", |it| it.path().starts_with("/apis/external.metrics.k8s.io/")),
    ("discovery", |it| it.path() == "/apis"),
    ("version", |it| it.path() == "/version"),
    ("control plane", |it| is_of_system(it) && it.path().ends_with("/pods")),
    ("lease", |it| it.path().contains("/leases/")),
];

/// What the server does with the request of that number about it.
type Fault = (&'static str, fn(&Request, usize) -> Option<Reply>);

fn busy(seconds: Option<u32>) -> Reply {
    let reply = Reply::failure(429, "TooManyRequests", "too many requests, please try again later").signed();
    Reply { retry_after_seconds: seconds, ..reply }
}

fn failure(code: u16, reason: &str) -> Reply {
    Reply::failure(code, reason, "etcdserver: request timed out").signed()
}

const FAULTS: [Fault; 12] = [
    ("is forbidden", |_, _| Some(Reply::forbidden("no").signed())),
    ("is forbidden in the whole cluster", |it, _| {
        (!it.path().contains("/namespaces/")).then(|| Reply::forbidden("at the cluster scope").signed())
    }),
    ("is not served", |_, _| Some(Reply::unserved())),
    ("gets too many requests", |_, _| Some(busy(None))),
    ("gets too many requests, once", |_, number| (number == 0).then(|| busy(Some(0)))),
    ("gets too many requests and says for how long", |_, _| Some(busy(Some(0)))),
    ("fails", |_, _| Some(failure(500, "InternalError"))),
    ("fails and says for how long", |_, _| {
        Some(Reply { retry_after_seconds: Some(0), ..failure(503, "ServiceUnavailable") })
    }),
    ("is answered by a proxy", |_, _| Some(Reply::new(502, Some("text/html"), "<html>Bad gateway</html>"))),
    ("is no list", |_, _| Some(Reply::new(200, Some("application/json"), "{\"kind\":\"Pod\"}").signed())),
    ("breaks off", |_, _| Some(Reply { withheld: 10, hangs_up: true, ..Reply::json("{\"items\":[") })),
    ("hangs up", |_, _| Some(Reply { code: 0, ..Reply::unserved() })),
];

fn serve(world: &Arc<World>, is_asked: fn(&Request) -> bool, fault: Fault) -> Server {
    let (world, number) = (Arc::clone(world), AtomicUsize::new(0));
    Server::start(move |request| {
        let reply = is_asked(request).then(|| fault.1(request, number.fetch_add(1, Ordering::SeqCst)));
        reply.flatten().unwrap_or_else(|| world.answer(request))
    })
}

/// Of each number of HPAs, in as many namespaces, with what they are asked by. `KUBECTL_HPA_HPAS=10000` adds that many.
fn worlds() -> Vec<(World, &'static [&'static str])> {
    let mut worlds: Vec<(World, &[&str])> = vec![
        (World::of(1, 1, 1, 1), &["explain", "web-000", "-n", "ns-00", "-o", "json"]),
        (World::of(1, 1, 1, 1), &["list", "-A", "-o", "json"]),
        (World::of(2, 20, 25, 3), &["list", "-A", "-o", "json"]),
        (World::of(3, 3, 20, 4), &["list", "-A", "-o", "json"]),
    ];
    if let Some(number) = std::env::var_os("KUBECTL_HPA_HPAS") {
        let number: usize = number.to_str().and_then(|it| it.parse().ok()).expect("a number of HPAs");
        worlds.push((World::of(5, 40, number.div_ceil(40), 4), &["list", "-A", "-o", "json"]));
    }
    worlds
}

/// Nothing is lost by it: every HPA has its row.
#[test]
fn a_server_in_trouble_is_hardly_asked_for_more() {
    for (world, args) in worlds() {
        let world = Arc::new(world.paged(500));
        let well = run_on(&serve(&world, |_| false, FAULTS[0]), args).requests.len();
        for (what, is_asked) in ASKED {
            for fault in FAULTS {
                let told = run_on(&serve(&world, is_asked, fault), args);
                // A client of the API server's own asks again ten times when it is told for how long to wait.
                let again = match fault.0 {
                    told if told.contains("for how long") => 10,
                    // A right may be there in each namespace, and of events there are two lists.
                    "is forbidden in the whole cluster" => 2 * world.namespaces(),
                    _ => 0,
                };
                let most = well + again + (well / 10).max(1);
                let number = told.requests.len();
                let case = format!("{args:?}: {what} {}", fault.0);
                assert!(number <= most, "{case}: {number} requests, {well} else\n{}", told.err);
                if args[0] == "list" && what != "HPAs" {
                    let rows = told.json()["items"].as_array().map(Vec::len);
                    assert_eq!(rows, Some(world.names().len()), "{case}: {}", told.err);
                }
            }
        }
    }
}

/// The read without which there is nothing to say is waited for, too, as kubectl waits for it.
#[test]
fn the_first_read_waits_as_kubectl_does() {
    let world = Arc::new(World::of(4, 1, 12, 1));
    for args in [&["list", "-n", "ns-00"][..], &["list", "-A"], &["explain", "web-001", "-n", "ns-00"]] {
        let server = serve(&world, ASKED[0].1, FAULTS[4]);
        let told = run_on(&server, args);
        assert!(matches!(told.ending, Ending::Done | Ending::Unknown), "{args:?}: {}", told.err);
    }
}

/// Whether kubectl gets the HPAs of a server; `None` where there is no kubectl.
fn kubectl_gets_them(server: &Server) -> Option<bool> {
    let path = "/apis/autoscaling/v2/horizontalpodautoscalers";
    let mut kubectl = Command::new("kubectl");
    kubectl.args(["get", "--raw", path, "--server", &server.url()]).env("KUBECONFIG", "/dev/null");
    let status = kubectl.stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.is_ok() || std::env::var_os("KUBECTL_HPA_REQUIRED").is_none(), "kubectl must be here");
    status.ok().map(|status| status.success())
}

/// Where the first requests are refused, the real kubectl asks as often as `list` does.
#[test]
fn where_kubectl_gets_the_hpas_they_are_listed() {
    let refusals: [fn() -> Reply; 4] = [
        || busy(Some(0)),
        || Reply { more: vec![("Retry-After".to_owned(), "-1".to_owned())], ..busy(None) },
        || Reply { retry_after_seconds: Some(0), ..failure(503, "ServiceUnavailable") },
        || Reply { retry_after_seconds: Some(0), ..failure(504, "Timeout") },
    ];
    for refusal in refusals {
        for refused in [1, 10, 11] {
            let serve = || {
                let (world, number) = (World::of(4, 1, 3, 1), AtomicUsize::new(0));
                Server::start(move |request| {
                    let is_refused = ASKED[0].1(request) && number.fetch_add(1, Ordering::SeqCst) < refused;
                    if is_refused { refusal() } else { world.answer(request) }
                })
            };
            let is_listed = run_on(&serve(), &["list", "-A"]).ending != Ending::Failed;
            assert_eq!(is_listed, refused <= 10, "{refused}: {:?}", refusal());
            assert!(
                kubectl_gets_them(&serve()).is_none_or(|it| it == is_listed),
                "{refused}: {:?}",
                refusal()
            );
        }
    }
}

/// A gateway that sends reads on to another place of its own is followed, as kubectl follows it; another server gets nothing.
#[test]
fn where_kubectl_is_sent_on_so_is_the_list() {
    for (target, is_followed) in [("", true), ("https://127.0.0.2:9", false)] {
        let serve = || {
            let world = World::of(4, 1, 3, 1);
            Server::start(move |request| {
                let is_first = ASKED[0].1(request) && parameter(request, "again").is_none();
                let to = format!("{target}{}?limit=500&again=1", request.path());
                let moved = Reply { more: vec![("Location".to_owned(), to)], ..Reply::new(307, None, "") };
                if is_first { moved } else { world.answer(request) }
            })
        };
        assert_eq!(run_on(&serve(), &["list", "-A"]).ending == Ending::Done, is_followed, "{target}");
        assert!(kubectl_gets_them(&serve()).is_none_or(|it| it == is_followed), "{target}");
    }
    let endless = Server::start(|request| Reply {
        more: vec![("Location".to_owned(), request.target.clone())],
        ..Reply::new(302, None, "")
    });
    let told = run_on(&endless, &["list", "-A"]);
    assert!(told.ending == Ending::Failed && told.err.contains("302"), "{}", told.err);
}

/// As kubectl asks again: a server that is restarted behind its balancer ends connections.
#[test]
fn a_read_whose_connection_ends_is_sent_again() {
    let world = Arc::new(World::of(6, 3, 8, 3));
    for (what, is_asked) in ASKED {
        let right = run_on(&serve(&world, |_| false, FAULTS[0]), &["list", "-A", "-o", "json"]);
        let hangs_up: Fault =
            ("hangs up, once", |_, number| (number == 0).then(|| Reply { code: 0, ..Reply::unserved() }));
        let told = run_on(&serve(&world, is_asked, hangs_up), &["list", "-A", "-o", "json"]);
        assert_eq!(told.json()["items"], right.json()["items"], "{what}: {}", told.err);
        assert!(told.requests.len() <= right.requests.len() + 1, "{what}");
    }
}

/// Who waits for long at a terminal is told for whom, and how long; of several waits at once one line says it.
#[test]
fn a_long_wait_is_told_at_a_terminal() {
    let (world, number) = (World::of(4, 1, 12, 1), AtomicUsize::new(0));
    let server = Server::start(move |request| {
        let is_busy = ASKED[1].1(request) || ASKED[2].1(request);
        let is_refused = is_busy && number.fetch_add(1, Ordering::SeqCst) < 2;
        if is_refused { busy(Some(10)) } else { world.answer(request) }
    });
    let file = kubeconfig_file(&server.url());
    let shell = format!(
        "{} list -n ns-00 --kubeconfig {} >/dev/null",
        env!("CARGO_BIN_EXE_kubectl-hpa"),
        file.display()
    );
    let output = Command::new("script").args(["-qfec", &shell, "/dev/null"]).env("SHELL", "/bin/sh").output();
    let screen = String::from_utf8(output.expect("a terminal").stdout).expect("UTF-8");
    let words = format!("Waiting 10s for {}: it is busy and asks for that", server.url());
    assert_eq!(screen.matches(&words).count(), 1, "{screen}");
    std::fs::remove_file(file).expect("to remove the kubeconfig");
}

/// A page is asked for once more, from where it begins; a list of which the server has forgotten that, in one piece.
#[test]
fn a_page_that_fails_is_asked_for_again() {
    let faults: [(&str, fn() -> Reply); 3] = [
        ("breaks off", || Reply { withheld: 10, hangs_up: true, ..Reply::json("{\"items\":[") }),
        ("fails", || Reply::failure(500, "InternalError", "etcdserver: leader changed").signed()),
        ("is forgotten", || {
            Reply::failure(410, "Expired", "The provided continue parameter is too old").signed()
        }),
    ];
    for (what, fault) in faults {
        let world = Arc::new(World::of(5, 20, 10, 3));
        let right = run_on(&serve(&world, |_| false, FAULTS[0]), &["list", "-A", "-o", "json"]);
        let (other, number) = (Arc::clone(&world), AtomicUsize::new(0));
        let server = Server::start(move |request| {
            let is_second = parameter(request, "continue").as_deref() == Some("7");
            let is_failed = is_second && ASKED[0].1(request) && number.fetch_add(1, Ordering::SeqCst) == 0;
            if is_failed { fault() } else { other.answer(request) }
        });
        let told = run_on(&server, &["list", "-A", "-o", "json"]);
        assert_eq!(told.json()["items"], right.json()["items"], "{what}: {}", told.err);
        assert!(told.requests.len() <= right.requests.len() + 1, "{what}");
    }
}

/// What only tells more is waited for for three seconds, a list that keeps coming for nine, and said to be missing.
#[test]
fn what_only_tells_more_costs_three_seconds() {
    let optional = ["events", "discovery", "version", "control plane", "lease"];
    let cases = ASKED.into_iter().filter(|asked| optional.contains(&asked.0));
    let cases = cases.flat_map(|asked| [(asked, false), (asked, true)]);
    let threads = cases.map(|((what, is_asked), trickles)| {
        std::thread::spawn(move || {
            let world = Arc::new(World::of(1, 1, 1, 1));
            let server = Server::start(move |request| {
                let reply = world.answer(request);
                if is_asked(request) && !trickles {
                    std::thread::sleep(Duration::from_secs(12));
                }
                Reply { trickles: trickles && is_asked(request), ..reply }
            });
            let begun = Instant::now();
            let told = run_on(&server, &["explain", "web-000", "-n", "ns-00"]);
            let took = begun.elapsed();
            if ["events", "lease"].contains(&what) && !trickles {
                let listed = run_on(&server, &["list", "-A"]).err;
                assert!(listed.contains("note: not read of 1 HPA: the "), "{what}: {listed}");
                assert!(listed.contains("(no answer within 3s)"), "{what}: {listed}");
            }
            (what, trickles, took, told)
        })
    });
    for thread in threads.collect::<Vec<_>>() {
        let (what, trickles, took, told): (&str, bool, Duration, Told) = thread.join().expect("a run");
        // A long list that keeps coming has three times as long, and of events there are two.
        let is_list = trickles && ["events", "control plane", "discovery"].contains(&what);
        let most = if is_list { 20 } else { 7 };
        assert!(took < Duration::from_secs(most), "{what}: {took:?}");
        assert_ne!(told.ending, Ending::Failed, "{what}: {}", told.err);
        let words = told.out.split_whitespace().collect::<Vec<_>>().join(" ");
        if ["events", "control plane", "lease"].contains(&what) && !trickles {
            assert!(words.contains("no answer within 3s"), "{what}: {}", told.out);
        }
    }
}
