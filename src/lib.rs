//! kubectl-hpa: why a `HorizontalPodAutoscaler` did what it did.
pub mod api;
#[cfg(feature = "cli")]
pub mod examples;
pub mod engine;
pub mod model;
#[cfg(feature = "cli")]
pub mod render;
pub mod rules;
pub mod snapshot;
pub mod status;
pub mod trace;
