//! From the recommendation of the metrics to the replicas that are written.

use crate::model::{Behavior, Duration, Instant, Policy, Replicas, ScalingRules, SelectPolicy};

/// A direction of scaling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// More replicas.
    Up,
    /// Fewer replicas.
    Down,
}

impl Direction {
    /// The part of `spec.behavior` that rules it.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::Up => "scaleUp",
            Self::Down => "scaleDown",
        }
    }

    /// Its rules.
    #[must_use]
    pub const fn rules(self, behavior: &Behavior) -> &ScalingRules {
        match self {
            Self::Up => &behavior.up,
            Self::Down => &behavior.down,
        }
    }

    /// Its rules, to change them.
    pub const fn rules_mut(self, behavior: &mut Behavior) -> &mut ScalingRules {
        match self {
            Self::Up => &mut behavior.up,
            Self::Down => &mut behavior.down,
        }
    }
}

/// Stabilization: the recommendation combined with those of the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stabilized {
    /// The recommendation of the metrics.
    pub before: Replicas,
    /// The stabilized recommendation.
    pub after: Replicas,
    /// How.
    pub how: Stabilization,
    /// The slot of the memory that was overwritten; `None` if a recommendation was added.
    pub reused_slot: Option<usize>,
}

impl Stabilized {
    /// The window that applies: for scaling down, or with `spec.behavior` also for scaling up.
    #[must_use]
    pub fn window(&self) -> Duration {
        match &self.how {
            Stabilization::Legacy(legacy) => legacy.window,
            Stabilization::Behavior(it) if self.after < self.before => {
                Duration::from_seconds(it.up_window.into())
            }
            Stabilization::Behavior(it) => Duration::from_seconds(it.down_window.into()),
        }
    }
}

/// The two ways of stabilizing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stabilization {
    /// Without `spec.behavior` (upstream `stabilizeRecommendation`).
    Legacy(LegacyStabilization),
    /// With it (upstream `stabilizeRecommendationWithBehaviors`).
    Behavior(BehaviorStabilization),
}

/// Without `spec.behavior`: the highest recommendation of the window wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegacyStabilization {
    /// `--horizontal-pod-autoscaler-downscale-stabilization`.
    pub window: Duration,
    /// Recommendations at this instant or later count.
    pub cutoff: Instant,
    /// The slot of the recommendation that won over the current one.
    pub holder: Option<usize>,
}

/// With `spec.behavior`: the current replicas, clamped between the lowest recommendation of the scale-up window and the
/// highest of the scale-down window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BehaviorStabilization {
    /// Scale-up window in seconds.
    pub up_window: i32,
    /// Scale-down window in seconds.
    pub down_window: i32,
    /// Lowest recommendation of the scale-up window, the new one included.
    pub lowest: Replicas,
    /// The slot that it stands in; `None` for the new one.
    pub lowest_slot: Option<usize>,
    /// Highest recommendation of the scale-down window, the new one included.
    pub highest: Replicas,
    /// The slot that it stands in; `None` for the new one.
    pub highest_slot: Option<usize>,
}

/// Rates and bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited {
    /// The stabilized recommendation.
    pub before: Replicas,
    /// The count within rates and bounds.
    pub after: Replicas,
    /// The limit that applied, or would have.
    pub reason: LimitReason,
    /// How it was found.
    pub how: Limit,
}

/// The `ScalingLimited` condition's reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitReason {
    /// No limit applied.
    DesiredWithinRange,
    /// The scale-up rate.
    ScaleUpLimit,
    /// The scale-down rate.
    ScaleDownLimit,
    /// `maxReplicas`.
    TooManyReplicas,
    /// `minReplicas`.
    TooFewReplicas,
}

/// The two ways of limiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Without `spec.behavior`: at most max(2 × current, 4) (upstream `convertDesiredReplicasWithRules`).
    Legacy {
        /// That limit.
        rate: Replicas,
    },
    /// With it (upstream `convertDesiredReplicasWithBehaviorRate`).
    Behavior(Option<BehaviorLimit>),
}

/// The rate of one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BehaviorLimit {
    /// Which direction.
    pub direction: Direction,
    /// How the policies are combined.
    pub select: SelectPolicy,
    /// Each policy; empty where the direction is disabled.
    pub policies: Vec<PolicyTrace>,
    /// The combined limit, never on the wrong side of the current replicas.
    pub rate: Replicas,
}

impl BehaviorLimit {
    /// The policy whose count is taken; of equal ones the first.
    #[must_use]
    pub fn deciding(&self) -> Option<&PolicyTrace> {
        let allows = |policy: &&PolicyTrace| policy.allows;
        match (self.select, self.direction) {
            (SelectPolicy::Max, Direction::Up) | (SelectPolicy::Min, Direction::Down) => {
                self.policies.iter().rev().max_by_key(allows)
            }
            (SelectPolicy::Max, Direction::Down) | (SelectPolicy::Min, Direction::Up) => {
                self.policies.iter().min_by_key(allows)
            }
            (SelectPolicy::Disabled, _) => None,
        }
    }
}

/// One policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyTrace {
    /// The policy.
    pub policy: Policy,
    /// Replicas added within its period.
    pub added: i32,
    /// Replicas removed within its period.
    pub removed: i32,
    /// Current replicas minus those added, plus those removed.
    pub period_start: Replicas,
    /// The furthest count that it allows.
    pub allows: Replicas,
}

/// The jump from the HPA's own zero to a raised `minReplicas`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floor {
    /// What the limits left.
    pub before: Replicas,
    /// `minReplicas`.
    pub after: Replicas,
}
