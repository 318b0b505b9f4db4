//! What the API server refuses, in its own words and order.
//!
//! These are the rules that hold for every HPA that was ever stored (`pkg/apis/autoscaling/validation`; 1.36
//! and 1.37 have the same). Where validity depends on feature gates or on the object before, everything that any
//! server may have stored is let through: `minReplicas: 0` with any metrics, any `scaleTargetRef.apiVersion`,
//! `tolerance`.

mod behavior;
mod findings;
mod metric;
mod pod_spec;
mod reference;
mod resource_name;
mod spec;
mod target;
mod written;

pub use findings::Violation;
pub use spec::validate;
pub use written::{validate_change, validate_manifest, validate_target};

pub(super) use pod_spec::pods;

use super::CaseError;
use crate::api;

/// Validates the HPA of a case: all of its violations in one error, the first on the first line.
pub(super) fn hpa(hpa: &api::Hpa) -> Result<(), CaseError> {
    let mut violations = spec::metadata(&hpa.metadata);
    violations.extend(validate(&hpa.spec));
    violations.extend(spec::status(&hpa.status));
    in_one(violations, "hpa")
}

fn in_one(violations: Vec<Violation>, place: &str) -> Result<(), CaseError> {
    let mut violations = violations.into_iter();
    let Some(first) = violations.next() else { return Ok(()) };
    let problem = violations.fold(first.text, |problem, next| format!("{problem}\n{place}.{next}"));
    Err(CaseError::new(format!("{place}.{}", first.path), problem))
}
