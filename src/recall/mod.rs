//! What can be known of the controller's memory from outside.
//!
//! The API does not show recommendations and scale events. But the last status, its conditions, `lastScaleTime` and
//! the events say enough about them to bound the decision, and often to fix it. [`recall`] gives two memories:
//! with one the replicas move as far as any memory that agrees with the signs lets them, with the other they are held
//! as much as any lets them be. Where both lead to the same replicas, the decision is exact without the memory.
//!
//! Whoever looks again and again ([`Watch`]) sees what each sync recommended, and after one full window the memory is
//! known.
//!
//! Taken for granted, and said so by whoever prints it: the controller has synced within its last two periods, and has not
//! restarted since.

mod answer;
mod ceiling;
mod last_sync;
mod mark;
mod past;
mod recommendations;
mod recorder;
mod rescales;
mod resizes;
mod scale_events;
mod sizes;
mod stand;
mod watch;
mod watched;

pub use answer::{Answer, answer, answer_by, decided_at};
pub use last_sync::{LastSync, Limits};
pub use recommendations::{Recall, Reliance, recall};
pub use watch::{Look, Watch};
pub use watched::{longest, observed_from};
