//! The facts of a cause, in the API's terms.

use super::{About, Cause, holder, is_memory_known};
use crate::attested::Fault;
use crate::memory_bounds::Answer;
use crate::model::{Duration, Policy, Recommendation, Replicas};
use crate::snapshot::{HpaKey, Owner, ReadError, SetReplicas, Snapshot};
use crate::trace::{Limit, SelectorVerdict, Stabilized, Verdict};

/// The facts of a cause, each only if it has one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts<'a> {
    /// The stabilization window.
    pub window: Option<Duration>,
    /// The recommendation in it that holds the replicas, where the memory is known.
    pub recommendation: Option<Recommendation>,
    /// The policy that the rate comes from.
    pub policy: Option<Policy>,
    /// `spec.minReplicas` or `spec.maxReplicas`.
    pub bound: Option<Replicas>,
    /// The answer of an API.
    pub error: Option<&'a ReadError>,
    /// The other HPAs.
    pub hpas: Vec<&'a HpaKey>,
    /// The owners of the pods, each with the number of its pods, as they come first.
    pub owners: Vec<(Option<&'a Owner>, usize)>,
    /// Who has set the replicas last, if it is not the controller.
    pub setter: Option<&'a SetReplicas>,
}

impl<'a> Facts<'a> {
    /// The facts of a cause of an answer.
    #[must_use]
    pub fn of(cause: Cause, snapshot: &'a Snapshot, answer: &'a Answer) -> Self {
        let decision = &answer.decision;
        let attested = &answer.attested;
        let mut facts = Self { owners: owners(cause, snapshot, answer), ..Self::default() };
        match cause.about {
            About::Window(_) => {
                let stabilized = decision.stabilized.as_ref();
                facts.window = stabilized.map(Stabilized::window);
                let known = stabilized.filter(|_| is_memory_known(snapshot, answer));
                facts.recommendation = known.and_then(|it| holder(snapshot, answer, it));
            }
            About::Rate(_) => {
                facts.policy = decision.limited.as_ref().and_then(|it| match &it.how {
                    Limit::Behavior(Some(limit)) => limit.deciding().map(|it| it.policy),
                    Limit::Behavior(None) | Limit::Legacy { .. } => None,
                });
            }
            About::Max => facts.bound = Some(snapshot.hpa.max),
            About::Min | About::Floor => facts.bound = Some(snapshot.hpa.min),
            About::ControllerFault(place) => {
                facts.error = attested.faults.get(place).and_then(Fault::answered);
            }
            About::Scale => facts.error = snapshot.scale.as_ref().err(),
            About::Selector => {
                facts.error = match &decision.selector {
                    Some(SelectorVerdict::Unlisted(error)) => Some(error),
                    _ => None,
                };
            }
            About::FailedMetric(place) => {
                facts.error =
                    decision.metrics.iter().find(|it| it.index == place).and_then(|it| match &it.verdict {
                        Verdict::Failed(failure) => failure.error(),
                        Verdict::Proposal(_) | Verdict::Unknown(_) => None,
                    });
            }
            About::RefusedWrite => facts.error = snapshot.writes.scale.as_ref(),
            About::Rivals => facts.hpas = attested.open_rivals().iter().collect(),
            About::OtherHpas(_) => {
                if let Some(SelectorVerdict::Ambiguous(claimants)) = &decision.selector {
                    facts.hpas = claimants.iter().filter(|key| **key != snapshot.hpa.key).collect();
                }
            }
            About::Zero(_) => {
                let last = snapshot.history.target.setters.last();
                facts.setter = last.filter(|setter| !setter.by_controller);
            }
            _ => {}
        }
        facts
    }
}

/// Whose the pods of a cause are.
fn owners<'a>(cause: Cause, snapshot: &'a Snapshot, answer: &Answer) -> Vec<(Option<&'a Owner>, usize)> {
    let removal = cause.removal.filter(|_| cause.about.pods().is_some());
    let places = removal.and_then(|it| it.pods(snapshot, &answer.decision)).unwrap_or_default();
    let pods = snapshot.pods.as_ref().ok();
    let mut owners: Vec<(Option<&Owner>, usize)> = Vec::new();
    for pod in places.iter().filter_map(|place| pods?.get(*place)) {
        let owner = pod.owner.as_ref();
        match owners.iter_mut().find(|(other, _)| *other == owner) {
            Some((_, number)) => *number += 1,
            None => owners.push((owner, 1)),
        }
    }
    owners
}
