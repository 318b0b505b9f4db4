//! `--changes` is judged: in a small world people, two HPAs and the controller change the replicas, and a watch that misses
//! much of it says who did. No credit may be false.
//!
//! `KUBECTL_HPA_WORLDS` sets the number of worlds, `KUBECTL_HPA_SEED` the first of their seeds.

#[path = "../memory/hostile/draw.rs"]
mod draw;
mod hpa;
mod judge;
mod random;
mod table;
mod target;
mod watcher;
mod world;
