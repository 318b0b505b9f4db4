//! Another HPA of the namespace, with what shows which selector the controller holds of it.

use super::{HpaKey, Read, Scale, Scope, Selection, StatusRescale, freeze_hpa};
use crate::api;
use crate::api::{ConditionReason, ConditionType};
use crate::model::{Instant, ObjectReference, Replicas, Selector};

/// Another HPA that the controller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherHpa {
    /// Namespace and name.
    pub key: HpaKey,
    /// Its target's selector; `None` selects nothing.
    pub selector: Option<Selector>,
    /// `spec.scaleTargetRef`.
    pub target: ObjectReference,
    /// The rescale of its last sync.
    pub rescale: Option<StatusRescale>,
    /// Whether the controller holds that selector, as far as it is decided.
    pub is_held: bool,
    /// The bound that its next sync sets, if its target's replicas are outside of them (upstream `reconcileAutoscaler`).
    pub bound: Option<Replicas>,
    /// What shows whether it does.
    pub signs: OtherSigns,
}

/// What shows which selector the controller holds of an HPA. It stores one when a sync gets as far as the metrics (upstream
/// `validateAndParseSelector`, the only caller of `PutIfPresent`), and keeps it when later syncs end before that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OtherSigns {
    /// Whether its next sync gets as far as the metrics; `None` if that is not known.
    pub reaches: Option<bool>,
    /// How far its syncs got, by its last status.
    pub got: Got,
    /// When its status was written, to the second.
    pub written: Option<Instant>,
    /// When it was created.
    pub created: Option<Instant>,
    /// Whether its spec was edited, so that an earlier target's selector may be held; `None` before 1.37, where nothing counts
    /// the edits.
    pub is_edited: Option<bool>,
}

/// How far the syncs of an HPA got, by its last status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Got {
    /// That is not known.
    #[default]
    NotKnown,
    /// It has no status, or none was kept.
    NoStatus,
    /// None of them has ever got as far as the metrics.
    Never,
    /// The last one got as far as the metrics, with the present target.
    ToMetrics,
    /// The last one found that another HPA selects the same pods, and did nothing.
    Stopped,
    /// An earlier one found that, and those since ended before the metrics.
    StoppedBefore,
}

impl OtherHpa {
    /// True if only this reader lacks its target's scale.
    #[must_use]
    pub const fn is_unread(&self) -> bool {
        self.selector.is_none() && self.signs.reaches.is_none()
    }
}

impl Got {
    /// Whether the last sync stored the selector of the present target.
    #[must_use]
    pub const fn has_stored(self) -> bool {
        matches!(self, Self::ToMetrics | Self::Stopped)
    }
}

/// Freezes an HPA and the scale of its target.
pub(super) fn frozen(hpa: &api::Hpa, scale: &Read<Scale>) -> OtherHpa {
    let selector = scale.as_ref().ok().and_then(|scale| match &scale.selector {
        Selection::Parsed { selector, .. } => Some(selector.clone()),
        Selection::Missing | Selection::Invalid { .. } => None,
    });
    let key =
        HpaKey { namespace: hpa.metadata.namespace.as_str().into(), name: hpa.metadata.name.as_str().into() };
    let target = freeze_hpa::reference(hpa.spec.scale_target_ref.clone());
    let rescale = StatusRescale::of(&hpa.status, hpa.metadata.generation);
    let bound = scale.as_ref().ok().and_then(|scale| bound(hpa, scale.replicas.0));
    OtherHpa { key, selector, target, rescale, is_held: true, bound, signs: signs(hpa, scale) }
}

fn signs(hpa: &api::Hpa, scale: &Read<Scale>) -> OtherSigns {
    let of_status = hpa.metadata.managed_fields.iter().filter(|entry| entry.subresource == "status");
    OtherSigns {
        reaches: reaches(hpa, scale),
        got: got(hpa),
        written: of_status.filter_map(|entry| entry.time).max(),
        created: hpa.metadata.creation_timestamp,
        is_edited: (hpa.metadata.generation > 0).then_some(hpa.metadata.generation > 1),
    }
}

/// Upstream `reconcileAutoscaler`: no scale, a pause at zero and a count outside of the bounds end a sync before its metrics.
fn reaches(hpa: &api::Hpa, scale: &Read<Scale>) -> Option<bool> {
    let scale = match scale {
        Ok(scale) => scale,
        Err(error) => return (error.scope == Scope::Everyone).then_some(false),
    };
    if !matches!(scale.selector, Selection::Parsed { .. }) {
        return Some(false);
    }
    if scale.replicas == Replicas(0) {
        let slept = hpa.status.is_scaled_to_zero();
        return if hpa.spec.min_replicas == Some(0) || slept { None } else { Some(false) };
    }
    Some(is_within(hpa, scale.replicas.0))
}

fn bound(hpa: &api::Hpa, replicas: i32) -> Option<Replicas> {
    let (min, max) = (hpa.spec.min_replicas.unwrap_or(1), hpa.spec.max_replicas);
    let is_real = replicas > 0 && max > 0;
    (is_real && !is_within(hpa, replicas)).then_some(Replicas(if replicas > max { max } else { min }))
}

fn is_within(hpa: &api::Hpa, replicas: i32) -> bool {
    (hpa.spec.min_replicas.unwrap_or(1)..=hpa.spec.max_replicas).contains(&replicas)
}

fn got(hpa: &api::Hpa) -> Got {
    let Some(active) = hpa.status.condition(ConditionType::ScalingActive) else {
        // The condition of an earlier sync stays when a later one ends before it would set it.
        return if hpa.status.conditions.is_empty() { Got::NoStatus } else { Got::Never };
    };
    match active.known_reason() {
        Some(ConditionReason::AmbiguousSelector) if has_stored(hpa, active) => Got::Stopped,
        Some(ConditionReason::AmbiguousSelector) => Got::StoppedBefore,
        _ if !has_stored(hpa, active) => Got::NotKnown,
        _ => Got::ToMetrics,
    }
}

fn has_stored(hpa: &api::Hpa, active: &api::Condition) -> bool {
    let status = &hpa.status;
    let is_early = matches!(
        active.known_reason(),
        Some(ConditionReason::ScalingDisabled | ConditionReason::InvalidSelector)
    );
    let able = status.condition(ConditionType::AbleToScale);
    // A jump to a bound clears the metrics and leaves the condition; a failed selector clears them, too, and sets it False.
    let is_of_metrics = status.current_metrics.is_some() || active.status == "False";
    let is_of_this_spec = match status.observed_generation {
        Some(seen) => seen == hpa.metadata.generation,
        None => hpa.metadata.generation <= 1,
    };
    !is_early
        && is_of_metrics
        && is_of_this_spec
        && able.is_none_or(|able| able.reason != ConditionReason::FailedGetScale)
        && is_within(hpa, status.current_replicas)
}
