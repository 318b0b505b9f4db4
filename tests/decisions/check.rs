//! A decision that contradicts itself is noticed, whichever number is wrong.

use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::explanation::ExplanationError;
use kubectl_hpa_core::model::Replicas;
use kubectl_hpa_core::snapshot::Hpa;
use kubectl_hpa_core::trace::{Calculation, Decision, Fault, Outcome, PerPod, Verdict};

use crate::recorded::{frozen, recorded};

/// The fault of a decision after a number of it was changed.
fn after(decision: &Decision, hpa: &Hpa, change: impl Fn(&mut Decision)) -> Result<(), Fault> {
    let mut changed = decision.clone();
    change(&mut changed);
    changed.check(hpa)
}

fn per_pod(decision: &mut Decision) -> Option<&mut PerPod> {
    match &mut decision.metrics.first_mut()?.verdict {
        Verdict::Proposal(proposal) => match &mut proposal.calculation {
            Calculation::PerPod(per_pod) => Some(per_pod),
            Calculation::Total(_) | Calculation::PerReplica(_) => None,
        },
        Verdict::Failed(_) | Verdict::Unknown(_) => None,
    }
}

#[test]
fn a_decision_that_contradicts_itself_is_noticed() {
    let [mut stages, mut outcomes, mut groups, mut passes, mut refills] = [0; 5];
    for case in recorded("1.37", 10) {
        let (snapshot, rules) = frozen(case);
        let (hpa, decision) = (&snapshot.hpa, decide(&snapshot, &rules));
        assert_eq!(decision.check(hpa), Ok(()));
        if decision.limited.is_some() {
            let stage = |decision: &mut Decision| decision.limited.as_mut().expect("a limit").before.0 ^= 1;
            assert_eq!(after(&decision, hpa, stage), Err(Fault::Chain));
            stages += 1;
        }
        if let (None, Outcome::Scale { to, .. }) = (&decision.choice, &decision.outcome) {
            let beyond = Replicas(to.0 + 1);
            let outcome = |decision: &mut Decision| {
                if let Outcome::Scale { to, .. } = &mut decision.outcome {
                    *to = beyond;
                }
            };
            assert_eq!(after(&decision, hpa, outcome), Err(Fault::Bounds));
            outcomes += 1;
        }
        if decision.metrics.first().is_some_and(|metric| metric.groups.is_some()) {
            let group = |decision: &mut Decision| {
                decision.metrics[0].groups.as_mut().expect("groups").ignored += 1;
            };
            assert_eq!(after(&decision, hpa, group), Err(Fault::Pods));
            groups += 1;
        }
        let is_refilled = |it: &mut PerPod| it.refill.is_some();
        let Some(is_refilled) = per_pod(&mut decision.clone()).map(is_refilled) else { continue };
        let pass = |decision: &mut Decision| per_pod(decision).expect("pods").first.samples += 1;
        assert_eq!(after(&decision, hpa, pass), Err(Fault::Pods));
        passes += 1;
        if is_refilled {
            let pass = |decision: &mut Decision| {
                per_pod(decision).and_then(|it| it.refill.as_mut()).expect("a pass").pass.samples += 1;
            };
            assert_eq!(after(&decision, hpa, pass), Err(Fault::Pods));
            refills += 1;
        }
    }
    let words =
        [Fault::Chain, Fault::Bounds, Fault::Pods].map(|fault| ExplanationError::from(fault).to_string());
    let fault = "this is a fault of kubectl-hpa, please report it: ";
    assert_eq!(words[0], format!("{fault}a step does not go on from the step before it"));
    assert_eq!(words[1], format!("{fault}the replicas are not within minReplicas and maxReplicas"));
    assert_eq!(words[2], format!("{fault}the pods of a metric do not add up"));
    let seen = [stages, outcomes, groups, passes, refills];
    assert!(seen.into_iter().min() > Some(10), "{seen:?}");
}
