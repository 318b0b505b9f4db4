//! What is larger than any cluster is an error with a number in it, soon; what a large cluster has is read.

use std::fmt::Write;

use kubectl_hpa_core::snapshot::{Cases, Objects, Snapshot};

const HPA: &str = r#"{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web","namespace":"shop"},"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"maxReplicas":10,"metrics":[METRICS]},"status":{"conditions":[CONDITIONS]}}"#;
const METRIC: &str = r#"{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}}"#;

/// A case with a few more fields.
fn case(more: &str) -> String {
    case_of(METRIC, "", more)
}

fn case_of(metrics: &str, conditions: &str, more: &str) -> String {
    let hpa = HPA.replace("METRICS", metrics).replace("CONDITIONS", conditions);
    format!(
        r#"{{"apiVersion":"kubectl-hpa/v1","kind":"Case","at":"2026-11-21T10:42:00Z","hpa":{hpa},"scale":{{"object":{{"spec":{{"replicas":4}},"status":{{"replicas":4,"selector":"app=web"}}}}}}{more}}}"#
    )
}

/// What is wrong with a text, read and frozen.
fn problem(text: &str) -> String {
    for case in Cases::new("x", text.as_bytes()) {
        let frozen = case.map_err(|error| error.to_string());
        let frozen = frozen.and_then(|case| Snapshot::freeze(case).map_err(|error| error.to_string()));
        if let Err(error) = frozen {
            return error;
        }
    }
    String::new()
}

fn times(item: &str, count: usize) -> String {
    let mut list = format!("{item},").repeat(count);
    list.pop();
    list
}

/// As many pods, each with one of the labels that the scale selects.
fn pods(count: usize) -> String {
    let mut pods = String::new();
    for number in 0..count {
        let comma = if number == 0 { "" } else { "," };
        let _ = write!(
            pods,
            r#"{comma}{{"metadata":{{"name":"p{number}","namespace":"shop","labels":{{"app":"web"}}}}}}"#
        );
    }
    pods
}

#[test]
fn what_is_larger_than_any_cluster_is_refused_with_the_number() {
    let empty = times("{}", 100_001);
    let many = times(METRIC, 1_001);
    let twenty = times(METRIC, 20);
    let cases = [
        (
            "pods",
            case(&format!(r#","pods":{{"items":[{empty}]}}"#)),
            "pods.items: has more than 100000 items",
        ),
        (
            "containers of many pods",
            case(&format!(
                r#","pods":{{"items":[{}]}}"#,
                times(&format!(r#"{{"spec":{{"containers":[{}]}}}}"#, times("{}", 200)), 10_100)
            )),
            "the document has more than 2000000 items and entries",
        ),
        ("metrics", case_of(&many, "", ""), "hpa.spec.metrics: has 1001 items; at most 1000 are read"),
        (
            "conditions",
            case_of(METRIC, &times(r#"{"type":"X"}"#, 1_001), ""),
            "hpa.status.conditions: has 1001 items; at most 1000 are read",
        ),
        (
            "pods times metrics",
            case_of(
                &twenty,
                "",
                &format!(r#","pods":{{"items":[{}]}},"podMetrics":{{"items":[]}}"#, pods(50_001)),
            ),
            "50001 pods and 20 metrics are too many: their product may be 1000000",
        ),
        ("documents", "{}\n".repeat(20_001), "x:1:2: "),
    ];
    for (name, text, words) in cases {
        let problem = problem(&text);
        assert!(problem.contains(words), "{name}: {}", problem.chars().take(300).collect::<String>());
    }
    let last = Cases::new("x", "{}\n".repeat(20_002).as_bytes()).last();
    let last = last.and_then(Result::err).map(|error| error.to_string()).unwrap_or_default();
    assert!(last.contains("the stream has more than 20000 documents"), "{last}");
}

#[test]
fn a_list_of_more_objects_than_a_cluster_has_is_refused() {
    let list = |count: usize| {
        let object = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"}}"#;
        format!(r#"{{"apiVersion":"v1","kind":"List","items":[{}]}}"#, times(object, count))
    };
    let read = |text: &str| {
        let objects = Objects::new("x", text.as_bytes()).collect::<Result<Vec<_>, _>>();
        objects.map(|objects| objects.len()).map_err(|error| error.to_string())
    };
    assert_eq!(read(&list(100_000)), Ok(100_000));
    let problem = read(&list(100_001)).expect_err("too many");
    assert!(problem.contains("the list has more than 100000 objects"), "{problem}");
}

#[test]
fn a_list_is_as_long_in_yaml() {
    let hpa = HPA.replace("METRICS", METRIC).replace("CONDITIONS", "");
    let text = format!(
        "apiVersion: kubectl-hpa/v1\nkind: Case\nat: 2026-11-21T10:42:00Z\nhpa: {hpa}\npods:\n  items:\n{}",
        "  - {}\n".repeat(100_001)
    );
    assert!(problem(&text).contains("pods.items: has more than 100000 items"), "{}", problem(&text));
}

/// As an API server lists them, less what no case keeps.
#[test]
fn fifty_thousand_pods_are_read() {
    let container =
        r#"{"name":"app","resources":{"requests":{"cpu":"100m","memory":"128Mi"},"limits":{"cpu":"1"}}}"#;
    let mut pods = String::new();
    for number in 0..50_000 {
        let comma = if number == 0 { "" } else { "," };
        let _ = write!(
            pods,
            r#"{comma}{{"metadata":{{"name":"web-6c8f9d7b54-{number:05}","namespace":"shop","labels":{{"app":"web","pod-template-hash":"6c8f9d7b54","team":"checkout","version":"1","tier":"web"}},"ownerReferences":[{{"kind":"ReplicaSet","name":"web-6c8f9d7b54","controller":true}}]}},"spec":{{"containers":[{container},{container},{container}]}},"status":{{"phase":"Running","startTime":"2026-11-21T09:00:00Z","conditions":[{{"type":"Ready","status":"True"}}]}}}}"#
        );
    }
    assert_eq!(problem(&case(&format!(r#","pods":{{"items":[{pods}]}},"podMetrics":{{"items":[]}}"#))), "");
}
