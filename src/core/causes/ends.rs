//! What ends a cause.

use super::{About, holder, is_memory_known};
use crate::memory_bounds::Answer;
use crate::model::Instant;
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::trace::Direction;
use crate::whatif::next_change;

/// What ends a cause, and who can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Time alone: a sync from this instant on decides without it.
    Time(Instant),
    /// The load.
    Load,
    /// A sample of the pods that have none.
    Sample,
    /// The pods themselves: they become ready, come or go.
    Pods,
    /// An edit of this field.
    Edit(&'static str),
    /// Somebody who mends what fails.
    Repair,
    /// Somebody who scales the target.
    Scale,
    /// What this depends on is not known.
    Unknown,
}

impl Ending {
    pub(super) fn of(about: About, snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Self {
        match about {
            About::Zero(_) => Self::Scale,
            About::UnknownMemory | About::Rivals => Self::Unknown,
            About::Window(_) => {
                let stabilized = answer.decision.stabilized.as_ref();
                let known = stabilized.filter(|_| is_memory_known(snapshot, answer));
                let leaves = known.and_then(|it| Some(holder(snapshot, answer, it)?.at + it.window()));
                leaves.map_or(Self::Unknown, Self::Time)
            }
            About::Rate(_) => next_change(snapshot, rules, &answer.decision)
                .map_or(Self::Edit("spec.behavior"), |next| Self::Time(next.at)),
            About::Doubling => Self::Time(snapshot.taken_at + snapshot.controller.sync_period.value),
            About::Disabled(Direction::Up) => Self::Edit("spec.behavior.scaleUp.selectPolicy"),
            About::Disabled(Direction::Down) => Self::Edit("spec.behavior.scaleDown.selectPolicy"),
            About::Max => Self::Edit("spec.maxReplicas"),
            About::Min | About::Floor => Self::Edit("spec.minReplicas"),
            About::Tolerance => Self::Edit("spec.behavior"),
            About::MissingPods(_) | About::ForeignSamples(_) => Self::Sample,
            About::UnreadyPods(_)
            | About::ForeignPods(_)
            | About::SurplusPods(_)
            | About::AbsentPods(_)
            | About::StatusReplicas
            | About::IdlePods => Self::Pods,
            About::Load(_) => Self::Load,
            About::NobodyAtWork
            | About::ControllerFault(_)
            | About::Scale
            | About::Selector
            | About::OtherHpas(_)
            | About::Crash
            | About::FailedMetric(_)
            | About::RefusedWrite => Self::Repair,
        }
    }
}
