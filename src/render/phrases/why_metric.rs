//! What the winning metric says, and what became of it on the way to its proposal.

use super::{arithmetic::float, metric, overflow, ratios::Ratios, step::last_pass};
use crate::render::ownership;
use crate::render::units::{Unit, count, list, product, replicas as plural_replicas};
use kubectl_hpa_core::explanation::Ownership;
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::model::{Percent, Ratio, Replicas};
use kubectl_hpa_core::trace::{
    Calculation, Filler, Group, Guard, Measure, PerPod, PerReplica, PodGroups, Proposal, Refill, Total,
    TotalBasis,
};

/// One sentence about the reading, one about the pods that were filled in.
pub(in crate::render) fn sentences(explanation: &Explanation) -> Vec<String> {
    let Some((metric, proposal)) = explanation.winner() else { return Vec::new() };
    let mut sentences = of_winner(explanation, metric, proposal);
    sentences.extend(idle_tolerance(explanation, proposal));
    sentences
}

fn of_winner(explanation: &Explanation, metric: Metric<'_>, proposal: &Proposal) -> Vec<String> {
    let label = lead(explanation, metric);
    match &proposal.calculation {
        Calculation::PerPod(per_pod) => {
            let mut sentences = of_pods(explanation, &label, metric, per_pod, proposal);
            // What happened to the pods matters more than whose they are, which the table of pods shows too.
            if sentences.len() == 1 {
                sentences.extend(others(explanation, metric));
            }
            sentences
        }
        Calculation::Total(it) => {
            let current = explanation.current().unwrap_or_default();
            let against = match it.basis {
                TotalBasis::ReadyPods(ready) => against(it.ratio.0, ready, proposal, current),
                TotalBasis::WithinTolerance | TotalBasis::FromZero => None,
            };
            std::iter::once(of_total(explanation, &label, metric, it, proposal)).chain(against).collect()
        }
        Calculation::PerReplica(it) => {
            let reading =
                negative(&label, explanation, metric, it).unwrap_or_else(|| of_replicas(&label, metric, it));
            let guard = it.within.then_some(Guard::WithinTolerance);
            vec![format!("{reading}{}", conclusion(explanation, it.ratio.0, guard, proposal))]
        }
    }
}

/// Pods that are counted although they are not the target's.
fn others(explanation: &Explanation, metric: Metric<'_>) -> Option<String> {
    let members = metric.trace.groups.iter().flat_map(|groups| &groups.pods);
    let counted =
        members.zip(explanation.pods()).filter(|(member, _)| !matches!(member.group, Group::Ignored(_)));
    // If no pod is known to belong to the target, a missing owner proves nothing.
    let mut all = explanation.pods().iter();
    let is_told = all.any(|pod| explanation.ownership(pod) == Ownership::Target);
    let mut owners: Vec<String> = Vec::new();
    let mut number = 0;
    for (_, pod) in counted {
        if let Ownership::Other(owner) = explanation.ownership(pod)
            && (is_told || owner.is_some())
        {
            number += 1;
            let name = ownership::name(owner);
            if !owners.contains(&name) {
                owners.push(name);
            }
        }
    }
    let (verb, them) = if number == 1 { ("belongs", "it") } else { ("belong", "them") };
    let whose = if owners.len() > 3 { count(owners.len(), "other owner") } else { list(&owners) };
    (number > 0).then(|| {
        format!(
            "{number} of the pods that {} matches {verb} to {whose}, and the controller counts {them}.",
            explanation.selector()
        )
    })
}

/// The winner's name, and over how many it won, or that it was no better than others.
fn lead(explanation: &Explanation, metric: Metric<'_>) -> String {
    let label = metric::label(metric.spec);
    let proposals = explanation.metrics().filter_map(Metric::proposal).count();
    if let Some(tie) = metric::tie(explanation) {
        format!("{tie}: {label}")
    } else if proposals > 1 {
        format!("Of {proposals} metrics, {label} wants the most: it")
    } else {
        label
    }
}

