//! Upstream's own tables: what its tests gave the controller and its functions, and what came of it, recorded by running
//! them (`tests/oracle/README.md`). Our engine must come to the same from the same.

#[allow(dead_code, reason = "sequences and changed cases are judged elsewhere")]
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;
use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Case, Pod, Snapshot};
use kubectl_hpa_core::status::report;
use kubectl_hpa_core::trace::{Calculation, Decision, Gate, Group, Limit, Limited, Proposal, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::root::root;

/// One call, of the whole reconcile or of a function in it.
#[derive(Deserialize)]
struct Recorded {
    test: String,
    call: String,
    case: Value,
    outcome: Value,
    /// Upstream's tests set it to 8, so that it is not in their way.
    #[serde(rename = "scaleUpFactor")]
    scale_up_factor: Option<u32>,
}

/// Our own decision about it.
struct Ours {
    snapshot: Snapshot,
    rules: Rules,
    decision: Decision,
}

impl Ours {
    fn of(recorded: &Recorded) -> Result<Self, String> {
        let case: Case =
            serde_json::from_value(recorded.case.clone()).map_err(|error| format!("case: {error}"))?;
        let snapshot = Snapshot::freeze(case).map_err(|error| format!("freeze: {error}"))?;
        let controller = &snapshot.controller;
        let mut rules = Rules::for_version(&controller.version.value, &controller.feature_gates)
            .map_err(|error| format!("rules: {error}"))?;
        if let Some(factor) = recorded.scale_up_factor {
            rules.scale_up_factor = Some(factor);
        }
        let decision = decide(&snapshot, &rules);
        Ok(Self { snapshot, rules, decision })
    }

    fn pods(&self) -> impl Iterator<Item = &Pod> {
        self.snapshot.pods.iter().flatten()
    }

    fn proposal(&self) -> Option<&Proposal> {
        match &self.decision.metrics.first()?.verdict {
            Verdict::Proposal(proposal) => Some(proposal),
            Verdict::Failed(_) | Verdict::Unknown(_) => None,
        }
    }

    /// What the controller says of the metric that failed; the function's own error is its end.
    fn complaint(&self) -> String {
        let report = report(&self.snapshot, &self.decision, &self.rules);
        report.events.first().map(|event| event.message.clone()).unwrap_or_default()
    }

    fn calculated(&self) -> Value {
        let Some(proposal) = self.proposal() else { return Value::Null };
        let (usage, mean, utilization) = match &proposal.calculation {
            Calculation::PerPod(per_pod) => (None, Some(per_pod.first.mean), per_pod.first.utilization),
            Calculation::Total(total) => (Some(total.usage), None, None),
            Calculation::PerReplica(per_replica) => (None, Some(per_replica.mean), None),
        };
        json!({
            "replicas": proposal.replicas.0,
            "usage": usage.map(|usage| usage.0),
            "mean": mean.map(|mean| mean.0),
            "utilization": utilization.map(|utilization| utilization.0),
        })
    }

    fn groups(&self) -> Value {
        let Some(groups) = self.decision.metrics.first().and_then(|metric| metric.groups.as_ref()) else {
            return Value::Null;
        };
        let named = |is: fn(&Group) -> bool| -> BTreeSet<&str> {
            let members = self.pods().zip(&groups.pods);
            members.filter(|(_, member)| is(&member.group)).map(|(pod, _)| &*pod.name).collect()
        };
        json!({
            "ready": groups.ready,
            "unready": named(|group| matches!(group, Group::Unready(_))),
            "missing": named(|group| matches!(group, Group::Missing(_))),
            "ignored": named(|group| matches!(group, Group::Ignored(_))),
        })
    }

    fn requests(&self) -> Value {
        let Some(groups) = self.decision.metrics.first().and_then(|metric| metric.groups.as_ref()) else {
            return Value::Null;
        };
        let members = self.pods().zip(&groups.pods);
        let requests = members.filter_map(|(pod, member)| Some((&*pod.name, member.request?.0)));
        json!({"requests": requests.collect::<BTreeMap<_, _>>()})
    }

    fn quantity(&self) -> Value {
        let status = report(&self.snapshot, &self.decision, &self.rules).status;
        let status = serde_json::to_value(status).unwrap_or_default();
        json!({"quantity": status["currentMetrics"][0]["resource"]["current"]["averageValue"]})
    }

    /// The controller puts a recommendation into an empty memory before it stabilizes; the function by itself does not.
    fn stabilized(&self, theirs: &Value) -> Value {
        let stabilized = self.decision.stabilized.as_ref().map(|stabilized| stabilized.after.0);
        let recommendations = crate::judge::memory(&self.decision.memory)["recommendations"].take();
        let was_empty = self.snapshot.memory.recommendations.is_empty();
        let recommendations = if was_empty { theirs["recommendations"].clone() } else { recommendations };
        json!({"stabilized": stabilized, "recommendations": recommendations})
    }

    fn events(&self) -> Value {
        crate::judge::memory(&self.decision.memory)
    }

    /// Above `maxReplicas` the controller goes there at once and does not come to this function: the count is compared.
    fn limited(&self, theirs: &Value) -> Value {
        let limited = self.decision.limited.as_ref();
        let after = limited.map(|limited| limited.after).or(self.decision.desired());
        if limited.is_none() && matches!(self.decision.gate, Gate::AboveMax) {
            return json!({"limited": after.map(|after| after.0), "reason": theirs["reason"]});
        }
        json!({"limited": after.map(|after| after.0), "reason": limited.map(|limited| format!("{:?}", limited.reason))})
    }

    fn rate(&self) -> Value {
        let rate = match self.decision.limited.as_ref() {
            Some(Limited { how: Limit::Behavior(Some(limit)), reason, .. }) => Some((limit.rate.0, reason)),
            _ => None,
        };
        rate.map_or(Value::Null, |(rate, reason)| json!({"limited": rate, "reason": format!("{reason:?}")}))
    }
}

/// Holds what came of one call against ours; the error tells both.
fn check(recorded: &Recorded) -> Result<(), String> {
    let ours = Ours::of(recorded)?;
    let theirs = &recorded.outcome;
    if recorded.call == "reconcile" {
        return crate::judge::compare(&ours.snapshot, &ours.decision, &ours.rules, theirs);
    }
    if let Some(error) = theirs["error"].as_str() {
        let complaint = ours.complaint();
        return same(complaint.ends_with(error), &json!(complaint), theirs);
    }
    let known = match recorded.call.as_str() {
        "groupPods" => ours.groups(),
        "calculateRequests" | "calculatePodRequestsFromContainers" => ours.requests(),
        "buildQuantity" => ours.quantity(),
        "stabilizeRecommendation" | "stabilizeRecommendationWithBehaviors" => ours.stabilized(theirs),
        "convertDesiredReplicasWithRules" | "convertDesiredReplicasWithBehaviorRate" => ours.limited(theirs),
        "calculateScaleUpLimitWithScalingRules" | "calculateScaleDownLimitWithBehaviors" => ours.rate(),
        "storeScaleEvent" => ours.events(),
        _ => ours.calculated(),
    };
    same(holds(&known, theirs), &known, theirs)
}

/// Whether everything that was recorded is so.
fn holds(ours: &Value, theirs: &Value) -> bool {
    theirs.as_object().is_some_and(|theirs| theirs.iter().all(|(key, value)| &ours[key] == value))
}

fn same(equal: bool, ours: &Value, theirs: &Value) -> Result<(), String> {
    if equal { Ok(()) } else { Err(format!("\n  upstream: {theirs}\n      ours: {ours}")) }
}

/// Tests that are told apart, with the reason: their name, or the beginning of it.
const APART: &[(&str, &str)] = &[
    ("TestScaleUpOneMetricInvalid", TYPE),
    ("TestScaleUpBothMetricsEmpty", TYPE),
    ("TestScaleUpFromZeroOneMetricInvalid/", TYPE),
    ("TestScaleWithOneInvalidMetric/scale_up_with_one_invalid_metric", TYPE),
    ("TestScaleWithOneInvalidMetric/from_zero_with_invalid_metric", TYPE),
    ("TestNoScaleDownOneMetricInvalid", TYPE),
    ("TestConditionInvalidSourceType", TYPE),
    ("TestScaleUpRCImmediately", TARGET),
    ("TestReplicaLimits/scale_up_to_min_immediately_even_with_recent_scale_time", TARGET),
    ("TestConfigurableTolerance/no_scaling_because_the_configurable_tolerance_is_ignored_when", LOCKED),
    ("TestGroupPods/void", PODS),
    ("TestCalculateRequests/void", PODS),
];

const TYPE: &str = "a metric of a type that the API server refuses";
const TARGET: &str = "a metric without a target, which the API server refuses";
const LOCKED: &str = "a feature gate off that is locked on since 1.37";
const PODS: &str = "no pods: the controller ends before it comes to this function";

fn reason_apart(test: &str) -> Option<&'static str> {
    APART.iter().find(|(name, _)| test.starts_with(name)).map(|(_, reason)| *reason)
}

