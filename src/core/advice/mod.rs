//! What to do about a decision, derived from it alone.
//!
//! Advice is given if something keeps the HPA from working, or if a field of the HPA limits it; never if the HPA does what
//! its spec says. The engine decides the effect of an advice on the changed snapshot. The words are in `render`.

mod code;
mod context;
mod failing;
mod filling;
mod flapping;
mod piece;
mod requests;
mod scheduling;
mod tuning;

pub use code::AdviceCode;
pub use piece::{Advice, Flapping, Remedy, ReplicasSetter, Then};

use crate::attested::{Attested, IdleSign};
use crate::causes::{About, Cause};
use crate::memory_bounds::Answer;
use crate::model::AllBut;
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::trace::{HoldReason, Outcome, SelectorVerdict};
use crate::whatif::{Removal, without_pods};
use context::AdviceContext;

/// The most pieces of advice that a reader is asked to weigh.
const MOST: usize = 2;

/// What to do about a decision, what matters most first: at most two pieces, none where nothing is wrong. What would
/// only tune it is left out where something has to be mended first.
#[must_use]
pub fn advise(snapshot: &Snapshot, rules: &Rules, answer: &Answer, cause: Option<Cause>) -> Vec<Advice> {
    let decision = &answer.decision;
    let context = AdviceContext { snapshot, rules, decision, cause, now: answer.range() };
    if let Some(advice) = name_scalable(snapshot) {
        return vec![advice];
    }
    if matches!(decision.outcome, Outcome::Hold { reason: HoldReason::Crash, .. }) {
        return Vec::new();
    }
    let of_controller = start(&context, &answer.attested).or_else(|| grant(&answer.attested));
    let mut advice = match &decision.outcome {
        _ if of_controller.is_some() => of_controller.into_iter().collect(),
        Outcome::NoScale => create_target(snapshot).into_iter().collect(),
        Outcome::Unknown(_) | Outcome::Scale { failed: Some(_), .. } => Vec::new(),
        Outcome::Hold { reason: HoldReason::Disabled, .. } => {
            failing::wake_up(&context).into_iter().collect()
        }
        Outcome::Hold { reason: HoldReason::Selector, .. } => separate(&context),
        Outcome::Hold { .. } | Outcome::Scale { failed: None, .. } => measured(&context, &answer.attested),
    };
    advice.truncate(MOST);
    advice
}

/// A target whose scale nobody can read, as its kind has none.
fn name_scalable(snapshot: &Snapshot) -> Option<Advice> {
    Some(Advice::new(Remedy::NameScalable { meant: snapshot.unscalable()?.meant() }))
}

/// A target that is not there.
fn create_target(snapshot: &Snapshot) -> Option<Advice> {
    snapshot.lacks_target().then(|| Advice::new(Remedy::CreateTarget))
}

/// A controller, where certainly none is at work.
fn start(context: &AdviceContext<'_>, attested: &Attested) -> Option<Advice> {
    let idle = attested.idle.as_ref().filter(|idle| idle.is_certain)?;
    let is_left_out = idle.sign == IdleSign::LeftOut;
    let mut advice = otherwise(attested, Remedy::StartController { is_left_out });
    let mut world = context.snapshot.clone();
    (world.controller.lease, world.controller.runs) = (None, None);
    if let (Some(then), Some(at_work)) = (&mut advice.then, context.then(world)) {
        then.settles = at_work.settles.filter(|_| at_work.next == then.next);
    }
    Some(advice)
}

/// The right that the controller lacks by its own words.
fn grant(attested: &Attested) -> Option<Advice> {
    let fault = attested.faults.iter().position(|fault| fault.denial().is_some())?;
    Some(otherwise(attested, Remedy::GrantRight { fault }))
}

/// A remedy of what the controller shows to be in its way, with the decision that it would make without that.
fn otherwise(attested: &Attested, remedy: Remedy) -> Advice {
    let then = attested.otherwise.map(|next| Then { next, settles: None });
    Advice { then, ..Advice::new(remedy) }
}

fn measured(context: &AdviceContext<'_>, attested: &Attested) -> Vec<Advice> {
    let mut advice: Vec<Advice> =
        fight(context, attested).or_else(|| tug_of_war(context)).into_iter().collect();
    advice.extend(requests::advise(context));
    advice.extend(failing::advise(context));
    advice.extend(scheduling::advise(context));
    advice.extend(filling::advise(context));
    advice.extend(flapping::advise(context));
    // Pods of somebody else can be what is in the way of both, and finished pods of a Job are among them.
    advice.dedup();
    if advice.iter().any(|it| it.code() == AdviceCode::SelectOwnPods) {
        advice.retain(|it| it.code() != AdviceCode::DeleteFinishedPods);
    }
    if advice.is_empty() {
        advice = tuning::advise(context);
        advice.extend(failing::beside(context));
    } else if tuning::is_cause(context, About::Max) && !advice.iter().any(|it| lacks_pods(it.code())) {
        // The bound that holds the replicas matters more than a metric that fails beside.
        let raise = tuning::advise(context).into_iter().filter(|it| it.code() == AdviceCode::RaiseMax);
        advice.splice(0..0, raise);
    }
    advice
}

/// True if pods that are allowed are not at work: a higher bound brings no more of them.
const fn lacks_pods(code: AdviceCode) -> bool {
    matches!(code, AdviceCode::MakeRoom | AdviceCode::CreatePods)
}

/// Another HPA sets the replicas of the same target, too: by its status, or because the controller may not compare the two.
fn fight(context: &AdviceContext<'_>, attested: &Attested) -> Option<Advice> {
    let current = context.decision.found();
    let mut others = context.snapshot.others_that_scaled_target();
    let has_set = others.any(|other| other.rescale.is_some_and(|it| Some(it.to) == current));
    let are_rivals = !attested.unknown_rivals().is_empty() || !attested.open_rivals().is_empty();
    (has_set || are_rivals).then(|| Advice::new(Remedy::SeparateSelectors))
}

/// The controller left another count than there is now, and will set it again. Its status may be older than its last event.
fn tug_of_war(context: &AdviceContext<'_>) -> Option<Advice> {
    let Outcome::Scale { failed: None, from, .. } = &context.decision.outcome else { return None };
    let left = context.snapshot.hpa.left_replicas()?;
    let history = &context.snapshot.history;
    let setters = &history.target.setters;
    let is_its_own = history.rescales.last().is_some_and(|it| it.to == *from)
        || setters.iter().any(|setter| setter.by_controller);
    if left == *from || is_its_own {
        return None;
    }
    // A status that could not be written is older than the last rescale.
    let shows_rescales = history.has_events && history.failed_statuses.is_empty();
    let by = match setters.last() {
        Some(setter) => ReplicasSetter::Manager(setter.clone()),
        None if shows_rescales => ReplicasSetter::Somebody,
        None => ReplicasSetter::NotKnown,
    };
    Some(Advice::new(Remedy::LeaveReplicasOut { by }))
}

fn separate(context: &AdviceContext<'_>) -> Vec<Advice> {
    let Some(SelectorVerdict::Ambiguous(_)) = context.decision.selector else { return Vec::new() };
    let others = context.snapshot.others.as_ref().map_or(0, AllBut::len);
    let removal = Removal::OtherHpas(others);
    // With selectors of their own none counts the pods of another.
    let then = context.measured(without_pods(&context.without(removal), &context.foreign()));
    vec![Advice { then, ..Advice::new(Remedy::SeparateSelectors) }]
}
