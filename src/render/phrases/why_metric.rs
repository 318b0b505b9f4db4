//! What the winning metric says, and what became of it on the way to its proposal.

use std::cmp::Ordering;
use std::iter;

use super::{metric, overflow, ratios::Ratios};
use crate::render::claims::{
    Amount, Assumed, Claim, Conclusion, FillEnd, Filled, Lead, Reading, Tendency, Tolerance,
};
use crate::render::ownership;
use crate::render::units::{Unit, float};
use kubectl_hpa_core::explanation::{Explanation, Metric, Ownership};
use kubectl_hpa_core::model::{Percent, Replicas};
use kubectl_hpa_core::trace::{
    Calculation, Filler, Group, Guard, Measure, PerPod, PerReplica, PodGroups, Proposal, Refill, Total,
    TotalBasis,
};

/// One sentence about the reading, one about the pods that were filled in.
pub(in crate::render) fn claims(explanation: &Explanation) -> Vec<Claim> {
    let Some((metric, proposal)) = explanation.winner() else { return Vec::new() };
    let mut claims = of_winner(explanation, metric, proposal);
    claims.extend(idle_tolerance(explanation, proposal));
    claims
}

fn of_winner(explanation: &Explanation, metric: Metric<'_>, proposal: &Proposal) -> Vec<Claim> {
    let current = explanation.current().unwrap_or_default();
    match &proposal.calculation {
        Calculation::PerPod(per_pod) => {
            let mut claims = of_pods(explanation, metric, per_pod, proposal);
            // What happened to the pods matters more than whose they are, which the table of pods shows too.
            if claims.len() == 1 {
                claims.extend(others(explanation, metric));
            }
            claims
        }
        Calculation::Total(it) => {
            let (guard, against) = match it.basis {
                TotalBasis::WithinTolerance => (Some(Guard::WithinTolerance), None),
                TotalBasis::FromZero | TotalBasis::ReadyPods(0) => (None, None),
                TotalBasis::ReadyPods(ready) => (None, against(it.ratio.0, ready, proposal, current)),
            };
            let then = conclusion(explanation, it.ratio.0, guard, proposal);
            iter::once(reads(explanation, metric, of_total(metric, it), then)).chain(against).collect()
        }
        Calculation::PerReplica(it) => {
            let reading = negative(explanation, metric, it).unwrap_or_else(|| of_replicas(metric, it));
            let guard = it.within.then_some(Guard::WithinTolerance);
            vec![reads(explanation, metric, reading, conclusion(explanation, it.ratio.0, guard, proposal))]
        }
    }
}

fn reads(explanation: &Explanation, metric: Metric<'_>, reading: Reading, then: Conclusion) -> Claim {
    Claim::Reads { lead: lead(explanation), metric: metric::label(metric.spec), reading, then }
}

/// Pods that are counted although they are not the target's.
fn others(explanation: &Explanation, metric: Metric<'_>) -> Option<Claim> {
    let members = metric.trace.groups.iter().flat_map(|groups| &groups.pods);
    let counted =
        members.zip(explanation.pods()).filter(|(member, _)| !matches!(member.group, Group::Ignored(_)));
    // If no pod has an owner, a missing one proves nothing: the case may have been written by hand.
    let is_told = explanation.pods().iter().any(|pod| pod.owner.is_some());
    let mut owners: Vec<String> = Vec::new();
    let mut pods = 0;
    for (_, pod) in counted {
        if let Ownership::Other(owner) = explanation.ownership(pod)
            && (is_told || owner.is_some())
        {
            pods += 1;
            let name = ownership::name(owner);
            if !owners.contains(&name) {
                owners.push(name);
            }
        }
    }
    let selector = explanation.selector().to_owned();
    (pods > 0).then_some(Claim::OtherOwners { pods, selector, owners })
}

/// Over how many the winner won, or that it was no better than others.
fn lead(explanation: &Explanation) -> Lead {
    let metrics = explanation.metrics().filter_map(Metric::proposal).count();
    let failed = explanation.failed().count();
    let won = explanation.winner().map(|(_, won)| won.replicas);
    let is_most = explanation.metrics().filter_map(Metric::proposal).all(|it| Some(it.replicas) <= won);
    let tied = explanation.tied();
    if !is_most {
        Lead::AfterZero { metrics, failed }
    } else if let Some(replicas) = tied.first().and_then(|it| it.proposal()).map(|it| it.replicas.0) {
        let metrics = tied.iter().map(|metric| metric::label(metric.spec)).collect();
        Lead::Tied { metrics, replicas, takes: metric::place(replicas) }
    } else if metrics > 1 {
        Lead::MostOf { metrics, failed }
    } else {
        Lead::Only
    }
}

