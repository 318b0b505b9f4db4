//! The real API server's defaults, conversions and refusals of random autoscalers (`tests/loader/README.md` says how
//! they are made).

use std::fs::File;
use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;
use kubectl_hpa_core::snapshot::case::HpaCase;
use kubectl_hpa_core::snapshot::{Case, Input, Inputs, Snapshot, store, validate};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::root::root;

/// What the real API server makes of an object.
#[derive(Deserialize)]
struct Row {
    object: Value,
    #[serde(default)]
    errors: Vec<String>,
    spec: Value,
    status: Option<Value>,
    /// The spec as an API server gives it back that stores it in autoscaling/v1.
    stored: Option<Value>,
}

/// The tables: by 1.37, and by 1.26, the last that stored in v1 and had all of the older versions.
const NEWEST: &str = "apiserver.jsonl.gz";
const OLDER: &str = "older.jsonl.gz";

/// What is only looked at since 1.34.
const SINCE_34: &str = "describedObject.apiVersion";

impl Row {
    /// The errors that every API server gives: gates and older objects may allow a scale to zero by cpu.
    fn errors(&self) -> Vec<&str> {
        const ZERO: &str = "spec.metrics: Forbidden: must specify at least one Object or External metric";
        self.errors.iter().map(String::as_str).filter(|error| !error.starts_with(ZERO)).collect()
    }

    fn is_v1(&self) -> bool {
        self.object["apiVersion"] == "autoscaling/v1"
    }

    /// Whether it has what v2 has only since 1.33; in v2beta2 it never counts.
    fn has_tolerance(&self) -> bool {
        self.object["apiVersion"] == "autoscaling/v2" && self.object.to_string().contains("\"tolerance\"")
    }

    /// Whether older API servers accept it and newer ones read nothing else into it.
    fn is_valid_before_33(&self) -> bool {
        let newer = validate(&self.read().0.spec);
        let is_newer = newer.iter().any(|error| error.to_string().contains(SINCE_34));
        self.errors().is_empty() && !self.has_tolerance() && !is_newer
    }

    /// The case, with its spec as an API server gives it back.
    fn stored_by(&self, version: &str) -> Case {
        let mut case = self.case();
        case.controller = serde_json::from_value(json!({"version": {"value": version}})).expect("settings");
        store(&mut case);
        case
    }

    /// Two specs as far as they can be compared: of v2beta1 nobody fills in the behavior, which is an annotation.
    fn told(&self, ours: Value, theirs: Value) -> (Value, Value) {
        let told = |mut spec: Value| {
            if self.object["apiVersion"] == "autoscaling/v2beta1" {
                spec.as_object_mut().expect("a spec").remove("behavior");
            }
            spec
        };
        (told(ours), told(theirs))
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

fn rows(table: &str) -> impl Iterator<Item = Row> {
    let path = root("tests/loader").join(table);
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    lines.map(|line| serde_json::from_str(&line.expect("the table is readable")).expect("a row"))
}

/// Every row that `judge` has something to say about agrees with it.
fn check<T: PartialEq + std::fmt::Debug>(least: usize, judge: impl Fn(&Row) -> Option<(T, T)>) {
    check_table(NEWEST, least, judge);
}

fn check_table<T: PartialEq + std::fmt::Debug>(
    table: &str,
    least: usize,
    judge: impl Fn(&Row) -> Option<(T, T)>,
) {
    let mut judged = 0;
    let mut differing = Vec::new();
    for row in rows(table) {
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
        Some((crate::spec_json::of(&snapshot.hpa), row.spec.clone()))
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

/// The fields, and not the words, which later API servers have changed.
#[test]
fn older_versions_are_refused_for_the_fields_for_which_the_api_server_refuses_them() {
    let field = |error: String| error.split_once(": ").map_or(error.clone(), |(field, _)| field.to_owned());
    check_table(OLDER, 1200, |row| {
        if row.has_tolerance() {
            return None;
        }
        let ours = validate(&row.read().0.spec);
        let ours =
            ours.iter().map(|error| field(error.to_string())).filter(|field| !field.ends_with(SINCE_34));
        Some((
            ours.collect::<Vec<_>>(),
            row.errors().into_iter().map(|error| field(error.to_owned())).collect(),
        ))
    });
}

#[test]
fn older_versions_are_converted_and_filled_in_as_the_api_server_does() {
    check_table(OLDER, 300, |row| {
        let snapshot = row.is_valid_before_33().then(|| Snapshot::freeze(row.case()))?;
        let snapshot = snapshot.unwrap_or_else(|error| panic!("{error}: {}", row.object));
        Some(row.told(crate::spec_json::of(&snapshot.hpa), row.spec.clone()))
    });
    check_table(OLDER, 1000, |row| {
        let theirs = row.status.clone()?;
        let ours = serde_json::to_value(row.read()).expect("an autoscaler is JSON");
        Some((ours["status"].clone(), theirs))
    });
}

/// What is stored in v1 comes back with the utilization of cpu last.
#[test]
fn a_spec_comes_back_from_an_api_server_before_1_27_as_it_stores_it() {
    let mut moved = 0;
    check_table(OLDER, 300, |row| {
        let case = row.is_valid_before_33().then(|| row.stored_by("v1.26.15"))?;
        let snapshot = Snapshot::freeze(case).unwrap_or_else(|error| panic!("{error}: {}", row.object));
        let mut theirs = row.stored.clone()?;
        // A zero beside an average stands for nothing: v1 cannot leave it out.
        for target in
            theirs["metrics"].as_array_mut()?.iter_mut().filter_map(|it| it.pointer_mut("/object/target"))
        {
            let target = target.as_object_mut()?;
            if target.contains_key("averageValue") && target.get("value") == Some(&json!("0")) {
                target.remove("value");
            }
        }
        Some(row.told(crate::spec_json::of(&snapshot.hpa), theirs))
    });
    for row in rows(OLDER).filter(Row::is_valid_before_33) {
        assert_eq!(row.stored_by("v1.27.0").hpa, row.read());
        moved += usize::from(row.stored_by("v1.26.0").hpa != row.read());
    }
    assert!(moved > 20, "{moved} were changed");
}

/// A warning of a field that the API server knows would send people after a mistake that there is not.
#[test]
fn no_field_of_any_version_is_called_unknown() {
    let mut versions = std::collections::BTreeMap::<String, usize>::new();
    for row in [NEWEST, OLDER].into_iter().flat_map(rows) {
        // Drawn for every version; v2beta2 was gone before there were tolerances.
        let is_told = |field: &String| {
            row.object["apiVersion"] != "autoscaling/v2beta2" || !field.ends_with(".tolerance")
        };
        let text = row.object.to_string();
        match Inputs::new("-", text.as_bytes()).next() {
            Some(Ok(Input::Manifest(manifest, _))) => {
                let told: Vec<&String> =
                    manifest.unknown.iter().map(|field| &field.path).filter(|path| is_told(path)).collect();
                assert!(told.is_empty(), "{told:?}: {text}");
            }
            other => panic!("{other:?}: {text}"),
        }
        *versions.entry(row.object["apiVersion"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
    }
    assert_eq!(versions.len(), 4, "{versions:?}");
}
