//! Thresholds and instants hold to the milli-unit and to the nanosecond: the recorded cases of the real controller are
//! decided on again on both sides of each.

use std::sync::Arc;

use crate::advice::example;
use crate::recorded::{frozen, recorded};
use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::memory_bounds::{Answer, answer};
use kubectl_hpa_core::model::{Duration, Evidence, Instant, Milli, Quantity, Replicas, ResourceName, Source};
use kubectl_hpa_core::rules::{Rule, Rules};
use kubectl_hpa_core::snapshot::{ContainerUsage, PodUsage, Reading, Snapshot};
use kubectl_hpa_core::trace::{Group, PodGroups};
use kubectl_hpa_core::whatif::{
    Cause, Projection, Threshold, Thresholds, attribute_to_rules, next_change, thresholds,
};
use kubectl_hpa_core::{
    snapshot::{Case, Cases},
    whatif::{Axis, Change, ChangeError, Point, Problem, Undecided, change, meant, sweep},
};
use serde_json::json;

/// Of the recorded sequences every fourth is looked at.
const EVERY: usize = 4;

/// The same world in which one metric's sum is another; `None` where other metrics would change with it.
fn with_usage(snapshot: &Snapshot, answer: &Answer, it: &Thresholds, usage: Milli) -> Option<Snapshot> {
    let mut changed = snapshot.clone();
    let difference = usage.0 - it.usage.0;
    let trace = answer.decision.metrics.iter().find(|trace| trace.index == it.index)?;
    let shared = snapshot.readings.iter().filter(|reading| **reading == Reading::Usage).count() > 1;
    match &snapshot.hpa.metrics[it.index].source {
        Source::Resource(_) | Source::ContainerResource { .. } if shared => return None,
        Source::Resource(resource) => {
            let usage = counted_usage(&mut changed, trace.groups.as_ref()?)?;
            shift(Arc::make_mut(&mut usage.containers).first_mut()?, resource, difference);
        }
        Source::ContainerResource { resource, container } => {
            let usage = counted_usage(&mut changed, trace.groups.as_ref()?)?;
            let mut containers = Arc::make_mut(&mut usage.containers).iter_mut();
            shift(containers.find(|it| *it.name == **container)?, resource, difference);
        }
        Source::Pods(_) => {
            let Reading::Pods(Ok(samples)) = &mut changed.readings[it.index] else { return None };
            let place = counted(trace.groups.as_ref()?)?;
            samples.own[place].as_mut()?.0 += difference;
        }
        Source::Object { .. } | Source::External(_) => match &mut changed.readings[it.index] {
            Reading::Object(Ok(values)) | Reading::External(Ok(values)) => {
                values.fill(Milli(0));
                values[0] = usage;
            }
            _ => return None,
        },
    }
    Some(changed)
}

/// The first pod that counts with its sample.
fn counted(groups: &PodGroups) -> Option<usize> {
    groups.pods.iter().position(|member| matches!(member.group, Group::Ready(_)))
}

fn counted_usage<'a>(snapshot: &'a mut Snapshot, groups: &PodGroups) -> Option<&'a mut PodUsage> {
    snapshot.pods.as_mut().ok()?.get_mut(counted(groups)?)?.usage.as_mut()
}

/// Adds to a container's usage of a resource.
fn shift(container: &mut ContainerUsage, resource: &ResourceName, difference: i64) {
    let amount = |(name, amount): (&ResourceName, Milli)| {
        let milli = if name == resource { amount.0 + difference } else { amount.0 };
        (name.clone(), Quantity::parse(&format!("{milli}m")).expect("a quantity"))
    };
    let amounts: Vec<_> = container.usage.iter().map(amount).collect();
    container.usage = amounts.iter().map(|(name, amount)| (name.as_str(), amount)).collect();
}

fn range(snapshot: &Snapshot, rules: &Rules) -> Option<(Replicas, Replicas)> {
    answer(&mut snapshot.clone(), rules).range()
}

