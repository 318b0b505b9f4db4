//! One sync of the controller.

use kubectl_hpa_core::api::HpaStatus;
use kubectl_hpa_core::engine::decide;
use kubectl_hpa_core::model::{Evidence, Instant, Memory, Replicas};
use kubectl_hpa_core::snapshot::{ReadError, Snapshot};
use kubectl_hpa_core::status::{Report, report};
use kubectl_hpa_core::trace::{Decision, Outcome};

use super::editing::annotate;
use super::fields::Who;
use super::recorder::Emitted;
use super::refusal::{Refusal, write_error};
use super::view;
use super::world::{Hpa, Millis, SECOND, World, instant, seconds};

const CONFLICT: &str = "Operation cannot be fulfilled on \"web\": the object has been modified; please apply your changes \
                        to the latest version and try again";
const CONFLICT_OF_STATUS: &str = "Operation cannot be fulfilled on horizontalpodautoscalers.autoscaling \"web\": the object \
                                  has been modified; please apply your changes to the latest version and try again";
const REFUSED: &str = "the server is currently unable to handle the request";
pub const CONTROLLER: Who = Who::through("kube-controller-manager", "scale");

impl World {
    /// What the controller decides now, and on what.
    pub fn decided(&self) -> (Snapshot, Decision) {
        self.decided_under(&self.refused())
    }

    /// The same if this is refused to it.
    pub fn decided_under(&self, refused: &[Refusal]) -> (Snapshot, Decision) {
        let hpa = self.hpa.as_ref().expect("an HPA");
        self.decided_of("web", hpa, self.controller.memory.clone(), refused)
    }

    /// What it decides for any HPA.
    pub fn decided_of(
        &self,
        name: &str,
        hpa: &Hpa,
        memory: Memory,
        refused: &[Refusal],
    ) -> (Snapshot, Decision) {
        let mut snapshot = Snapshot::freeze(view::inputs(self, name, hpa, refused)).expect("a snapshot");
        (snapshot.memory, snapshot.memory_evidence) = (memory, Evidence::Given);
        let decision = decide(&snapshot, &self.rules);
        let Outcome::Scale { to: Replicas(to), .. } = decision.outcome else { return (snapshot, decision) };
        let target = &hpa.spec.scale_target_ref.name;
        snapshot.writes.scale = write_error(refused, self.plan.kind, target, to);
        let decision =
            if snapshot.writes.scale.is_some() { decide(&snapshot, &self.rules) } else { decision };
        (snapshot, decision)
    }

    pub fn sync(&mut self) {
        self.controller.next_sync = None;
        self.syncs.push(self.now);
        self.faults.is_late = false;
        if self.hpa.is_none() {
            self.controller.memory = Memory::default();
            return;
        }
        if self.is_away() {
            for reason in ["FailedGetScale", "FailedUpdateStatus"] {
                let message = "connection refused".to_owned();
                self.emit(false, &Emitted { warning: true, reason: reason.to_owned(), message });
            }
            let wait = self.faults.away_until - self.now + self.draw.between(1, self.plan.period);
            self.enqueue(wait);
            return;
        }
        let is_slow = self.faults.slow_syncs > 0;
        self.faults.slow_syncs = self.faults.slow_syncs.saturating_sub(1);
        let mut refused = self.refused();
        let (mut snapshot, mut decision) = self.decided_under(&refused);
        if let Some(error) = self.scale_error(&decision) {
            snapshot.writes.scale = Some(error);
            decision = decide(&snapshot, &self.rules);
            refused.push(Refusal::Unable);
        }
        self.hold_selector("web", view::selector(&snapshot), &decision);
        self.faults.scale_reads = self.faults.scale_reads.saturating_sub(1);
        self.now += if is_slow { self.draw.between(500, 9 * SECOND) } else { self.draw.between(3, 60) };
        self.carry_out(&snapshot, &decision, &refused);
        let late = self.lateness();
        self.enqueue(self.plan.period + late);
    }

    /// Why the replicas cannot be written.
    fn scale_error(&mut self, decision: &Decision) -> Option<ReadError> {
        if !matches!(decision.outcome, Outcome::Scale { failed: None, .. }) {
            return None;
        }
        if let Some(replicas) = self.faults.scale_conflict.take() {
            let from = self.target.replicas;
            self.set_replicas(Who::through("kubectl", "scale"), replicas);
            self.done("scale-by-hand", format!("{from} to {replicas}, during a sync"));
            return (from != replicas).then(|| view::refused(CONFLICT));
        }
        let fails = self.faults.scale_writes > 0;
        self.faults.scale_writes = self.faults.scale_writes.saturating_sub(1);
        fails.then(|| view::refused(REFUSED))
    }

    fn carry_out(&mut self, snapshot: &Snapshot, decision: &Decision, refused: &[Refusal]) {
        let report = report(snapshot, decision, &self.rules);
        let outcome = decision.outcome.clone();
        self.controller.memory = remembered(decision.memory.clone(), snapshot, self.now);
        if let Outcome::Scale { from: Replicas(from), to: Replicas(to), failed: None, .. } = outcome {
            let stored = self.stored(to);
            self.set_replicas(CONTROLLER, stored);
            self.done("rescale", format!("{from} to {to}, stored {stored}"));
            self.rescales.push((self.now, from));
            if let Some((soon, then, value)) = self.faults.after_rescale.take() {
                self.later.push((self.now + soon, then, value));
            }
        }
        for event in &report.events {
            let reason = event.reason.to_owned();
            self.emit(false, &Emitted { warning: event.warning, reason, message: event.message.clone() });
        }
        if self.leave_status(report) {
            self.show_met(refused, decision);
        }
    }

    /// Whether the stored status is what the sync left.
    fn leave_status(&mut self, report: Report) -> bool {
        if !report.status_changed {
            return true;
        }
        let conflicts = self.faults.conflicts > 0;
        if conflicts {
            self.faults.conflicts -= 1;
            annotate(self);
        }
        let is_refused = self.faults.status_writes > 0;
        self.faults.status_writes = self.faults.status_writes.saturating_sub(1);
        if conflicts || is_refused || std::mem::take(&mut self.faults.is_edited_meanwhile) {
            let message = if is_refused { REFUSED } else { CONFLICT_OF_STATUS };
            let event = Emitted {
                warning: true,
                reason: "FailedUpdateStatus".to_owned(),
                message: message.to_owned(),
            };
            self.emit(false, &event);
            return false;
        }
        if let Some(hpa) = &self.hpa {
            self.write_status(dated(report.status, &hpa.status, self.now));
        }
        true
    }
}

/// A status with its times as they are stored.
pub fn dated(mut status: HpaStatus, before: &HpaStatus, now: Millis) -> HpaStatus {
    if status.last_scale_time != before.last_scale_time {
        status.last_scale_time = Some(seconds(now));
    }
    for condition in &mut status.conditions {
        condition.last_transition_time = condition.last_transition_time.map(whole);
    }
    status
}

fn whole(at: Instant) -> Instant {
    Instant::parse(&at.to_string()).expect("a time")
}

/// A scale event is stored when the scale was written, a recommendation before.
pub fn remembered(mut memory: Memory, snapshot: &Snapshot, written: Millis) -> Memory {
    let scaled = memory.scale_ups.iter_mut().chain(&mut memory.scale_downs);
    for event in scaled.filter(|event| event.at == snapshot.taken_at) {
        event.at = instant(written);
    }
    memory
}
