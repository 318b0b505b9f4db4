//! Rivals: other HPAs of the namespace, that the same controller syncs each in its own rhythm.

use kubectl_hpa_core::api::{Hpa as Shown, HpaSpec, HpaStatus, ObjectMeta, Scale};
use kubectl_hpa_core::model::Memory;
use kubectl_hpa_core::snapshot::Snapshot;
use kubectl_hpa_core::snapshot::case::{HpaCase, One, OtherCase};
use kubectl_hpa_core::status::report;
use kubectl_hpa_core::trace::{Decision, Outcome};

use super::fields::Who;
use super::plan::Sign;
use super::replacing::MISTYPED;
use super::spec;
use super::store::STATUS;
use super::sync::{self, CONTROLLER};
use super::view;
use super::world::{Hpa, Millis, World, seconds};

/// The place of one more HPA: what the controller remembers outlives an HPA until a sync finds it gone.
#[derive(Clone)]
pub struct Rival {
    pub name: &'static str,
    pub hpa: Option<Hpa>,
    /// Its spec, if it is deleted and will be created again.
    pub gone: Option<HpaSpec>,
    pub memory: Memory,
    pub next_sync: Option<Millis>,
}

/// A target that no other HPA scales, with a selector of its own and without pods.
#[derive(Clone)]
pub struct Aside {
    pub name: &'static str,
    pub replicas: i32,
    pub selector: &'static str,
}

impl Rival {
    pub fn new(name: &'static str) -> Self {
        Self { name, hpa: None, gone: None, memory: Memory::default(), next_sync: None }
    }

    /// Its key comes up after a while, or before if it was to come up before.
    pub fn enqueue(&mut self, at: Millis) {
        self.next_sync = Some(self.next_sync.map_or(at, |next| next.min(at)));
    }
}

impl World {
    /// One sync of a rival.
    pub fn sync_rival(&mut self, index: usize) {
        let rival = &mut self.rivals[index];
        rival.next_sync = None;
        let Some(hpa) = rival.hpa.clone() else {
            rival.memory = Memory::default();
            return;
        };
        if self.is_away() {
            let wait = self.draw.between(1, self.plan.period);
            self.rivals[index].enqueue(self.faults.away_until + wait);
            return;
        }
        let Rival { name, memory, .. } = self.rivals[index].clone();
        let (snapshot, decision) = self.decided_of(name, &hpa, memory, &self.refused());
        self.now += self.draw.between(3, 60);
        self.hold_selector(name, view::selector(&snapshot), &decision);
        if let Outcome::Scale { from, to, failed: None, .. } = decision.outcome {
            self.set_scale(&hpa.spec.scale_target_ref.name, to.0);
            self.done("rival-rescale", format!("{name} {} to {}", from.0, to.0));
        }
        self.leave_rival(index, &snapshot, &decision);
    }

    /// What a sync leaves of it.
    fn leave_rival(&mut self, index: usize, snapshot: &Snapshot, decision: &Decision) {
        let report = report(snapshot, decision, &self.rules);
        let (now, late) = (self.now, self.draw.between(0, self.plan.busy));
        let next = now + self.plan.period + late;
        let rival = &mut self.rivals[index];
        rival.memory = sync::remembered(decision.memory.clone(), snapshot, now);
        rival.enqueue(next);
        if let Some(hpa) = rival.hpa.as_mut().filter(|_| report.status_changed) {
            let status = sync::dated(report.status, &hpa.status, now);
            hpa.write_status(STATUS, status, now);
        }
    }

    /// The controller keeps the selector of an HPA once a sync gets as far as its metrics (upstream `validateAndParseSelector`),
    /// and keeps it while later syncs do not.
    pub fn hold_selector(&mut self, name: &'static str, selector: Option<String>, decision: &Decision) {
        if decision.selector.is_some() && selector.is_some() {
            self.controller.held.insert(name, selector);
        }
    }

    /// The controller writes a scale by its name.
    fn set_scale(&mut self, target: &str, replicas: i32) {
        if target == self.target.name {
            let stored = self.stored(replicas);
            self.set_replicas(CONTROLLER, stored);
        } else if let Some(other) = self.other.as_mut().filter(|other| other.name == target) {
            other.fields.update(CONTROLLER, &["spec.replicas".to_owned()], &[], self.now);
            other.replicas = replicas;
            other.generation += 1;
            other.sets = vec![(other.sets.last().map_or(0, |(number, _)| *number), replicas)];
        } else if let Some(aside) = self.asides.iter_mut().find(|aside| aside.name == target) {
            aside.replicas = replicas;
        }
    }

    /// How many replicas a write of the controller comes to.
    pub fn stored(&self, replicas: i32) -> i32 {
        let cap = self.faults.cap.filter(|(until, _)| self.now < *until);
        cap.map_or(replicas, |(_, most)| replicas.min(most))
    }

    /// A scale by its name, as it is read for a rival.
    pub fn scale_of(&self, name: &str) -> One<Scale> {
        if name == self.target.name {
            return if self.is_mistyped() { view::found(self) } else { view::scale(self) };
        }
        let other = self.other.iter().filter(|other| other.name == name);
        let other = other.map(|other| (other.replicas, "app=web"));
        let aside = self.asides.iter().filter(|aside| aside.name == name);
        let mut found = other.chain(aside.map(|aside| (aside.replicas, aside.selector)));
        let missing = || One { object: None, error: Some(view::missing(name)) };
        found.next().map_or_else(missing, |(size, selector)| view::scale_with(size, size, selector))
    }

