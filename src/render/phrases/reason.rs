//! The cause in half a sentence, where neither windows nor rates nor bounds are it.

use super::{metric, why_metric};
use crate::render::claims::unready_as_zero;
use crate::render::units::{count, product};
use kubectl_hpa_core::causes::About;
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::Replicas;
use kubectl_hpa_core::trace::{Group, Outcome, Proposal};

/// What the controller assumed of pods, how many it counts, or what the winning metric says.
pub(in crate::render) fn reason(explanation: &Explanation) -> String {
    let hpa = &explanation.snapshot().hpa;
    let bounds = format!("bounds {}–{}", hpa.min.0, hpa.max.0);
    let (Some(cause), Some((winner, proposal))) = (explanation.cause(), explanation.winner()) else {
        return bounds;
    };
    let label = metric::label(winner.spec);
    let of_pods = match cause.about {
        About::MissingPods(_) | About::UnreadyPods(_) => assumed(explanation, winner, proposal),
        About::SurplusPods(_) | About::AbsentPods(_) => counted(explanation, winner),
        About::ForeignSamples(samples) => {
            Some(format!("{label} counts {} of no selected pod", count(samples, "sample")))
        }
        _ => None,
    };
    if let Some(of_pods) = of_pods {
        return of_pods;
    }
    let says = match cause.about {
        About::StatusReplicas if proposal.keeps() => {
            format!("keeps the {} of status.replicas", proposal.replicas.0)
        }
        About::StatusReplicas => "is divided by status.replicas, not by spec.replicas".to_owned(),
        About::Tolerance => "is within the tolerance".to_owned(),
        _ => load(explanation, winner, proposal),
    };
    format!("{label} {says}; {bounds}")
}

/// What a metric reads, or what it comes to if that keeps the replicas.
fn load(explanation: &Explanation, winner: Metric<'_>, proposal: &Proposal) -> String {
    let current = explanation.current().unwrap_or_default();
    let (ratio, _) = proposal.calculation.ratios();
    let is_kept = proposal.replicas == current && current > Replicas(0);
    if is_kept && !ratio.is_above() && !ratio.is_below() {
        return "is exactly on target".to_owned();
    }
    let exact = why_metric::exact(proposal).filter(|exact| *exact < f64::from(current.0));
    let now = format!("{}, target {}", metric::now(winner, proposal), metric::target(winner.spec));
    match exact.filter(|_| is_kept && !proposal.keeps()) {
        Some(exact) => format!("{now}: needs {}, rounded up to {}", product(exact), current.0),
        None => now,
    }
}

/// How many pods the metric counts, if those are not as many as the replicas.
fn counted(explanation: &Explanation, winner: Metric<'_>) -> Option<String> {
    let current = explanation.current()?;
    let pods = explanation.counted_pods()?;
    let label = metric::label(winner.spec);
    let stays = matches!(explanation.decision().outcome, Outcome::Hold { .. });
    Some(if i32::try_from(pods).is_ok_and(|pods| pods > current.0) {
        format!("{label} counts {} for {} replicas", count(pods, "pod"), current.0)
    } else if stays {
        format!("held: only {pods} of {} replicas have a pod that counts", current.0)
    } else {
        format!("{label} counts only {} for {} replicas", count(pods, "pod"), current.0)
    })
}

/// The pods for which the controller assumed a usage.
fn assumed(explanation: &Explanation, metric: Metric<'_>, proposal: &Proposal) -> Option<String> {
    let refill = proposal.refill()?;
    let groups = metric.trace.groups.as_ref()?;
    let missing = refill.missing.filter(|_| groups.missing > 0);
    let unready = refill.unready_as_zero && groups.unready > 0;
    if missing.is_none() && !unready {
        return None;
    }
    let stays = matches!(explanation.decision().outcome, Outcome::Hold { .. });
    let held = if stays { "held: " } else { "" };
    let turns = proposal.turns();
    let (first, last) = proposal.calculation.ratios();
    let way = match (first.is_above(), last.is_above()) {
        (true, false) => "turns scale-up into scale-down",
        (false, true) => "turns scale-down into scale-up",
        _ => "reverses the direction",
    };
    if let Some((pods, say)) = waiting(explanation, metric) {
        let one = groups.unready == 1;
        let count = if one { "counts" } else { "count" };
        let pods = if turns { format!("{pods} {count} as 0, which {way}") } else { say };
        return Some(format!("{held}{pods}"));
    }
    let label = metric::label(metric.spec);
    let have = if groups.missing == 1 { "has" } else { "have" };
    let lacking = count(groups.missing, "pod");
    let zero = unready_as_zero(groups.unready);
    Some(match (missing, unready) {
        (Some(_), true) if turns => {
            let unready = count(groups.unready, "unready pod");
            format!("{held}{lacking} without a sample and {unready} reverse the direction")
        }
        (Some(_), false) if turns => {
            let reverse = if groups.missing == 1 { "reverses" } else { "reverse" };
            format!("{held}{lacking} without a sample {reverse} the direction")
        }
        (Some(_), true) => format!("{held}{lacking} {have} no {label} sample, {zero}"),
        (Some(_), false) => format!("{held}{lacking} {have} no {label} sample"),
        (None, _) if turns => format!("{held}{zero}, which {way}"),
        (None, _) => format!("{held}{zero}"),
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
