//! What can be known of the controller's memory from outside.
//!
//! The API does not show recommendations and scale events. It shows evidence of them: every history that agrees with
//! all of it may have happened. [`bound_memory`] gives two memories: with the loosest the replicas move as far as any
//! such history lets them, with the tightest they are limited as much as any of them does. If both lead to the same
//! replicas, the decision is exact without the memory; if not, it is an interval, and [`MemorySource`] names the
//! evidence and the gaps.
//!
//! | evidence | what it shows | file |
//! | status, its conditions, the time of its last write | what the last sync recommended; while a status is not written again, every sync reached the same one | `last_sync`, `status_fingerprint`, `ceiling` |
//! | since when ScalingLimited and ScalingActive have their status | that two syncs made different things of what they remembered; that nothing has been recommended since | `limited` |
//! | SuccessfulRescale events with their reasons, `lastScaleTime` | when the controller scaled, to which size and in which direction; that the metrics recommended at least that much, or at most | `rescales`, `ceiling` |
//! | how many events the event recorder sent | whether it can have dropped one | `recorder` |
//! | the status of a rescale, the Deployment's events, what a user knows | from which size it scaled | `sizes`, `resizes` |
//! | the target's generation | that nobody but the controller has changed it, so from which size it scaled | `chain` |
//! | a rate that limited the last sync | that it limits the next one, while what it counts stays the same | `rate` |
//! | the order of an HPA's syncs | since when one can have recommended what it wrote | `began` |
//! | who set the target's replicas, the Deployment's events | since when the count has been the same | `past` |
//! | managed fields and generations of the HPA | since when the spec, or its behavior, has been the same; whether a status write may have failed | `past` |
//! | creation of the HPA, the leader's lease | since when there is a memory at all | `past` |
//!
//! People scale by hand, edit and recreate HPAs, and controllers restart: evidence counts only as far as none of that
//! can explain it instead (`tests/memory/hostile` does all of it at random). Beyond the evidence this is assumed:
//!
//! - The controller has synced within two of its periods and 15 seconds (`past::tardiness`). A leader that is cut off
//!   from the API for longer loses its lease and its memory.
//! - A sync writes what it decided within ten seconds, however slow the API is (`past::SYNC`).
//! - If the events cannot be read, but the managed fields can, a status write fails only if somebody else wrote the HPA. (A
//!   count that the controller set and its status does not show is noticed.)
//! - If nothing shows when the controller started, it has not restarted within the window.
//! - Removing `spec.behavior`, or its scale-down window, leaves no time in the managed fields. With generations (1.37)
//!   a removal is considered; before 1.37 it is assumed that there was none.
//! - The API server has stored every event of the HPA that the recorder sent, and nobody has deleted those of an earlier
//!   HPA of the same name. It keeps them for as long as its `--event-ttl` says, or for an hour if that cannot be read.
//! - Whoever deletes events deletes all of the HPA. Then one that should be there is missing, or one was stored anew
//!   (`recorder::deleted`).
//! - Nobody has removed `lastScaleTime` from a status if the events cannot be read, or were deleted, too.
//! - If an HPA is as young as its target, events are kept for an hour and none is older, there was no HPA of the same name
//!   one sync earlier.
//! - If an HPA has not been synced yet, the controller knows its target's kind.
//! - The deployment controller follows each change of the replicas before the HPA controller makes its next one, unless
//!   both have just started.
//!
//! A [`Watch`] looks several times in each sync period and sees what each sync recommended. After one full window the
//! memory is known, as long as nobody else writes the HPA and the controller does not restart. It assumes that a sync begins
//! at most two periods after the one before, or two seconds after a period if that is longer, unless a look had to wait
//! itself (`pace::Pace`).

mod answer;
mod began;
mod bounds;
mod ceiling;
mod chain;
mod facts;
mod held;
mod last_sync;
mod limited;
mod pace;
mod past;
mod range;
mod rate;
mod recommendations;
mod recorder;
mod rescales;
mod resizes;
mod scale_events;
mod second;
mod sizes;
mod spans;
mod status_fingerprint;
mod watch;
mod watched;
mod window;

pub use answer::{Answer, OpenWay, answer, answer_by, decided_at};
pub use bounds::{MemoryBounds, MemorySource};
pub use last_sync::{LastSync, Limits};
pub use pace::longest_wait;
pub use recommendations::bound_memory;
pub use rescales::{shown, unfit};
pub use watch::{Look, Watch};
pub use watched::observed_from;
pub use window::longest;
pub(crate) use window::window;