/// Decides again at a threshold, one milli-unit before it, and somewhere between it and where the metric stands.
fn holds(
    snapshot: &Snapshot,
    rules: &Rules,
    answer: &Answer,
    it: &Thresholds,
    threshold: Threshold,
) -> Option<()> {
    let toward = if threshold.usage > it.usage { -1 } else { 1 };
    let at = |usage: Milli| Some(range(&with_usage(snapshot, answer, it, usage)?, rules));
    let old = at(it.usage)?;
    let between = it.usage.0 + (threshold.usage.0 - it.usage.0) / 2;
    let name = snapshot.hpa.key.name.clone();
    assert_eq!(at(threshold.usage)?, Some(threshold.replicas), "{name}: at {threshold:?} of {it:?}");
    assert_eq!(at(Milli(threshold.usage.0 + toward))?, old, "{name}: just before {threshold:?} of {it:?}");
    if between != threshold.usage.0 {
        assert_eq!(at(Milli(between))?, old, "{name}: on the way to {threshold:?} of {it:?}");
    }
    assert_ne!(old, Some(threshold.replicas), "{name}: {threshold:?} of {it:?} changes nothing");
    Some(())
}

fn check_thresholds(known: bool) -> usize {
    let mut checked = 0;
    for mut case in recorded("1.37", EVERY) {
        if !known {
            case.memory = None;
        }
        let (mut snapshot, rules) = frozen(case);
        let answer = answer(&mut snapshot, &rules);
        if !known {
            snapshot.memory_evidence = Evidence::Unknown;
        }
        for it in thresholds(&snapshot, &rules, &answer) {
            for threshold in [it.lower, it.higher].into_iter().flatten() {
                checked += usize::from(holds(&snapshot, &rules, &answer, &it, threshold).is_some());
            }
        }
    }
    checked
}

/// What the metrics want, within the bounds.
fn wanted(snapshot: &Snapshot, rules: &Rules) -> Option<Replicas> {
    let choice = answer(&mut snapshot.clone(), rules).decision.choice?;
    Some(choice.after.max(snapshot.hpa.min))
}

#[test]
fn a_milli_unit_before_fewer_are_wanted_than_are_held_all_of_them_are() {
    let mut checked = 0;
    for case in recorded("1.37", EVERY) {
        let (mut snapshot, rules) = frozen(case);
        let answer = answer(&mut snapshot, &rules);
        for it in thresholds(&snapshot, &rules, &answer) {
            let Some((usage, fewer)) = it.held else { continue };
            let current = snapshot.scale.as_ref().expect("a scale").replicas;
            let at = |usage| with_usage(&snapshot, &answer, &it, usage);
            let (Some(before), Some(there)) = (at(Milli(usage.0 + 1)), at(usage)) else { continue };
            let name = &snapshot.hpa.key.name;
            assert_eq!(wanted(&before, &rules), Some(current), "{name}: just before {it:?}");
            assert_eq!(wanted(&there, &rules), Some(fewer), "{name}: at {it:?}");
            assert_eq!(range(&there, &rules), Some((current, current)), "{name}: held at {it:?}");
            assert!(fewer < current, "{name}: {it:?}");
            checked += 1;
        }
    }
    assert!(checked > 20, "only {checked} were checked");
}

#[test]
fn a_milli_unit_before_each_threshold_the_decision_is_the_old_one_and_at_it_the_new_one() {
    let checked = check_thresholds(true);
    assert!(checked > 500, "only {checked} thresholds were checked");
}

#[test]
fn thresholds_hold_for_an_interval_too() {
    let checked = check_thresholds(false);
    assert!(checked > 500, "only {checked} thresholds were checked");
}

