//! kubectl-hpa: why a `HorizontalPodAutoscaler` did what it did.
pub mod api;
#[cfg(feature = "cli")]
pub mod cluster;
pub mod engine;
#[cfg(feature = "cli")]
pub mod examples;
pub mod model;
pub mod recall;
#[cfg(feature = "cli")]
pub mod render;
pub mod rules;
pub mod snapshot;
pub mod status;
pub mod trace;
