//! The key by which a watch sees that a decision has changed.

use super::Explanation;
use crate::api::{Condition, HpaStatus, MetricStatus};
use crate::model::{Evidence, Replicas};
use crate::trace::Code;

/// A decision without its times: two looks with the same key have nothing new to show.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeKey {
    current: Option<Replicas>,
    range: Option<(Replicas, Replicas)>,
    /// The branches that lead there, the winner's alone of those of the metrics.
    codes: Vec<Code>,
    /// The value of the deciding metric.
    winner: Option<(usize, Option<MetricStatus>)>,
    /// Everything that the controller would write, and how its memory is known, if all of it is shown.
    whole: Option<(Evidence, HpaStatus)>,
}

impl Explanation {
    /// What it comes to; with the whole of it also what the controller would write.
    #[must_use]
    pub fn change_key(&self, is_whole: bool) -> ChangeKey {
        let winner = self.winner().map(|(metric, _)| metric.trace.index);
        let is_told = |metric: usize| winner.is_none_or(|winner| winner == metric);
        let steps = self.steps();
        let told = steps.iter().filter(|step| step.metric.is_none_or(|metric| is_told(metric.trace.index)));
        let status = &self.report().status;
        let stands_at = |index: usize| status.current_metrics.as_ref()?.get(index).cloned();
        ChangeKey {
            current: self.current(),
            range: self.range(),
            codes: told.map(|step| step.code).collect(),
            winner: winner.map(|index| (index, stands_at(index))),
            whole: is_whole.then(|| (self.snapshot.memory_evidence, timeless(status))),
        }
    }
}

fn timeless(status: &HpaStatus) -> HpaStatus {
    let condition = |it: &Condition| Condition { last_transition_time: None, ..it.clone() };
    let conditions = status.conditions.iter().map(condition).collect();
    HpaStatus { last_scale_time: None, conditions, ..status.clone() }
}
