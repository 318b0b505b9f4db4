//! An HPA that is created anew within a sync period inherits what the controller remembers of the one before. Here the one
//! before is added to a history: its bounds keep it from scaling, so it shows nothing.

use std::rc::Rc;

use kubectl_hpa_core::api::{HpaSpec, HpaStatus};

use super::fields::Owners;
use super::spec;
use super::world::{Hpa, Millis, SECOND, World};

/// The HPA before.
#[derive(Clone, Copy, Debug)]
pub struct Before {
    /// How long before the other one was created it synced for the first time.
    pub ago: Millis,
    /// The load that its first sync saw, and the load that the others saw.
    pub levels: [i64; 2],
}

/// After its first sync the load changes.
const FIRST: Millis = 200;

impl Before {
    /// Lets time pass up to the creation of the other HPA.
    pub fn live(self, world: &mut World, created: Millis) {
        if created == 0 { self.live_before_the_world(world) } else { self.live_until(world, created) }
    }

    /// A world begins with the creation of its HPA: here it begins earlier.
    fn live_before_the_world(self, world: &mut World) {
        // Of one that lived before the controller started nothing is remembered.
        if world.controller.started > -2 * self.ago {
            return;
        }
        let hpa = world.hpa.take().expect("an HPA");
        let first = world.controller.next_sync.take().filter(|_| world.counts_generations());
        (world.now, world.faults.away_until) = (-self.ago, -2 * self.ago);
        // If the target is as young as the HPA, an older target of its name was there before.
        let (target, pods) = (world.target.clone(), world.pods.clone());
        world.target.sets = vec![(0, world.target.replicas)];
        world.target.reacts = None;
        world.settle_pods(-2 * self.ago);
        self.begin(world, 0);
        world.pass(-1);
        (world.now, world.hpa) = (0, Some(hpa));
        (world.target, world.pods) = (target, pods);
        world.controller.next_sync = world.controller.next_sync.into_iter().chain(first).min();
    }

    /// It begins when the one before it, if there is any, is deleted.
    fn live_until(self, world: &mut World, created: Millis) {
        world.pass((created - self.ago).max(world.now));
        while world.hpa.is_some() && world.now < created - SECOND {
            world.pass(world.now + 100);
        }
        if world.hpa.is_none() {
            self.begin(world, created);
            world.pass(created - 1);
            world.hpa = None;
        }
    }

    /// It is created and syncs at once; until the other one is created the load is its own.
    fn begin(self, world: &mut World, created: Millis) {
        let (now, mut plan) = (world.now, (*world.plan).clone());
        let after = plan.load.iter().rev().find(|(at, _)| *at <= created).map(|(_, level)| (created, *level));
        plan.load.retain(|(at, _)| *at < now || *at > created);
        let own = [(now, Some(self.levels[0])), (now + FIRST, Some(self.levels[1]))];
        plan.load.extend(own.into_iter().chain(after));
        plan.load.sort_by_key(|(at, _)| *at);
        let replicas = world.target.replicas.max(1);
        let spec = HpaSpec { min_replicas: Some(replicas), max_replicas: replicas, ..spec::first(&plan) };
        world.plan = Rc::new(plan);
        let (status, fields) = (HpaStatus::default(), Owners::default());
        world.hpa = Some(Hpa { created: now, generation: 1, spec, status, fields });
        world.controller.next_sync = Some(now);
    }
}
