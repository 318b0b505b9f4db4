//! What another version would decide otherwise.

use super::versions::Versions;

/// The autoscalers that another version would decide otherwise.
#[derive(Clone, Debug)]
pub struct Upgrade<'a> {
    /// The version, as it was typed.
    pub to: &'a str,
    /// The versions that decide now; one, where all autoscalers are of one cluster.
    pub from: &'a [String],
    /// How many autoscalers there are.
    pub hpas: usize,
    /// Those of which nothing can be said.
    pub undecided: &'a [String],
    /// Those that are decided otherwise: each by two versions.
    pub changed: Vec<Versions<'a>>,
}
