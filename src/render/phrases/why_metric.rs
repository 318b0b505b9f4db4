//! What the winning metric says, and what became of it on the way to its proposal.

use std::cmp::Ordering;
use std::iter;

use super::{metric, overflow, ratios::Ratios};
use crate::render::claims::{
    Amount, Assumed, Claim, Conclusion, FillEnd, Filled, Lead, Reading, RevisionPods, Tendency, Tolerance,
};
use crate::render::ownership;
use crate::render::units::{Unit, float};
use kubectl_hpa_core::explanation::{Explanation, Metric, Ownership};
use kubectl_hpa_core::model::{Percent, Replicas};
use kubectl_hpa_core::snapshot::{Phase, Pod};
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
                let multiplied = multiplied(explanation, metric, per_pod);
                let is_against = matches!(multiplied, Some(Claim::Multiplied { rises: Some(_), .. }));
                let others = if is_against { None } else { others(explanation, metric) };
                claims.extend(others.or(multiplied));
            }
            claims
        }
        Calculation::Total(it) => {
            let (guard, against) = match it.basis {
                TotalBasis::WithinTolerance => (Some(Guard::WithinTolerance), Vec::new()),
                TotalBasis::FromZero | TotalBasis::ReadyPods(0) => (None, Vec::new()),
                TotalBasis::ReadyPods(ready) => {
                    let rises = against(it.ratio.0, proposal, current);
                    let against = rises.map(|rises| Claim::Multiplied {
                        ready,
                        replicas: current.0,
                        ignored: None,
                        rises: Some(rises),
                    });
                    (None, against.into_iter().chain(deleting_count(explanation)).collect())
                }
            };
            let then = conclusion(explanation, it.ratio.0, guard, proposal);
            iter::once(reads(explanation, metric, of_total(metric, it), then)).chain(against).collect()
        }
        Calculation::PerReplica(it) => {
            let reading = negative(explanation, metric, it).unwrap_or_else(|| of_replicas(metric, it));
            let guard = it.within.then_some(Guard::WithinTolerance);
            let then = conclusion(explanation, it.ratio.0, guard, proposal);
            let status = status_replicas(explanation, it.replicas, current);
            iter::once(reads(explanation, metric, reading, then)).chain(status).collect()
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
    let mut owners: Vec<String> = Vec::new();
    let mut pods = 0;
    for (_, pod) in counted {
        if let Ownership::Other(owner) = explanation.ownership(pod) {
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
    let first = per_pod.first;
    let reads = |then| reads(explanation, metric, reading(metric, per_pod), then);
    let Some((refill, groups)) = per_pod.refill.as_ref().zip(metric.trace.groups.as_ref()) else {
        let then = conclusion(explanation, first.ratio.0, per_pod.guard, proposal);
        return vec![reads(then)];
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
    // A ratio is of the pods that are measured, which may be others than the current replicas.
    let current = explanation.current().unwrap_or_default();
    let tendency = match first.ratio {
        ratio if rests || against(ratio.0, proposal, current).is_some() => Tendency::Untold,
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

/// By how many pods the ratio is multiplied, if these are not the replicas.
fn multiplied(explanation: &Explanation, metric: Metric<'_>, per_pod: &PerPod) -> Option<Claim> {
    let (proposal, current) = (metric.proposal()?, explanation.current().unwrap_or_default());
    let (ready, replicas) = (per_pod.first.multiplier, usize::try_from(current.0).unwrap_or_default());
    let is_named = matches!(wanted(explanation, proposal), Conclusion::JustRight { .. });
    if per_pod.refill.is_some() || per_pod.guard.is_some() || ready == replicas || is_named {
        return None;
    }
    // They are why, if they are the target's own and all that is missing.
    let ignored = metric.trace.groups.as_ref().map(|groups| groups.ignored);
    let is_ignored = |pod: &&Pod| pod.deleting || pod.phase == Phase::Failed;
    let are_own =
        || !explanation.pods().iter().filter(is_ignored).any(|pod| explanation.snapshot().is_foreign(pod));
    let ignored = ignored.filter(|ignored| *ignored > 0 && ready + ignored == replicas && are_own());
    let rises = against(per_pod.first.ratio.0, proposal, current);
    Some(Claim::Multiplied { ready, replicas: current.0, ignored, rises })
}

/// The pods that match, where status.replicas is not spec.replicas.
fn status_replicas(explanation: &Explanation, status: Replicas, spec: Replicas) -> Option<Claim> {
    if status == spec {
        return None;
    }
    let pods = explanation.snapshot().pods.as_ref().ok();
    let ended = pods.map_or(0, |pods| pods.iter().filter(|pod| pod.phase.has_ended()).count());
    let is_deleting = |pod: &&Pod| pod.deleting && !pod.phase.has_ended();
    let deleting = pods.map_or(0, |pods| pods.iter().filter(is_deleting).count());
    let revisions = explanation.revisions().into_iter();
    let revisions = revisions.map(|(revision, pods)| RevisionPods { revision: revision.to_owned(), pods });
    Some(Claim::StatusReplicas {
        status: status.0,
        spec: spec.0,
        pods: pods.map(|pods| pods.len()),
        ended,
        deleting,
        revisions: revisions.collect(),
    })
}

/// Upstream `getReadyPodsCount` counts them as long as they are Ready.
fn deleting_count(explanation: &Explanation) -> Option<Claim> {
    let pods = explanation.pods().iter().filter(|pod| pod.deleting && pod.is_running_and_ready()).count();
    (pods > 0).then_some(Claim::DeletingCount { pods })
}

/// True if the replicas rise although the ratio is below 1, false if they fall although it is above.
fn against(ratio: f64, proposal: &Proposal, current: Replicas) -> Option<bool> {
    match proposal.replicas.cmp(&current) {
        Ordering::Less if ratio > 1.0 && proposal.replicas.0 >= 0 => Some(false),
        Ordering::Greater if ratio < 1.0 => Some(true),
        _ => None,
    }
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
            Some(ready).filter(|_| against(ratio.0, proposal, current).is_none() || replicas == 0)
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
