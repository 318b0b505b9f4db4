//! How long the controller remembers.

use crate::engine::whole_seconds;
use crate::model::Duration;
use crate::snapshot::Snapshot;
use crate::trace::Direction;

/// The stabilization window that applies in a direction.
pub(crate) fn window(snapshot: &Snapshot, direction: Option<Direction>) -> Duration {
    let flag = snapshot.controller.downscale_stabilization.value;
    let seconds = |seconds: i32| Duration::from_seconds(seconds.into());
    let Some(behavior) = &snapshot.hpa.behavior else { return flag };
    let up = seconds(behavior.up.window_seconds.unwrap_or(0));
    let whole = || whole_seconds(flag, snapshot.controller.architecture.value);
    let down = seconds(behavior.down.window_seconds.unwrap_or_else(whole));
    match direction {
        Some(Direction::Up) => up,
        Some(Direction::Down) => down,
        None => up.max(down),
    }
}

/// One full window: the longest of the stabilization windows and of the policies' periods. The controller has forgotten
/// what is older.
#[must_use]
pub fn longest(snapshot: &Snapshot) -> Duration {
    let periods = snapshot
        .hpa
        .behavior
        .as_ref()
        .map_or(0, |behavior| behavior.up.longest_period().max(behavior.down.longest_period()));
    window(snapshot, None).max(Duration::from_seconds(periods.into()))
}
