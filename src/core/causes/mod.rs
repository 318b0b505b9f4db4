//! Why a decision is what it is, as data: the one thing that a person would name, and what else moves the replicas.
//!
//! The principal cause is found from the end of the controller's pipeline backward: what keeps the replicas from what the
//! metrics want, then what the controller assumed of pods, then what the deciding metric reads. A candidate is the principal
//! one only if the decision is another without it ([`crate::whatif::Removal`]), or else what the metrics want; if neither is, two
//! things keep the replicas, each of which is enough, and the later one says so ([`Weight::Shared`]). Every screen tells this
//! one cause.

mod about;
mod ends;
mod facts;
mod find;
mod hold;

pub use about::{About, ZeroOf};
pub use ends::Ending;
pub use facts::Facts;
pub use find::{beside, brake, others, principal, zero_of};
pub use hold::{disabled, holder, in_window, initial, is_memory_known};

use crate::model::Replicas;
use crate::trace::Code;
use crate::whatif::Removal;

/// One cause of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// What it is.
    pub about: About,
    /// The branch of the step at which it acts.
    pub code: Code,
    /// How it was taken away; `None` if it cannot be.
    pub removal: Option<Removal>,
    /// Lowest and highest replicas without it; `None` if that is not known.
    pub without: Option<(Replicas, Replicas)>,
    /// What the metrics want without it; `None` if they do not decide then.
    pub wanted: Option<Replicas>,
    /// How much the decision hangs on it.
    pub weight: Weight,
    /// What ends it.
    pub ending: Ending,
}

/// How much a decision hangs on a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Without it the decision is the same, and the metrics want the same.
    Shared,
    /// Without it the metrics want other replicas, and something else keeps those that are decided now.
    Wanted,
    /// Without it the decision is another: other replicas, or one where there is none.
    Decides,
}

impl Weight {
    /// The weight for programs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Wanted => "wanted",
            Self::Decides => "decides",
        }
    }
}
