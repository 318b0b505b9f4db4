//! The cause in half a sentence, where neither windows nor rates nor bounds are it.

use std::collections::BTreeSet;
use std::iter;

use super::{metric, why_metric};
use crate::render::claims::{Because, Stuck, Turns, Unscheduled};
use kubectl_hpa_core::causes::About;
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::Replicas;
use kubectl_hpa_core::snapshot::{Phase, Pod};
use kubectl_hpa_core::trace::{Code, Group, Outcome, Proposal};

/// What the controller assumed of pods, how many it counts, or what the winning metric says.
pub(in crate::render) fn reason(explanation: &Explanation) -> Vec<Because> {
    let (Some(cause), Some((winner, proposal))) = (explanation.cause(), explanation.winner()) else {
        return Vec::new();
    };
    let metric = metric::label(winner.spec);
    let is_filled_in = matches!(cause.about, About::MissingPods(_) | About::UnreadyPods(_));
    if cause.about == About::Tolerance || is_filled_in && proposal.rests_on_first_pass() {
        let assumed = assumed(explanation, winner, proposal, false);
        let kept = within(explanation).map(|kept| metric::label(kept.spec));
        let kept = kept.map(|metric| Because::WithinTolerance { metric });
        return iter::once(kept.unwrap_or(Because::OnTarget { metric })).chain(assumed).collect();
    }
    let of_pods = match cause.about {
        _ if is_filled_in => assumed(explanation, winner, proposal, is_kept(explanation)),
        About::SurplusPods(_) | About::AbsentPods(_) => counted(explanation, winner),
        About::ForeignPods(_) => matches_others(explanation),
        About::ForeignSamples(samples) => Some(Because::ForeignSamples { metric: metric.clone(), samples }),
        _ => None,
    };
    if let Some(of_pods) = of_pods {
        return vec![of_pods];
    }
    let says = match cause.about {
        About::StatusReplicas if proposal.keeps() => {
            Because::KeepsStatusReplicas { metric, replicas: proposal.replicas.0 }
        }
        About::StatusReplicas => Because::DividedByStatusReplicas { metric },
        _ => load(explanation, winner, proposal),
    };
    vec![says]
}

/// The metric that the tolerance keeps from another number: the one that decides, or else one that would.
fn within(explanation: &Explanation) -> Option<Metric<'_>> {
    let winner = explanation.winner().map(|(winner, _)| winner);
    winner.into_iter().chain(explanation.metrics()).find(|metric| {
        let is_within = |it: &&Proposal| it.ending() == Code::WithinTolerance || it.rests_on_first_pass();
        let ratio = metric.proposal().filter(is_within).map(|it| it.calculation.ratios().0);
        ratio.is_some_and(|it| it.is_above() || it.is_below())
    })
}

/// What a metric reads, or what it comes to if that keeps the replicas.
fn load(explanation: &Explanation, winner: Metric<'_>, proposal: &Proposal) -> Because {
    let metric = metric::label(winner.spec);
    let current = explanation.current().unwrap_or_default();
    let (ratio, _) = proposal.calculation.ratios();
    let is_kept = proposal.replicas == current && current > Replicas(0);
    if is_kept && !ratio.is_above() && !ratio.is_below() {
        return Because::OnTarget { metric };
    }
    let exact = why_metric::exact(proposal).filter(|exact| *exact < f64::from(current.0));
    let exact = exact.filter(|_| is_kept && !proposal.keeps());
    let (now, target) = (metric::now(winner, proposal), metric::goal(winner.spec));
    Because::Reads { metric, now, target, exact, replicas: current.0 }
}