fn of_pods(
    explanation: &Explanation,
    metric: Metric<'_>,
    per_pod: &PerPod,
    proposal: &Proposal,
) -> Vec<Claim> {
    let current = explanation.current().unwrap_or_default();
    let first = per_pod.first;
    let reads = |then| reads(explanation, metric, reading(metric, per_pod), then);
    let Some((refill, groups)) = per_pod.refill.as_ref().zip(metric.trace.groups.as_ref()) else {
        let then = conclusion(explanation, first.ratio.0, per_pod.guard, proposal);
        let against = against(first.ratio.0, first.multiplier, proposal, current);
        return iter::once(reads(then)).chain(against).collect();
    };
    if refill.missing.is_none() && !refill.unready_as_zero {
        if first.ratio.0.is_nan() {
            return vec![reads(conclusion(explanation, first.ratio.0, per_pod.guard, proposal))];
        }
        return vec![reads(Conclusion::OnTarget), Claim::LeftOutAtOne { missing: groups.missing }];
    }
    let rests = proposal.rests_on_first_pass();
    if rests && !proposal.turns() {
        let then = conclusion(explanation, first.ratio.0, Some(Guard::WithinTolerance), proposal);
        let missing = refill.missing.map_or(0, |_| groups.missing);
        let unready = if refill.unready_as_zero { groups.unready } else { 0 };
        return vec![reads(then), Claim::FilledInVain { missing, unready }];
    }
    let tendency = match first.ratio {
        _ if rests => Tendency::Untold,
        ratio if ratio.is_above() => Tendency::More,
        ratio if ratio.is_below() => Tendency::Fewer,
        _ => Tendency::OnTarget,
    };
    let ratios = Ratios::of(proposal);
    let ratio = ratios.ratio(first.ratio.0);
    let mut claims = vec![
        reads(Conclusion::Ratio { ratio, tendency }),
        filled_in(explanation, per_pod, refill, groups, proposal),
    ];
    if rests {
        let tolerance = tolerance(explanation, ratio.value);
        claims.push(Claim::SameWithoutThem { ratio, tolerance });
    }
    claims
}

/// Which pods were filled in, and what the ratio over all counted pods leads to.
fn filled_in(
    explanation: &Explanation,
    per_pod: &PerPod,
    refill: &Refill,
    groups: &PodGroups,
    proposal: &Proposal,
) -> Claim {
    let ratios = Ratios::of(proposal);
    let ratio = ratios.ratio(per_pod.last().ratio.0);
    let then = match per_pod.guard {
        Some(Guard::WithinTolerance) => {
            let (lowest, highest) = ratios.ends();
            FillEnd::Within { lowest, highest, tolerance: tolerance(explanation, ratio.value) }
        }
        Some(Guard::DirectionFlip) => FillEnd::OtherSide,
        Some(Guard::CountFlip) => FillEnd::OtherWay { pods: refill.pass.multiplier },
        None => FillEnd::Leads { to: wanted(explanation, proposal) },
    };
    Claim::FilledIn {
        counted: groups.pods.len() - groups.ignored,
        missing: refill.missing.map(|filler| Filled {
            pods: groups.missing,
            assumed: assumed(per_pod.first.ratio.is_above(), filler),
        }),
        unready: refill.unready_as_zero.then_some(groups.unready),
        ratio,
        then,
    }
}

fn reading(metric: Metric<'_>, per_pod: &PerPod) -> Reading {
    let unit = Unit::of(metric);
    match per_pod.measure {
        Measure::Utilization(target) => Reading::Utilization {
            percent: per_pod.first.utilization.map(|percent| percent.0),
            target: target.0,
        },
        Measure::Value(target) => {
            let (ready, foreign) =
                metric.trace.groups.as_ref().map_or((0, 0), |it| (it.ready, it.foreign.len()));
            Reading::Mean {
                mean: Amount(per_pod.first.mean, unit),
                target: Amount(target, unit),
                samples: ready + foreign,
                foreign: (foreign > 0).then_some(foreign),
            }
        }
    }
}

/// What follows from a ratio without any filling in.
fn conclusion(
    explanation: &Explanation,
    ratio: f64,
    guard: Option<Guard>,
    proposal: &Proposal,
) -> Conclusion {
    let current = explanation.current().unwrap_or_default();
    if guard != Some(Guard::WithinTolerance) {
        return wanted(explanation, proposal);
    }
    let keeps = (proposal.replicas != current).then_some(proposal.replicas.0);
    let ratios = Ratios::of(proposal);
    if ratio.is_nan() {
        return Conclusion::NoRatio { keeps };
    }
    let (lowest, highest) = ratios.ends();
    let (tolerance, ratio) = (tolerance(explanation, ratio), ratios.ratio(ratio));
    if ratio.is_one() && keeps.is_none() {
        Conclusion::OnTarget
    } else {
        Conclusion::Within { ratio, lowest, highest, tolerance, keeps }
    }
}