fn of_pods(
    explanation: &Explanation,
    label: &str,
    metric: Metric<'_>,
    per_pod: &PerPod,
    proposal: &Proposal,
) -> Vec<String> {
    let current = explanation.current().unwrap_or_default();
    let (reading, ratios) = (reading(label, metric, per_pod), Ratios::of(proposal));
    let Some((refill, groups)) = per_pod.refill.as_ref().zip(metric.trace.groups.as_ref()) else {
        let first = per_pod.first;
        let conclusion = conclusion(explanation, first.ratio.0, per_pod.guard, proposal);
        let against = against(first.ratio.0, first.multiplier, proposal, current);
        return std::iter::once(format!("{reading}{conclusion}")).chain(against).collect();
    };
    if refill.missing.is_none() && !refill.unready_as_zero {
        return on_target(&reading, groups);
    }
    let rests = proposal.rests_on_first_pass();
    if rests && !proposal.turns() {
        let ratio = per_pod.first.ratio.0;
        let conclusion = conclusion(explanation, ratio, Some(Guard::WithinTolerance), proposal);
        return vec![format!("{reading}{conclusion}"), filled_in_vain(refill, groups)];
    }
    let tendency = match per_pod.first.ratio {
        _ if rests => "",
        ratio if ratio.is_above() => ", so more pods are wanted",
        ratio if ratio.is_below() => ", so fewer pods would be enough",
        _ => ", exactly on target",
    };
    let first = format!("{reading}: ratio {}{tendency}.", ratios.show(per_pod.first.ratio.0));
    let last = ratios.show(last_pass(per_pod).ratio.0);
    let filled = filled(per_pod.first.ratio, refill, groups, current);
    let mut sentences = vec![first];
    match per_pod.guard {
        Some(Guard::WithinTolerance) => {
            let band = ratios.band();
            let tolerance = tolerance(explanation, last_pass(per_pod).ratio.0);
            sentences.push(format!(
                "{filled}, and the ratio becomes {last}, inside {tolerance} ({band}): no change is wanted."
            ));
        }
        Some(Guard::DirectionFlip) => {
            sentences.push(format!(
                "{filled}, and the ratio becomes {last}, on the other side of 1: the two contradict each other, so no change is wanted."
            ));
        }
        Some(Guard::CountFlip) => {
            sentences.push(format!(
                "{filled}, and the ratio becomes {last}; multiplied by all {} counted pods, it leads the other way, so no change is wanted.",
                refill.pass.multiplier
            ));
        }
        None => {
            sentences.push(format!("{filled}, and the ratio becomes {last}: {}.", wanted(proposal, current)));
        }
    }
    if rests {
        let tolerance = tolerance(explanation, per_pod.first.ratio.0);
        let first = ratios.show(per_pod.first.ratio.0);
        sentences.push(format!("Without them nothing changes either: {first} is inside {tolerance}."));
    }
    sentences
}

/// Exactly on target nothing is filled in.
fn on_target(reading: &str, groups: &PodGroups) -> Vec<String> {
    let pods = count(groups.missing, "pod");
    let (have, are) = if groups.missing == 1 { ("has", "is") } else { ("have", "are") };
    vec![
        format!("{reading}: exactly on target, so no change is wanted."),
        format!("{pods} {have} no sample and {are} left out, because the ratio is exactly 1."),
    ]
}

fn reading(label: &str, metric: Metric<'_>, per_pod: &PerPod) -> String {
    let unit = Unit::of(metric);
    match (per_pod.measure, per_pod.first.utilization) {
        (Measure::Utilization(target), Some(utilization)) => {
            format!("{label} is at {}% of requests; the target is {}%", utilization.0, target.0)
        }
        (Measure::Utilization(target), None) => format!("{label} has a target of {}%", target.0),
        (Measure::Value(target), _) => {
            let (mean, target) = (unit.human(per_pod.first.mean), unit.human(target));
            format!("{label} averages {mean} per pod; the target is {target}")
        }
    }
}

/// What follows from a ratio without any filling in.
fn conclusion(explanation: &Explanation, ratio: f64, guard: Option<Guard>, proposal: &Proposal) -> String {
    let current = explanation.current().unwrap_or_default();
    let whose = tolerance(explanation, ratio);
    match guard {
        Some(Guard::WithinTolerance) if is_one(ratio) && kept(proposal, current).is_none() => {
            ": exactly on target, so no change is wanted.".to_owned()
        }
        Some(Guard::WithinTolerance) => {
            let ratios = Ratios::of(proposal);
            let (ratio, band) = (ratios.show(ratio), ratios.band());
            let then = match kept(proposal, current) {
                None => "so no change is wanted".to_owned(),
                Some(kept) => format!("which keeps the {kept} of status.replicas"),
            };
            format!(": ratio {ratio}, inside {whose} ({band}), {then}.")
        }
        Some(Guard::DirectionFlip | Guard::CountFlip) | None => format!(": {}.", wanted(proposal, current)),
    }
}