#[test]
fn a_nanosecond_before_each_instant_the_decision_is_the_old_one_and_at_it_the_new_one() {
    let mut checked = 0;
    for case in recorded("1.37", EVERY) {
        let (mut snapshot, rules) = frozen(case);
        let decision = decide(&snapshot, &rules);
        let Some(change) = next_change(&snapshot, &rules, &decision) else { continue };
        snapshot.memory.clone_from(&decision.memory);
        let mut at = |at: Instant| {
            snapshot.taken_at = at;
            decide(&snapshot, &rules).desired()
        };
        let before = change.at - Duration::from_nanoseconds(1);
        assert_eq!(at(before), decision.desired(), "just before {change:?}");
        assert_eq!(at(change.at), Some(change.replicas), "at {change:?}");
        assert_ne!(decision.desired(), Some(change.replicas), "{change:?} changes nothing");
        checked += 1;
    }
    assert!(checked > 50, "only {checked} instants were checked");
}

/// Two ways of looking ahead: the first change of the world that is played is the first one that time alone brings, at the
/// same instant, where no pod has to settle for it.
#[test]
fn a_projection_begins_with_the_change_that_time_alone_brings() {
    let mut checked = 0;
    for case in recorded("1.37", 1) {
        let (snapshot, rules) = frozen(case);
        let decision = decide(&snapshot, &rules);
        let change = next_change(&snapshot, &rules, &decision);
        let Some(change) = change.filter(|it| !matches!(it.cause, Cause::PodSettles(_))) else { continue };
        let answer = Answer::new(decision, None, None);
        let played = Projection::of(&snapshot, &rules, &answer);
        let first = played.steps.first().map(|step| (step.at, step.replicas));
        // A change that no play makes stands there alone.
        if !played.is_known {
            continue;
        }
        assert_eq!(first, Some((change.at, change.replicas)), "{}: {change:?}", snapshot.hpa.key.name);
        checked += 1;
    }
    assert!(checked > 50, "only {checked} were checked");
}

/// What two versions decide otherwise comes of the rules that are named: with them the other outcome is reached, each
/// alone or all together, and where together, not without any of them.
#[test]
fn the_rules_behind_another_outcome_make_it_and_none_of_them_is_idle() {
    let mut named = std::collections::BTreeSet::new();
    for (version, other) in [("1.37", "1.23"), ("1.23", "1.37"), ("1.37", "1.34"), ("1.32", "1.33")] {
        let [one, other] = [version, other]
            .map(|version| Rules::for_version(version, &std::collections::BTreeMap::new()).expect("rules"));
        for (snapshot, _) in recorded("1.37", EVERY).map(frozen) {
            let outcome = |rules: &Rules| {
                let decision = decide(&snapshot, rules);
                (decision.desired(), decision.outcome.code())
            };
            let (now, then) = (outcome(&one), outcome(&other));
            if now == then {
                continue;
            }
            let found = attribute_to_rules(&one, &other, |rules| outcome(rules) == then);
            assert!(!found.rules.is_empty());
            let reached = |taken: &[&Rule]| outcome(&one.with(taken, &other)) == then;
            if found.together {
                assert!(found.rules.len() > 1 && reached(&found.rules));
                for idle in &found.rules {
                    let rest: Vec<&Rule> =
                        found.rules.iter().copied().filter(|rule| rule.name() != idle.name()).collect();
                    assert!(!reached(&rest), "{} is idle", idle.name());
                }
            } else {
                assert!(found.rules.iter().all(|rule| reached(&[rule])));
            }
            named.extend(found.rules.iter().map(|rule| rule.name()));
        }
    }
    for rule in
        ["ambiguous", "from-zero", "rate-events", "tolerance-test", "average-capped", "sidecar-requests"]
    {
        assert!(named.contains(rule), "{rule} is behind nothing: {named:?}");
    }
}

/// The first sample of a pod's container, in milli-cores.
fn sample_of(case: &Case, name: &str) -> Option<i64> {
    let items = case.pod_metrics.as_ref()?.items.as_ref()?;
    let item = items.iter().find(|item| item.metadata.name == name)?;
    Some(item.containers.first()?.usage.get("cpu")?.milli_value())
}

