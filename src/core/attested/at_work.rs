//! Whether a controller is at work: who leads, whether this controller runs there, and whether it has ever synced this HPA.

use crate::model::{Duration, Evidence, Instant};
use crate::snapshot::Snapshot;

/// No controller works on the HPA.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idle {
    /// How that shows.
    pub sign: IdleSign,
    /// Since when, if that shows.
    pub since: Option<Instant>,
    /// Whether the next sync is certain not to come soon; else it may or may not.
    pub is_certain: bool,
}

impl Idle {
    /// Whether the controllers themselves show it; else only that no sync has left a trace.
    #[must_use]
    pub const fn is_shown(&self) -> bool {
        match self.sign {
            IdleSign::LeftOut | IdleSign::LeaseExpired { .. } => true,
            IdleSign::NeverSynced | IdleSign::NothingSinceStart => false,
        }
    }
}

/// How it shows that no controller is at work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdleSign {
    /// `--controllers` leaves the HPA controller out.
    LeftOut,
    /// The Lease of the leader has expired, and nobody has taken it.
    LeaseExpired {
        /// Its last holder.
        holder: Box<str>,
    },
    /// The HPA has no status, long after it was created.
    NeverSynced,
    /// No status has been written since the controller started.
    NothingSinceStart,
}

/// A standby sees each renewal up to 4.4 seconds late and asks as often (client-go `JitterUntil` over
/// `--leader-elect-retry-period`), and up to a second is lost to rounding.
const TAKEOVER: Duration = Duration::from_seconds(10);

/// How late a sync of a controller at work may be: one that is cut off from the API for longer loses its Lease.
const LATE: Duration = Duration::from_seconds(15);

/// How it shows, if it does.
pub(super) fn idle(snapshot: &Snapshot) -> Option<Idle> {
    let controller = &snapshot.controller;
    let left_out = controller.runs.as_ref().filter(|runs| !runs.value).map(|runs| Idle {
        sign: IdleSign::LeftOut,
        since: controller.started_at(),
        is_certain: runs.evidence < Evidence::Assumed,
    });
    left_out.or_else(|| lease_expired(snapshot)).or_else(|| unsynced(snapshot))
}

fn lease_expired(snapshot: &Snapshot) -> Option<Idle> {
    let lease = snapshot.controller.lease.as_ref()?;
    let expired = lease.renewed + lease.lasts;
    let now = snapshot.taken_at;
    // Whoever writes a status is at work, whatever the Lease says.
    let is_seen = last_sign(snapshot).is_some_and(|at| expired < at);
    (expired < now && !is_seen).then(|| Idle {
        sign: IdleSign::LeaseExpired { holder: lease.holder.as_str().into() },
        since: Some(lease.renewed),
        is_certain: expired + TAKEOVER < now,
    })
}

/// Nothing shows that the controller has synced this HPA, although it should have.
fn unsynced(snapshot: &Snapshot) -> Option<Idle> {
    let controller = &snapshot.controller;
    // A Lease that is renewed, and `--controllers`, are better signs.
    if controller.lease.is_some() || controller.runs.is_some() {
        return None;
    }
    let period = controller.sync_period.value;
    let is_overdue = |at: Instant| at + period + period + LATE < snapshot.taken_at;
    let sign = last_sign(snapshot);
    let idle = |sign, since| Some(Idle { sign, since: Some(since), is_certain: false });
    if let Some(started) = controller.started_at().filter(|at| is_overdue(*at))
        && sign.is_some_and(|at| at < started)
    {
        return idle(IdleSign::NothingSinceStart, started);
    }
    let created = snapshot.hpa.created.filter(|at| is_overdue(*at))?;
    let is_unwritten = sign.is_none() && !snapshot.hpa.status.is_written() && snapshot.history.has_events;
    if is_unwritten { idle(IdleSign::NeverSynced, created) } else { None }
}

/// When the controller last left a trace in this HPA.
fn last_sign(snapshot: &Snapshot) -> Option<Instant> {
    let history = &snapshot.history;
    let emitted = history.emitted.iter().map(|it| it.last).max();
    history.status_written.max(emitted)
}
