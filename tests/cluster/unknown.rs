//! What is not known is never called the same, and readers who leave early change no exit code.

use std::io::{self, ErrorKind, Write};

use kubectl_hpa::commands::Ending;

use crate::cluster::{Cluster, POD_METRICS, PODS};
use crate::run::{run_into, run_on};
use crate::server::Reply;

/// Of the metrics nothing is known.
fn forbidden() -> Cluster {
    Cluster::shop().reply(POD_METRICS, Reply::forbidden("pods.metrics.k8s.io is forbidden"))
}

#[test]
fn a_decision_that_is_not_known_has_an_ending_of_its_own() {
    let server = forbidden().serve();
    for (args, words) in [
        (&["explain", "web"][..], "replicas → not known here"),
        (&["explain", "--all"], "replicas → not known here"),
        (&["simulate", "web", "--load", "-70%"], "Decision  may or may not change"),
        (&["simulate", "web", "--max", "40"], "Decision  may or may not change"),
        (&["simulate", "web"], "Decision  may or may not change"),
        (&["simulate", "web", "--sweep", "max=5..20:5"], "No decision  not known here"),
        (&["explain", "web", "--as-version", "1.32,1.37"], "Decision  may or may not differ"),
        (&["explain", "web", "--upgrade-to", "1.37"], "1 unknown (shop/web)"),
        (&["simulate", "web", "--max", "40", "-o", "jsonpath={.same}"], ""),
    ] {
        let told = run_on(&server, args);
        assert_eq!(told.ending, Ending::Unknown, "{args:?}: {}{}", told.out, told.err);
        assert!(told.out.contains(words), "{args:?}: {}", told.out);
        assert!(!told.out.contains("the same"), "{args:?}: {}", told.out);
    }
    let json = run_on(&server, &["simulate", "web", "--max", "40", "-o", "json"]).json();
    assert!(json["same"].is_null(), "{}", json["same"]);
    // A failure of another one weighs more.
    assert_eq!(run_on(&server, &["explain", "web", "nope"]).ending, Ending::Failed);
}

/// A side that becomes known says nothing about the other one.
#[test]
fn one_unknown_side_is_enough() {
    let queue = "/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/queue";
    let metrics = serde_json::json!([
        {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}},
        {"type": "External", "external": {"metric": {"name": "queue"}, "target": {"type": "Value", "value": "5"}}},
    ]);
    let hpa = crate::cluster::hpa("web", "apps/v1", "Deployment", "web", metrics);
    let server = Cluster::shop().with_hpas(&[hpa]).reply(queue, Reply::forbidden("no")).serve();
    let told = run_on(&server, &["simulate", "web", "--remove-metric", "queue"]);
    assert_eq!(told.ending, Ending::Unknown, "{}", told.out);
}

/// What nobody could read to its end says nothing of what the controller reads.
#[test]
fn a_list_beyond_the_bound_is_not_known() {
    let metadata = r#""metadata":{"name":"web-1","namespace":"shop"}"#;
    let pod = format!(r#"{{{metadata},"spec":{{"containers":[{{"name":"app"}}]}}}}"#);
    let sample =
        format!(r#"{{{metadata},"timestamp":"2026-11-21T10:42:00Z","window":"15s","containers":[]}}"#);
    for (path, kind, version, item) in
        [(PODS, "PodList", "v1", pod), (POD_METRICS, "PodMetricsList", "metrics.k8s.io/v1beta1", sample)]
    {
        let items = format!("{item},").repeat(100_001) + &item;
        let list = format!(r#"{{"kind":"{kind}","apiVersion":"{version}","items":[{items}]}}"#);
        let told = Cluster::shop().reply(path, Reply::json(list)).run(&["explain", "web"]);
        assert_eq!(told.ending, Ending::Unknown, "{}", told.out);
        let words = told.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("the list has more than 100000 items"), "{}", told.out);
    }
}

/// A reader who has left.
struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(ErrorKind::BrokenPipe.into())
    }
}

#[test]
fn a_reader_who_leaves_changes_no_exit_code() {
    let (known, unknown) = (Cluster::shop().serve(), forbidden().serve());
    for (server, args, ending) in [
        (&known, &["explain", "web"][..], Ending::Done),
        (&known, &["simulate", "web", "--load", "+90%"], Ending::Different),
        (&known, &["explain", "nope", "web"], Ending::Failed),
        (&known, &["explain", "web", "nope"], Ending::Failed),
        (&known, &["explain", "web", "web", "-o", "json"], Ending::Done),
        (&unknown, &["explain", "web"], Ending::Unknown),
        (&unknown, &["explain", "web", "--upgrade-to", "1.37"], Ending::Unknown),
    ] {
        assert_eq!(run_into(server, args, &mut Gone, &mut Vec::new()), ending, "stdout: {args:?}");
        assert_eq!(run_into(server, args, &mut Vec::new(), &mut Gone), ending, "stderr: {args:?}");
        assert_eq!(run_into(server, args, &mut Gone, &mut Gone), ending, "both: {args:?}");
    }
}

#[test]
fn where_nobody_reads_nothing_is_written() {
    let server = crate::apply::Shop::new().answering(crate::apply::State::answer);
    for output in [&["-o", "text"][..], &["-o", "json"], &["-o", "jsonpath={.kind}"]] {
        let args = [&crate::apply::MAX[..], output].concat();
        let mut err = Vec::new();
        assert_eq!(run_into(&server, &args, &mut Gone, &mut err), Ending::Failed, "{output:?}");
        assert_eq!(String::from_utf8_lossy(&err), "error: standard output is closed\n");
        assert_eq!(run_into(&server, &args, &mut Vec::new(), &mut Gone), Ending::Failed, "{output:?}");
    }
    let written =
        server.requests().into_iter().filter(|it| it.method != "GET" && !crate::apply::is_trial(it));
    assert_eq!(written.count(), 0);
}
