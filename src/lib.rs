//! kubectl-hpa: why a `HorizontalPodAutoscaler` did what it did.
pub mod model;
