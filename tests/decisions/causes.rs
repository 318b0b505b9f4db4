//! The cause that every screen tells holds: on the recorded cases of the real controller it is taken out of the API objects by
//! hand, and the case decided on again.

use std::collections::BTreeMap;

use crate::blame::{range, without};
use crate::recorded::{frozen, recorded};
use kubectl_hpa_core::causes::{About, Cause, Weight, others, principal};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::memory_bounds::answer;
use kubectl_hpa_core::model::Duration;
use kubectl_hpa_core::play::{Assumptions, Curve, Delay};
use kubectl_hpa_core::run::Run;
use kubectl_hpa_core::snapshot::Case;
use kubectl_hpa_core::trace::Outcome;
use kubectl_hpa_core::whatif::Removal;

/// Of the recorded sequences every third is looked at.
const EVERY: usize = 3;

const PLAYED: [&str; 8] = [
    "behavior-limited",
    "foreign-pods",
    "held-by-window",
    "missing-request",
    "missing-samples",
    "resting-at-min",
    "rollout",
    "scale-up-limited",
];

const CURVES: [&str; 6] = [
    "ramp:30%..300%/40m",
    "sine:40%..160%/30m",
    "sine:20%..250%/2h",
    "spike:500%@20m/5m",
    "step:260%@10m",
    "ramp:200%..20%/1h",
];

/// Takes the causes of a case out by hand, each by itself; returns the principal one.
fn check(mut case: Case, is_known: bool) -> Option<(Cause, bool)> {
    if !is_known {
        case.memory = None;
    }
    let (mut snapshot, rules) = frozen(case.clone());
    let answer = answer(&mut snapshot, &rules);
    let first = principal(&snapshot, &rules, &answer);
    let others = first.map(|first| others(&snapshot, &rules, &answer, first)).unwrap_or_default();
    for cause in first.iter().chain(&others) {
        let Some(removal) = cause.removal else { continue };
        let Some(mut changed) = without(&case, &snapshot, &answer.decision, removal) else { continue };
        changed.keep_synced(&case.hpa.0);
        let is_exact = is_known || removal == Removal::Memory;
        let (found, decides) = range(changed, removal, is_exact);
        assert_eq!(found, cause.without, "{}: without {cause:?}", snapshot.hpa.key.name);
        let frees = answer.decision.outcome.is_stopped() && decides;
        let is_another = found.is_some() && found != answer.range();
        assert_eq!(cause.weight == Weight::Decides, frees || is_another, "{cause:?}");
    }
    let is_change = matches!(answer.decision.outcome, Outcome::Scale { failed: None, .. });
    first.map(|cause| (cause, is_change))
}

/// Each kind of a cause that recorded cases have, and how many changes of the replicas have none that holds alone.
#[test]
fn the_cause_taken_out_by_hand_gives_the_decision_that_is_told() {
    let mut kinds = BTreeMap::new();
    let (mut changes, mut shared) = (0, 0);
    for case in recorded("1.37", EVERY) {
        let Some((cause, is_change)) = check(case, true) else { continue };
        *kinds.entry(cause.about.as_str()).or_insert(0) += 1;
        changes += usize::from(is_change);
        shared += usize::from(is_change && cause.weight < Weight::Decides);
    }
    // These sequences are drawn to be odd: bounds below the replicas, status.replicas of another number, zeros.
    assert!(shared * 40 <= changes, "{shared} of {changes}");
    for kind in [
        "disabled",
        "failed-metric",
        "load",
        "max-replicas",
        "min-replicas",
        "missing-pods",
        "other-hpas",
        "rate",
        "scale-up-cap",
        "selector",
        "tolerance",
        "unready-pods",
        "window",
        "zero",
    ] {
        assert!(kinds.contains_key(kind), "never {kind}: {kinds:?}");
    }
}

/// In plays as people make them: at most one change in fifty has no cause that holds alone, and none is without a cause.
#[test]
fn the_changes_of_a_play_have_a_cause_that_holds_alone() {
    let (mut changes, mut shared) = (0, 0);
    for example in PLAYED {
        let case: Case = serde_json::from_value(crate::advice::example(example)).expect("a case");
        let explanation = Explanation::of(case).expect("a decision");
        for (place, curve) in CURVES.into_iter().enumerate() {
            let delay = |seconds: i64| Delay {
                least: Duration::from_seconds(seconds / 4),
                most: Duration::from_seconds(seconds),
            };
            let assumptions = Assumptions {
                over: Duration::from_seconds(4 * 3_600),
                curves: vec![(None, Curve::parse(curve).expect("a curve"))],
                start_delay: delay([0, 20, 90][place % 3]),
                ready_delay: delay([0, 45][place % 2]),
                rollout: (place == 4).then_some(Duration::from_seconds(1_800)),
                ..Assumptions::default()
            };
            let player = explanation.player(&assumptions).expect("a play");
            let run = Run::of(player, |_| ()).expect("a run");
            changes += run.changes.len();
            shared += run.changes.iter().filter(|change| change.cause.weight < Weight::Decides).count();
        }
    }
    assert!(changes > 300, "{changes}");
    assert!(shared * 50 <= changes, "{shared} of {changes}");
}

#[test]
fn causes_of_an_interval_hold_too() {
    let all = recorded("1.37", EVERY).filter_map(|case| check(case, false));
    let unknown = all.filter(|(cause, _)| cause.about == About::UnknownMemory).count();
    assert!(unknown > 100, "{unknown}");
}

/// The code of the cause is that of a step, so that a screen can mark it.
#[test]
fn a_cause_has_its_step() {
    for case in recorded("1.37", EVERY) {
        let Ok(explanation) = Explanation::of(case) else { continue };
        let Some(cause) = explanation.cause() else { continue };
        let codes: Vec<_> = explanation.steps().iter().map(|step| step.code).collect();
        assert!(
            codes.contains(&cause.code),
            "{}: {cause:?} of {codes:?}",
            explanation.snapshot().hpa.key.name
        );
    }
}