/// How many selected pods that count are not the target's own, and of which kind their owners are.
pub(super) fn matches_others(explanation: &Explanation) -> Option<Because> {
    let places = explanation.snapshot().foreign_pods();
    let pods = places.iter().filter_map(|place| explanation.pods().get(*place));
    let counted = pods.filter(|pod| !pod.deleting && pod.phase != Phase::Failed);
    let (of_others, loose): (Vec<&Pod>, Vec<&Pod>) = counted.partition(|pod| pod.owner.is_some());
    let kinds: BTreeSet<&str> = of_others.iter().filter_map(|pod| Some(&*pod.owner.as_ref()?.kind)).collect();
    let owner = kinds.first().filter(|_| kinds.len() == 1).map(|kind| (*kind).to_owned());
    let (pods, loose) = (of_others.len(), loose.len());
    (pods + loose > 0).then_some(Because::MatchesOthers { pods, owner, loose })
}

/// How many pods the metric counts, if those are not as many as the replicas.
fn counted(explanation: &Explanation, winner: Metric<'_>) -> Option<Because> {
    let replicas = explanation.current()?.0;
    let pods = explanation.counted_pods()?;
    let is_more = i32::try_from(pods).is_ok_and(|pods| pods > replicas);
    let held = !is_more && is_kept(explanation);
    Some(Because::Counts { metric: metric::label(winner.spec), pods, replicas, held })
}

fn is_kept(explanation: &Explanation) -> bool {
    matches!(explanation.decision().outcome, Outcome::Hold { .. })
}

/// The pods for which the controller assumed a usage.
fn assumed(
    explanation: &Explanation,
    winner: Metric<'_>,
    proposal: &Proposal,
    held: bool,
) -> Option<Because> {
    let refill = proposal.refill()?;
    let groups = winner.trace.groups.as_ref()?;
    let missing = refill.missing.map_or(0, |_| groups.missing);
    let unready = if refill.unready_as_zero { groups.unready } else { 0 };
    if missing == 0 && unready == 0 {
        return None;
    }
    let (first, last) = proposal.calculation.ratios();
    let turns = match (first.is_above(), last.is_above()) {
        _ if !proposal.turns() || proposal.rests_on_first_pass() => Turns::No,
        (true, false) => Turns::UpIntoDown,
        (false, true) => Turns::DownIntoUp,
        _ => Turns::Otherwise,
    };
    let metric = metric::label(winner.spec);
    let unscheduled = unscheduled(explanation, winner).unwrap_or_default();
    let stuck = stuck_pods(explanation, winner, proposal).unwrap_or_default();
    Some(Because::Assumed { metric, missing, unready, unscheduled, stuck, turns, held })
}

/// The pods for which the controller assumed a usage, if each of them has a container that waits, and no sample.
pub(super) fn stuck_pods(
    explanation: &Explanation,
    winner: Metric<'_>,
    proposal: &Proposal,
) -> Option<Stuck> {
    let refill = proposal.refill()?;
    let members = winner.trace.groups.as_ref()?.pods.iter().zip(explanation.pods());
    let is_assumed = |group: &Group| match group {
        Group::Missing(_) => refill.missing.is_some(),
        Group::Unready(_) => refill.unready_as_zero,
        Group::Ready(_) | Group::Ignored(_) => false,
    };
    let mut stuck = Stuck::default();
    for (member, pod) in members.filter(|(member, _)| is_assumed(&member.group)) {
        let container = pod.stuck.as_ref().filter(|_| member.sample.is_none())?;
        stuck.pods += 1;
        stuck.reasons.insert(container.reason.to_string());
    }
    Some(stuck)
}

/// The unready pods, if none of them is scheduled: a fuller cluster or a gate is the reason that a person would give.
pub(super) fn unscheduled(explanation: &Explanation, metric: Metric<'_>) -> Option<Unscheduled> {
    let groups = metric.trace.groups.as_ref().filter(|groups| groups.missing == 0)?;
    let members = groups.pods.iter().zip(explanation.pods());
    let unready = members.filter(|(member, _)| matches!(member.group, Group::Unready(_)));
    let mut pods = Unscheduled::default();
    for (_, pod) in unready {
        pods.waiting += usize::from(pod.waits_for_node());
        pods.gated += usize::from(pod.is_gated());
    }
    (pods.waiting + pods.gated == groups.unready).then_some(pods)
}
