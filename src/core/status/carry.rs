//! Consecutive syncs: the state after one reconcile is the input of the next.

use super::Report;
use crate::api::{HpaStatus, Scale};
use crate::model::{Evidence, Instant, Memory, Replicas, ScaleEvent};
use crate::snapshot::case::{MemoryCase, One, RecommendationCase, ScaleEventCase};
use crate::snapshot::{Case, CaseError, Snapshot};
use crate::trace::{Decision, Outcome};

/// Puts the state after a decision into the next case: the controller's memory, the HPA's status (the new one only if
/// it was written), and `scale.spec.replicas` (the new ones only if the rescale succeeded). If the decision or the
/// scale is not known, the next case keeps its own values.
///
/// # Errors
/// The next case is of another HPA.
pub fn carry(
    snapshot: &Snapshot,
    decision: &Decision,
    report: &Report,
    mut next: Case,
) -> Result<Case, CaseError> {
    check_same(snapshot, &next)?;
    // Nobody knows what this reconcile left: the next case speaks for itself.
    if matches!(decision.outcome, Outcome::Unknown(_)) {
        return Ok(next);
    }
    next.memory = Some(memory(&decision.memory, snapshot.memory_evidence));
    next.hpa.0.status = status(snapshot, report);
    if let Some((scale, Replicas(replicas))) = object(&mut next.scale).zip(replicas(snapshot, decision)) {
        scale.spec.replicas = replicas;
    }
    Ok(next)
}

/// Puts into a snapshot what the decision on it has left: the controller's memory, the HPA's status, and the replicas. Where
/// the decision is not known, it stays as it is.
pub fn advance(snapshot: &mut Snapshot, decision: &Decision, report: &Report) {
    if matches!(decision.outcome, Outcome::Unknown(_)) {
        return;
    }
    snapshot.hpa.status = status(snapshot, report);
    let left = replicas(snapshot, decision);
    if let Some((scale, left)) = snapshot.scale.as_mut().ok().zip(left) {
        scale.replicas = left;
    }
    snapshot.memory.clone_from(&decision.memory);
}

fn check_same(snapshot: &Snapshot, next: &Case) -> Result<(), CaseError> {
    let (before, after) = (&snapshot.hpa.key, &next.hpa.0.metadata);
    if *before.name == *after.name && *before.namespace == *after.namespace {
        return Ok(());
    }
    let problem = format!(
        "{}/{} comes after {}/{}; only cases of one HPA can be carried on",
        after.namespace, after.name, before.namespace, before.name
    );
    Err(CaseError::new("hpa.metadata", problem))
}

fn memory(memory: &Memory, evidence: Evidence) -> MemoryCase {
    let events = |events: &[ScaleEvent]| {
        let event = |event: &ScaleEvent| ScaleEventCase {
            change: event.change,
            at: event.at,
            outdated: event.outdated,
        };
        events.iter().map(event).collect()
    };
    let earlier = memory.recommendations.iter();
    MemoryCase {
        evidence,
        recommendations: earlier
            .map(|earlier| RecommendationCase { replicas: earlier.replicas.0, at: earlier.at })
            .collect(),
        scale_up_events: events(&memory.scale_ups),
        scale_down_events: events(&memory.scale_downs),
    }
}

fn status(snapshot: &Snapshot, report: &Report) -> HpaStatus {
    // A status that did not change is not written, and one whose write failed is lost: the next reconcile reads the old
    // one again, while the memory already has this reconcile's recommendation.
    if report.status_changed && snapshot.writes.status.is_none() {
        stored(report.status.clone())
    } else {
        snapshot.hpa.status.clone()
    }
}

/// Kubernetes keeps these times to the second.
fn stored(mut status: HpaStatus) -> HpaStatus {
    status.last_scale_time = status.last_scale_time.map(Instant::to_second);
    for condition in &mut status.conditions {
        condition.last_transition_time = condition.last_transition_time.map(Instant::to_second);
    }
    status
}

fn object(scale: &mut Option<One<Scale>>) -> Option<&mut Scale> {
    scale.as_mut()?.object.as_mut()
}

/// `None` if the scale was not read.
fn replicas(snapshot: &Snapshot, decision: &Decision) -> Option<Replicas> {
    let before = snapshot.scale.as_ref().ok()?.replicas;
    match decision.outcome {
        Outcome::Scale { to, failed: None, .. } => Some(to),
        _ => Some(before),
    }
}
