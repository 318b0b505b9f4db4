//! What the API server stores: the HPA, its status, and events.

use kubectl_hpa_core::api::{HpaSpec, HpaStatus};

use super::fields::{Owners, Who};
use super::recorder::Emitted;
use super::spec;
use super::world::{Hpa, Millis, SECOND, Stored, World};

pub const STATUS: Who = Who::through("kube-controller-manager", "status");

impl World {
    /// An event about the HPA that was emitted once.
    pub fn once(&self, source: &'static str, name: String, event: Emitted, at: Millis) -> Stored {
        let (created, expires) = (self.now, self.now + self.plan.event_ttl);
        Stored { target: None, source, name, created, event, count: 1, first: at, last: at, expires }
    }

    /// One of the controllers emits an event about the HPA or its target.
    pub fn emit(&mut self, about_target: bool, event: &Emitted) {
        let (recorder, about) = if about_target {
            (&mut self.controller.target_recorder, format!("target {}", self.target.number))
        } else {
            (&mut self.controller.recorder, format!("hpa {}", self.hpas))
        };
        let Some(told) = recorder.record(&about, event, self.now, &mut self.draw) else { return };
        if about_target && self.faults.refused_events > 0 {
            self.faults.refused_events -= 1;
            return;
        }
        let stored = Stored {
            target: about_target.then_some(self.target.name),
            source: if about_target { "deployment-controller" } else { "horizontal-pod-autoscaler" },
            name: told.name,
            created: self.now,
            event: told.event,
            count: told.count,
            first: told.first,
            last: told.last,
            // Events share leases, so one may live up to a minute longer.
            expires: self.now + self.plan.event_ttl + self.draw.between(0, 60 * SECOND),
        };
        self.events.retain(|old| old.expires > self.now);
        match self.events.iter_mut().find(|old| old.name == stored.name) {
            Some(old) => *old = Stored { created: old.created, ..stored },
            None => self.events.push(stored),
        }
    }

    pub fn create_hpa(&mut self, spec: HpaSpec) {
        let mut fields = Owners::default();
        let mut took = spec::leaves(&spec);
        took.push("annotations".to_owned());
        fields.update(Who::update("kubectl-client-side-apply"), &took, &[], self.now);
        let generation = i64::from(self.counts_generations());
        self.hpas += 1;
        self.met.clear();
        self.controller.held.insert("web", None);
        let status = HpaStatus::default();
        self.hpa = Some(Hpa { created: self.now, generation, spec, status, fields });
        let soon = self.draw.between(2, 60);
        self.enqueue(if self.counts_generations() { soon } else { self.plan.period });
    }

    /// The stored spec becomes another one.
    pub fn edit(&mut self, who: Who, spec: HpaSpec, annotates: bool) {
        let now = self.now;
        let Some(hpa) = &mut self.hpa else { return };
        let (mut took, removed) = spec::difference("spec", &hpa.spec, &spec);
        took.extend(annotates.then(|| "annotations".to_owned()));
        hpa.fields.update(who, &took, &removed, now);
        if who.operation == "Apply" && hpa.spec != spec {
            hpa.fields.share(who, &spec::leaves(&spec), now);
        }
        self.store(spec);
    }

    /// The same of a behavior through autoscaling/v1, where it is an annotation, which counts as the whole field: nobody owns
    /// any more what was changed below it.
    pub fn edit_annotations(&mut self, who: Who, spec: HpaSpec) {
        let now = self.now;
        let Some(hpa) = &mut self.hpa else { return };
        let (changed, removed) = spec::difference("spec", &hpa.spec, &spec);
        let took = ["spec.behavior".to_owned()];
        hpa.fields.update(who, &took, &[changed, removed].concat(), now);
        self.store(spec);
    }

    fn store(&mut self, spec: HpaSpec) {
        let counts = self.counts_generations();
        let Some(hpa) = &mut self.hpa else { return };
        let is_changed = hpa.spec != spec;
        hpa.spec = spec;
        if is_changed && counts {
            hpa.generation += 1;
            let soon = self.draw.between(2, 60);
            self.enqueue(soon);
        }
    }

    /// The controller writes a status.
    pub fn write_status(&mut self, status: HpaStatus) {
        self.written.push(self.now);
        self.edit_status(STATUS, status);
    }

    /// Anybody writes a status.
    pub fn edit_status(&mut self, who: Who, status: HpaStatus) {
        let now = self.now;
        let Some(hpa) = &mut self.hpa else { return };
        hpa.write_status(who, status, now);
    }
}
