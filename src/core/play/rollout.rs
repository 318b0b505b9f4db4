//! A rolling update: old pods make room for new ones.

use super::pods::Pods;
use super::world::{Rollout, World};
use crate::model::Duration;

impl Rollout {
    /// One step (upstream `rolloutRolling` of the Deployment controller); whether it is the last one.
    pub(super) fn step(self, pods: &mut Pods, world: &World, replicas: usize, now: Duration) -> bool {
        // Upstream `ResolveFenceposts`: one of the two must let something happen.
        let surge = self.surge.rounded_up(replicas);
        let least = replicas.saturating_sub(self.unavailable.rounded_down(replicas));
        let (old, new) = (pods.count_active(Some(true)), pods.count_active(Some(false)));
        let missing = replicas.saturating_sub(new);
        pods.create(missing.min((replicas + surge).saturating_sub(old + new)), world, now);

        let active = pods.count_active(None);
        let new_unready = pods.count_unready(Some(false));
        let spare = active.saturating_sub(least).saturating_sub(new_unready);
        pods.delete(spare, world, now, |is_old, is_ready| is_old && !is_ready);

        let spare = pods.count_ready(None).saturating_sub(least);
        pods.delete(spare, world, now, |is_old, is_ready| is_old && is_ready);

        let surplus = pods.count_active(Some(false)).saturating_sub(replicas);
        pods.delete(surplus, world, now, |is_old, _| !is_old);
        pods.count_active(Some(true)) == 0
    }
}
