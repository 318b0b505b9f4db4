//! The scale target: who sets its replicas, and how its own controller follows.

use super::fields::Who;
use super::plan::Kind;
use super::recorder::Emitted;
use super::world::{Millis, Pod, Stored, Target, World};

impl Target {
    /// How many pods its replica sets ask for.
    fn size(&self) -> i32 {
        self.sets.iter().map(|(_, size)| size).sum()
    }
}

impl World {
    /// The target is created, without pods yet.
    pub fn make_target(&mut self, name: &'static str) {
        let number = self.targets;
        self.target = Target::new(name, number, self.plan.replicas.max(1), self.now);
        self.target.sets = vec![(100 * number, 0)];
        self.targets += 1;
        self.pods.clear();
        self.touch_target();
    }

    /// Somebody sets the replicas.
    pub fn set_replicas(&mut self, who: Who, replicas: i32) {
        if self.target.replicas == replicas {
            return;
        }
        // The deployment controller follows each change before the HPA controller's next one: that is assumed
        // (`kubectl_hpa_core::memory_bounds`).
        let is_followed = self.controller.runs && !self.is_away() && self.target.sets.len() == 1;
        if who.manager == "kube-controller-manager" && is_followed && self.target.reacts.is_some() {
            self.react();
        }
        let field = ["spec.replicas".to_owned()];
        // From and to 0 nobody owns the field after a write through the scale, which omits a 0 (seen on 1.37.1).
        let (took, removed) = match (who.subresource, self.target.replicas, replicas) {
            ("scale", 0, _) | ("scale", _, 0) => (&[][..], &field[..]),
            _ => (&field[..], &[][..]),
        };
        self.target.fields.update(who, took, removed, self.now);
        self.target.replicas = replicas;
        self.target.generation += 1;
        self.touch_target();
    }

    /// The target's controller will see a change.
    pub fn touch_target(&mut self) {
        let reacts = self.now + self.draw.between(5, 50);
        self.target.reacts = Some(self.target.reacts.map_or(reacts, |at| at.min(reacts)));
    }

    /// The target's controller acts.
    pub fn react(&mut self) {
        self.target.reacts = None;
        if self.is_away() {
            self.target.reacts = Some(self.faults.away_until + self.draw.between(5, 2_000));
            return;
        }
        if self.target.sets.len() == 1 {
            self.resize(0, self.target.replicas);
        } else {
            self.roll();
        }
        self.settle_pods(self.now);
    }

    /// One step of a rollout (upstream `rolloutRolling`, with a quarter of the pods as surge and none unavailable).
    fn roll(&mut self) {
        let newest = self.target.sets.len() - 1;
        let (replicas, total) = (self.target.replicas, self.target.size());
        let (size, surge) = (self.target.sets[newest].1, (replicas + 3) / 4);
        let room = (replicas + surge - total).max(0);
        if size > replicas {
            self.resize(newest, replicas);
        } else if size < replicas && room > 0 {
            self.resize(newest, (size + room).min(replicas));
        } else {
            let mut surplus = (total - replicas).max(0);
            for index in 0..newest {
                let old = self.target.sets[index].1;
                self.resize(index, old - old.min(surplus));
                surplus -= old.min(surplus);
            }
        }
        let newest = self.target.sets[newest].0;
        self.target.sets.retain(|(number, size)| *size > 0 || *number == newest);
        let is_over = self.target.sets.len() == 1 && self.target.size() == self.target.replicas;
        self.target.reacts = (!is_over).then(|| self.now + self.draw.between(300, 4_000));
    }

    fn resize(&mut self, index: usize, to: i32) {
        let (number, from) = self.target.sets[index];
        if from == to {
            return;
        }
        self.target.sets[index].1 = to;
        if self.plan.kind == Kind::Deployment {
            let message = self.scaled(number, from, to);
            let event = Emitted { warning: false, reason: "ScalingReplicaSet".to_owned(), message };
            self.emit(true, &event);
        }
    }

    /// The first event about a target that is older than the world.
    pub fn show_creation(&mut self) {
        if self.plan.kind != Kind::Deployment {
            return;
        }
        let at = self.target.created;
        let message = self.scaled(0, 0, self.target.replicas);
        let event = Emitted { warning: false, reason: "ScalingReplicaSet".to_owned(), message };
        let (target, expires) = (Some(self.target.name), at + self.plan.event_ttl);
        let stored = self.once("deployment-controller", "web.created".to_owned(), event, at);
        self.events.push(Stored { target, created: at, expires, ..stored });
    }

    fn scaled(&self, number: usize, from: i32, to: i32) -> String {
        let way = if to > from { "up" } else { "down" };
        let name = format!("web-6d{number}");
        match self.minor() {
            ..=25 => format!("Scaled {way} replica set {name} to {to}"),
            26..=29 => format!("Scaled {way} replica set {name} to {to} from {from}"),
            _ => format!("Scaled {way} replica set {name} from {from} to {to}"),
        }
    }

    /// As many pods as the replica sets ask for.
    pub fn settle_pods(&mut self, born: Millis) {
        let size = usize::try_from(self.target.size()).unwrap_or_default();
        let size = self.faults.quota.map_or(size, |(_, most)| size.min(most));
        self.pods.truncate(size);
        while self.pods.len() < size {
            self.make_pod(born);
        }
    }

    pub fn make_pod(&mut self, born: Millis) {
        let lag = self.plan.lag;
        let (ready, measured) = if self.shared.is_some() {
            (self.seen_at(), self.seen_at())
        } else {
            let ready = born + self.draw.between(lag / 2, lag);
            (ready, ready + self.draw.between(0, lag))
        };
        self.pods_made += 1;
        self.pods.push(Pod { name: self.pods_made, ready, measured });
    }
}
