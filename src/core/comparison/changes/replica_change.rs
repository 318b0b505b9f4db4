//! A change of the replicas, and who made it.

use crate::model::{Instant, ObjectReference, Replicas};
use crate::snapshot::RescaleEventReason;
use crate::trace::Code;

/// The replicas of a target have changed, or the HPA scales another target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaChange {
    /// When the look before it began; for changes that an event combines, its first time.
    pub after: Instant,
    /// When the look that saw it ended; for changes that an event combines, its last time.
    pub seen: Instant,
    /// When it was, if that is known: to the second by an event or a status, to the microsecond by the log.
    pub at: Option<Instant>,
    /// The last replicas before that are known; `None` if those of the target before could not be read, or an event does not
    /// show them.
    pub from: Option<Replicas>,
    /// The replicas since; `None` if those of a new target could not be read, or an event has combined several.
    pub to: Option<Replicas>,
    /// The replicas that the HPA found when it decided, if they were others than `from`: somebody had set them in between, or a
    /// moment before the HPA wrote.
    pub found: Option<Replicas>,
    /// Who made it.
    pub cause: ChangeCause,
    /// So many changes are meant: one, or those of which an event shows no more than that they were between its first time
    /// and its last.
    pub count: u32,
    /// Where it is known from.
    pub source: ChangeSource,
}

/// Where a change is known from, the most certain first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeSource {
    /// The controller's log.
    Log,
    /// Looks at the replicas, and the events and the status that they saw.
    Look,
    /// An event of the controller about the HPA.
    Event,
}

/// Who changed the replicas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeCause {
    /// The HPA, which did what the look before showed; the code is that of the step that decides.
    Decided(Option<Code>),
    /// The HPA, as its event or its status shows, with the reason of the event.
    Hpa(RescaleEventReason),
    /// The HPA, with the reason in the controller's words.
    Stated(Box<str>),
    /// The HPA, for a reason that the replicas before it rule out: it found others, which neither a look nor a status shows.
    HpaFromUnseen(RescaleEventReason),
    /// Another HPA of the same target.
    OtherHpa(Box<str>),
    /// An HPA: the controller set the replicas, and nothing shows for which HPA.
    AnyHpa,
    /// Somebody else: the field manager that set `spec.replicas`.
    Manager(Box<str>),
    /// Nothing shows who.
    Unknown,
    /// Somebody changed `spec.scaleTargetRef`: the HPA scales this target now.
    Retargeted(ObjectReference),
}

impl ReplicaChange {
    /// The time to show: to the second if it is known, else that of the look that saw it.
    #[must_use]
    pub fn time(&self) -> Instant {
        self.at.unwrap_or(self.seen)
    }
}
