//! What can be known of the controller's memory from outside.
//!
//! The API does not show recommendations and scale events. It shows signs of them, and the memory is what all histories
//! have in common that agree with every sign. [`memory_bounds`] gives two memories: with one the replicas move as far as any such
//! history lets them, with the other they are held as much as any lets them be. If both lead to the same replicas, the
//! decision is exact without the memory; if not, it is an interval, and [`MemorySource`] names the signs and the gaps.
//!
//! | sign | what it tells | file |
//! |---|---|---|
//! | status, its conditions, the time of its last write | what the last sync recommended; as long as a status is not written anew, every sync came to it | `last_sync`, `status_fingerprint`, `ceiling` |
//! | SuccessfulRescale events with their reasons, `lastScaleTime` | when the controller scaled, to which size, in which direction; that the metrics wanted at least that much, or that little | `rescales`, `ceiling` |
//! | how many events the recorder let pass | whether it can have dropped one | `recorder` |
//! | the status of a rescale, the Deployment's events, what a user knows | from which size it scaled | `sizes`, `resizes` |
//! | who set the target's replicas, the Deployment's events | since when the count has been the same | `past` |
//! | managed fields and generations of the HPA | since when the spec has been the same; that a status write may have failed | `past` |
//! | creation of the HPA, the leader's lease | since when there is a memory at all | `past` |
//!
//! People scale by hand, edit and recreate HPAs, and controllers restart: a sign is only believed as far as none of that
//! can stand behind it (`tests/memory/hostile` does all of it at random). What is assumed beyond the signs:
//!
//! - The controller has synced within two of its periods and 15 seconds (`past::tardiness`). A leader that is cut off from
//!   the API for longer loses its lease and its memory.
//! - A sync writes what it decided within a second (`past::SYNC`).
//! - If nothing tells when the controller started, it has not restarted within the window.
//! - A `spec.behavior`, or its scale-down window, that is taken away leaves no time in the managed fields; with generations
//!   (1.37) it is taken into account, before 1.37 it is assumed not to have been.
//! - What the recorder let pass of the HPA's events the API server has stored, and nobody has deleted since.
//! - An HPA that is as young as its target had none of the same name a sync before.
//! - The deployment controller follows each change of the replicas before the HPA controller's next one, unless both have
//!   just started.
//!
//! Whoever looks again and again ([`Watch`]) sees what each sync recommended, and after one full window the memory is
//! known, as long as nobody else writes the HPA and its controller stays; one that syncs is taken to do so every one and a
//! half periods.

mod answer;
mod ceiling;
mod last_sync;
mod pace;
mod past;
mod recommendations;
mod recorder;
mod rescales;
mod resizes;
mod scale_events;
mod sizes;
mod spans;
mod status_fingerprint;
mod watch;
mod watched;

pub use answer::{Answer, answer, answer_by, decided_at};
pub use last_sync::{LastSync, Limits};
pub use recommendations::{MemoryBounds, MemorySource, bound_memory};
pub use watch::{Look, Watch};
pub use watched::{longest, observed_from};