/// With two others it is what lies between them, rounded up; what the other pods of another target use has no part in it.
#[test]
fn a_pod_that_becomes_ready_is_given_the_median_of_the_others_samples() {
    let text = include_str!("../../src/examples/missing-samples.yaml");
    let case = Cases::new("example", text.as_bytes()).next().expect("a case").expect("a case");
    let name = |place: usize| {
        case.pods.as_ref().expect("pods").items.as_ref().expect("pods")[place].metadata.name.clone()
    };
    let lacking =
        (0..5).map(name).find(|name| sample_of(&case, name).is_none()).expect("a pod without a sample");
    let with = |usage: &[i64]| {
        let mut case = case.clone();
        let items = case.pod_metrics.as_mut().and_then(|it| it.items.as_mut()).expect("samples");
        items.truncate(usage.len());
        for (item, milli) in items.iter_mut().zip(usage) {
            Arc::make_mut(item).containers[0]
                .usage
                .set("cpu", Quantity::parse(&format!("{milli}m")).expect("a quantity"));
        }
        case
    };
    for (usage, median) in [
        (&[10, 500, 20][..], Some(20)),
        (&[10, 21], Some(16)),
        (&[30, 20], Some(25)),
        (&[7], Some(7)),
        (&[], None),
    ] {
        let mut case = with(usage);
        let typed = [Change::parse(&format!("--pods {lacking}=ready")).expect("a change")];
        let changes = meant(&case, &typed).expect("it is meant");
        let said = format!("{lacking}=ready,{lacking}=median-sample");
        assert_eq!(changes[0].typed() == said, median.is_some(), "{}", changes[0]);
        change(&mut case, &changes).expect("it is made");
        assert_eq!(sample_of(&case, &lacking), median, "{usage:?}");
        // One that has a sample keeps it.
        if usage.len() == 3 {
            let sampled = case.pod_metrics.as_ref().and_then(|it| it.items.as_ref()).expect("samples")[0]
                .metadata
                .name
                .clone();
            let typed = [Change::parse(&format!("--pods {sampled}=ready")).expect("a change")];
            assert_eq!(meant(&case, &typed).expect("it is meant"), typed);
        }
    }
}

/// A controller, or an HPA, whose first sync could not read the scale remembers the replicas from a later one on: until then
/// no window has begun. Beside each case until when the controller still held.
#[test]
fn a_window_that_has_not_begun_ends_later() {
    for (text, kept) in [
        (include_str!("../memory/hostile/kept/first-sync-finds-no-scale.json"), "2025-11-21T10:37:49Z"),
        (include_str!("../memory/hostile/kept/restarted-into-an-outage.json"), "2025-11-21T10:07:57Z"),
    ] {
        let explanation = Explanation::of(serde_json::from_str(text).expect("a case")).expect("a decision");
        let latest = explanation.outlook().latest.expect("it falls").at;
        let kept = Instant::parse(kept).expect("a time");
        assert!(kept < latest && latest <= kept + Duration::from_seconds(75), "{latest}");
    }
}

#[test]
fn a_value_that_cannot_be_is_refused_when_it_is_read() {
    let refused = Change::parse("--min x");
    assert!(
        matches!(
            &refused,
            Err(ChangeError::Refused { flag: "--min", problem: Problem::NotReplicas(typed), .. }) if typed == "x"
        ),
        "{refused:?}"
    );
    assert!(matches!(Change::parse("--color red"), Err(ChangeError::UnknownFlag(_))));
    // What only the controller takes is a change, and nobody means it.
    let countless = Change::parse("--usage cpu=8Ei").expect("a change");
    assert!(matches!(countless.check(), Err(ChangeError::Refused { problem: Problem::Uncountable(_), .. })));
    assert_eq!(countless.typed(), "cpu=8Ei");
}

