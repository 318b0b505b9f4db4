//! What the controller remembers of an HPA between reconciles, and loses at a restart.

use super::{Instant, Replicas};

/// Upstream `recommendations`, `scaleUpEvents` and `scaleDownEvents` of one HPA, each in slot order: stale slots
/// are overwritten, so the lists are not ordered by time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Earlier recommendations, before stabilization.
    pub recommendations: Vec<Recommendation>,
    /// Scale-ups.
    pub scale_ups: Vec<ScaleEvent>,
    /// Scale-downs.
    pub scale_downs: Vec<ScaleEvent>,
}

/// Upstream `timestampedRecommendation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// The replicas that the metrics asked for.
    pub replicas: Replicas,
    /// When.
    pub at: Instant,
}

/// Upstream `timestampedScaleEvent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScaleEvent {
    /// By how many replicas the count changed: an absolute value.
    pub change: i32,
    /// When.
    pub at: Instant,
    /// Marked for reuse: older than every policy's period when an event was stored.
    pub outdated: bool,
}
