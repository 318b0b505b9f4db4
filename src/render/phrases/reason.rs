//! The one reason, in half a sentence, where neither windows nor rates nor bounds are it.

use super::{metric, why_metric};
use crate::render::units::{count, list};
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::trace::{Calculation, Group, Guard, Proposal, TotalBasis};

/// What the winning metric says, and between which bounds.
pub(in crate::render) fn reason(explanation: &Explanation) -> String {
    let hpa = &explanation.snapshot().hpa;
    let bounds = format!("bounds {}–{}", hpa.min.0, hpa.max.0);
    let Some((winner, proposal)) = explanation.winner() else { return bounds };
    let (label, filled) = (metric::label(winner.spec), once_filled(winner, proposal));
    let filled = if filled.is_empty() { filled } else { waiting(explanation, winner).unwrap_or(filled) };
    let kept = why_metric::kept(proposal, explanation.current().unwrap_or_default());
    let says = match guard(proposal) {
        Some(Guard::WithinTolerance) if kept.is_some() => {
            format!("keeps the {} of status.replicas", proposal.replicas.0)
        }
        Some(Guard::WithinTolerance) if is_on_target(proposal) => "is exactly on target".to_owned(),
        Some(Guard::WithinTolerance) => format!("is within the tolerance{filled}"),
        Some(Guard::DirectionFlip | Guard::CountFlip) => format!("points the other way{filled}"),
        None => format!("{}, target {}", metric::now(winner, proposal), metric::target(winner.spec)),
    };
    // Whom the controller filled in says more than the bounds, which have no part in it.
    if guard(proposal).is_some() && !filled.is_empty() {
        format!("{label} {says}")
    } else {
        format!("{label} {says}; {bounds}")
    }
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

/// All whom it filled in are not scheduled: a fuller cluster or a gate is the reason that a person would give.
fn waiting(explanation: &Explanation, metric: Metric<'_>) -> Option<String> {
    let census = metric.trace.census.as_ref().filter(|census| census.missing == 0)?;
    let members = census.members.iter().zip(explanation.pods());
    let unready = members.filter(|(member, _)| matches!(member.group, Group::Unready(_)));
    let (mut waiting, mut gated) = (0, 0);
    for (_, pod) in unready {
        waiting += usize::from(pod.waits_for_node());
        gated += usize::from(pod.is_gated());
    }
    let pods = waiting + gated;
    let are = if pods == 1 { "is" } else { "are" };
    let those = match (waiting, gated) {
        (1, 0) => "1 pod that waits for a node".to_owned(),
        (_, 0) => format!("{pods} pods that wait for a node"),
        (0, _) => count(pods, "gated pod"),
        (..) => format!("{pods} pods that are not scheduled"),
    };
    (pods > 0 && pods == census.unready).then(|| format!(" once {those} {are} filled in"))
}

/// Whom the controller had to fill in before.
fn once_filled(metric: Metric<'_>, proposal: &Proposal) -> String {
    let (Some(refill), Some(census)) = (proposal.refill(), &metric.trace.census) else {
        return String::new();
    };
    let missing = refill.missing.is_some() && census.missing > 0;
    if proposal.rests_on_first_pass() {
        return String::new();
    }
    let groups = [(missing, "missing"), (refill.unready_as_zero, "unready")];
    let groups: Vec<&str> = groups.into_iter().filter(|(there, _)| *there).map(|(_, name)| name).collect();
    format!(" once {} pods are filled in", list(&groups))
}
