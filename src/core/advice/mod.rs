//! What to do about a decision, drawn from it alone.
//!
//! Advice is given where something keeps the autoscaler from doing its work, or holds it where a field of the HPA could
//! set it free; never where it rests within its bounds as it was told to. What would come of it is decided by the
//! engine on the changed snapshot. The words stand in `render`.

mod code;
mod failing;
mod filling;
mod flapping;
mod piece;
mod requests;
mod scheduling;
mod tuning;
mod world;

pub use code::AdviceCode;
pub use flapping::Flapping;
pub use piece::{Advice, Remedy};

use crate::recall::Answer;
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::trace::{Gate, HoldReason, Outcome, SelectorVerdict};
use crate::whatif::Removal;
use world::World;

/// The most pieces of advice that a reader is asked to weigh.
const MOST: usize = 2;

/// What to do about a decision, what matters most first: at most two pieces, none where nothing is wrong. What would
/// only tune it is left out where something has to be mended first.
#[must_use]
pub fn advise(snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Vec<Advice> {
    let decision = &answer.decision;
    let world = World { snapshot, rules, decision, now: answer.range() };
    let mut advice = match &decision.outcome {
        Outcome::NoScale | Outcome::Unknown(_) | Outcome::Scale { failed: Some(_), .. } => Vec::new(),
        Outcome::Hold { reason: HoldReason::Disabled, .. } => wake_up(&world),
        Outcome::Hold { reason: HoldReason::Selector, .. } => separate(&world),
        Outcome::Hold { .. } | Outcome::Scale { failed: None, .. } => measured(&world),
    };
    advice.truncate(MOST);
    advice
}

fn measured(world: &World<'_>) -> Vec<Advice> {
    let mut advice: Vec<Advice> = tug_of_war(world).into_iter().collect();
    advice.extend(requests::advise(world));
    advice.extend(failing::advise(world));
    advice.extend(scheduling::advise(world));
    advice.extend(filling::advise(world));
    advice.extend(flapping::advise(world));
    // Pods of somebody else can be what is in the way of both, and finished pods of a Job are among them.
    advice.dedup();
    if advice.iter().any(|it| it.code() == AdviceCode::SelectOwnPods) {
        advice.retain(|it| it.code() != AdviceCode::DeleteFinishedPods);
    }
    if advice.is_empty() { tuning::advise(world) } else { advice }
}

/// The controller left another count than there is now, and will set it again.
fn tug_of_war(world: &World<'_>) -> Option<Advice> {
    let Outcome::Scale { failed: None, from, .. } = &world.decision.outcome else { return None };
    let left = world.snapshot.hpa.left_replicas()?;
    (left != *from).then(|| Advice::new(Remedy::LeaveReplicasOut))
}

fn wake_up(world: &World<'_>) -> Vec<Advice> {
    // KEDA wakes up what it put to sleep.
    let is_asleep = world.decision.gate == Gate::Disabled && world.snapshot.hpa.scaled_object().is_none();
    is_asleep.then(|| Advice::new(Remedy::WakeUp)).into_iter().collect()
}

fn separate(world: &World<'_>) -> Vec<Advice> {
    let Some(SelectorVerdict::Ambiguous(_)) = world.decision.selector else { return Vec::new() };
    let others = world.snapshot.others.as_ref().map_or(0, Vec::len);
    let removal = Removal::OtherAutoscalers(others);
    let then = world.measured(world.without(removal));
    vec![Advice { then, ..Advice::new(Remedy::SeparateSelectors) }]
}
