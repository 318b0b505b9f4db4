//! From which size the controller scaled if nobody else has ever changed its target: then each rescale began where the one
//! before it ended.

use super::past::Past;
use super::resizes;
use crate::model::{Instant, Replicas};
use crate::snapshot::Rescale;

/// The sizes of a target of which the controller made every change.
pub(super) struct Chain {
    /// Each known size, and when it was set at the latest, oldest first.
    sizes: Vec<(Instant, Replicas)>,
    /// Between these times there were changes of which no event shows the time.
    hidden: Vec<(Instant, Instant)>,
}

impl Chain {
    /// The target's generation counts the changes of its spec, from 1 at its creation on. `None` if there were others than
    /// the rescales that events show; `shown` has their times and sizes, oldest first.
    pub fn of(past: &Past<'_>, shown: &[(Instant, Replicas)]) -> Option<Self> {
        let history = &past.snapshot.history;
        let (created, generation) = (history.target.created?, history.target.generation?);
        // A rescale in the second of the creation may be one of an earlier target.
        let is_before = |it: &&Rescale| it.last < created;
        let rescales: Vec<&Rescale> = history.rescales.iter().filter(|it| !is_before(it)).collect();
        let is_its = |it: &&Rescale| created < it.first && is_of_target(past, it);
        let changes: i64 = rescales.iter().map(|it| i64::from(it.count)).sum();
        if generation - 1 != changes || !rescales.iter().all(is_its) {
            return None;
        }
        let first = rescales.iter().map(|it| it.first).min();
        let is_first = |(at, _): &(Instant, Replicas)| first.is_none_or(|first| *at < first);
        let sizes = resizes::of_all(past).into_iter().filter(is_first);
        let sizes = sizes.chain(shown.iter().filter(|(at, _)| created < *at).copied()).collect();
        let hidden = rescales.iter().filter(|it| it.hides_times()).map(|it| (it.first, it.last)).collect();
        Some(Self { sizes, hidden })
    }

    /// The size before a rescale in a second, if it was the only one then.
    pub fn before(&self, second: Instant) -> Option<Replicas> {
        let is_alone = self.sizes.iter().filter(|(at, _)| *at == second).count() == 1;
        let (set, size) = *self.sizes.iter().rfind(|(at, _)| *at < second)?;
        let is_next = !self.hidden.iter().any(|(from, to)| *from < second && set < *to);
        (is_alone && is_next).then_some(size)
    }
}

/// Whether all rescales of an event were surely of this target: the HPA has had no other since, or an event of the target
/// follows each of them.
fn is_of_target(past: &Past<'_>, rescale: &Rescale) -> bool {
    let has_this = |second: Instant| past.spec_since.is_some_and(|since| since <= second);
    let is_followed = |second: Instant| {
        resizes::follows_any(past, second, rescale.to) || resizes::begins_a_combined_event(past, second)
    };
    let is_its = |second: Instant| has_this(second) || is_followed(second);
    has_this(rescale.first) || !rescale.hides_times() && is_its(rescale.first) && is_its(rescale.last)
}
