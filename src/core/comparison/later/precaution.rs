//! How to keep another version from leaving an HPA at 0.

use super::Situation;
use super::sleeper::Sleeper;
use crate::api::ObjectMeta;
use crate::edit::{Metadata, Owner, owners};
use crate::model::{ObjectReference, Replicas};
use crate::rules::Rules;

/// What to do before the version changes: set minReplicas to 1, and wait until the target has a replica.
///
/// Source: KEP-2021 ("Can the feature be disabled once it has been enabled"), step 1, and step 3 for a target at 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precaution {
    /// The target, if it is at 0 and the version of now does not wake it for the new minReplicas: somebody has to scale it.
    pub wake: Option<ObjectReference>,
    /// Who would revert the new minReplicas, as far as a case shows: it has no annotations.
    pub owners: Vec<Owner>,
}

impl Precaution {
    pub(super) fn of(sleeper: &Sleeper, now: &Rules, metadata: &ObjectMeta) -> Self {
        let is_stuck =
            || sleeper.end(Situation::MinRaised, now, now).is_none_or(|replicas| replicas == Replicas(0));
        let wakes_by_hand = sleeper.is_at_zero() && is_stuck();
        let min = ["spec", "minReplicas"].map(str::to_owned).to_vec();
        Self {
            wake: wakes_by_hand.then(|| sleeper.snapshot().hpa.target.clone()),
            owners: owners(&Metadata::of_case(metadata), &[min]),
        }
    }
}
