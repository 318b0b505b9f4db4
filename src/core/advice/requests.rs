//! Pods without the request that a utilization needs.

use std::collections::BTreeSet;
use std::iter;

use super::context::{AdviceContext, gone};
use super::{Advice, AdviceCode, Remedy};
use crate::model::{ResourceName, Source};
use crate::rules::Rules;
use crate::snapshot::{Container, Pod, Snapshot};
use crate::trace::{Failure, RequestGap, RequestGapKind, Verdict};
use crate::whatif::{Change, Knob, without_pods};

pub(super) fn advise(context: &AdviceContext<'_>) -> Vec<Advice> {
    if let Some(advice) = name_container(context) {
        return vec![advice];
    }
    let mut failed = context.decision.metrics.iter().filter_map(|trace| match &trace.verdict {
        Verdict::Failed(Failure::RequestGaps(gaps)) => Some((trace.index, gaps)),
        Verdict::Failed(_) | Verdict::Proposal(_) | Verdict::Unknown(_) => None,
    });
    let Some((metric, gaps)) = failed.next() else { return Vec::new() };
    if let Some(advice) = own_pods(context, metric) {
        return vec![advice];
    }
    let leaves = |gap: &RequestGap| context.pod(gap.pod).is_some_and(|pod| !pod.is_active());
    if gaps.iter().all(leaves) {
        return delete_ended(context, metric, gaps).into_iter().collect();
    }
    let of_metric = |(metric, gaps): (usize, &Vec<RequestGap>)| {
        one_container(context, metric, gaps).or_else(|| set_requests(context, metric, gaps))
    };
    let all: Vec<Advice> = iter::once((metric, gaps)).chain(failed).filter_map(of_metric).collect();
    let told = (0..all.len()).filter(|place| !is_told(&all, *place, context));
    let mut advice: Vec<Advice> = told.map(|place| all[place].clone()).collect();
    // One changes every metric of whole pods.
    let mut has_one = false;
    advice
        .retain(|it| it.code() != AdviceCode::MeasureOneContainer || !std::mem::replace(&mut has_one, true));
    advice
}

/// Where only pods of somebody else lack the request.
fn own_pods(context: &AdviceContext<'_>, metric: usize) -> Option<Advice> {
    let foreign = context.foreign();
    let then = context.proposed(without_pods(context.snapshot, &foreign), metric);
    context.select_own_pods(&foreign, then)
}

/// Of pods that lack the request, and all have ended or are being deleted, those that stay until somebody deletes them.
fn delete_ended(context: &AdviceContext<'_>, metric: usize, gaps: &[RequestGap]) -> Option<Advice> {
    let stays = |place: &usize| context.pod(*place).is_some_and(|pod| !pod.deleting);
    let all: BTreeSet<usize> = gaps.iter().map(|gap| gap.pod).collect();
    let ended: BTreeSet<usize> = all.iter().copied().filter(stays).collect();
    let resource = context.snapshot.hpa.metrics.get(metric)?.source.resource()?.clone();
    // Until the others are gone the metric fails nevertheless.
    let without = (ended.len() == all.len()).then(|| without_pods(context.snapshot, &ended));
    let then = without.and_then(|without| context.proposed(without, metric));
    let changes = gone(context, &ended).into_iter().collect();
    let remedy =
        Remedy::DeleteFinishedPods { finished: ended.iter().copied().collect(), lacking: Some(resource) };
    (!ended.is_empty()).then_some(Advice { remedy, changes, then })
}

/// A metric that fails because no pod has the container that it names.
fn name_container(context: &AdviceContext<'_>) -> Option<Advice> {
    let failed = context.decision.metrics.iter().filter(|it| matches!(it.verdict, Verdict::Failed(_)));
    failed.into_iter().find_map(|trace| {
        let spec = context.snapshot.hpa.metrics.get(trace.index)?;
        let Source::ContainerResource { resource, container } = &spec.source else { return None };
        let pods = context.snapshot.pods.as_deref().unwrap_or_default();
        let has = |pod: &Pod| pod.containers.iter().any(|it| *it.name == **container);
        let first = pods.first().filter(|_| !pods.iter().any(has))?;
        let requested = candidates(context, resource);
        let all = || counted(first, context.rules).map(|it| &*it.name).collect();
        let lacks = requested.is_empty() && spec.target.average_value.is_none();
        let there: Vec<&str> = if requested.is_empty() { all() } else { requested };
        if there.is_empty() {
            return None;
        }
        let then = match there.as_slice() {
            [only] => context.proposed(renamed(context.snapshot, trace.index, only), trace.index),
            _ => None,
        };
        let there = there.into_iter().map(Box::from).collect();
        let lacks = lacks.then(|| resource.clone());
        Some(Advice { then, ..Advice::new(Remedy::NameContainer { metric: trace.index, there, lacks }) })
    })
}

