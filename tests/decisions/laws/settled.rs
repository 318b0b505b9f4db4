//! A settled case stays settled.

use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::model::Duration;
use kubectl_hpa_core::snapshot::{Case, Snapshot};
use kubectl_hpa_core::status::{carry, report};
use kubectl_hpa_core::trace::{Decision, HoldReason, Outcome, Verdict};

use crate::recorded::{frozen, recorded};
use crate::versions::versions;

/// Of the sequences every sixth is taken.
const EVERY: usize = 6;

/// Seconds after the first sync at which the next ones come.
const LATER: [i64; 5] = [15, 30, 45, 600, 86_400];

/// The controller keeps the count that the metrics want, and nothing that it remembers wants another.
fn is_settled(decision: &Decision) -> bool {
    let Outcome::Hold { at: held, reason: HoldReason::Decided } = decision.outcome else { return false };
    let wanted = [decision.choice.map(|it| it.after), decision.stabilized.as_ref().map(|it| it.after)];
    wanted == [Some(held); 2]
}

/// What the metrics say: time alone may change it, as pods leave their initialization period.
fn verdicts(decision: &Decision) -> Vec<&Verdict> {
    decision.metrics.iter().map(|metric| &metric.verdict).collect()
}

#[test]
fn a_settled_case_stays_settled() {
    let mut followed = 0;
    for version in versions() {
        for case in recorded(&version, EVERY) {
            let (snapshot, rules) = frozen(case.clone());
            let first = decide(&snapshot, &rules);
            if !is_settled(&first) || first.choice.is_some_and(|choice| choice.invalid > 0) {
                continue;
            }
            let (mut before, mut earlier): (Snapshot, Decision) = (snapshot.clone(), first.clone());
            for (sync, seconds) in LATER.into_iter().enumerate() {
                let written = report(&before, &earlier, &rules);
                let at = snapshot.taken_at + Duration::from_seconds(seconds);
                let next =
                    carry(&before, &earlier, &written, Case { at, ..case.clone() }).expect("the next case");
                let (snapshot, _) = frozen(next);
                let decision = decide(&snapshot, &rules);
                if verdicts(&decision) != verdicts(&first) {
                    break;
                }
                assert_eq!(decision.desired(), first.desired(), "{seconds} s after {case:?}");
                let report = report(&snapshot, &decision, &rules);
                let fails = snapshot.writes.status.is_some();
                assert!(
                    sync == 0 || fails || !report.status_changed,
                    "{seconds} s after {case:?}: {:?}",
                    report.status
                );
                (before, earlier) = (snapshot, decision);
                followed += 1;
            }
        }
    }
    assert!(followed > 1000, "{followed}");
}
