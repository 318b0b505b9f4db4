//! A sweep with what it started from.

use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::whatif::{Axis, Point};

/// A sweep with what it started from.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    /// The decision as it is.
    pub now: &'a Explanation,
    /// The changes that are made at every point.
    pub changes: &'a [String],
    /// One axis or two.
    pub axes: &'a [Axis],
    /// What is decided, the last axis turning fastest.
    pub points: &'a [Point],
}
