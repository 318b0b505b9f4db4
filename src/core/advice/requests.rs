//! Pods without the request that a utilization needs.

use super::world::World;
use super::{Advice, Remedy};
use crate::model::{ResourceName, Source};
use crate::snapshot::{Pod, Snapshot};
use crate::trace::{Failure, RequestGap, RequestGapKind, Verdict};
use crate::whatif::{Change, Knob, without_pods};

pub(super) fn advise(world: &World<'_>) -> Vec<Advice> {
    if let Some(advice) = name_container(world) {
        return vec![advice];
    }
    let failed = world.decision.metrics.iter().find_map(|trace| match &trace.verdict {
        Verdict::Failed(Failure::RequestGaps(gaps)) => Some((trace.index, gaps)),
        Verdict::Failed(_) | Verdict::Proposal(_) | Verdict::Unknown(_) => None,
    });
    let Some((metric, gaps)) = failed else { return Vec::new() };
    let advice = own_pods(world, metric).or_else(|| one_container(world, metric, gaps));
    advice.or_else(|| set_requests(world, metric, gaps)).into_iter().collect()
}

/// Where only pods of somebody else lack the request.
fn own_pods(world: &World<'_>, metric: usize) -> Option<Advice> {
    let foreign = world.foreign();
    let then = world.proposed(without_pods(world.snapshot, &foreign), metric);
    world.select_own_pods(&foreign, then)
}

/// A metric that fails because no pod has the container that it names.
fn name_container(world: &World<'_>) -> Option<Advice> {
    let failed = world.decision.metrics.iter().filter(|it| matches!(it.verdict, Verdict::Failed(_)));
    failed.into_iter().find_map(|trace| {
        let spec = world.snapshot.hpa.metrics.get(trace.index)?;
        let Source::ContainerResource { resource, container } = &spec.source else { return None };
        let pods = world.snapshot.pods.as_deref().unwrap_or_default();
        let has = |pod: &Pod| pod.containers.iter().any(|it| it.name == *container);
        let first = pods.first().filter(|_| !pods.iter().any(has))?;
        let requested = candidates(world.snapshot, resource);
        let all = || first.containers.iter().map(|it| &*it.name).collect();
        let there: Vec<&str> = if requested.is_empty() { all() } else { requested };
        let then = match there.as_slice() {
            [only] => world.proposed(renamed(world.snapshot, trace.index, only), trace.index),
            _ => None,
        };
        let there = there.into_iter().map(Box::from).collect();
        Some(Advice { then, ..Advice::new(Remedy::NameContainer { metric: trace.index, there }) })
    })
}

/// The same world, where a metric measures another container.
fn renamed(snapshot: &Snapshot, metric: usize, name: &str) -> Snapshot {
    let mut world = snapshot.clone();
    if let Some(Source::ContainerResource { container, .. }) =
        world.hpa.metrics.get_mut(metric).map(|spec| &mut spec.source)
    {
        *container = name.into();
    }
    world
}

fn one_container(world: &World<'_>, metric: usize, gaps: &[RequestGap]) -> Option<Advice> {
    let Source::Resource(resource) = &world.snapshot.hpa.metrics.get(metric)?.source else { return None };
    candidates(world.snapshot, resource).into_iter().find_map(|container| {
        let then = world.proposed(of_container(world.snapshot, container), metric)?;
        let changes = vec![Change::new(Knob::Container, container).ok()?];
        let lacking = lacking(world.snapshot, gaps);
        let remedy = Remedy::MeasureOneContainer { metric, lacking, container: container.into() };
        Some(Advice { remedy, changes, then: Some(then) })
    })
}

fn set_requests(world: &World<'_>, metric: usize, gaps: &[RequestGap]) -> Option<Advice> {
    let lacking = lacking(world.snapshot, gaps);
    (!lacking.is_empty()).then(|| Advice::new(Remedy::SetRequests { metric, lacking }))
}

/// The containers of the first pod that have a request in every pod, the largest request first.
pub(super) fn candidates<'a>(snapshot: &'a Snapshot, resource: &ResourceName) -> Vec<&'a str> {
    let pods = snapshot.pods.as_deref().unwrap_or_default();
    let Some(first) = pods.first() else { return Vec::new() };
    let has_request = |pod: &Pod, name: &str| {
        pod.containers.iter().any(|it| &*it.name == name && it.requests.get(resource).is_some())
    };
    let everywhere = first.containers.iter().filter(|it| pods.iter().all(|pod| has_request(pod, &it.name)));
    let mut containers: Vec<_> = everywhere.collect();
    containers.sort_by_key(|it| std::cmp::Reverse(it.requests.get(resource)));
    containers.into_iter().map(|it| &*it.name).collect()
}

/// As [`Knob::Container`]: every Resource metric becomes one of a container.
pub(super) fn of_container(snapshot: &Snapshot, container: &str) -> Snapshot {
    let mut world = snapshot.clone();
    for spec in &mut world.hpa.metrics {
        if let Source::Resource(resource) = &spec.source {
            spec.source =
                Source::ContainerResource { resource: resource.clone(), container: container.into() };
        }
    }
    world
}

fn lacking(snapshot: &Snapshot, gaps: &[RequestGap]) -> Vec<Box<str>> {
    let pods = snapshot.pods.as_deref().unwrap_or_default();
    let mut names: Vec<Box<str>> = Vec::new();
    for gap in gaps {
        let RequestGapKind::Container(place) = gap.kind else { continue };
        let container = pods.get(gap.pod).and_then(|pod| pod.containers.get(place));
        names.extend(container.map(|it| it.name.clone()).filter(|name| !names.contains(name)));
    }
    names
}
