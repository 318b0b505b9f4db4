//! More load never gives fewer replicas, where the algorithm promises it. Where it does not, there is a story.

use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::model::Replicas;
use kubectl_hpa_core::snapshot::{Case, Reading, Snapshot};
use kubectl_hpa_core::trace::{Calculation, Decision, Group, Verdict};
use kubectl_hpa_core::whatif::{Change, Knob, change};

use crate::recorded::{frozen, recorded};
use crate::versions::versions;

/// Of the sequences every eighth is taken.
const EVERY: usize = 8;

const LOADS: [&str; 9] = ["-90%", "-50%", "-20%", "-5%", "+0%", "+5%", "+20%", "+100%", "+900%"];

/// Milli-units with which nothing leaves its integers.
const SANE: i64 = 1_000_000_000_000;

/// Whether the algorithm promises that the count follows the load: every metric is read, no value is absurd, and there are as
/// many pods as replicas.
fn is_promised(snapshot: &Snapshot, decision: &Decision) -> bool {
    let Ok(scale) = &snapshot.scale else { return false };
    let pods = snapshot.pods.as_ref().map_or(0, |pods| pods.len());
    let all_there = usize::try_from(scale.replicas.0).is_ok_and(|replicas| replicas == pods)
        && scale.observed == scale.replicas
        && scale.replicas < Replicas(1_000_000);
    let sane = snapshot.readings.iter().all(|reading| match reading {
        Reading::Object(Ok(values)) | Reading::External(Ok(values)) => {
            values.iter().all(|value| (0..SANE).contains(&value.0))
        }
        _ => true,
    });
    all_there
        && sane
        && !decision.metrics.is_empty()
        && decision.metrics.iter().all(|metric| {
            let groups = metric.groups.as_ref();
            let counted = groups.is_none_or(|groups| {
                groups.foreign.is_empty()
                    && groups.pods.iter().all(|member| {
                        !matches!(member.group, Group::Ignored(_))
                            && member.sample.is_none_or(|sample| (0..SANE).contains(&sample.0))
                            && member.request.is_none_or(|request| (0..SANE).contains(&request.0))
                    })
            });
            let has_target = match &metric.verdict {
                Verdict::Proposal(proposal) => match &proposal.calculation {
                    Calculation::PerPod(it) => {
                        let passes = [Some(it.first), it.refill.map(|refill| refill.pass)];
                        passes.into_iter().flatten().all(|pass| {
                            pass.utilization.is_none_or(|percent| (0..1_000_000).contains(&percent.0))
                        })
                    }
                    // Only ready pods are counted.
                    Calculation::Total(it) => {
                        it.ratio.0.is_finite()
                            && snapshot
                                .pods
                                .iter()
                                .flatten()
                                .all(kubectl_hpa_core::snapshot::Pod::is_running_and_ready)
                    }
                    Calculation::PerReplica(it) => it.ratio.0.is_finite(),
                },
                Verdict::Failed(_) | Verdict::Unknown(_) => false,
            };
            counted && has_target
        })
}

fn under(case: &Case, load: &str) -> Option<Replicas> {
    let mut case = case.clone();
    change(&mut case, &[Change::new(Knob::Load, load).expect("a change")]).ok()?;
    let (snapshot, rules) = frozen(case);
    decide(&snapshot, &rules).desired()
}

#[test]
fn more_load_never_gives_fewer_replicas_where_it_is_promised() {
    let (mut compared, mut moved) = (0, 0);
    for version in versions() {
        for case in recorded(&version, EVERY) {
            let (snapshot, rules) = frozen(case.clone());
            if !is_promised(&snapshot, &decide(&snapshot, &rules)) {
                continue;
            }
            let counts: Vec<Option<Replicas>> = LOADS.iter().map(|load| under(&case, load)).collect();
            let shown = serde_json::to_string(&case).expect("a case");
            assert!(counts.is_sorted(), "{counts:?} of {shown}");
            compared += 1;
            moved += usize::from(counts.first() != counts.last());
        }
    }
    assert!(compared > 100 && moved > 40, "{compared} compared, {moved} moved");
}
