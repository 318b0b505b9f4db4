//! `kubectl hpa wait`: what is waited for, how long, and how it ends.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kubectl_hpa::commands::Ending;
use serde_json::json;

use crate::cluster::{Cluster, HPA, MANAGERS, POD_METRICS, SCALE, list, scale};
use crate::run::run_on;
use crate::server::{Reply, Server};

const MET: &str = "horizontalpodautoscaler.autoscaling/web condition met\n";

/// A controller that syncs each second, so that a look comes five times in it.
fn shop() -> Cluster {
    let manager = json!({
        "metadata": {"name": "kube-controller-manager-n1", "namespace": "kube-system", "labels": {"component": "kube-controller-manager"}},
        "spec": {"containers": [{"name": "kube-controller-manager",
            "command": ["kube-controller-manager", "--horizontal-pod-autoscaler-sync-period=1s"]}]},
        "status": {"phase": "Running"},
    });
    Cluster::shop().with(MANAGERS, list("PodList", json!([manager])))
}

#[test]
fn what_is_so_already_is_met_at_once() {
    let broken = || shop().reply(POD_METRICS, Reply::failure(503, "ServiceUnavailable", "down").signed());
    for (condition, shop) in [
        ("replicas=2", shop()),
        ("not-broken", shop()),
        ("stable", shop()),
        ("code=within-bounds", shop()),
        ("code=WITHIN_BOUNDS", shop()),
        ("replicas=2", broken()),
    ] {
        for timeout in ["0", "20s"] {
            let told = shop.clone().run(&["wait", "web", "--for", condition, "--timeout", timeout]);
            assert_eq!(
                (told.ending, told.err.as_str(), told.out.as_str()),
                (Ending::Done, "", MET),
                "{condition}"
            );
        }
    }
}

/// With `--timeout 0` it looks once; the error says how it is instead.
#[test]
fn what_is_not_so_is_an_error_in_one_line() {
    let gone = || shop().reply(POD_METRICS, Reply::failure(503, "ServiceUnavailable", "down").signed());
    let mut following = scale("app=web");
    following["status"]["replicas"] = json!(1);
    let lagging = || shop().with(SCALE, following.clone());
    for (condition, shop) in [
        ("replicas=5", shop()),
        ("replicas=2", lagging()),
        ("stable", lagging()),
        ("not-broken", gone()),
        ("code=above-max", shop()),
    ] {
        let told = shop.clone().run(&["wait", "web", "--for", condition, "--timeout=0"]);
        assert_eq!((told.ending, told.out.as_str()), (Ending::Failed, ""), "{condition}");
        let begins = format!(
            "error: timed out waiting for {condition} on horizontalpodautoscalers/web: at 2026-11-21T10:42:00Z it was 2 replicas → "
        );
        assert!(told.err.starts_with(&begins) && told.err.lines().count() == 1, "{}", told.err);
    }
}

#[test]
fn a_condition_that_comes_is_met() {
    let cluster = Arc::new(Mutex::new(shop()));
    let shown = Arc::clone(&cluster);
    let server = Server::start(move |request| shown.lock().expect("the cluster").answer(request));
    let changer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(700));
        let mut five = scale("app=web");
        (five["spec"]["replicas"], five["status"]["replicas"]) = (json!(5), json!(5));
        let mut cluster = cluster.lock().expect("the cluster");
        *cluster = cluster.clone().with(SCALE, five);
    });
    let begun = Instant::now();
    let told = run_on(&server, &["wait", "deploy/web", "--for", "replicas=5", "--timeout", "20s"]);
    assert_eq!((told.ending, told.err.as_str(), told.out.as_str()), (Ending::Done, "", MET));
    assert!((700..10_000).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
    changer.join().expect("the change was made");
}

#[test]
fn a_condition_that_does_not_come_is_given_up_in_time() {
    let begun = Instant::now();
    let told = shop().run(&["wait", "--for", "replicas=9", "--timeout", "1500ms"]);
    assert!((1_500..4_000).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
    assert_eq!((told.ending, told.err.lines().count()), (Ending::Failed, 1), "{}", told.err);
    assert!(told.asked(HPA) > 3, "only {} looks", told.asked(HPA));
    // Nobody answers in time.
    let slow = Server::start(|_| {
        std::thread::sleep(Duration::from_secs(2));
        Reply::unserved()
    });
    let told = run_on(&slow, &["wait", "web", "--for", "stable", "--timeout", "300ms"]);
    assert_eq!(told.err, "error: timed out waiting for stable: nothing could be read so far\n");
}

/// What was known last has the time of its look, and the trouble since then its own.
#[test]
fn what_went_away_while_it_was_waited_for_is_said_to_be_away() {
    let gone = Reply::failure(404, "NotFound", r#"horizontalpodautoscalers.autoscaling "web" not found"#);
    let (there, away) = (shop(), shop().with_hpas(&[]).reply(HPA, gone));
    let begun = Instant::now();
    let server = Server::start(move |request| {
        let is_there = begun.elapsed() < Duration::from_millis(700);
        if is_there { there.answer(request) } else { away.answer(request) }
    });
    let told = run_on(&server, &["wait", "web", "--for", "replicas=9", "--timeout", "3s"]);
    assert_eq!(told.ending, Ending::Failed);
    let last = told.err.lines().last().unwrap_or_default();
    let begins =
        "error: timed out waiting for replicas=9 on horizontalpodautoscalers/web: since 2026-11-21T10:42:0";
    assert!(last.starts_with(begins), "{}", told.err);
    let then = "no HPA \"web\" in namespace shop; at 2026-11-21T10:42:00Z it was 2 replicas → ";
    assert!(last.contains(then), "{}", told.err);
}

/// A first look that fails is the end, as with kubectl.
#[test]
fn what_is_not_there_is_not_waited_for() {
    let told = shop().run(&["wait", "wbe", "--for", "stable", "--timeout", "20s"]);
    assert_eq!(
        (told.ending, told.err.starts_with("error: no HPA \"wbe\" in namespace shop\n")),
        (Ending::Failed, true)
    );
}

/// While the load stays: what still moves, and what may because the memory is not known, is not stable.
#[test]
fn stable_is_what_nothing_changes_any_more() {
    let busy = |usage: &str| {
        let used = |name: &str| {
            let mut metrics = crate::cluster::pod_metrics(name);
            metrics["containers"][0]["usage"]["cpu"] = json!(usage);
            metrics
        };
        shop().with(POD_METRICS, list("PodMetricsList", json!([used("web-1"), used("web-2")])))
    };
    for (usage, is_stable) in [("50m", true), ("52m", true), ("100m", false), ("10m", false)] {
        let told = busy(usage).run(&["wait", "web", "--for", "stable", "--timeout", "0"]);
        assert_eq!(told.ending == Ending::Done, is_stable, "{usage}: {}{}", told.out, told.err);
    }
}

#[test]
fn what_cannot_be_waited_for_is_a_wrong_command_line() {
    for (args, words) in [
        (&["--for", "calm"][..], "expected replicas=N, stable, not-broken or code=CODE"),
        (&["--for", "replicas=-1"], "expected replicas=N"),
        (&["--for", "code=no-such-code"], "no code \"no-such-code\""),
        (&["a", "b", "--for", "stable"], "wait follows one HPA: name one"),
        (&["--for", "stable", "--timeout", "soon"], "expected a duration"),
        (&["web"], "--for <CONDITION>"),
    ] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
        let output = command.arg("wait").args(args).output().expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(words), "{args:?}: {said}");
    }
}
