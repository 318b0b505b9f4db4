//! The changes of the replicas that the controller's events and its log show, merged with those that looks saw.
//!
//! Everything comes to the same [`ReplicaChange`](crate::comparison::ReplicaChange). A change that several sources show is told
//! once, with the values of the most certain: the log has the replicas before and the microsecond; a look may have the decision; an event has the new replicas and a
//! second, and the API server deletes it after an hour.

mod events;
mod klog;
mod logged;
mod merge;

pub use events::of_events;
pub use logged::{Logged, LoggedRescale};
pub use merge::{PastChange, add_events, add_logged, total};
