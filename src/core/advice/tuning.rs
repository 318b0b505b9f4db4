//! Fields of the HPA that hold the count where nothing is broken.

use super::context::AdviceContext;
use super::requests::{candidates, of_container};
use super::{Advice, Remedy, Then};
use crate::causes::About;
use crate::model::{Policy, PolicyType, Quantity, Ratio, ScalingRules, SelectPolicy, Source, TargetType};
use crate::snapshot::Snapshot;
use crate::trace::{Calculation, Direction, Guard, Proposal, Stabilization, TotalBasis};
use crate::whatif::{Change, Knob, answer_instead, rules_of, without_pods};

/// A window longer than this was set by somebody: it is the default.
const WINDOW_SECONDS: i32 = 300;

/// The tolerances that are proposed, the widest first, each with the fewest replicas that it has to bring: the first is half of
/// the default, and narrower ones are for large targets.
const TOLERANCES: [(&str, f64, u32); 4] =
    [("0.05", 0.05, 1), ("0.04", 0.04, 2), ("0.03", 0.03, 2), ("0.02", 0.02, 2)];

pub(super) fn advise(context: &AdviceContext<'_>) -> Vec<Advice> {
    // What feeds back must not be made faster.
    if let Some((divide, is_away)) = divide_total(context) {
        return if is_away { Vec::new() } else { vec![divide] };
    }
    let all = [raise_max, leave_out_sidecars, faster_scale_up, narrow_tolerance, shorten_window];
    all.iter().filter_map(|advise| advise(context)).collect()
}

/// A value over its target is multiplied with the ready pods, and those that it brings multiply it again. Also whether to divide
/// it would lead away from the target.
fn divide_total(context: &AdviceContext<'_>) -> Option<(Advice, bool)> {
    let (trace, proposal) = context.decision.winner()?;
    let metric = trace.index;
    let Calculation::Total(total) = &proposal.calculation else { return None };
    let grows = matches!(total.basis, TotalBasis::ReadyPods(ready) if ready > 1) && total.ratio.is_above();
    let mut other = context.snapshot.clone();
    let target = &mut other.hpa.metrics.get_mut(metric).filter(|_| grows)?.target;
    target.kind = TargetType::AverageValue;
    target.average_value = target.value.take();
    let (then, is_away) = context.weighed(other, metric)?;
    Some((Advice { then: Some(then), ..Advice::new(Remedy::DivideTotal { metric }) }, is_away))
}

/// The container that uses the most wants more by itself, and the others hide it.
fn leave_out_sidecars(context: &AdviceContext<'_>) -> Option<Advice> {
    let metric = context.decision.winner()?.0.index;
    let spec = context.snapshot.hpa.metrics.get(metric)?;
    let (Source::Resource(resource), TargetType::Utilization) = (&spec.source, spec.target.kind) else {
        return None;
    };
    // What pods lack comes first.
    let is_of_load = context.cause.is_none_or(|cause| {
        matches!(
            cause.about,
            About::Load(_) | About::Tolerance | About::Window(_) | About::Rate(_) | About::Min
        )
    });
    let containers = candidates(context, resource);
    let (_, highest) = context.now.filter(|_| is_of_load && containers.len() > 1)?;
    let total = |name: &str| {
        let pods = context.snapshot.pods.iter().flatten();
        let used = pods.filter_map(|pod| pod.usage.as_ref()?.of_container(resource, name));
        used.map(|it| i128::from(it.0)).sum::<i128>()
    };
    // Of equal ones the first, with the largest request.
    let container = containers.into_iter().min_by_key(|name| std::cmp::Reverse(total(name)))?;
    let then = context.tuned(of_container(context.snapshot, container), metric)?;
    let changes = vec![Change::new(Knob::Container, container).ok()?];
    let remedy = Remedy::LeaveOutSidecars { metric, container: container.into() };
    (then.next.0 > highest).then_some(Advice { remedy, changes, then: Some(then) })
}

/// A proposal this many times over the bound is a mistake of units rather than a load.
const ABSURD: i32 = 1_000;

/// True if that is the cause.
pub(super) fn is_cause(context: &AdviceContext<'_>, about: About) -> bool {
    context.cause.is_some_and(|cause| cause.about == about)
}

/// The metrics want more than `spec.maxReplicas`, and would get it. Below its target a metric wants more for other pods than
/// the replicas: more of those would bring still more.
fn raise_max(context: &AdviceContext<'_>) -> Option<Advice> {
    let (trace, proposal) = context.decision.winner()?;
    let (wanted, max) = (context.decision.choice?.after, context.snapshot.hpa.max);
    let is_held = is_cause(context, About::Max) && wanted > max && proposal.calculation.ratios().0.is_above();
    if !is_held || wanted.0 > max.0.saturating_mul(ABSURD) || is_of_others(context) {
        return None;
    }
    let mut other = context.snapshot.clone();
    other.hpa.max = wanted;
    let then = context.tuned(other, trace.index)?;
    let changes = vec![Change::new(Knob::Max, wanted.0.to_string()).ok()?];
    Some(Advice { remedy: Remedy::RaiseMax, changes, then: Some(then) })
}

/// True if only the pods of others make the metrics want more than `spec.maxReplicas`.
fn is_of_others(context: &AdviceContext<'_>) -> bool {
    if context.foreign().is_empty() {
        return false;
    }
    let mut other = without_pods(context.snapshot, &context.foreign());
    let answer = answer_instead(context.snapshot, &mut other, context.rules);
    answer.decision.choice.is_some_and(|choice| choice.after <= context.snapshot.hpa.max)
}

