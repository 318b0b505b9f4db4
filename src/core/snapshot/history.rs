//! What the API shows of the controller's past: evidence of what its memory has in it.

use std::collections::BTreeSet;

use super::case::Case;
use super::emitted::{Emitted, emitted, uncombined};
use super::target_history::{TargetHistory, target_history};
use super::{CaseError, ReadError, Watched, freeze_hpa};
use crate::api;
use crate::model::{Behavior, Instant, Replicas};

/// Whose events are those of the controller: anybody may write others about an HPA.
const COMPONENT: &str = "horizontal-pod-autoscaler";

/// The manager of `kubectl apply` without `--server-side`: each manifest that differs from the one before leaves its time, with the
/// annotation that has the manifest.
const CLIENT_SIDE: &str = "kubectl-client-side-apply";

/// Evidence of earlier reconciles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryEvidence {
    /// When the controller last wrote the status (`metadata.managedFields`), to the second: every later sync reached
    /// the same status.
    pub status_written: Option<Instant>,
    /// Whether somebody besides the controller owns a part of the status, or has cleared its conditions: every sync that
    /// writes a status sets one.
    pub is_status_edited: bool,
    /// When somebody else last wrote any field of the HPA, to the second. The API server keeps one time for each
    /// writer.
    pub edited: Option<Instant>,
    /// When somebody last set a field of the spec. Removing a field leaves no time.
    pub spec_edited: Option<Instant>,
    /// When somebody last set a field of `spec.behavior`.
    pub behavior_edited: Option<Instant>,
    /// SuccessfulRescale events, oldest first; the API server keeps them for an hour by default.
    pub rescales: Vec<Rescale>,
    /// All events of the controller about the HPA; the event recorder drops some if there are many.
    pub emitted: Vec<Emitted>,
    /// The events about failures of the controller to write the status.
    pub failed_statuses: Vec<Emitted>,
    /// When it last failed to write the scale.
    pub failed_rescale: Option<Instant>,
    /// The Warning events of the controller about the HPA, in list order.
    pub warnings: Vec<WarningEvent>,
    /// Why the events could not be listed.
    pub error: Option<ReadError>,
    /// Whether the events were listed at all.
    pub has_events: bool,
    /// What the target shows.
    pub target: TargetHistory,
    /// Sizes before a rescale that the user stated, with their times.
    pub given: Vec<(Instant, Replicas)>,
    /// The part of the spec that the controller has worked with so far, unaffected by the changes of a what-if. `None`:
    /// the HPA as it is.
    pub synced: Option<Synced>,
    /// What a watch saw of its syncs, if there was one.
    pub watched: Option<Watched>,
}

impl HistoryEvidence {
    /// When the controller last failed to write the status.
    #[must_use]
    pub fn failed_status(&self) -> Option<Instant> {
        self.failed_statuses.iter().map(|it| it.last).max()
    }
}

/// The part of a spec that affects the controller's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synced {
    /// `spec.behavior`.
    pub behavior: Option<Behavior>,
    /// `spec.maxReplicas`.
    pub max: Replicas,
    /// `spec.replicas` of the scale.
    pub replicas: Option<Replicas>,
    /// `metadata.generation`.
    pub generation: i64,
    /// Whether a what-if has changed the HPA or its scale.
    pub is_past: bool,
}

/// A SuccessfulRescale event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rescale {
    /// When it was seen first.
    pub first: Instant,
    /// When it was seen last.
    pub last: Instant,
    /// How often: equal events are merged into one.
    pub count: i32,
    /// "New size" of the last one.
    pub to: Replicas,
    /// What its reason shows.
    pub reason: RescaleEventReason,
    /// The reason in the controller's words.
    pub words: Box<str>,
    /// Whether it combines several different ones, of which only the last is known (client-go `EventAggregator`).
    pub is_combined: bool,
}

impl Rescale {
    /// The times that it shows: of equal rescales the first and the last, of different ones only the last.
    pub fn times(&self) -> impl Iterator<Item = Instant> + use<> {
        let first = (self.count > 1 && !self.is_combined).then_some(self.first);
        first.into_iter().chain([self.last])
    }

    /// Whether there were others between its first and its last time.
    #[must_use]
    pub const fn hides_times(&self) -> bool {
        self.count > if self.is_combined { 1 } else { 2 }
    }
}

