//! Where more load gives fewer replicas: each is what the real controller does (`simulate/more-load.md` tells the stories).

use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::{Case, Cases};
use kubectl_hpa_core::whatif::{Change, Knob, change};

use crate::recorded::frozen;

const FEWER_PODS: &str = include_str!("../../simulate/fewer-pods.yaml");
const MORE_PODS: &str = include_str!("../../simulate/more-pods.yaml");
const AT_TARGET: &str = include_str!("../../simulate/at-target.yaml");
const HUGE_VALUE: &str = include_str!("../../simulate/huge-value.yaml");

/// The replicas of a case under a load, with a version of the controller.
fn desired(text: &str, version: &str, load: &str) -> i32 {
    let mut case: Case = Cases::new("story", text.as_bytes()).next().expect("a case").expect("a good one");
    change(&mut case, &[Change::new(Knob::Load, load).expect("a change")]).expect("a change");
    let (snapshot, _) = frozen(case);
    let rules = Rules::for_version(version, &snapshot.controller.feature_gates).expect("rules");
    decide(&snapshot, &rules).desired().expect("a count").0
}

/// `GetResourceReplicas` multiplies the ratio with the pods that are there, and without missing or unready ones nothing holds
/// the result against the current replicas.
#[test]
fn with_fewer_pods_than_replicas_a_load_above_the_target_scales_down() {
    assert_eq!(desired(FEWER_PODS, "1.37", "-10%"), 10);
    assert_eq!(desired(FEWER_PODS, "1.37", "+0%"), 5);
}

#[test]
fn with_more_pods_than_replicas_a_load_below_the_target_scales_up() {
    assert_eq!(desired(MORE_PODS, "1.37", "+0%"), 7);
    assert_eq!(desired(MORE_PODS, "1.37", "+20%"), 4);
}

/// Up to 1.27 `calcPlainMetricReplicas` counts a missing pod as 0 at a ratio of exactly 1.
#[test]
fn up_to_1_27_a_mean_at_the_target_scales_down_and_one_below_it_does_not() {
    assert_eq!(desired(AT_TARGET, "1.27", "-4%"), 3);
    assert_eq!(desired(AT_TARGET, "1.27", "+0%"), 2);
    assert_eq!(desired(AT_TARGET, "1.28", "+0%"), 3);
}

/// Up to 1.34 `getUsageRatioReplicaCount` overflows, and a count below zero is raised to `minReplicas`.
#[test]
fn up_to_1_34_a_value_beyond_all_bounds_scales_down() {
    assert_eq!(desired(HUGE_VALUE, "1.34", "+0%"), 10);
    assert_eq!(desired(HUGE_VALUE, "1.34", "+10%"), 2);
    assert_eq!(desired(HUGE_VALUE, "1.35", "+10%"), 10);
}