/// A count that two more doublings reach gets there by itself within two sync periods: nothing is wrong with that.
const SOON: i32 = 4;

/// A policy that lets more come, in percent, hides a mistake in the target or in a request.
const MOST: i32 = 10_000;

/// One policy that reaches what is wanted at once, in whole hundreds of percent.
fn faster_scale_up(context: &AdviceContext<'_>) -> Option<Advice> {
    let limited = context.decision.limited.as_ref().filter(|_| is_cause(context, About::Doubling))?;
    let (current, wanted) = (context.snapshot.scale.as_ref().ok()?.replicas.0, limited.before.0);
    // At counts near the largest the limit itself overflows, to below what there is.
    if limited.after.0 < current || wanted <= limited.after.0.saturating_mul(SOON) {
        return None;
    }
    let hundreds = wanted.checked_sub(current)?.checked_add(current.checked_sub(1)?)?.checked_div(current)?;
    let percent = hundreds.checked_mul(100).filter(|percent| *percent <= MOST)?;
    let policy = Policy { kind: PolicyType::Percent, value: percent, period_seconds: 15 };
    let other = with_rules(context.snapshot, Direction::Up, |rules| {
        rules.policies = vec![policy];
        rules.select = SelectPolicy::Max;
    });
    let metric = context.decision.winner()?.0.index;
    let then = context.tuned(other, metric).filter(|then| Some(then.next) > context.now)?;
    let value = ["Percent=", &percent.to_string(), "/15s"].concat();
    let changes = vec![Change::new(Knob::ScaleUp, value).ok()?];
    Some(Advice { remedy: Remedy::AllowFasterScaleUp, changes, then: Some(then) })
}

/// Where the controller's tolerance alone keeps the count, and no one chose one for this HPA.
fn narrow_tolerance(context: &AdviceContext<'_>) -> Option<Advice> {
    let (trace, proposal) = context.decision.winner().filter(|_| is_cause(context, About::Tolerance))?;
    let ratio = held_by_tolerance(proposal)?;
    let off = (ratio.0 - 1.0).abs();
    let (text, _, fewest) = TOLERANCES.iter().find(|(_, tolerance, _)| off > *tolerance)?;
    let direction = if ratio.is_above() { Direction::Up } else { Direction::Down };
    let behavior = context.snapshot.hpa.behavior.as_ref();
    let own = behavior.and_then(|it| match direction {
        Direction::Up => it.up.tolerance.as_ref(),
        Direction::Down => it.down.tolerance.as_ref(),
    });
    if own.is_some() || !context.rules.configurable_tolerance {
        return None;
    }
    let tolerance = Quantity::parse(text).ok()?;
    let other = with_rules(context.snapshot, direction, |rules| rules.tolerance = Some(tolerance));
    let (found, wanted) = (context.decision.found()?, |then: &Then| then.settles.unwrap_or(then.next.0));
    let is_worth = |then: &Then| wanted(then).0.abs_diff(found.0) >= *fewest;
    let then = context.tuned(other, trace.index).filter(is_worth)?;
    let changes = vec![Change::new(knob(direction), ["tolerance=", text].concat()).ok()?];
    Some(Advice { remedy: Remedy::NarrowTolerance(direction), changes, then: Some(then) })
}

/// The ratio that the tolerance covers, where no pod had to be filled in for it.
fn held_by_tolerance(proposal: &Proposal) -> Option<Ratio> {
    match &proposal.calculation {
        Calculation::PerPod(it) if it.guard == Some(Guard::WithinTolerance) && it.refill.is_none() => {
            Some(it.first.ratio)
        }
        Calculation::Total(total) if total.basis == TotalBasis::WithinTolerance => Some(total.ratio),
        Calculation::PerReplica(it) if it.within => Some(it.ratio),
        Calculation::PerPod(_) | Calculation::Total(_) | Calculation::PerReplica(_) => None,
    }
}

fn shorten_window(context: &AdviceContext<'_>) -> Option<Advice> {
    let stabilized = context.decision.stabilized.as_ref()?;
    let direction = if stabilized.after < stabilized.before { Direction::Up } else { Direction::Down };
    let seconds = match (&stabilized.how, direction) {
        (Stabilization::Legacy(legacy), _) => legacy.window.nanoseconds() / 1_000_000_000,
        (Stabilization::Behavior(it), Direction::Up) => it.up_window.into(),
        (Stabilization::Behavior(it), Direction::Down) => it.down_window.into(),
    };
    if !is_cause(context, About::Window(direction)) || seconds <= WINDOW_SECONDS.into() {
        return None;
    }
    let other = with_rules(context.snapshot, direction, |rules| rules.window_seconds = Some(WINDOW_SECONDS));
    let metric = context.decision.winner()?.0.index;
    let then = context.tuned(other, metric)?;
    let value = ["window=", &WINDOW_SECONDS.to_string(), "s"].concat();
    let changes = vec![Change::new(knob(direction), value).ok()?];
    Some(Advice { remedy: Remedy::ShortenWindow(direction), changes, then: Some(then) })
}

const fn knob(direction: Direction) -> Knob {
    match direction {
        Direction::Up => Knob::ScaleUp,
        Direction::Down => Knob::ScaleDown,
    }
}

fn with_rules(snapshot: &Snapshot, direction: Direction, turn: impl FnOnce(&mut ScalingRules)) -> Snapshot {
    let mut other = snapshot.clone();
    turn(rules_of(&mut other, direction));
    other
}
