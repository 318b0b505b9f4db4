//! Missing samples, as they would be if those pods were like the others.

use crate::model::{Amounts, Duration, Milli, ResourceName, Source};
use crate::snapshot::{ContainerUsage, PodUsage, Reading, Snapshot};
use crate::trace::{Decision, Group, GroupedPod, PodGroups};

/// Gives each missing pod the samples of the ready pod in the middle: of those, ordered by their sample, the one above
/// the middle.
pub(super) fn fill(world: &mut Snapshot, decision: &Decision) {
    fill_if(world, decision, |member| matches!(member.group, Group::Missing(_)));
}

/// The same for each unready pod that has none.
pub(super) fn fill_unready(world: &mut Snapshot, decision: &Decision) {
    fill_if(world, decision, |member| matches!(member.group, Group::Unready(_)) && member.sample.is_none());
}

fn fill_if(world: &mut Snapshot, decision: &Decision, is: fn(&GroupedPod) -> bool) {
    for metric in &decision.metrics {
        let Some(groups) = &metric.groups else { continue };
        let Some(like) = middle(groups) else { continue };
        let members = groups.pods.iter().enumerate();
        let missing: Vec<usize> = members.filter(|(_, member)| is(member)).map(|(place, _)| place).collect();
        match world.hpa.metrics.get(metric.index).map(|spec| &spec.source) {
            Some(Source::Resource(resource)) => use_as(world, &resource.clone(), None, like, &missing),
            Some(Source::ContainerResource { resource, container }) => {
                use_as(world, &resource.clone(), Some(&container.clone()), like, &missing);
            }
            Some(Source::Pods(_)) => sample_as(world, metric.index, like, &missing),
            Some(Source::Object { .. } | Source::External(_)) | None => {}
        }
    }
}

/// The place of the ready pod in the middle.
pub(super) fn middle(groups: &PodGroups) -> Option<usize> {
    let members = groups.pods.iter().enumerate();
    let ready = members.filter(|(_, member)| matches!(member.group, Group::Ready(_)));
    let mut ready: Vec<(Option<Milli>, usize)> =
        ready.map(|(place, member)| (member.sample, place)).collect();
    ready.sort_unstable();
    ready.get(ready.len() / 2).map(|(_, place)| *place)
}

/// A sample of this instant, so that only the pod's own state decides whether it counts: of one resource, in all containers or in
/// one, as another metric may take that of another pod.
fn use_as(
    world: &mut Snapshot,
    resource: &ResourceName,
    container: Option<&str>,
    like: usize,
    missing: &[usize],
) {
    let (now, Ok(pods)) = (world.taken_at, &mut world.pods) else { return };
    let Some(like) = pods.get(like).and_then(|pod| pod.usage.clone()) else { return };
    for place in missing {
        let Some(pod) = pods.get_mut(*place) else { continue };
        let own = pod.usage.take().map_or_else(Vec::new, |usage| usage.containers.to_vec());
        let containers = with_usage(own, &like, resource, container).into();
        pod.usage = Some(PodUsage { at: now, window: Duration::default(), containers, ..like });
    }
}

/// The containers with the usage that those of another pod have; what that pod does not have uses nothing.
fn with_usage(
    mut own: Vec<ContainerUsage>,
    like: &PodUsage,
    resource: &ResourceName,
    container: Option<&str>,
) -> Vec<ContainerUsage> {
    let is_meant = |name: &str| container.is_none_or(|container| container == name);
    for other in like.containers.iter().filter(|other| is_meant(&other.name)) {
        if own.iter().all(|it| it.name != other.name) {
            own.push(ContainerUsage { name: other.name.clone(), usage: Amounts::default() });
        }
    }
    for it in own.iter_mut().filter(|it| is_meant(&it.name)) {
        let amount = like.of_container(resource, &it.name).unwrap_or_default();
        let others = it.usage.iter().filter(|(name, _)| *name != resource);
        let others = others.map(|(name, amount)| (name.clone(), amount));
        it.usage = others.chain([(resource.clone(), amount)]).collect();
    }
    own
}

fn sample_as(world: &mut Snapshot, metric: usize, like: usize, missing: &[usize]) {
    let Some(Reading::Pods(Ok(samples))) = world.readings.get_mut(metric) else { return };
    let sample = samples.own.get(like).copied().flatten();
    for place in missing {
        if let Some(own) = samples.own.get_mut(*place) {
            *own = sample;
        }
    }
}
