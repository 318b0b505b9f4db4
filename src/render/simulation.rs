//! A decision as it is and as it would be, side by side.

use kubectl_hpa_core::comparison::Sides;

/// Two decisions, and the changes that lead from one to the other.
#[derive(Clone, Copy, Debug)]
pub struct Simulation<'a> {
    /// The changes, as they were typed.
    pub changes: &'a [String],
    /// As it is, and as it would be.
    pub sides: Sides<'a>,
    /// Whether the replicas and their pods are what was typed: nothing was read from a cluster.
    pub is_typed: bool,
}
