//! Each boundary, named by the change that it comes from.

use std::collections::BTreeMap;

use super::*;
use crate::model::Evidenced;

fn rules(version: &str) -> Rules {
    Rules::for_version(version, &BTreeMap::new()).expect("rules")
}

fn with_gate(version: &str, gate: &str, value: bool) -> Result<Rules, RulesError> {
    Rules::for_version(version, &BTreeMap::from([(gate.into(), Evidenced::assumed(value))]))
}

/// The last release without a change and the first one with it.
fn boundary<T: Copy + PartialEq + std::fmt::Debug>(
    before: &str,
    since: &str,
    field: impl Fn(&Rules) -> T,
    then: T,
) {
    assert_ne!(field(&rules(before)), then, "{before}");
    assert_eq!(field(&rules(since)), then, "{since}");
}

#[test]
fn conditions_are_no_longer_formatted_twice_since_these_patches() {
    for (before, since) in
        [("v1.31.5", "v1.31.6"), ("v1.30.9", "v1.30.10"), ("v1.29.13", "v1.29.14"), ("v1.31.5", "v1.32.0")]
    {
        boundary(before, since, |rules| rules.formats_twice, false);
    }
    assert!(rules("1.28").formats_twice && !rules("1.29").formats_twice);
}

#[test]
fn object_targets_without_their_value_no_longer_crash_since_these_patches_of_pr_121015() {
    for (before, since) in
        [("v1.28.2", "v1.28.3"), ("v1.27.6", "v1.27.7"), ("v1.26.9", "v1.26.10"), ("v1.28.2", "v1.29.0")]
    {
        boundary(before, since, |rules| rules.checks_object_target, true);
    }
    assert!(!rules("v1.25.16").checks_object_target);
}

#[test]
fn each_minor_brings_its_changes() {
    boundary("1.36", "1.37", |rules| rules.object_error, ObjectErrorOrder::Straight);
    boundary("1.35", "1.36", |rules| rules.from_zero, FromZero::Condition);
    boundary("1.34", "1.35", |rules| rules.total_capped, true);
    boundary("1.34", "1.35", |rules| rules.absent_container, AbsentContainer::FailsMetric);
    boundary("1.33", "1.34", |rules| rules.average_capped, true);
    boundary("1.33", "1.34", |rules| rules.selector_words, SelectorWords::JsonList);
    boundary("1.33", "1.34", |rules| rules.binary_memory, true);
    boundary("1.33", "1.34", |rules| rules.pod_level_resources, true);
    boundary("1.31", "1.32", |rules| rules.drops_types_apart, true);
    boundary("1.32", "1.33", |rules| rules.tolerance_test, ToleranceTest::Band);
    boundary("1.32", "1.33", |rules| rules.unmeasured_container, UnmeasuredContainer::MissingPod);
    boundary("1.32", "1.33", |rules| rules.names_average_object, true);
    boundary("1.28", "1.29", |rules| rules.sidecar_requests, true);
    boundary("1.28", "1.29", |rules| rules.renews_metrics_on_failure, true);
    boundary("1.27", "1.28", |rules| rules.fills_values_at_target, false);
    boundary("1.26", "1.27", |rules| rules.returns_partial_error, true);
    boundary("1.26", "1.27", |rules| rules.stored_in_v1, false);
    boundary("1.26", "1.27", |rules| rules.no_sample_words, NoSampleWords::TargetedPods);
    boundary("1.25", "1.26", |rules| rules.selector_words, SelectorWords::GoList);
    boundary("1.25", "1.26", |rules| rules.rate_events, RateEvents::Both);
    boundary("1.25", "1.26", |rules| rules.missing_share, MissingShare::RequestOrTarget);
    boundary("1.25", "1.26", |rules| rules.ambiguous, Some(AmbiguousText::Multiple));
    boundary("1.24", "1.25", |rules| rules.wrapping, Wrapping::All);
}

#[test]
fn what_two_versions_differ_in_is_named_and_leads_from_one_to_the_other() {
    let all: Vec<Rules> = versions().map(|version| rules(&version)).collect();
    for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (one, other))) {
        let between = Rule::between(one, other);
        let turned = one.with(&between, other);
        assert_eq!(Rules { row: other.row, ..turned }, *other, "{} to {}", one.row, other.row);
        assert_eq!(between.is_empty(), Rules { row: one.row, ..other.clone() } == *one);
    }
    let names: Vec<String> =
        Rule::between(&rules("1.32"), &rules("1.33")).iter().map(|it| it.name()).collect();
    assert_eq!(names, ["tolerance-test", "unmeasured-container", "names-average-object"]);
    let text = Rule::ALL.iter().find(|rule| rule.name() == "unmeasured-container").map(Rule::text);
    let told = "What becomes of a ContainerResource metric when a sample lacks the container (1.33, \
                getContainerMetrics, PR 127193).";
    assert_eq!(text.as_deref(), Some(told));
}

#[test]
fn releases_are_told_apart_whatever_providers_add() {
    assert!(!Rules::tells_apart("v1.33.4-gke.1057000", "v1.33.4"));
    assert!(Rules::tells_apart("v1.32.9-eks-3cfe0ce", "v1.33.4-eks-3cfe0ce"));
    assert!(Rules::tells_apart("v1.33.4", "v1.33.5"));
}

#[test]
fn versions_that_cannot_be_told_apart_share_a_row() {
    assert_eq!(rules("v1.23.0"), rules("v1.24.17"));
    // What the recorder drops bears on what is known of a memory, on no decision.
    assert_eq!(Rules { drops_types_apart: true, ..rules("v1.30.14") }, rules("v1.32.13"));
    assert_eq!(rules("v1.37.0"), rules("v1.40.0"));
}

