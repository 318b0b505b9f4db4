//! One look of a watch.

use std::rc::Rc;

use crate::explanation::Explanation;
use crate::model::{Instant, Replicas};
use crate::snapshot::{HistoryEvidence, Hpa, OtherHpa};

/// When a target was made, and its generation: how often its spec has been changed since.
pub(super) type Edition = (Option<Instant>, i64);

/// What one look of a watch saw.
#[derive(Clone, Debug)]
pub struct Look {
    /// When it began to read.
    pub begun: Instant,
    /// What it decided on.
    pub explained: Rc<Explanation>,
}

impl Look {
    pub(super) fn ended(&self) -> Instant {
        self.explained.now()
    }

    pub(super) fn hpa(&self) -> &Hpa {
        &self.explained.snapshot().hpa
    }

    pub(super) fn history(&self) -> &HistoryEvidence {
        &self.explained.snapshot().history
    }

    pub(super) fn replicas(&self) -> Option<Replicas> {
        self.explained.current()
    }

    pub(super) fn edition(&self) -> Option<Edition> {
        let target = &self.history().target;
        Some((target.created, target.generation?))
    }

    pub(super) fn is_of_same_target(&self, other: &Self) -> bool {
        self.hpa().target.names_same(&other.hpa().target)
    }

    /// The other HPAs of its target.
    pub(super) fn rivals(&self) -> impl Iterator<Item = &OtherHpa> {
        self.explained.others().filter(|other| other.target.names_same(&self.hpa().target))
    }
}
