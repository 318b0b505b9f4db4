//! The real API server's defaults, conversions and refusals of random autoscalers (`tests/loader/README.md` says how
//! they are made).

#[path = "loader/spec_json.rs"]
mod spec_json;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use kubectl_hpa::snapshot::case::HpaCase;
use kubectl_hpa::snapshot::{Case, Snapshot, validate};
use serde::Deserialize;
use serde_json::{Value, json};

/// What the real API server makes of an object.
#[derive(Deserialize)]
struct Row {
    object: Value,
    #[serde(default)]
    errors: Vec<String>,
    spec: Value,
    status: Option<Value>,
}

impl Row {
    /// The errors that every API server gives: gates and older objects may allow a scale to zero by cpu.
    fn errors(&self) -> Vec<&str> {
        const ZERO: &str = "spec.metrics: Forbidden: must specify at least one Object or External metric";
        self.errors.iter().map(String::as_str).filter(|error| !error.starts_with(ZERO)).collect()
    }

    fn is_v1(&self) -> bool {
        self.object["apiVersion"] == "autoscaling/v1"
    }

    fn read(&self) -> HpaCase {
        serde_json::from_value(self.object.clone()).unwrap_or_else(|error| panic!("{error}: {}", self.object))
    }

    fn case(&self) -> Case {
        let case = json!({
            "apiVersion": "kubectl-hpa/v1", "kind": "Case", "at": "2026-11-21T10:42:00Z", "hpa": self.object,
        });
        serde_json::from_value(case).unwrap_or_else(|error| panic!("{error}: {}", self.object))
    }
}

fn rows() -> impl Iterator<Item = Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loader/apiserver.jsonl.gz");
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    lines.map(|line| serde_json::from_str(&line.expect("the table is readable")).expect("a row"))
}

/// Every row that `judge` has something to say about agrees with it.
fn check<T: PartialEq + std::fmt::Debug>(least: usize, judge: impl Fn(&Row) -> Option<(T, T)>) {
    let mut judged = 0;
    let mut differing = Vec::new();
    for row in rows() {
        let Some((ours, theirs)) = judge(&row) else { continue };
        judged += 1;
        if ours != theirs {
            differing.push(format!("{}\n  ours   {ours:?}\n  theirs {theirs:?}", row.object));
        }
    }
    assert!(judged >= least, "{judged} rows, expected at least {least}");
    let first = &differing[..differing.len().min(3)].join("\n");
    assert!(differing.is_empty(), "{} of {judged} differ, first:\n{first}", differing.len());
}

#[test]
fn what_the_api_server_refuses_is_refused_in_its_words_and_order() {
    check(4000, |row| {
        let ours = validate(&row.read().0.spec).iter().map(ToString::to_string).collect::<Vec<_>>();
        Some((ours, row.errors().into_iter().map(str::to_owned).collect()))
    });
}

#[test]
fn a_case_is_refused_with_the_place_in_the_case() {
    check(4000, |row| {
        let ours = Snapshot::freeze(row.case()).map(drop).map_err(|error| error.to_string());
        let words = row.errors().into_iter().map(|error| format!("hpa.{error}")).collect::<Vec<_>>();
        Some((ours, if words.is_empty() { Ok(()) } else { Err(words.join("\n")) }))
    });
}

#[test]
fn defaults_are_filled_in_as_the_api_server_does() {
    check(900, |row| {
        let valid = row.errors().is_empty() && !row.is_v1();
        let snapshot = valid.then(|| Snapshot::freeze(row.case()).expect("a valid autoscaler"))?;
        Some((spec_json::of(&snapshot.hpa), row.spec.clone()))
    });
}

#[test]
fn v1_is_converted_as_the_api_server_does() {
    check(1000, |row| {
        let mut ours =
            row.is_v1().then(|| serde_json::to_value(row.read()).expect("an autoscaler is JSON"))?;
        // Go's JSON leaves an empty list of policies out, though the API server refuses it.
        for direction in ["scaleUp", "scaleDown"] {
            if let Some(rules) =
                ours.pointer_mut(&format!("/spec/behavior/{direction}")).and_then(Value::as_object_mut)
            {
                rules.retain(|name, value| name != "policies" || *value != json!([]));
            }
        }
        let theirs = json!({"spec": row.spec, "status": row.status});
        Some((json!({"spec": ours["spec"], "status": ours["status"]}), theirs))
    });
}