/// Where there are not as many ready pods as replicas, and the count goes against the load.
fn against(ratio: f64, ready: usize, proposal: &Proposal, current: Replicas) -> Option<String> {
    let (side, change) = match proposal.replicas.cmp(&current) {
        std::cmp::Ordering::Less if ratio > 1.0 && proposal.replicas.0 >= 0 => ("above", "fewer"),
        std::cmp::Ordering::Greater if ratio < 1.0 => ("below", "more"),
        _ => return None,
    };
    let (pods, replicas) = (count(ready, "ready pod"), plural_replicas(current.0));
    Some(format!(
        "The ratio is multiplied by the {pods}, not by the {replicas}: {change}, although the load is {side} the target."
    ))
}

/// Inside the tolerance an average over replicas keeps the observed ones, which may be others than were asked for.
pub(in crate::render) fn kept(proposal: &Proposal, current: Replicas) -> Option<i32> {
    (proposal.replicas != current).then_some(proposal.replicas.0)
}

/// The tolerance on the side of a ratio, with who set it.
fn tolerance(explanation: &Explanation, ratio: f64) -> &'static str {
    own_tolerance(explanation, ratio)
        .filter(|_| explanation.rules().configurable_tolerance)
        .unwrap_or("the controller's tolerance")
}

/// The field with which the HPA sets a tolerance of its own on that side, where it does.
fn own_tolerance(explanation: &Explanation, ratio: f64) -> Option<&'static str> {
    let behavior = explanation.snapshot().hpa.behavior.as_ref()?;
    if ratio > 1.0 {
        behavior.up.tolerance.is_some().then_some("scaleUp.tolerance")
    } else {
        (ratio < 1.0 && behavior.down.tolerance.is_some()).then_some("scaleDown.tolerance")
    }
}

/// A tolerance that the HPA sets, before a controller that does not ask for it.
fn idle_tolerance(explanation: &Explanation, proposal: &Proposal) -> Option<String> {
    let (_, ratio) = proposal.calculation.ratios();
    let field =
        own_tolerance(explanation, ratio.0).filter(|_| !explanation.rules().configurable_tolerance)?;
    Some(format!(
        "This controller ignores {field}: that needs 1.33 or newer with the gate HPAConfigurableTolerance, which is on by default since 1.35."
    ))
}

fn is_one(ratio: f64) -> bool {
    (ratio - 1.0).abs() < f64::EPSILON
}

fn wanted(proposal: &Proposal, current: Replicas) -> String {
    let number = proposal.replicas.0;
    let (noun, is) = if number == 1 { ("replica", "is") } else { ("replicas", "are") };
    match proposal.replicas.cmp(&current) {
        _ if number == 0 => "no replica is needed".to_owned(),
        _ if number < 0 => format!("the result is {number}, which counts as 0"),
        std::cmp::Ordering::Greater => format!("{number} {noun} {is} wanted"),
        std::cmp::Ordering::Equal => exact(proposal).filter(|exact| *exact < f64::from(number)).map_or_else(
            || format!("{number} {noun} {is} just right"),
            |exact| format!("{} replicas, rounded up, are the current {number}", product(exact)),
        ),
        std::cmp::Ordering::Less => format!("{number} {noun} would be enough"),
    }
}

/// What was rounded up: a ratio times pods.
pub(super) fn exact(proposal: &Proposal) -> Option<f64> {
    let (ratio, pods) = match &proposal.calculation {
        Calculation::PerPod(it) => {
            let last = last_pass(it);
            (last.ratio, last.multiplier)
        }
        Calculation::Total(Total { ratio, basis: TotalBasis::ReadyPods(pods), .. }) => (*ratio, *pods),
        Calculation::Total(_) | Calculation::PerReplica(_) => return None,
    };
    Some(ratio.0 * float(pods))
}

