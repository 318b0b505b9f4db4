//! The cases of the sequences that are recorded of the real controller, for tests of what is built on the engine.

use std::fs::File;
use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Case, Snapshot};
use serde_json::Value;

use super::root::root;

/// The cases of every nth sequence of a version.
pub fn recorded(version: &str, every: usize) -> impl Iterator<Item = Case> + use<> {
    let path = root(&format!("tests/oracle/vectors/v{version}.jsonl.gz"));
    let lines = BufReader::new(GzDecoder::new(File::open(path).expect("the vectors are there"))).lines();
    lines.step_by(every).flat_map(|line| {
        let mut sequence: Value = serde_json::from_str(&line.expect("a line")).expect("a sequence");
        let steps = sequence["steps"].as_array_mut().map(std::mem::take).unwrap_or_default();
        steps.into_iter().map(|mut step| serde_json::from_value(step["case"].take()).expect("a case"))
    })
}

/// A case, frozen, with the rules of its controller.
pub fn frozen(case: Case) -> (Snapshot, Rules) {
    let snapshot = Snapshot::freeze(case).expect("a snapshot");
    let controller = &snapshot.controller;
    let rules = Rules::for_version(&controller.version.value, &controller.feature_gates).expect("rules");
    (snapshot, rules)
}
