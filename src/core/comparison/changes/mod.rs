//! The changes of the replicas between the looks of a watch, and who made each: only what an event, a status or a managed
//! field shows.
//!
//! A look reads the HPA, its events and the other HPAs first, then the scale, then the target. So what it reads of the HPA shows
//! nothing later than its replicas, and what a sync that is under way will show comes with a later look. A change is told
//! once the looks after it have shown who made it, or are unlikely to.

mod deciding;
mod known_rescale;
mod look;
mod replica_change;
mod setter;
mod stretch;
mod trail;

pub use look::Look;
pub use replica_change::{ChangeCause, ChangeSource, ReplicaChange};
pub use trail::Trail;