fn lines(release: &str) -> impl Iterator<Item = Recorded> {
    let path = root("tests/oracle/upstream").join(release);
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    lines.map(|line| serde_json::from_str(&line.expect("a line")).expect("a recorded call"))
}

/// Judges all that was recorded of a release: so many calls are equal, in so many tests, and so many are told apart.
fn judge_all(release: &str, expected: (usize, usize, usize)) {
    let (mut equal, mut apart, mut tests, mut mismatches) = (0, 0, BTreeSet::new(), Vec::new());
    for recorded in lines(release) {
        let place = format!("{} {}", recorded.test, recorded.call);
        match (check(&recorded), reason_apart(&recorded.test)) {
            (Ok(()), None) => equal += 1,
            (Err(problem), None) => mismatches.push(format!("{place}: {problem}")),
            (Err(_), Some(_)) => apart += 1,
            (Ok(()), Some(reason)) => mismatches.push(format!("{place}: is equal, so it is not {reason}")),
        }
        tests.insert(recorded.test);
    }
    assert!(mismatches.is_empty(), "{} differ:\n{}", mismatches.len(), mismatches.join("\n"));
    assert_eq!((equal, tests.len(), apart), expected, "equal calls, tests, calls told apart");
}

#[test]
fn tables_of_1_37_end_as_upstream_ends_them() {
    judge_all("v1.37.1.jsonl.gz", (294, 277, 9));
}

#[test]
fn tables_of_1_36_end_as_upstream_ends_them() {
    judge_all("v1.36.3.jsonl.gz", (295, 278, 9));
}
