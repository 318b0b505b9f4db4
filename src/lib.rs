//! kubectl-hpa: why a `HorizontalPodAutoscaler` did what it did.
pub mod api;
#[cfg(feature = "cli")]
pub mod cluster;
pub mod engine;
pub mod model;
pub mod recall;
pub mod rules;
pub mod snapshot;
pub mod status;
pub mod trace;
