//! Stabilization: the new recommendation combined with those of the window.

use super::arith::{float, to_int32};
use crate::model::{Architecture, Behavior, Duration, Instant, Memory, Recommendation, Replicas};
use crate::trace::{BehaviorStabilization, LegacyStabilization, Stabilization, Stabilized};

/// Without `spec.behavior`: the highest recommendation of the window wins; one exactly as old as the window
/// still counts (upstream `stabilizeRecommendation`).
pub(super) fn legacy(memory: &mut Memory, wanted: Replicas, now: Instant, window: Duration) -> Stabilized {
    let cutoff = now - window;
    let mut after = wanted;
    let (mut holder, mut stale) = (None, None);
    for (slot, earlier) in memory.recommendations.iter().enumerate() {
        if earlier.at < cutoff {
            // The last stale slot is reused (`oldSampleIndex`); the list is not sorted by time.
            stale = Some(slot);
        } else if earlier.replicas > after {
            after = earlier.replicas;
            holder = Some(slot);
        }
    }
    // Recorded is what the metrics recommend and not the stabilized count, else a count that is held once would hold
    // itself for ever.
    record(memory, wanted, now, stale);
    let how = Stabilization::Legacy(LegacyStabilization { window, cutoff, holder });
    Stabilized { before: wanted, after, how, reused_slot: stale }
}

/// With `spec.behavior`: the current replicas move as little as the two windows allow; a recommendation exactly
/// as old as a window neither counts nor is its slot reused (upstream `stabilizeRecommendationWithBehaviors`).
pub(super) fn with_behavior(
    memory: &mut Memory,
    behavior: &Behavior,
    current: Replicas,
    wanted: Replicas,
    now: Instant,
    (default_window, arch): (Duration, Architecture),
) -> Stabilized {
    let up_window = behavior.up.window_seconds.unwrap_or(0);
    // The API server fills in the scale-up window with 0, but leaves the scale-down window to the controller's flag
    // (`maybeInitScaleDownStabilizationWindow`).
    let down_window = behavior.down.window_seconds.unwrap_or_else(|| whole_seconds(default_window, arch));
    let up_cutoff = now - Duration::from_seconds(i64::from(up_window));
    let down_cutoff = now - Duration::from_seconds(i64::from(down_window));
    let (mut lowest, mut highest) = ((wanted, None), (wanted, None));
    let mut stale = None;
    for (slot, earlier) in memory.recommendations.iter().enumerate() {
        if earlier.at > up_cutoff && earlier.replicas < lowest.0 {
            lowest = (earlier.replicas, Some(slot));
        }
        if earlier.at > down_cutoff && earlier.replicas > highest.0 {
            highest = (earlier.replicas, Some(slot));
        }
        // Older than both windows, since one list serves both directions.
        if earlier.at < up_cutoff && earlier.at < down_cutoff {
            stale = Some(slot);
        }
    }
    record(memory, wanted, now, stale);
    let how = Stabilization::Behavior(BehaviorStabilization {
        up_window,
        down_window,
        lowest: lowest.0,
        lowest_slot: lowest.1,
        highest: highest.0,
        highest_slot: highest.1,
    });
    Stabilized { before: wanted, after: current.max(lowest.0).min(highest.0), how, reused_slot: stale }
}

/// Stores a recommendation over the last stale slot, or at the end.
fn record(memory: &mut Memory, replicas: Replicas, at: Instant, stale: Option<usize>) {
    let recommendation = Recommendation { replicas, at };
    match stale.and_then(|slot| memory.recommendations.get_mut(slot)) {
        Some(slot) => *slot = recommendation,
        None => memory.recommendations.push(recommendation),
    }
}

/// `int32(d.Seconds())`, as `maybeInitScaleDownStabilizationWindow` fills the window in.
pub fn whole_seconds(duration: Duration, arch: Architecture) -> i32 {
    let nanoseconds = duration.nanoseconds();
    to_int32(float(nanoseconds / 1_000_000_000) + float(nanoseconds % 1_000_000_000) / 1e9, arch)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Go prints for `int32(d.Seconds())`: beyond 2^24 seconds the float cannot tell the last nanosecond from a second.
    #[test]
    fn a_window_has_whole_seconds_as_go_counts_them() {
        for (nanoseconds, seconds) in [
            (300_999_999_999, 300),
            (8_388_608_999_999_999, 8_388_608),
            (16_777_216_999_999_999, 16_777_217),
            (3_000_000_000_000_000_000, i32::MIN),
        ] {
            let window = Duration::from_nanoseconds(nanoseconds);
            assert_eq!(whole_seconds(window, Architecture::Amd64), seconds, "{window}");
        }
    }
}
