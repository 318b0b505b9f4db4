//! The controller's loop, offline: every sequence of the real controller again, but with memory, status and replicas
//! of each case carried on from our own decision about the case before.

use std::fs::File;
use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;
use kubectl_hpa_core::api::HpaStatus;
use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Case, Snapshot};
use kubectl_hpa_core::status::{carry, report};
use kubectl_hpa_core::trace::SelectorVerdict;
use serde::Deserialize;
use serde_json::Value;

use crate::root::root;

#[derive(Deserialize)]
struct Sequence {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    case: Value,
}

impl Step {
    fn case(&self) -> Case {
        serde_json::from_value(self.case.clone()).unwrap_or_else(|error| panic!("{error}: {}", self.case))
    }

    /// v1 keeps metrics and conditions of a status in annotations, which come back with zeros of their own.
    fn is_v1(&self) -> bool {
        self.case["hpa"]["apiVersion"] == "autoscaling/v1"
    }
}

/// A case that knows nothing of the ones before it.
fn forgetful(mut case: Case) -> Case {
    case.memory = None;
    case.hpa.0.status = HpaStatus::default();
    if let Some(scale) = case.scale.as_mut().and_then(|scale| scale.object.as_mut()) {
        scale.spec.replicas = 0;
    }
    case
}

/// Whether the message, and so the status, names HPAs in an order that the controller leaves to chance.
fn is_random(selector: Option<&SelectorVerdict>) -> bool {
    matches!(selector, Some(SelectorVerdict::Ambiguous(claimants)) if claimants.len() > 2)
}

/// Walks a sequence; returns how many cases were carried.
fn walk(sequence: &Sequence) -> usize {
    let mut carried = 0;
    let mut case = sequence.steps[0].case();
    for (step, next) in sequence.steps.iter().zip(&sequence.steps[1..]) {
        let snapshot = Snapshot::freeze(case).unwrap_or_else(|error| panic!("{error}: {}", step.case));
        let controller = &snapshot.controller;
        let rules = Rules::for_version(&controller.version.value, &controller.feature_gates).expect("rules");
        let decision = decide(&snapshot, &rules);
        let report = report(&snapshot, &decision, &rules);
        let recorded = next.case();
        // Where the scale cannot be read, nothing is known of its replicas.
        let reads_scale = snapshot.scale.is_ok();
        if next.is_v1() || is_random(decision.selector.as_ref()) || !reads_scale {
            case = recorded;
            continue;
        }
        case = carry(&snapshot, &decision, &report, forgetful(recorded.clone())).expect("the same HPA");
        assert_eq!(case, recorded, "after {}", step.case);
        carried += 1;
    }
    carried
}

#[test]
fn a_carried_case_is_the_one_that_the_real_controller_meets_next() {
    let path = root("tests/oracle/vectors/v1.37.jsonl.gz");
    let lines = BufReader::new(GzDecoder::new(File::open(path).expect("vectors"))).lines();
    let sequences =
        lines.map(|line| serde_json::from_str::<Sequence>(&line.expect("a line")).expect("a sequence"));
    let carried: usize = sequences.map(|sequence| walk(&sequence)).sum();
    assert!(carried > 3500, "{carried} cases carried");
}

#[test]
fn cases_of_two_hpas_are_not_carried() {
    let path = root("tests/oracle/vectors/v1.37.jsonl.gz");
    let mut lines = BufReader::new(GzDecoder::new(File::open(path).expect("vectors"))).lines();
    let line = lines.next().expect("a line").expect("text");
    let case = serde_json::from_str::<Sequence>(&line).expect("a sequence").steps[0].case();
    let mut other = case.clone();
    other.hpa.0.metadata.name = "other".to_owned();
    let snapshot = Snapshot::freeze(case).expect("a snapshot");
    let controller = &snapshot.controller;
    let rules = Rules::for_version(&controller.version.value, &controller.feature_gates).expect("rules");
    let decision = decide(&snapshot, &rules);
    let report = report(&snapshot, &decision, &rules);
    let error = carry(&snapshot, &decision, &report, other).expect_err("another HPA").to_string();
    assert!(error.starts_with("hpa.metadata: ") && error.contains("/other comes after"), "{error}");
}
