//! The controller's vocabulary as types: no reading, no deciding, no wording.

mod behavior;
mod evidence;
mod memory;
mod numbers;
mod resource;
mod target;
mod tolerance;

pub use behavior::{Behavior, Policy, PolicyType, ScalingRules, SelectPolicy};
pub use evidence::{Evidence, Evidenced};
pub use memory::{Memory, Recommendation, ScaleEvent};
pub use numbers::{Milli, Percent, Ratio, Replicas};
pub use resource::{Amounts, ResourceName};
pub use target::{MetricIdentifier, MetricSpec, ObjectReference, Source, Target, TargetType};
pub use tolerance::Tolerances;