/// Where there are not as many ready pods as replicas, and the count goes against the load.
fn against(ratio: f64, ready: usize, proposal: &Proposal, current: Replicas) -> Option<Claim> {
    let rises = match proposal.replicas.cmp(&current) {
        Ordering::Less if ratio > 1.0 && proposal.replicas.0 >= 0 => false,
        Ordering::Greater if ratio < 1.0 => true,
        _ => return None,
    };
    Some(Claim::AgainstLoad { ready, replicas: current.0, rises })
}

/// The tolerance on the side of a ratio, with who set it.
fn tolerance(explanation: &Explanation, ratio: f64) -> Tolerance {
    let own = own_tolerance(explanation, ratio).filter(|_| explanation.rules().configurable_tolerance);
    Tolerance(own.unwrap_or("the controller's tolerance"))
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
fn idle_tolerance(explanation: &Explanation, proposal: &Proposal) -> Option<Claim> {
    let (_, ratio) = proposal.calculation.ratios();
    let own = own_tolerance(explanation, ratio.0);
    let field = own.filter(|_| !explanation.rules().configurable_tolerance)?;
    Some(Claim::ToleranceIgnored { field })
}

fn wanted(explanation: &Explanation, proposal: &Proposal) -> Conclusion {
    let (replicas, current) = (proposal.replicas.0, explanation.current().unwrap_or_default());
    let ready = match proposal.calculation {
        Calculation::Total(Total { basis: TotalBasis::ReadyPods(ready), ratio, .. }) => {
            Some(ready).filter(|_| against(ratio.0, ready, proposal, current).is_none() || replicas == 0)
        }
        _ => None,
    };
    let ready = ready.filter(|ready| !usize::try_from(current.0).is_ok_and(|current| current == *ready));
    let counted = proposal.calculation.multiplied().map(|(_, pods)| pods);
    let counted = counted.filter(|pods| !usize::try_from(current.0).is_ok_and(|current| current == *pods));
    match proposal.replicas.cmp(&current) {
        _ if replicas == 0 => Conclusion::NoneNeeded { ready: ready.filter(|ready| *ready == 0) },
        _ if replicas < 0 => Conclusion::Negative { replicas },
        Ordering::Greater => Conclusion::More { replicas, ready },
        Ordering::Equal => exact(proposal).filter(|exact| *exact < f64::from(replicas)).map_or(
            Conclusion::JustRight { replicas, counted },
            |exact| Conclusion::RoundedUp { exact, replicas },
        ),
        Ordering::Less => Conclusion::Fewer { replicas, ready },
    }
}

/// The number that was rounded up: a ratio times pods.
pub(super) fn exact(proposal: &Proposal) -> Option<f64> {
    proposal.calculation.multiplied().map(|(ratio, pods)| ratio.0 * float(pods))
}

/// As what a pod without a sample counts. Only old controllers fill in where there is no way to go.
pub(super) const fn assumed(rises: bool, filler: Filler) -> Assumed {
    match filler {
        Filler::Zero if !rises => Assumed::ZeroAlways,
        Filler::Zero => Assumed::Zero,
        Filler::Request => Assumed::Request { percent: 100 },
        Filler::Share(Percent(percent)) => Assumed::Request { percent },
        Filler::Target(_) => Assumed::Target,
    }
}

fn of_total(metric: Metric<'_>, total: &Total) -> Reading {
    let unit = Unit::of(metric);
    Reading::Value { value: Amount(total.usage, unit), target: Amount(total.target, unit) }
}

/// A sum below zero, and what the controller makes of it.
fn negative(explanation: &Explanation, metric: Metric<'_>, it: &PerReplica) -> Option<Reading> {
    let (sum, after, series) = overflow::negative_sum(explanation, metric)?;
    let unit = Unit::of(metric);
    Some(Reading::NegativeSum { sum: Amount(sum, unit), after, series, target: Amount(it.target, unit) })
}

fn of_replicas(metric: Metric<'_>, it: &PerReplica) -> Reading {
    let unit = Unit::of(metric);
    Reading::Average {
        value: Amount(it.usage, unit),
        replicas: it.replicas.0,
        mean: (it.replicas.0 != 0).then_some(Amount(it.mean, unit)),
        target: Amount(it.target, unit),
    }
}
