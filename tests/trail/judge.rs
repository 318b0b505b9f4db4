//! What really happened, beside each change that was told.

use kubectl_hpa_core::comparison::{ChangeCause, ReplicaChange};
use kubectl_hpa_core::snapshot::RescaleEventReason;

use crate::target::Who;
use crate::watcher::{Read, Watcher};
use crate::world::{World, Write, at};

/// How many changes were told, and of how many nobody is named.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub told: usize,
    pub by_the_hpa: usize,
    pub by_another_hpa: usize,
    pub by_a_manager: usize,
    pub retargeted: usize,
    /// It is not known who.
    pub open: usize,
    /// Of those the ones between whose looks nothing else changed the replicas.
    pub open_alone: usize,
}

/// Judges all that was told.
pub fn judge(world: &World, watcher: &Watcher, tally: &mut Tally) -> Result<(), String> {
    for (change, _) in &watcher.told {
        let (before, after) = looks(watcher, change)?;
        if let ChangeCause::Retargeted(target) = &change.cause {
            tally.retargeted += 1;
            retargeted(world, before, after, change, &target.name)?;
            continue;
        }
        let is_here = |it: &&Write| before.scale < it.at && it.at <= after.scale && it.target == after.target;
        let writes: Vec<&Write> = world.log.iter().filter(is_here).collect();
        let is_true =
            writes.iter().enumerate().any(|(place, write)| is_what_happened(change, write, place == 0));
        if !is_true {
            return Err(format!("{change:?}\nbut between {before:?}\nand {after:?} there were {writes:?}"));
        }
        count(change, writes.len(), tally);
    }
    chain(watcher)
}

fn count(change: &ReplicaChange, writes: usize, tally: &mut Tally) {
    tally.told += 1;
    match change.cause {
        ChangeCause::Decided(_)
        | ChangeCause::Hpa(_)
        | ChangeCause::Stated(_)
        | ChangeCause::HpaFromUnseen(_) => {
            tally.by_the_hpa += 1;
        }
        ChangeCause::OtherHpa(_) => tally.by_another_hpa += 1,
        ChangeCause::Manager(_) => tally.by_a_manager += 1,
        ChangeCause::AnyHpa | ChangeCause::Unknown | ChangeCause::Retargeted(_) => {
            tally.open += 1;
            tally.open_alone += usize::from(writes == 1);
        }
    }
}

/// The looks around a change.
fn looks<'a>(watcher: &'a Watcher, change: &ReplicaChange) -> Result<(&'a Read, &'a Read), String> {
    let before = watcher.reads.iter().find(|read| at(read.begun) == change.after);
    let after = watcher.reads.iter().find(|read| at(read.ended) == change.seen);
    before.zip(after).ok_or_else(|| format!("{change:?} is between no looks"))
}

/// Whether a write is what was told. Of the first write after a look it is known what it changed.
fn is_what_happened(change: &ReplicaChange, write: &Write, is_first: bool) -> bool {
    let number = |replicas: Option<kubectl_hpa_core::model::Replicas>| replicas.map(|it| it.0);
    let is_from = match change.found {
        None => !is_first || number(change.from) == Some(write.from),
        found => write.found == number(found),
    };
    // An event, and a status after it, tell the second in which they were made.
    let near = change.at.is_none_or(|told| (at(write.at - 1_000)..=at(write.at + 2_000)).contains(&told));
    let is_by = match (&change.cause, write.who) {
        (ChangeCause::Unknown, _)
        | (ChangeCause::AnyHpa, Who::Hpa(_))
        | (ChangeCause::Decided(_), Who::Hpa("web")) => true,
        (ChangeCause::Hpa(reason), Who::Hpa("web")) => is_reason(*reason, write.reason),
        (ChangeCause::HpaFromUnseen(reason), Who::Hpa("web")) => {
            !is_first && is_reason(*reason, write.reason)
        }
        (ChangeCause::OtherHpa(name), Who::Hpa(hpa)) => &**name == hpa && hpa != "web",
        (ChangeCause::Manager(name), Who::Scaler(manager) | Who::Editor(manager)) => &**name == manager,
        _ => false,
    };
    number(change.to) == Some(write.to) && is_from && near && is_by
}

/// Whether a reason is that of the event, or none.
fn is_reason(reason: RescaleEventReason, text: &str) -> bool {
    match reason {
        RescaleEventReason::Unclear => true,
        RescaleEventReason::AboveTarget => text.ends_with("above target"),
        RescaleEventReason::BelowTarget => text == "All metrics below target",
        RescaleEventReason::AboveMax => text.ends_with("above Spec.MaxReplicas"),
        RescaleEventReason::BelowMin => text.ends_with("below Spec.MinReplicas"),
    }
}

fn retargeted(
    world: &World,
    before: &Read,
    after: &Read,
    change: &ReplicaChange,
    name: &str,
) -> Result<(), String> {
    let is_switched = before.target != after.target && world.targets[after.target].name == name;
    let ends = [change.from, change.to].map(|it| it.map(|it| it.0));
    let is_true = is_switched && ends == [before.replicas, after.replicas];
    is_true.then_some(()).ok_or_else(|| format!("{change:?}\nbut {before:?}\nand {after:?}"))
}

/// Each change goes on from the one before, and the last leads to what was seen last.
fn chain(watcher: &Watcher) -> Result<(), String> {
    let first = watcher.reads.iter().find_map(|read| read.replicas);
    let mut current = first;
    for (change, _) in &watcher.told {
        let from = change.from.map(|it| it.0);
        if current.is_some() && from != current {
            return Err(format!("{change:?} does not go on from {current:?}"));
        }
        current = change.to.map(|it| it.0);
    }
    let last = watcher.reads.iter().rev().find_map(|read| read.replicas);
    let is_whole = current.is_none() || current == last;
    is_whole.then_some(()).ok_or_else(|| format!("it ends with {current:?}, and {last:?} was seen"))
}
