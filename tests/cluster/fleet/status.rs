//! Who may read the HPAs and nothing else gets a list by their statuses, and is told so.

use kubectl_hpa::commands::Ending;
use serde_json::{Value, json};

use super::{World, serve_changed};
use crate::run::run_on;
use crate::server::{Reply, Request};

/// `get` and `list` of HPAs, and what everybody may read.
fn only_hpas(request: &Request) -> Option<Reply> {
    let path = request.path();
    let is_open = path.contains("horizontalpodautoscalers") || ["/api", "/apis", "/version"].contains(&path);
    (!is_open).then(|| Reply::forbidden("not for you"))
}

fn condition(kind: &str, status: &str, reason: &str) -> Value {
    json!({"type": kind, "status": status, "reason": reason, "message": "", "lastTransitionTime": "2026-11-20T08:00:00Z"})
}

/// What the controller writes in each case, by the number of the HPA.
fn written(hpa: &mut Value) {
    let name = hpa["metadata"]["name"].as_str().expect("a name");
    let number: usize = name.rsplit('-').next().and_then(|it| it.parse().ok()).expect("a number");
    let able = |reason: &str| condition("AbleToScale", "True", reason);
    let active = condition("ScalingActive", "True", "ValidMetricFound");
    let calm = condition("ScalingLimited", "False", "DesiredWithinRange");
    let (current, desired, conditions) = match number {
        0 => (4, 4, json!([able("ReadyForNewScale"), active, calm])),
        1 => (4, 8, json!([able("SucceededRescale"), active, calm])),
        2 => (
            10,
            10,
            json!([able("ReadyForNewScale"), active, condition("ScalingLimited", "True", "TooManyReplicas")]),
        ),
        3 => (1, 1, json!([able("ReadyForNewScale"), active, calm])),
        4 => (6, 6, json!([able("ScaleDownStabilized"), active, calm])),
        5 => (
            4,
            4,
            json!([
                able("SucceededGetScale"),
                condition("ScalingActive", "False", "FailedGetResourceMetric")
            ]),
        ),
        6 => (0, 0, json!([condition("AbleToScale", "False", "FailedGetScale")])),
        7 => {
            (0, 0, json!([able("SucceededGetScale"), condition("ScalingActive", "False", "ScalingDisabled")]))
        }
        // Not reconciled yet.
        _ => (0, 0, json!([])),
    };
    hpa["status"] = json!({
        "currentReplicas": current, "desiredReplicas": desired, "currentMetrics": null, "conditions": conditions,
    });
}

#[test]
fn the_list_is_that_of_the_statuses_and_says_so() {
    let server = serve_changed(World::of(21, 1, 9, 1), only_hpas, written);
    let told = run_on(&server, &["list", "-n", "ns-00", "--sort", "name", "-o", "jsonl"]);
    let expected = [
        ("idle", "by status", Some(4)),
        ("scaling", "by status: SucceededRescale", Some(4)),
        ("at-max", "by status: TooManyReplicas", Some(10)),
        ("at-min", "by status", Some(1)),
        ("held", "by status: ScaleDownStabilized", Some(6)),
        ("broken", "by status: FailedGetResourceMetric", Some(4)),
        ("broken", "by status: FailedGetScale", Some(0)),
        ("switched-off", "by status: ScalingDisabled", Some(0)),
        ("unknown", "not read: 403 Forbidden", None),
    ];
    let rows: Vec<Value> = told.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rows.len(), expected.len(), "{}", told.out);
    for (row, (state, why, current)) in rows.iter().zip(expected) {
        assert_eq!((&row["state"], &row["why"]), (&json!(state), &json!(why)), "{row}");
        assert_eq!(row["byStatus"].as_bool(), current.map(|_| true), "{row}");
        assert_eq!(row["currentReplicas"].as_i64(), current, "{row}");
        assert!(row["nextReplicas"].is_null(), "{row}");
    }
    assert_eq!(rows[5]["since"], "2026-11-20T08:00:00Z");
    // The condition is older than its reason.
    assert!(rows[4]["since"].is_null() && rows[1]["since"].is_null(), "{}", told.out);
    // One line for all of them, and an exit code that says that no decision is known.
    assert_eq!(told.ending, Ending::Unknown);
    assert_eq!(
        told.err,
        "note: the state of 8 HPAs is that of their last status (not read: 403 Forbidden for \
         deployments/scale of apps); kubectl hpa rbac prints the rights\n"
    );
    let shown = run_on(&server, &["list", "-n", "ns-00", "--only", "held", "--fail-on", "broken"]);
    assert!(
        shown.out.contains("6 → ?") && shown.out.contains("by status: ScaleDownStabilized"),
        "{}",
        shown.out
    );
    assert_eq!(shown.ending, Ending::Found);
}

/// kubectl's columns over the items, as kubectl lays them out.
#[test]
fn columns_are_kubectls() {
    let server = serve_changed(World::of(21, 1, 3, 1), only_hpas, written);
    let list = |columns: &str| {
        let form = format!("custom-columns={columns}");
        run_on(&server, &["list", "-n", "ns-00", "--sort", "name", "-o", &form])
    };
    let told = list("NAME:.name,STATE:{.state},NOW:currentReplicas,WANTED:.wantedReplicas,N:.metric.name");
    assert_eq!(
        told.out,
        "NAME      STATE     NOW   WANTED   N\n\
         web-000   idle      4     <none>   <none>\n\
         web-001   scaling   4     <none>   <none>\n\
         web-002   at-max    10    <none>   <none>\n"
    );
}

#[test]
fn a_list_is_sorted_by_the_column_that_was_named() {
    let server = serve_changed(World::of(21, 2, 5, 1), only_hpas, written);
    let list = |order: &str| {
        let form = "jsonpath={range .items[*]}{.namespace}/{.name} {end}";
        run_on(&server, &["list", "-A", "--sort", order, "-o", form]).out
    };
    let [one, other] = ["ns-00", "ns-01"]
        .map(|namespace| (0..5).map(|number| format!("{namespace}/web-{number:03} ")).collect::<Vec<_>>());
    assert_eq!(list("namespace"), [one.concat(), other.concat()].concat());
    let both = |number: usize| one[number].clone() + &other[number];
    assert_eq!(list("name"), (0..5).map(both).collect::<String>());
    // Of as many replicas the usual order: what scales before what is idle.
    assert_eq!(list("replicas"), [2, 4, 1, 0, 3].map(both).concat());
    assert_eq!(list("state"), [4, 2, 3, 1, 0].map(both).concat());
}