/// Which pods were filled in, and how.
fn filled(first: Ratio, refill: &Refill, groups: &PodGroups, current: Replicas) -> String {
    let all = groups.pods.len() - groups.ignored;
    let all = if i32::try_from(all) == Ok(current.0) { current.0.to_string() } else { all.to_string() };
    let missing = refill.missing.map(|filler| {
        let (verb, they) = if groups.missing == 1 { ("has", "it counts") } else { ("have", "they count") };
        let (way, assumed) = assumed(first, filler);
        format!("{} of {all} pods {verb} no sample; {way} {they} as {assumed}", groups.missing)
    });
    let unready =
        refill.unready_as_zero.then(|| format!("{} when scaling up", unready_as_zero(groups.unready)));
    match (missing, unready) {
        (Some(missing), Some(unready)) => format!("But {missing}; {unready}"),
        (Some(missing), None) => format!("But {missing}"),
        (None, Some(unready)) => format!("But {unready}"),
        (None, None) => String::new(),
    }
}

/// Which pods were filled in, where that decided nothing.
fn filled_in_vain(refill: &Refill, groups: &PodGroups) -> String {
    let missing = refill.missing.map_or(0, |_| groups.missing);
    let unready = if refill.unready_as_zero { groups.unready } else { 0 };
    let named = [
        (missing, format!("{} without a sample", count(missing, "pod"))),
        (unready, count(unready, "unready pod")),
    ];
    let pods: Vec<String> = named.into_iter().filter(|(pods, _)| *pods > 0).map(|(_, name)| name).collect();
    let make = if missing + unready == 1 { "makes" } else { "make" };
    format!("The {} {make} no difference.", list(&pods))
}

/// `1 unready pod counts as 0`.
pub(super) fn unready_as_zero(pods: usize) -> String {
    format!("{} {} as 0", count(pods, "unready pod"), if pods == 1 { "counts" } else { "count" })
}

/// On which way, and as what. Only old controllers fill in where there is no way to go.
pub(super) fn assumed(first: Ratio, filler: Filler) -> (&'static str, String) {
    match filler {
        Filler::Zero if !first.is_above() => ("up to Kubernetes 1.27", "0".to_owned()),
        Filler::Zero => ("when scaling up", "0".to_owned()),
        Filler::Request | Filler::Share(Percent(100)) => {
            ("when scaling down", "the whole request".to_owned())
        }
        Filler::Share(Percent(percent)) => ("when scaling down", format!("{percent}% of the request")),
        Filler::Target(_) => ("when scaling down", "the target".to_owned()),
    }
}

fn of_total(
    explanation: &Explanation,
    label: &str,
    metric: Metric<'_>,
    total: &Total,
    proposal: &Proposal,
) -> String {
    let unit = Unit::of(metric);
    let (usage, target) = (unit.human(total.usage), unit.human(total.target));
    let reading = format!("{label} is at {usage}; the target is {target}");
    let guard = match total.basis {
        TotalBasis::WithinTolerance => Some(Guard::WithinTolerance),
        TotalBasis::ReadyPods(_) | TotalBasis::FromZero => None,
    };
    format!("{reading}{}", conclusion(explanation, total.ratio.0, guard, proposal))
}

/// A sum below zero, and what the controller makes of it.
fn negative(
    label: &str,
    explanation: &Explanation,
    metric: Metric<'_>,
    per_replica: &PerReplica,
) -> Option<String> {
    let (sum, after, of) = overflow::negative_sum(explanation, metric)?;
    let unit = Unit::of(metric);
    let (sum, target) = (unit.human(sum), unit.human(per_replica.target));
    let part = if after == of { "in total".to_owned() } else { format!("after {after} of {of} series") };
    Some(format!(
        "{label} is at {sum} {part}; the controller treats a negative sum as an overflow, replaces it by the largest int64 and compares that with a target of {target} each"
    ))
}

fn of_replicas(label: &str, metric: Metric<'_>, per_replica: &PerReplica) -> String {
    let unit = Unit::of(metric);
    let (usage, target) = (unit.human(per_replica.usage), unit.human(per_replica.target));
    match per_replica.replicas.0 {
        0 => format!("{label} is at {usage}; the target is {target} per replica"),
        replicas => {
            let mean = unit.human(per_replica.mean);
            let replicas = plural_replicas(replicas);
            format!("{label} is at {usage} for {replicas}, {mean} each; the target is {target} each")
        }
    }
}