#[test]
fn a_version_is_read_as_providers_write_it() {
    assert_eq!(rules("v1.33.4-gke.1057000"), rules("v1.33.4"));
    assert_eq!(rules("v1.32.9-eks-3cfe0ce"), rules("v1.32.9"));
    for version in ["v1.31.5-gke.100", "1.31.5+k3s1", "v1.31.5", "v1.31.5-eks-3cfe0ce"] {
        assert!(rules(version).formats_twice, "{version}");
    }
    assert_eq!(rules("1.31"), rules("1.31+"), "without a patch it is the last one");
    for version in ["", "1", "2.0", "v1.x", "1.31.x"] {
        let refused = Rules::for_version(version, &BTreeMap::new());
        assert_eq!(refused, Err(RulesError::NotAVersion(version.into())), "{version}");
    }
    assert_eq!(Rules::for_version("v1.22.17", &BTreeMap::new()), Err(RulesError::TooOld("v1.22.17".into())));
}

#[test]
fn gates_count_where_the_controller_asks_for_them() {
    assert!(with_gate("1.36", "HPAScaleToZero", true).expect("1.36").scale_to_zero);
    assert_eq!(with_gate("1.35", "HPAScaleToZero", true), Ok(rules("1.35")));
    assert!(with_gate("1.33", "HPAConfigurableTolerance", true).expect("1.33").configurable_tolerance);
    assert_eq!(with_gate("1.32", "HPAConfigurableTolerance", true), Ok(rules("1.32")));
    assert!(!with_gate("1.34", "PodLevelResources", false).expect("1.34").pod_level_resources);
    assert_eq!(with_gate("1.33", "PodLevelResources", true), Ok(rules("1.33")));
    assert!(!with_gate("1.29", "HPAContainerMetrics", false).expect("1.29").container_metrics);
    assert_eq!(with_gate("1.26", "HPAContainerMetrics", false), Ok(rules("1.26")));
    assert_eq!(with_gate("1.32", "HPAContainerMetrics", false), Ok(rules("1.32")));
}

/// As `setUnsetAlphaGates` and `setUnsetBetaGates` of component-base set what `kube_features.go` of each release has as
/// alpha or beta.
#[test]
fn gates_are_set_by_their_stage_unless_by_their_name() {
    for (version, stage, value, gates) in [
        ("1.29", "AllBeta", false, &["HPAContainerMetrics"][..]),
        ("1.30", "AllBeta", false, &[]),
        ("1.32", "AllAlpha", true, &[]),
        ("1.33", "AllAlpha", true, &["HPAConfigurableTolerance"]),
        ("1.33", "AllBeta", false, &[]),
        ("1.34", "AllAlpha", true, &["HPAConfigurableTolerance"]),
        ("1.34", "AllBeta", false, &["PodLevelResources"]),
        ("1.35", "AllAlpha", true, &[]),
        ("1.35", "AllBeta", false, &["HPAConfigurableTolerance", "PodLevelResources"]),
        ("1.36", "AllAlpha", true, &["HPAScaleToZero"]),
        ("1.36", "AllBeta", false, &["HPAConfigurableTolerance", "PodLevelResources"]),
        ("1.37", "AllAlpha", true, &[]),
        (
            "1.37",
            "AllBeta",
            false,
            &["HPAScaleToZero", "PodLevelResources", "HPAOptimizedSelectorStore", "HPAGeneration"],
        ),
    ] {
        let set = |names: &[&str], value| {
            names.iter().map(|it| ((*it).into(), Evidenced::assumed(value))).collect()
        };
        let by_name: BTreeMap<Box<str>, _> = set(gates, value);
        assert_eq!(
            with_gate(version, stage, value),
            Rules::for_version(version, &by_name),
            "{version} {stage}"
        );
        let mut all: BTreeMap<Box<str>, _> = set(gates, !value);
        let named = Rules::for_version(version, &all);
        all.insert(stage.into(), Evidenced::assumed(value));
        assert_eq!(Rules::for_version(version, &all), named, "{version} {stage}");
    }
}

#[test]
fn locked_gates_cannot_be_switched_off() {
    for (version, gate, row) in [
        ("1.37", "HPAConfigurableTolerance", "1.37"),
        ("1.31", "HPAContainerMetrics", "1.30"),
        ("1.30", "HPAContainerMetrics", "1.30"),
    ] {
        assert_eq!(with_gate(version, gate, false), Err(RulesError::Locked { gate, value: false, row }));
        assert_eq!(with_gate(version, gate, true), Ok(rules(version)));
    }
}

#[test]
fn an_older_controller_is_told_apart_in_words() {
    let told =
        |version: &str| Rules::for_version(version, &BTreeMap::new()).expect_err("it is too old").to_string();
    for (version, words) in [
        ("1.22", "rules are known; its arithmetic is that of 1.23"),
        ("1.20.15", "unlike 1.23 it scales down although a metric fails, and uses only one"),
        ("1.17", "scales down although a metric fails, and has no spec.behavior"),
        ("1.15", "has no minReplicas 0, and has no spec.behavior"),
        ("v1.11.10", "after a rescale it waits 3m to scale up"),
        ("1.1.8", "unlike 1.23 it scales by cpu alone, has no stabilization window"),
    ] {
        assert!(told(version).contains(words), "{}", told(version));
    }
    assert!(!told("1.12").contains("3m"), "{}", told("1.12"));
}
