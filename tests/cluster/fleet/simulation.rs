//! A change of many HPAs at once: each row says what the simulation of that HPA alone says, in the reads of a list.

use kubectl_hpa::commands::Ending;
use serde_json::{Value, json};

use super::{World, healthy, requests, run, serve_changed};
use crate::run::run_on;
use crate::server::Server;

/// The lowest and the highest replicas after this sync of a decision.
fn next(decision: &Value) -> (Value, Value) {
    match &decision["interval"] {
        Value::Null => (decision["desiredReplicas"].clone(), decision["desiredReplicas"].clone()),
        interval => (interval["lowest"].clone(), interval["highest"].clone()),
    }
}

fn span(value: &Value) -> (Value, Value) {
    (value["lowest"].clone(), value["highest"].clone())
}

/// The same HPAs, which the controller has looked at before: what it remembers of that is not known.
fn reconciled(world: World) -> Server {
    serve_changed(world, healthy, |hpa| {
        hpa["status"]["conditions"] = json!([{
            "type": "AbleToScale", "status": "True", "reason": "ReadyForNewScale", "message": "",
            "lastTransitionTime": "2026-11-20T08:00:00Z",
        }]);
    })
}

#[test]
fn each_row_says_what_the_simulation_of_one_says() {
    let server = reconciled(World::of(11, 1, 40, 4));
    let (mut open, mut settled, mut changed) = (0, 0, 0);
    for change in [["--target", "30"], ["--max", "2"], ["--load", "2x"]] {
        let of = |which: &[&str]| {
            let words = ["simulate", "-n", "ns-00", "-o", "json"];
            run_on(&server, &[&words[..], &change, which].concat()).json()
        };
        let all = of(&["--all"]);
        let items = all["items"].as_array().expect("items");
        assert_eq!((items.len(), &all["kind"]), (40, &Value::from("FleetSimulation")));
        for item in items {
            let alone = of(&[item["subject"]["name"].as_str().expect("a name")]);
            if item["now"].is_null() {
                assert_eq!((&item["same"], &alone["now"]["desiredReplicas"]), (&alone["same"], &Value::Null));
                continue;
            }
            for side in ["now", "then"] {
                let known = span(&item[side]["nextReplicas"]);
                assert_eq!(known, next(&alone[side]), "{change:?} {side}: {item}\n{alone}");
                open += usize::from(known.0 != known.1);
            }
            assert_eq!(item["settles"], alone["gained"].is_object(), "{item}\n{alone}");
            let low = |side: &str| item[side]["replicas"]["lowest"].as_i64().expect("a number");
            if item["settles"] == true {
                settled += 1;
                assert_eq!(alone["gained"]["replicas"], low("then") - low("now"), "{item}\n{alone}");
                // A decision that is the same may settle elsewhere.
                let same = alone["same"].as_bool().map(|same| same && low("now") == low("then"));
                assert!(same.is_none() || item["same"].as_bool() == same, "{item}\n{alone}");
            } else {
                // What is decided alike now may differ later.
                let differs = alone["same"].as_bool().filter(|same| !same);
                assert_eq!(item["same"].as_bool(), differs, "{item}\n{alone}");
            }
            changed += usize::from(item["same"] == false);
        }
    }
    assert!(open > 5 && settled > 20 && changed > 20, "{open} open, {settled} settled, {changed} changed");
}

#[test]
fn requests_are_those_of_a_list() {
    let args = ["simulate", "-n", "ns-00", "--all", "--target", "70"];
    let counts = [20, 200].map(|hpas| {
        let (told, singles) = run(World::of(1, 1, hpas, 3), &args);
        let (list, _) = run(World::of(1, 1, hpas, 3), &["list", "-n", "ns-00"]);
        assert_eq!(requests(&told), requests(&list), "{hpas} HPAs");
        requests(&told) - singles
    });
    assert!(counts[1] <= counts[0], "{counts:?}");
}

/// One note about those that a change does not fit, and the others are answered.
#[test]
fn what_does_not_fit_is_counted() {
    let world = || World::of(12, 2, 20, 4);
    let (told, _) = run(world(), &["simulate", "-A", "--target", "queue=5", "-o", "json"]);
    let all = told.json();
    let (items, misfits) = (&all["items"], &all["misfits"]);
    let count = |list: &Value| list.as_array().map_or(0, Vec::len);
    assert_eq!((count(items) + count(misfits), told.err.as_str()), (40, ""));
    assert!(count(items) > 2 && count(misfits) > 20, "{all}");
    assert!(
        told.ending != Ending::Failed
            && misfits[0]["message"].as_str().is_some_and(|it| it.contains("queue=5"))
    );
    let (told, _) = run(world(), &["simulate", "-A", "--target", "queue=5"]);
    assert_eq!(told.out.matches("Not applicable").count(), 1, "{}", told.out);
    let (told, _) = run(world(), &["simulate", "-A", "--target", "gone=5", "-o", "jsonl"]);
    assert_eq!((told.ending, told.out.as_str()), (Ending::Failed, ""));
    assert!(told.err.starts_with("note: the changes are not applicable to 40 of the HPAs"), "{}", told.err);
}

/// An interval of one is one of the sum.
#[test]
fn a_sum_of_what_is_open_is_open() {
    let server = reconciled(World::of(11, 1, 40, 4));
    let told = run_on(&server, &["simulate", "-n", "ns-00", "--all", "--max", "2", "-o", "json"]);
    let all = told.json();
    let sum = |side: &str, end: &str| -> i64 {
        let items = all["items"].as_array().expect("items").iter();
        let changed = items.filter(|item| item["same"] != true);
        changed.filter_map(|item| item[side]["replicas"][end].as_i64()).sum()
    };
    let ends = ["lowest", "highest"].map(|end| sum("now", end));
    assert!(ends[0] < ends[1], "{ends:?}");
    assert_eq!(
        ["lowest", "highest"].map(|end| &all["sum"]["now"]["replicas"][end]),
        [&Value::from(ends[0]), &Value::from(ends[1])]
    );
}
