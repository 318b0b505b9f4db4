//! `kubectl hpa simulate`, command by command: `simulate/*.md` hold what was typed and what is answered.
//! `UPDATE_SCREENS=1` writes the answers anew; read them before they are committed.

mod pages;

use std::path::Path;
use std::process::Command;

fn check(page: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/simulate");
    pages::check(&folder.join(page), |line| Some(pages::answer(&folder, line)));
}

#[test]
fn every_knob_does_what_its_page_says() {
    check("knobs.md");
}

#[test]
fn sweeps_look_as_on_their_page() {
    check("sweeps.md");
}

#[test]
fn bad_knobs_get_one_clear_line() {
    check("refusals.md");
}

#[test]
fn json_holds_both_sides() {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa")).args(arguments).output().expect("runs");
        (output.status.code(), serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON"))
    };
    let (code, value) = run(&["simulate", "--example", "missing-samples", "--load", "+50%", "-o", "json"]);
    assert_eq!(code, Some(3));
    assert_eq!(value["kind"], "Simulation");
    assert_eq!(value["same"], false);
    assert_eq!((&value["now"]["desiredReplicas"], &value["then"]["kind"]), (&5.into(), &"Decision".into()));
    assert!(value["then"]["desiredReplicas"].as_i64() > Some(5), "{value:#}");
    let slowly =
        ["simulate", "--example", "scale-up-limited", "--scale-up", "Pods=2/60s,select=Max", "-o", "json"];
    let course = &run(&slowly).1["course"];
    assert_eq!((&course[0]["at"], &course[0]["replicas"]), (&"2026-11-21T10:43:00Z".into(), &8.into()));
    let (code, value) =
        run(&["simulate", "--example", "missing-samples", "--sweep", "load=+0%..+20%:10%", "-o", "json"]);
    assert_eq!(code, Some(0));
    assert_eq!(value["points"].as_array().map(Vec::len), Some(3));
}

#[test]
fn what_is_not_written_is_said_on_its_page() {
    check("apply.md");
}
