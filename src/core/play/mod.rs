//! A world that moves: what comes next, sync by sync, each decided by the engine.
//!
//! A [`World`] says how demand, pods and metrics go on from a [`Snapshot`](crate::snapshot::Snapshot). The [`Player`] moves
//! it from one sync to the next and lets [`decide`](crate::engine::decide) look at it, with the memory, the status and the
//! replicas that the sync before left. There is no second way of deciding: each sync has a whole snapshot.
//!
//! What happens in which order, and how amounts are rounded, stands in `tests/oracle/plays.md`. By that page the real
//! controller plays the same worlds, and has to agree at every sync.

mod assumptions;
mod curve;
mod demand;
mod demand_look;
mod load;
mod player;
mod pods;
mod reading;
mod rollout;
mod start;
mod world;

pub use assumptions::{Assumptions, Delay};
pub use curve::{CsvError, Curve, CurveError, Point};
pub use demand::{Demand, GAP_PERIODS, is_gap};
pub use demand_look::DemandLook;
pub use load::{Backlog, Load, Measure, Spread};
pub use player::{MOST_SYNCS, Player, Synced, Unplayable};
pub use start::{MeasuredPods, StartLoad};
pub use world::{Delays, Future, Part, Readings, Rollout, World};
