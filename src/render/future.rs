//! What is to come, as it was played.

use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::play::{Assumptions, Run};

/// One HPA over a load.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// What it is called beside the others.
    pub name: &'a str,
    /// The decision that it begins with.
    pub explanation: &'a Explanation,
    /// How it goes on.
    pub run: &'a Run,
}

/// Some HPAs over the same load, or one.
#[derive(Clone, Debug)]
pub struct Future<'a> {
    /// At least one.
    pub runs: Vec<Played<'a>>,
    /// What was changed, as it was typed.
    pub changes: &'a [String],
    /// What is assumed.
    pub assumptions: &'a Assumptions,
    /// Whether each is one value of a sweep.
    pub is_sweep: bool,
}
