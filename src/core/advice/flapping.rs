//! A count that goes up and down again and again, by the controller's own events.

use super::context::AdviceContext;
use super::{Advice, Flapping, Remedy, Then};
use crate::model::{Duration, Instant};
use crate::snapshot::{Rescale, RescaleEventReason, Snapshot};
use crate::trace::Direction;
use crate::whatif::{Change, Knob, rules_of};

/// Events of the last hour count: the API server keeps them no longer by default.
const PAST_SECONDS: i64 = 3_600;

/// So many turns are no single peak of load: up, down, up and down again.
const TURNS: usize = 3;

/// The default of the window, the least that is proposed.
const DEFAULT_SECONDS: i32 = 300;

/// The longest window that the API server takes.
const LONGEST_SECONDS: i32 = 3_600;

/// A wider scale-down window keeps the highest recommendation for as long.
pub(super) fn advise(context: &AdviceContext<'_>) -> Option<Advice> {
    let flapping = flapping(context.snapshot)?;
    let seconds = flapping.window.saturating_mul(2).clamp(DEFAULT_SECONDS, LONGEST_SECONDS);
    if seconds <= flapping.window {
        return Some(Advice::new(Remedy::WidenWindow(flapping)));
    }
    let mut other = context.snapshot.clone();
    rules_of(&mut other, Direction::Down).window_seconds = Some(seconds);
    // Its load does not stay.
    let then = context.then(other).map(|then| Then { settles: None, ..then });
    let changes = vec![Change::new(Knob::ScaleDown, ["window=", &seconds.to_string(), "s"].concat()).ok()?];
    Some(Advice { remedy: Remedy::WidenWindow(flapping), changes, then })
}

fn flapping(snapshot: &Snapshot) -> Option<Flapping> {
    let begin = snapshot.taken_at - Duration::from_seconds(PAST_SECONDS);
    let recent = || snapshot.history.rescales.iter().filter(|it| it.last >= begin);
    let mut moves: Vec<(Instant, Direction)> = recent().flat_map(moves).collect();
    moves.retain(|(at, _)| *at >= begin);
    moves.sort_by_key(|(at, _)| *at);
    let turns = moves.windows(2).filter(|pair| matches!(pair, [one, next] if one.1 != next.1)).count();
    let (since, _) = moves.first().filter(|_| turns >= TURNS)?;
    let times = |way: Direction| {
        let counts = recent().filter(|it| direction(it.reason) == Some(way)).map(|it| it.count);
        counts.fold(0_i32, i32::saturating_add)
    };
    let window = window(snapshot);
    Some(Flapping { ups: times(Direction::Up), downs: times(Direction::Down), since: *since, window })
}

/// The times of an event, with the way that it tells.
fn moves(rescale: &Rescale) -> impl Iterator<Item = (Instant, Direction)> + use<> {
    let direction = direction(rescale.reason);
    rescale.times().filter_map(move |at| Some((at, direction?)))
}

/// The way that the metrics led; what only a bound asked for is no turn of the load.
const fn direction(reason: RescaleEventReason) -> Option<Direction> {
    match reason {
        RescaleEventReason::AboveTarget => Some(Direction::Up),
        RescaleEventReason::BelowTarget => Some(Direction::Down),
        RescaleEventReason::AboveMax | RescaleEventReason::BelowMin | RescaleEventReason::Unclear => None,
    }
}

/// The scale-down window in whole seconds: the HPA's own, else the controller's.
fn window(snapshot: &Snapshot) -> i32 {
    let own = snapshot.hpa.behavior.as_ref().and_then(|behavior| behavior.down.window_seconds);
    let flag = snapshot.controller.downscale_stabilization.value.nanoseconds() / 1_000_000_000;
    own.unwrap_or_else(|| i32::try_from(flag).unwrap_or(i32::MAX))
}
