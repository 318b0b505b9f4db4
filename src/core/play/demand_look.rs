//! One look at the demand of a world.

use super::assumptions::{Assumptions, MEASURED_WITHIN, Own, counted, feeds, measures, own};
use super::demand::{Demand, Samples};
use super::load::{Load, Measure};
use crate::model::Duration;
use crate::snapshot::{Pod, Snapshot};

/// A container that uses this much of its limit, in percent, might use more without it.
const SATURATED: i128 = 95;

/// One look at all that is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DemandLook {
    /// True if every metric of the spec was read.
    pub is_read: bool,
    /// True if a container was at its limit: the demand may have been higher.
    pub is_saturated: bool,
}

impl Demand {
    /// Takes the next look, at a time after the last one. One that did not read every metric is left out.
    pub fn see(&mut self, assumptions: &Assumptions, snapshot: &Snapshot, at: Duration) -> DemandLook {
        let own = own(snapshot, snapshot.pods.as_deref().unwrap_or_default());
        let seen: Vec<(Load, Samples)> = measures(snapshot, true)
            .iter()
            .filter_map(|measure| {
                let loaded = loaded(&own, snapshot, measure);
                let load = assumptions.load(snapshot, &loaded, measure).ok()??;
                Some((load, samples(snapshot, &loaded, measure)))
            })
            .collect();
        let is_read =
            snapshot.hpa.metrics.iter().enumerate().all(|(place, metric)| {
                seen.iter().any(|(load, _)| feeds(&load.measure, place, &metric.source))
            });
        if !is_read {
            return DemandLook::default();
        }
        self.take(snapshot, seen, at);
        DemandLook { is_read, is_saturated: own.iter().any(|(_, pod)| is_saturated(pod)) }
    }
}

/// The pods that share what is measured. One that has become ready since the others were measured shares none of that.
fn loaded<'a>(own: &Own<'a>, snapshot: &Snapshot, measure: &Measure) -> Own<'a> {
    let measured =
        own.iter().filter(|pod| pod.1.is_running_and_ready() && counted(snapshot, measure, **pod).is_some());
    let newest = measured.filter_map(|(_, pod)| pod.usage.as_ref().map(|usage| usage.at)).max();
    let since = match measure {
        Measure::Container { .. } => newest,
        // Its samples have no times here.
        Measure::Metric(_) => Some(snapshot.taken_at - MEASURED_WITHIN),
    };
    let is_late = |pod: &(usize, &'a Pod)| {
        let ready = pod.1.ready.filter(|_| pod.1.is_running_and_ready()).map(|ready| ready.since);
        ready.zip(since).is_some_and(|(ready, since)| ready >= since)
            && counted(snapshot, measure, *pod).is_none()
    };
    own.iter().copied().filter(|pod| !is_late(pod)).collect()
}

fn samples(snapshot: &Snapshot, pods: &Own<'_>, measure: &Measure) -> Samples {
    let ready = pods.iter().filter(|(_, pod)| pod.is_active() && pod.is_running_and_ready());
    let timed = |pod: &Pod| match measure {
        Measure::Container { .. } => pod.usage.as_ref().map(|usage| usage.at),
        Measure::Metric(_) => None,
    };
    ready
        .filter_map(|pod| Some((pod.1.name.clone(), timed(pod.1), counted(snapshot, measure, *pod)?)))
        .collect()
}

fn is_saturated(pod: &Pod) -> bool {
    let Some(usage) = &pod.usage else { return false };
    pod.containers.iter().any(|container| {
        container.limits.iter().any(|(resource, limit)| {
            let used = usage.of_container(resource, &container.name).unwrap_or_default();
            limit.0 > 0 && i128::from(used.0) * 100 >= i128::from(limit.0) * SATURATED
        })
    })
}
