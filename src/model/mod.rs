//! The controller's vocabulary as types: no reading, no deciding, no wording.

mod behavior;
pub mod duration;
mod evidence;
pub(crate) mod go_text;
pub mod group_version;
mod hpa_type;
pub mod instant;
pub mod label_selector;
pub mod labels;
mod memory;
mod numbers;
mod permission;
pub mod quantity;
mod resource;
pub mod selector;
mod shell;
mod target;
mod tolerance;

pub use behavior::{Behavior, Policy, PolicyType, ScalingRules, SelectPolicy};
pub use duration::Duration;
pub use evidence::{Evidence, Evidenced};
pub use group_version::GroupVersion;
pub use hpa_type::is_hpa_type;
pub use instant::Instant;
pub use label_selector::LabelSelector;
pub use labels::Labels;
pub use memory::{Memory, Recommendation, ScaleEvent};
pub use numbers::{Milli, Percent, Ratio, Replicas};
pub use permission::Permission;
pub use quantity::{Format, Quantity};
pub use resource::{Amounts, ResourceName};
pub use selector::{Selector, SelectorWords};
pub use shell::shell_word;
pub use target::{MetricIdentifier, MetricSpec, ObjectReference, Source, Target, TargetType};
pub use tolerance::{ToleranceTest, Tolerances};
