//! Missing samples, as they would be if those pods were like the others.

use crate::model::{Duration, Milli, Source};
use crate::snapshot::{PodUsage, Reading, Snapshot};
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
            Some(Source::Resource(_) | Source::ContainerResource { .. }) => use_as(world, like, &missing),
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

/// A sample of this instant, so that only the pod's own state decides whether it counts.
fn use_as(world: &mut Snapshot, like: usize, missing: &[usize]) {
    let (now, Ok(pods)) = (world.taken_at, &mut world.pods) else { return };
    let Some(usage) = pods.get(like).and_then(|pod| pod.usage.clone()) else { return };
    let usage = PodUsage { at: now, window: Duration::default(), ..usage };
    for place in missing {
        if let Some(pod) = pods.get_mut(*place) {
            pod.usage = Some(usage.clone());
        }
    }
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
