//! `spec.behavior`, with the API server's defaults filled in.

use super::Quantity;

/// Both directions; the API server fills them as soon as `spec.behavior` is set at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behavior {
    /// Rules for scaling up.
    pub up: ScalingRules,
    /// Rules for scaling down.
    pub down: ScalingRules,
}

/// What the API server fills in where `spec.behavior` says nothing (`pkg/apis/autoscaling/v2/defaults.go`).
impl Default for Behavior {
    fn default() -> Self {
        let policy = |kind, value| Policy { kind, value, period_seconds: 15 };
        Self {
            up: ScalingRules {
                window_seconds: Some(0),
                select: SelectPolicy::Max,
                policies: vec![policy(PolicyType::Pods, 4), policy(PolicyType::Percent, 100)],
                tolerance: None,
            },
            down: ScalingRules {
                window_seconds: None,
                select: SelectPolicy::Max,
                policies: vec![policy(PolicyType::Percent, 100)],
                tolerance: None,
            },
        }
    }
}

/// `HPAScalingRules` of autoscaling/v2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScalingRules {
    /// `stabilizationWindowSeconds`; `None` (down only) takes the controller's flag.
    pub window_seconds: Option<i32>,
    /// Which policy wins.
    pub select: SelectPolicy,
    /// The policies.
    pub policies: Vec<Policy>,
    /// `tolerance`, over the controller's flag.
    pub tolerance: Option<Quantity>,
}

impl ScalingRules {
    /// The longest period of all policies, in seconds (upstream `getLongestPolicyPeriod`).
    #[must_use]
    pub fn longest_period(&self) -> i32 {
        self.policies.iter().map(|policy| policy.period_seconds).fold(0, i32::max)
    }
}

/// `selectPolicy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectPolicy {
    /// The policy that allows the largest change.
    Max,
    /// The policy that allows the smallest change.
    Min,
    /// No change in this direction.
    Disabled,
}

impl SelectPolicy {
    /// As the API writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Max => "Max",
            Self::Min => "Min",
            Self::Disabled => "Disabled",
        }
    }
}

/// `HPAScalingPolicy`: at most so much change in so many seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// What the value counts.
    pub kind: PolicyType,
    /// Pods, or percent of the replicas at the period's start.
    pub value: i32,
    /// Length of the period in seconds.
    pub period_seconds: i32,
}

/// `HPAScalingPolicy.type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyType {
    /// A number of pods.
    Pods,
    /// A percentage of the replicas at the period's start.
    Percent,
}

impl PolicyType {
    /// As the API writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pods => "Pods",
            Self::Percent => "Percent",
        }
    }
}
