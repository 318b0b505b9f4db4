//! From which size the controller scaled: its events only report the new size.

use super::chain::Chain;
use super::facts::{SizeSource, Sizes};
use super::past::{Past, reason};
use super::second::SECOND;

use super::resizes;
use crate::api::{ConditionReason, ConditionType};
use crate::model::{Instant, Replicas};
use crate::snapshot::RescaleEventReason;

/// The size before a rescale to a size, in a second; `all` has every known rescale.
pub(super) fn before(
    past: &Past<'_>,
    (second, to, reason): (Instant, Replicas, RescaleEventReason),
    all: &[(Instant, Replicas)],
    chain: Option<&Chain>,
) -> Sizes {
    let exact = |from: Replicas, by| Sizes { lowest: from, highest: from, by };
    let range = by_reason(past, second, to, reason);
    let agrees = |from: Replicas| range.lowest <= from && from <= range.highest && from != to;
    let mut given = past.snapshot.history.given.iter().filter(|it| is_meant(**it, (second, to), all));
    if let Some((_, from)) = given.next()
        && agrees(*from)
    {
        return exact(*from, SizeSource::Given);
    }
    let is_then = |at: Instant| is_about(at, second);
    if let Some((at, from, size)) = of_status(past)
        && (is_then(at), size, agrees(from)) == (true, to, true)
    {
        return exact(from, SizeSource::Status);
    }
    let resizes = resizes::before(past, second, to);
    let mut shown = resizes.into_iter().filter(|from| agrees(*from));
    if let (Some(from), None) = (shown.next(), shown.next()) {
        return exact(from, SizeSource::TargetEvent);
    }
    let chained = chain.and_then(|chain| chain.before(second)).filter(|from| agrees(*from));
    chained.map_or(range, |from| exact(from, SizeSource::Chain))
}

/// Whether a size that the user stated belongs to this rescale: it is the only one of about that second that can have
/// begun there.
fn is_meant((at, from): (Instant, Replicas), one: (Instant, Replicas), all: &[(Instant, Replicas)]) -> bool {
    let mut meant = all.iter().filter(|(second, to)| is_about(at, *second) && *to != from);
    meant.next() == Some(&one) && meant.next().is_none()
}

/// Whether two times are less than about a second apart.
pub(super) fn is_about(one: Instant, other: Instant) -> bool {
    one <= other + SECOND && other <= one + SECOND
}

/// With `spec.behavior` the reason of a rescale shows its direction: windows and policies do not reverse it. Without,
/// an earlier recommendation may have raised the count although the metrics recommended fewer.
pub(super) fn by_reason(past: &Past<'_>, second: Instant, to: Replicas, reason: RescaleEventReason) -> Sizes {
    let none = Sizes { lowest: Replicas(0), highest: Replicas(i32::MAX), by: SizeSource::Nothing };
    let above = Replicas(to.0.saturating_add(1));
    let below = Replicas(to.0.saturating_sub(1));
    let has_behavior = past.behavior.is_some() && past.had_this_spec(second);
    // More than maxReplicas is impossible: the event's reason would be that.
    let most = if has_behavior { past.max } else { none.highest };
    match reason {
        RescaleEventReason::AboveTarget | RescaleEventReason::BelowMin => {
            Sizes { highest: below, by: SizeSource::Direction, ..none }
        }
        RescaleEventReason::AboveMax => Sizes { lowest: above, by: SizeSource::Direction, ..none },
        RescaleEventReason::BelowTarget if has_behavior => {
            Sizes { lowest: above, highest: most.max(above), by: SizeSource::Direction }
        }
        RescaleEventReason::BelowTarget | RescaleEventReason::Unclear => none,
    }
}

/// The count before the last rescale, if the status still shows it: the sync that rescaled wrote both counts.
pub(super) fn of_status(past: &Past<'_>) -> Option<(Instant, Replicas, Replicas)> {
    let status = &past.snapshot.hpa.status;
    let has_rescaled = reason(status, ConditionType::AbleToScale) == Some(ConditionReason::SucceededRescale);
    let at = status.last_scale_time.filter(|_| has_rescaled)?;
    let (from, to) = (Replicas(status.current_replicas), Replicas(status.desired_replicas));
    (from != to).then_some((at, from, to))
}
