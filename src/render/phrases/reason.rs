//! The one reason, in half a sentence, where neither windows nor rates nor bounds are it.

use super::{metric, why_metric};
use crate::render::units::count;
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::trace::{Calculation, Group, Guard, Proposal, TotalBasis};

/// What the winning metric says, and between which bounds.
pub(in crate::render) fn reason(explanation: &Explanation) -> String {
    let hpa = &explanation.snapshot().hpa;
    let bounds = format!("bounds {}–{}", hpa.min.0, hpa.max.0);
    let Some((winner, proposal)) = explanation.winner() else { return bounds };
    // The pods that the controller made assumptions about explain more than the bounds, which play no part here.
    if let Some(held) = held(explanation, winner, proposal) {
        return held;
    }
    let label = metric::label(winner.spec);
    let kept = why_metric::kept(proposal, explanation.current().unwrap_or_default());
    let says = match guard(proposal) {
        Some(Guard::WithinTolerance) if kept.is_some() => {
            format!("keeps the {} of status.replicas", proposal.replicas.0)
        }
        Some(Guard::WithinTolerance) if is_on_target(proposal) => "is exactly on target".to_owned(),
        Some(Guard::WithinTolerance) => "is within the tolerance".to_owned(),
        Some(Guard::DirectionFlip | Guard::CountFlip) => "points the other way".to_owned(),
        None => format!("{}, target {}", metric::now(winner, proposal), metric::target(winner.spec)),
    };
    format!("{label} {says}; {bounds}")
}

fn guard(proposal: &Proposal) -> Option<Guard> {
    let within = |within: bool| within.then_some(Guard::WithinTolerance);
    match &proposal.calculation {
        Calculation::PerPod(_) if proposal.rests_on_first_pass() => Some(Guard::WithinTolerance),
        Calculation::PerPod(per_pod) => per_pod.guard,
        Calculation::Total(total) => within(total.basis == TotalBasis::WithinTolerance),
        Calculation::PerReplica(per_replica) => within(per_replica.within),
    }
}

fn is_on_target(proposal: &Proposal) -> bool {
    let (ratio, _) = proposal.calculation.ratios();
    !ratio.is_above() && !ratio.is_below()
}

/// The pods for which the controller assumed a usage, if that keeps the count.
fn held(explanation: &Explanation, metric: Metric<'_>, proposal: &Proposal) -> Option<String> {
    let (guard, refill) = (guard(proposal)?, proposal.refill()?);
    let groups = metric.trace.groups.as_ref().filter(|_| !proposal.rests_on_first_pass())?;
    let missing = refill.missing.filter(|_| groups.missing > 0);
    let unready = refill.unready_as_zero && groups.unready > 0;
    if missing.is_none() && !unready {
        return None;
    }
    let reverses = guard != Guard::WithinTolerance;
    if let Some((pods, verb)) = waiting(explanation, metric) {
        let pods = if reverses { format!("counting {pods} as 0 reverses the direction") } else { verb };
        return Some(format!("held: {pods}"));
    }
    let of_unready = count(groups.unready, "unready pod");
    let zero = why_metric::unready_as_zero(groups.unready);
    let (first, _) = proposal.calculation.ratios();
    Some(match missing.map(|filler| why_metric::assumed(first, filler).1) {
        Some(usage) if reverses => {
            let pods = if unready {
                format!("{} missing and {of_unready}", groups.missing)
            } else {
                count(groups.missing, "missing pod")
            };
            format!("held: counting {pods} as {usage} reverses the direction")
        }
        None if reverses => format!("held: counting {of_unready} as 0 reverses the direction"),
        Some(_) => {
            let have = if groups.missing == 1 { "has" } else { "have" };
            let pods = count(groups.missing, "pod");
            let and = if unready { format!(", {zero}") } else { String::new() };
            format!("held: {pods} {have} no {} sample{and}", metric::label(metric.spec))
        }
        None => format!("held: {zero}"),
    })
}

/// The unready pods, and a sentence about them, if none of them is scheduled: a fuller cluster or a gate is the reason that a
/// person would give.
fn waiting(explanation: &Explanation, metric: Metric<'_>) -> Option<(String, String)> {
    let groups = metric.trace.groups.as_ref().filter(|groups| groups.missing == 0)?;
    let members = groups.pods.iter().zip(explanation.pods());
    let unready = members.filter(|(member, _)| matches!(member.group, Group::Unready(_)));
    let (mut waiting, mut gated) = (0, 0);
    for (_, pod) in unready {
        waiting += usize::from(pod.waits_for_node());
        gated += usize::from(pod.is_gated());
    }
    let pods = waiting + gated;
    let (one, all) = (pods == 1, count(pods, "pod"));
    let (those, say) = match (waiting, gated) {
        (_, 0) if one => ("that waits for a node", "waits for a node"),
        (_, 0) => ("that wait for a node", "wait for a node"),
        (0, _) if one => ("with a scheduling gate", "has a scheduling gate"),
        (0, _) => ("with a scheduling gate", "have a scheduling gate"),
        (..) => ("that are not scheduled", "are not scheduled"),
    };
    (pods > 0 && pods == groups.unready).then(|| (format!("{all} {those}"), format!("{all} {say}")))
}
