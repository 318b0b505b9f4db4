//! A metric that reads exactly its target.

use std::sync::Arc;

use crate::model::{Amounts, MetricSpec, Milli, ResourceName, Source};
use crate::snapshot::{PodUsage, Reading, Snapshot};
use crate::trace::{Calculation, Decision, Group, Measure, MetricTrace, PodGroups};

/// Replaces what the metric at a place reads by its target: each counted pod uses its share of it.
pub(super) fn read_target(world: &mut Snapshot, decision: &Decision, place: usize) {
    let trace = decision.metrics.iter().find(|trace| trace.index == place);
    let Some((spec, trace)) = world.hpa.metrics.get(place).cloned().zip(trace) else { return };
    let Some(proposal) = trace.proposal() else { return };
    match &proposal.calculation {
        Calculation::PerPod(it) => use_target(world, &spec, trace, it.measure),
        Calculation::Total(it) => answer(world, place, it.target),
        Calculation::PerReplica(it) => {
            answer(world, place, Milli(it.target.0.saturating_mul(it.replicas.0.into())));
        }
    }
}

/// One value instead of all that a metric of an object, or an external one, has.
fn answer(world: &mut Snapshot, place: usize, value: Milli) {
    if let Some(Reading::Object(values) | Reading::External(values)) = world.readings.get_mut(place) {
        *values = Ok(vec![value]);
    }
}

fn use_target(world: &mut Snapshot, spec: &MetricSpec, trace: &MetricTrace, measure: Measure) {
    let Some(groups) = &trace.groups else { return };
    match (&spec.source, measure) {
        (Source::Pods(_), Measure::Value(target)) => sample(world, trace.index, target),
        (Source::Resource(resource), _) => use_shares(world, resource, None, &shares(groups, measure)),
        (Source::ContainerResource { resource, container }, _) => {
            use_shares(world, resource, Some(container), &shares(groups, measure));
        }
        (Source::Pods(_) | Source::Object { .. } | Source::External(_), _) => {}
    }
}

fn sample(world: &mut Snapshot, place: usize, target: Milli) {
    let Some(Reading::Pods(Ok(samples))) = world.readings.get_mut(place) else { return };
    samples.own.iter_mut().flatten().for_each(|it| *it = target);
    samples.foreign.iter_mut().for_each(|(_, it)| *it = target);
}

/// What each ready pod uses, by its place, so that the sum is the target exactly: the first one has what rounding leaves.
fn shares(groups: &PodGroups, measure: Measure) -> Vec<(usize, Milli)> {
    let members = groups.pods.iter().enumerate();
    let ready = members.filter(|(_, member)| matches!(member.group, Group::Ready(_)));
    let Measure::Utilization(target) = measure else {
        let Measure::Value(target) = measure else { return Vec::new() };
        return ready.map(|(place, _)| (place, target)).collect();
    };
    let hundredths: Vec<(usize, i128)> = ready
        .map(|(place, member)| {
            (place, i128::from(member.request.map_or(0, |it| it.0)) * i128::from(target.0))
        })
        .collect();
    let total: i128 = hundredths.iter().map(|(_, share)| share).sum();
    let given: i128 = hundredths.iter().map(|(_, share)| share / 100).sum();
    let mut rest = (total + 99).div_euclid(100) - given;
    let share = |(place, share): (usize, i128)| {
        let share = share / 100 + std::mem::take(&mut rest);
        (place, Milli(i64::try_from(share).unwrap_or(i64::MAX)))
    };
    hundredths.into_iter().map(share).collect()
}

fn use_shares(
    world: &mut Snapshot,
    resource: &ResourceName,
    container: Option<&str>,
    shares: &[(usize, Milli)],
) {
    let Ok(pods) = &mut world.pods else { return };
    for (place, share) in shares {
        if let Some(usage) = pods.get_mut(*place).and_then(|pod| pod.usage.as_mut()) {
            set(usage, resource, container, *share);
        }
    }
}

/// A whole pod's usage goes to its first container.
fn set(usage: &mut PodUsage, resource: &ResourceName, container: Option<&str>, amount: Milli) {
    let mut left = amount;
    let is_measured = |name: &str| container.is_none_or(|container| container == name);
    for it in Arc::make_mut(&mut usage.containers).iter_mut().filter(|it| is_measured(&it.name)) {
        let amount = std::mem::take(&mut left);
        let others = it
            .usage
            .iter()
            .map(|(name, other)| (name.clone(), if name == resource { amount } else { other }));
        it.usage = others.collect::<Amounts>();
    }
}
