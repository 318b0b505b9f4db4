//! The facade: a case in; the decision, what the controller writes about it, what happens next, what to do, and its
//! causes out. Each is computed when it is asked for.

mod change_key;
mod error;
mod holds;
mod metric;
mod other_inputs;
mod ownership;
mod queries;
mod same_status;
mod self_check;
mod state;
mod status_state;
mod steps;

use std::cell::OnceCell;

pub use change_key::ChangeKey;
pub use error::ExplanationError;
pub use metric::Metric;
pub use other_inputs::OtherFlag;
pub use ownership::Ownership;
pub use queries::Remembered;
pub use self_check::{Guess, SelfCheck};
pub use status_state::StatusState;
pub use steps::{Detail, Step};

use crate::advice::{Advice, advise};
use crate::causes::{About, Cause, Facts, beside, brake, others, principal};
use crate::memory_bounds::{Answer, MemoryBounds, answer};
use crate::model::Replicas;
use crate::rules::{Rules, RulesError};
use crate::snapshot::{Case, Snapshot};
use crate::status::{Report, report};
use crate::trace::{Decision, Outcome, Unread};
use crate::whatif::{Blame, Outlook, Projection, blame};

/// A case, decided on, with all that can be asked of it.
#[derive(Clone, Debug)]
pub struct Explanation {
    snapshot: Snapshot,
    rules: Rules,
    answer: Answer,
    report: OnceCell<Report>,
    outlook: OnceCell<Outlook>,
    projection: OnceCell<Projection>,
    advice: OnceCell<Vec<Advice>>,
    blame: OnceCell<Blame>,
    cause: OnceCell<Option<Cause>>,
}

impl Explanation {
    /// Decides on a case, by the rules of its controller.
    ///
    /// # Errors
    /// Where the case is not valid, its version has no rules here, it lacks what its decision depends on, or the decision
    /// contradicts itself.
    pub fn of(case: Case) -> Result<Self, ExplanationError> {
        Self::of_snapshot(Snapshot::freeze(case)?)
    }

    /// The same of a case that was put together already.
    ///
    /// # Errors
    /// Where its version has no rules here, it lacks what its decision depends on, or the decision contradicts itself.
    pub fn of_snapshot(snapshot: Snapshot) -> Result<Self, ExplanationError> {
        let rules = Self::rules_of(&snapshot)?;
        let explanation = Self::by(snapshot, rules);
        explanation.decision().check(&explanation.snapshot.hpa)?;
        match &explanation.decision().outcome {
            Outcome::Unknown(Unread::Refused(error)) if error.is_not_in_case() => {
                Err(ExplanationError::NotInCase(error.message.clone()))
            }
            Outcome::Unknown(Unread::NotInCase) => Err(ExplanationError::NoAnswer),
            _ => Ok(explanation),
        }
    }

    /// Decides by other rules than those of the snapshot's controller, where what the case holds may not be enough.
    #[must_use]
    pub fn by(mut snapshot: Snapshot, rules: Rules) -> Self {
        let answer = answer(&mut snapshot, &rules);
        let (report, outlook, projection, advice, blame, cause) = Default::default();
        Self { snapshot, rules, answer, report, outlook, projection, advice, blame, cause }
    }

    /// The rules of a snapshot's controller.
    ///
    /// # Errors
    /// Where there are none for its version and gates.
    pub fn rules_of(snapshot: &Snapshot) -> Result<Rules, RulesError> {
        let controller = &snapshot.controller;
        Rules::for_version(&controller.version.value, &controller.feature_gates)
    }

    /// What the controller looked at, with the memory of [`Self::decision`].
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// By which rules it decided.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What it decided, as far as that is known.
    #[must_use]
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// What it decided, step by step; one end where only the bounds are known.
    #[must_use]
    pub fn decision(&self) -> &Decision {
        &self.answer.decision
    }

    /// The bounds of the controller's memory, if that is not known.
    #[must_use]
    pub fn memory_bounds(&self) -> Option<&MemoryBounds> {
        self.answer.memory_bounds.as_ref()
    }

    /// Lowest and highest replicas where the controller's memory leaves them open; `None` where the answer is exact.
    #[must_use]
    pub fn interval(&self) -> Option<(Replicas, Replicas)> {
        self.answer.interval
    }

    /// What the controller writes about it: status, events, error.
    #[must_use]
    pub fn report(&self) -> &Report {
        self.report.get_or_init(|| report(&self.snapshot, self.decision(), &self.rules))
    }

    /// What would change it: load, or time alone.
    #[must_use]
    pub fn outlook(&self) -> &Outlook {
        self.outlook.get_or_init(|| Outlook::of(&self.snapshot, &self.rules, &self.answer))
    }

    /// What the next syncs do, if the load stays.
    #[must_use]
    pub fn projection(&self) -> &Projection {
        self.projection.get_or_init(|| Projection::of(&self.snapshot, &self.rules, &self.answer))
    }

    /// What to do about it.
    #[must_use]
    pub fn advice(&self) -> &[Advice] {
        self.advice.get_or_init(|| advise(&self.snapshot, &self.rules, &self.answer, self.cause()))
    }

    /// The one cause that a person would name; `None` if nothing is decided here.
    #[must_use]
    pub fn cause(&self) -> Option<Cause> {
        *self.cause.get_or_init(|| principal(&self.snapshot, &self.rules, &self.answer))
    }

    /// The brake between what the metrics want and the replicas ([`crate::causes::brake`]).
    #[must_use]
    pub fn brake(&self) -> Option<About> {
        brake(&self.snapshot, &self.rules, &self.answer, self.cause())
    }

    /// The brake that keeps the replicas as well ([`crate::causes::beside`]).
    #[must_use]
    pub fn kept_by_too(&self) -> Option<About> {
        beside(&self.snapshot, &self.rules, &self.answer, self.cause()?)
    }

    /// All causes of the decision: the principal one, then the others in order of their effect.
    #[must_use]
    pub fn causes(&self) -> Vec<Cause> {
        let Some(principal) = self.cause() else { return Vec::new() };
        let others = others(&self.snapshot, &self.rules, &self.answer, principal);
        std::iter::once(principal).chain(others).collect()
    }

    /// The facts of one of them.
    #[must_use]
    pub fn facts(&self, cause: Cause) -> Facts<'_> {
        Facts::of(cause, &self.snapshot, &self.answer)
    }

    /// The single things that the decision hangs on. After this call they are also shown ([`Self::blamed`]).
    pub fn blame(&self) -> &Blame {
        self.blame.get_or_init(|| blame(&self.snapshot, &self.rules, &self.answer))
    }

    /// What [`Self::blame`] found, if it was called.
    #[must_use]
    pub fn blamed(&self) -> Option<&Blame> {
        self.blame.get()
    }
}