    /// Whether only the HPA's own reference to its target is wrong.
    fn is_mistyped(&self) -> bool {
        self.hpa.as_ref().is_some_and(|hpa| hpa.spec.scale_target_ref.name == MISTYPED)
    }

    /// The rivals as whoever looks is shown them.
    pub fn shown_rivals(&self) -> Vec<OtherCase> {
        self.rivals.iter().filter_map(|rival| self.shown_rival(rival)).collect()
    }

    fn shown_rival(&self, rival: &Rival) -> Option<OtherCase> {
        let hpa = rival.hpa.as_ref()?;
        let fields = hpa.fields.entries().into_iter().filter(|entry| entry.subresource == "status");
        let metadata = ObjectMeta {
            name: rival.name.to_owned(),
            namespace: "shop".into(),
            generation: hpa.generation,
            creation_timestamp: Some(seconds(hpa.created)),
            managed_fields: fields.filter(|_| !self.plan.hides(Sign::Fields)).collect(),
            ..ObjectMeta::default()
        };
        let mut status = hpa.status.clone();
        status.current_metrics = status.current_metrics.map(|_| Vec::new());
        status.conditions.iter_mut().for_each(|condition| condition.message.clear());
        let scale = Some(self.scale_of(&hpa.spec.scale_target_ref.name));
        let (api_version, kind) = ("autoscaling/v2".to_owned(), "HorizontalPodAutoscaler".to_owned());
        let hpa = HpaCase(Shown { api_version, kind, metadata, spec: hpa.spec.clone(), status });
        Some(OtherCase { hpa, scale })
    }
}

impl Hpa {
    /// Anybody writes its status. What is only removed leaves no time.
    pub fn write_status(&mut self, who: Who, status: HpaStatus, now: Millis) {
        let (took, removed) = spec::difference("status", &self.status, &status);
        self.fields.update(who, &took, &removed, now);
        self.status = status;
    }
}

#[cfg(test)]
mod tests {
    use kubectl_hpa_core::trace::SelectorVerdict;

    use super::super::plan::plan;
    use super::super::refusal::{Refusal, Right};
    use super::super::rivaling;
    use super::super::scaling::APPLY;
    use super::super::world::SECOND;
    use super::*;

    const HOUR: Millis = 3_600 * SECOND;

    /// A world in which the replicas stay 5, and a rival that stays and allows at most 2 to 4.
    fn world() -> World {
        let mut world = World::new(plan(1, true, 1, &[]));
        world.pass(60 * SECOND);
        world.set_replicas(APPLY, 5);
        world.refuse(Refusal::Right(Right::UpdateScale), 2 * HOUR);
        rivaling::max_below(&mut world);
        world.later.clear();
        world
    }

    fn held(world: &mut World) -> Option<String> {
        world.pass(world.now + 2 * world.plan.period + SECOND);
        world.controller.held["web-too"].clone()
    }

    fn is_ambiguous(world: &World) -> bool {
        let hpa = world.hpa.as_ref().expect("an HPA");
        let within = hpa.spec.min_replicas.is_some_and(|min| min <= 5) && hpa.spec.max_replicas >= 5;
        assert!(within, "the HPA's own bounds let it come to its metrics");
        matches!(world.decided().1.selector, Some(SelectorVerdict::Ambiguous(_)))
    }

    #[test]
    fn a_selector_is_held_from_the_first_metrics_on_and_as_long_as_the_controller_runs() {
        let mut world = world();
        assert_eq!(held(&mut world), None, "out of its bounds");
        assert!(!is_ambiguous(&world));
        rivaling::edit(&mut world, 0, |spec| spec.max_replicas = 5);
        assert_eq!(held(&mut world).as_deref(), Some("app=web"), "within them");
        assert!(is_ambiguous(&world));
        rivaling::edit(&mut world, 0, |spec| "gone".clone_into(&mut spec.scale_target_ref.name));
        assert_eq!(held(&mut world).as_deref(), Some("app=web"), "of the target before");
        rivaling::edit(&mut world, 0, |spec| "idle".clone_into(&mut spec.scale_target_ref.name));
        assert_eq!(held(&mut world).as_deref(), Some("app=web"), "a target at zero replaces nothing");
        assert!(is_ambiguous(&world));
        rivaling::edit(&mut world, 0, |spec| "api".clone_into(&mut spec.scale_target_ref.name));
        assert_eq!(held(&mut world).as_deref(), Some("app=api"), "one with pods does");
        assert!(!is_ambiguous(&world));
    }

    #[test]
    fn a_restart_or_a_deletion_forgets_it() {
        let mut world = world();
        rivaling::edit(&mut world, 0, |spec| spec.max_replicas = 5);
        assert_eq!(held(&mut world).as_deref(), Some("app=web"));
        rivaling::edit(&mut world, 0, |spec| "gone".clone_into(&mut spec.scale_target_ref.name));
        world.restart(SECOND);
        assert_eq!(held(&mut world), None, "after a restart");
        rivaling::edit(&mut world, 0, |spec| "web".clone_into(&mut spec.scale_target_ref.name));
        assert_eq!(held(&mut world).as_deref(), Some("app=web"));
        rivaling::delete(&mut world);
        assert_eq!(world.controller.held.get("web-too"), None);
        assert!(!is_ambiguous(&world));
    }
}