#[test]
fn a_sweep_goes_on_past_values_that_cannot_be() {
    let case = recorded("1.33", EVERY).next().expect("a case");
    let axis = Axis::parse("load=-200%..+0%:100%").expect("an axis");
    let points = sweep(&case, &[], &[axis]);
    let is_refused = |point: &Point| matches!(point.replicas, Err(Undecided::Change(_)));
    assert_eq!(points.iter().map(is_refused).collect::<Vec<_>>(), [true, false, false]);
}

#[test]
fn small_requests_have_a_threshold_too() {
    let example = include_str!("../../src/examples/resting-at-min.yaml");
    for request in ["1m", "3m", "33m", "250m"] {
        let mut text = example.replace("cpu: 250m", &format!("cpu: {request}"));
        for sample in ["31m", "28m", "36m"] {
            text = text.replace(&format!("cpu: {sample}"), "cpu: 0m");
        }
        let (mut snapshot, rules) = frozen(serde_yaml::from_str(&text).expect("a case"));
        let answer = answer(&mut snapshot, &rules);
        let all = thresholds(&snapshot, &rules, &answer);
        let threshold = all[0].higher.unwrap_or_else(|| panic!("none for {request}"));
        holds(&snapshot, &rules, &answer, &all[0], threshold).expect("it can be tried");
    }
}

/// 20 replicas, whose queue is at 92.5% of their target, and 40 pods that a count of 60 in status.replicas has besides.
fn counted_besides(phase: &str, status_replicas: i32) -> Snapshot {
    let mut case = example("held-by-window");
    let pods = case["pods"]["items"].as_array_mut().expect("pods");
    let pod = pods[0].clone();
    *pods = (0..60)
        .map(|number| {
            let mut pod = pod.clone();
            pod["metadata"]["name"] = format!("web-{number}").into();
            pod["status"]["phase"] = if number < 20 { "Running" } else { phase }.into();
            pod
        })
        .collect();
    pods.truncate(if phase.is_empty() { 20 } else { 60 });
    case["podMetrics"]["items"] = json!([]);
    case["scale"]["object"]["spec"]["replicas"] = 20.into();
    case["scale"]["object"]["status"]["replicas"] = status_replicas.into();
    case["memory"]["recommendations"] = json!([{"replicas": 20, "at": "2026-11-21T10:39:10Z"}]);
    case["hpa"]["spec"]["maxReplicas"] = 40.into();
    case["hpa"]["spec"]["metrics"] = json!([{"type": "External", "external": {
        "metric": {"name": "queue"}, "target": {"type": "AverageValue", "averageValue": "200"}}}]);
    case["externalMetrics"] = json!([{"query": {"metric": {"name": "queue"}},
        "items": [{"metricName": "queue", "timestamp": "2026-11-21T10:41:55Z", "value": "3700"}]}]);
    frozen(serde_json::from_value(case).expect("a case")).0
}

/// The controllers of workloads leave pods that have ended out of status.replicas, so that no change is told which only a
/// status with them would bring; a simulation, which counts as they do, brings none.
#[test]
fn no_change_is_told_that_hangs_on_ended_pods_in_status_replicas() {
    let change = |phase: &str, status_replicas| {
        let snapshot = counted_besides(phase, status_replicas);
        let rules = Rules::for_version("1.37", &std::collections::BTreeMap::new()).expect("rules");
        let decision = decide(&snapshot, &rules);
        assert_eq!(decision.desired(), Some(Replicas(20)), "{phase} {status_replicas}");
        next_change(&snapshot, &rules, &decision).map(|change| change.replicas)
    };
    assert_eq!(change("", 20), None, "within the tolerance");
    assert_eq!(change("Running", 60), Some(Replicas(19)), "a surge is counted");
    for phase in ["Failed", "Succeeded"] {
        assert_eq!(change(phase, 60), None, "{phase}");
        assert_eq!(change(phase, 20), None, "{phase}, left out already");
    }
}
