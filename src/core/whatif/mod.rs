//! What would change the decision: found by deciding again, never by a separate formula.

mod blame;
mod change;
mod expectation;
mod instants;
mod on_target;
mod outlook;
mod pod_numbers;
mod projection;
mod removal;
mod rule_attribution;
mod sampled;
mod sweep;
mod thresholds;

pub use blame::{Blame, Blamed, answer_instead, answer_without, blame};
pub use change::{
    Change, ChangeError, Knob, POD_STATES, Problem, change, change_spec, meant, metric_names, typed_world,
};
pub use expectation::{Mismatch, mismatches};
pub use instants::{Cause, Next, next_change};
pub use outlook::Outlook;
pub use pod_numbers::{counted, like, settled};
pub use projection::{Projection, Rest, Step};
pub use removal::{Removal, in_group, rules_of, without_pods};
pub use rule_attribution::{RuleAttribution, attribute_to_rules};
pub use sweep::{Axis, AxisError, AxisProblem, MOST_POINTS, Point, Undecided, Unsettled, sweep, swept_cases};
pub use thresholds::{Threshold, Thresholds, thresholds};