/// The same snapshot, but that a metric measures another container.
fn renamed(snapshot: &Snapshot, metric: usize, name: &str) -> Snapshot {
    let mut other = snapshot.clone();
    if let Some(Source::ContainerResource { container, .. }) =
        other.hpa.metrics.get_mut(metric).map(|spec| &mut spec.source)
    {
        *container = name.into();
    }
    other
}

fn one_container(context: &AdviceContext<'_>, metric: usize, gaps: &[RequestGap]) -> Option<Advice> {
    let Source::Resource(resource) = &context.snapshot.hpa.metrics.get(metric)?.source else { return None };
    let is_measured = |container: &str| {
        let of_container =
            Source::ContainerResource { resource: resource.clone(), container: container.into() };
        context.snapshot.hpa.metrics.iter().any(|spec| spec.source == of_container)
    };
    let candidates = candidates(context, resource).into_iter();
    candidates.filter(|container| !is_measured(container)).find_map(|container| {
        let then = context.proposed(of_container(context.snapshot, container), metric)?;
        let changes = vec![Change::new(Knob::Container, container).ok()?];
        let lacking = lacking(context, metric, gaps);
        let remedy = Remedy::MeasureOneContainer { metric, lacking, container: container.into() };
        Some(Advice { remedy, changes, then: Some(then) })
    })
}

/// The requests that an advice asks for: of which resource, in which containers.
fn asked<'a>(
    advice: &'a Advice,
    context: &'a AdviceContext<'_>,
) -> Option<(&'a ResourceName, &'a [Box<str>])> {
    let Remedy::SetRequests { metric, lacking } = &advice.remedy else { return None };
    Some((context.snapshot.hpa.metrics.get(*metric)?.source.resource()?, lacking))
}

/// True if a piece of advice asks for requests that another asks for as well.
fn is_told(advice: &[Advice], place: usize, context: &AdviceContext<'_>) -> bool {
    let Some((resource, lacking)) = asked(&advice[place], context) else { return false };
    advice.iter().enumerate().filter(|(other, _)| *other != place).any(|(at, other)| {
        asked(other, context).is_some_and(|(of, all)| {
            let is_more = all.len() > lacking.len() || at < place;
            of == resource && is_more && lacking.iter().all(|container| all.contains(container))
        })
    })
}

fn set_requests(context: &AdviceContext<'_>, metric: usize, gaps: &[RequestGap]) -> Option<Advice> {
    let lacking = lacking(context, metric, gaps);
    (!lacking.is_empty()).then(|| Advice::new(Remedy::SetRequests { metric, lacking }))
}

/// The containers of the first pod that have a request in every pod, the largest request first.
pub(super) fn candidates<'a>(context: &AdviceContext<'a>, resource: &ResourceName) -> Vec<&'a str> {
    let pods = context.snapshot.pods.as_deref().unwrap_or_default();
    let Some(first) = pods.first() else { return Vec::new() };
    let has_request = |pod: &Pod, name: &str| {
        pod.containers.iter().any(|it| &*it.name == name && it.requests.get(resource).is_some())
    };
    let everywhere =
        counted(first, context.rules).filter(|it| pods.iter().all(|pod| has_request(pod, &it.name)));
    let mut containers: Vec<_> = everywhere.collect();
    containers.sort_by_key(|it| std::cmp::Reverse(it.requests.get(resource)));
    containers.into_iter().map(|it| &*it.name).collect()
}

/// The containers that can be measured.
fn counted<'a>(pod: &'a Pod, rules: &Rules) -> impl Iterator<Item = &'a Container> {
    let sidecars = rules.sidecar_requests;
    pod.containers.iter().filter(move |it| it.counts(sidecars))
}

/// As [`Knob::Container`]: every Resource metric becomes one of a container.
pub(super) fn of_container(snapshot: &Snapshot, container: &str) -> Snapshot {
    let mut other = snapshot.clone();
    for spec in &mut other.hpa.metrics {
        if let Source::Resource(resource) = &spec.source {
            spec.source =
                Source::ContainerResource { resource: resource.clone(), container: container.into() };
        }
    }
    other
}

fn lacking(context: &AdviceContext<'_>, metric: usize, gaps: &[RequestGap]) -> Vec<Box<str>> {
    let pods = context.snapshot.pods.as_deref().unwrap_or_default();
    let Some(source) = context.snapshot.hpa.metrics.get(metric).map(|spec| &spec.source) else {
        return Vec::new();
    };
    let mut names: Vec<Box<str>> = Vec::new();
    for gap in gaps {
        let (RequestGapKind::Container(first), Some(pod)) = (gap.kind, pods.get(gap.pod)) else { continue };
        let containers = pod.without_request(source, first, context.rules.sidecar_requests);
        for name in containers.map(|it| Box::from(&*it.name)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}