/// What the reason of a SuccessfulRescale event shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RescaleEventReason {
    /// A metric wanted more than the current replicas.
    AboveTarget,
    /// All metrics wanted fewer than the current replicas.
    BelowTarget,
    /// There were more than maxReplicas.
    AboveMax,
    /// There were fewer than minReplicas.
    BelowMin,
    /// Nothing.
    Unclear,
}

/// A Warning event with its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarningEvent {
    /// When and how often.
    pub seen: Emitted,
    /// The short reason.
    pub reason: Box<str>,
    /// The sentence; of several different ones that were combined, the last.
    pub message: Box<str>,
}

/// Collects the history evidence of a case.
pub(super) fn history(case: &Case) -> Result<HistoryEvidence, CaseError> {
    let fields = || case.hpa.0.metadata.managed_fields.iter();
    let of_status = || fields().filter(|entry| entry.subresource == "status");
    let writers: BTreeSet<&str> = of_status().map(|entry| entry.manager.as_str()).collect();
    let of_others = || fields().filter(|entry| entry.subresource.is_empty());
    // Whoever applies a manifest may have removed a field, and owns perhaps no other one.
    let of_spec = of_others().filter(|entry| entry.sets_spec() || entry.manager == CLIENT_SIDE);
    let of_behavior = of_others().filter(|entry| entry.sets("behavior") != Some(false));
    let status = &case.hpa.0.status;
    let listed = case.events.as_ref().and_then(|events| events.items.as_deref());
    let events = || listed.unwrap_or_default().iter().filter(|event| event.is_of(COMPONENT));
    let mut rescales: Vec<Rescale> = events().filter_map(rescale).collect();
    rescales.sort_by_key(|rescale| rescale.last);
    let of = |reason: &'static str| events().filter(move |it| it.reason == reason).filter_map(emitted);
    let history = &case.history;
    let synced = history.synced_spec.as_deref().map(|spec| {
        let behavior = spec.behavior.clone().map(freeze_hpa::behavior).transpose()?;
        let generation = history.synced_generation.unwrap_or(case.hpa.0.metadata.generation);
        Ok(Synced { behavior, max: Replicas(spec.max_replicas), replicas: None, generation, is_past: true })
    });
    Ok(HistoryEvidence {
        is_status_edited: writers.len() > 1 || status.conditions.is_empty() && status.is_written(),
        status_written: of_status().filter_map(|entry| entry.time).max(),
        edited: of_others().filter_map(|entry| entry.time).max(),
        spec_edited: of_spec.filter_map(|entry| entry.time).max(),
        behavior_edited: of_behavior.filter_map(|entry| entry.time).max(),
        rescales,
        emitted: events().filter_map(emitted).collect(),
        failed_statuses: of("FailedUpdateStatus").collect(),
        failed_rescale: of("FailedRescale").map(|it| it.last).max(),
        warnings: events().filter(|event| event.kind == "Warning").filter_map(warning).collect(),
        error: case.events.as_ref().and_then(|events| events.error.clone()),
        has_events: listed.is_some(),
        target: target_history(history, &case.hpa.0.spec.scale_target_ref.kind),
        given: history.rescales.iter().map(|it| (it.at, Replicas(it.from))).collect(),
        synced: synced.transpose()?,
        watched: None,
    })
}

fn warning(event: &api::Event) -> Option<WarningEvent> {
    let (message, _) = uncombined(event);
    Some(WarningEvent {
        seen: emitted(event)?,
        reason: event.reason.as_str().into(),
        message: message.into(),
    })
}

fn rescale(event: &api::Event) -> Option<Rescale> {
    let (message, is_combined) = uncombined(event);
    let (size, reason) = message.strip_prefix("New size: ")?.split_once("; reason: ")?;
    let Emitted { first, last, count, .. } = emitted(event)?;
    let to = Replicas(size.parse().ok()?);
    let words = reason.into();
    let rescale = Rescale { first, last, count, to, reason: reason_of(reason), words, is_combined };
    (event.reason == "SuccessfulRescale").then_some(rescale)
}

/// Upstream `reconcileAutoscaler`, `rescaleReason`.
fn reason_of(text: &str) -> RescaleEventReason {
    match text {
        "All metrics below target" => RescaleEventReason::BelowTarget,
        "Current number of replicas above Spec.MaxReplicas" => RescaleEventReason::AboveMax,
        "Current number of replicas below Spec.MinReplicas"
        | "Current number of replicas must be greater than 0" => RescaleEventReason::BelowMin,
        other if other.ends_with(" above target") => RescaleEventReason::AboveTarget,
        _ => RescaleEventReason::Unclear,
    }
}
