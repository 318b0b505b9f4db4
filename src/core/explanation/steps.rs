//! The decision as a list of steps: the one list that both the screen and the JSON are told from.

use super::{Explanation, Metric};
use crate::model::Replicas;
use crate::trace::{
    Calculation, Choice, Code, Failure, Floor, Gate, HoldReason, Limited, Link, Measure, Outcome, Pass,
    PerReplica, PodGroups, Proposal, Refill, SelectorVerdict, Stabilized, Stage, Total, Unread, Verdict,
};

/// One step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step<'a> {
    /// Where in the pipeline.
    pub stage: Stage,
    /// The metric, for the stages that each metric goes through.
    pub metric: Option<Metric<'a>>,
    /// Its branch.
    pub code: Code,
    /// The count before and after, for the stages that have one.
    pub link: Option<(Replicas, Replicas)>,
    /// Its numbers.
    pub detail: Detail<'a>,
}

/// The numbers of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Detail<'a> {
    /// Whether the metrics are asked at all, of so many replicas.
    Gate(&'a Gate, Option<Replicas>),
    /// What the target's selector allows.
    Selector(&'a SelectorVerdict),
    /// The first pass over the pods.
    Pass(Measure, Pass),
    /// A value against a Value target.
    Total(Total),
    /// A value against a target per replica.
    PerReplica(PerReplica),
    /// A metric that could not be read.
    Failed(&'a Failure),
    /// A metric for which it is not known what the controller reads.
    Unread(&'a Unread),
    /// What missing pods count as, for so many of them.
    Missing(&'a Refill, usize),
    /// What unready pods count as, for so many of them.
    Unready(&'a Refill, usize),
    /// From the last ratio to the proposal.
    Proposal(&'a Proposal),
    /// Which metric counts.
    Choice(Choice),
    /// None of them does.
    NoChoice(HoldReason),
    /// What stabilization made of it.
    Window(&'a Stabilized),
    /// What bounds and policies made of it.
    Limit(&'a Limited),
    /// What minReplicas made of it.
    Floor(Floor),
    /// The outcome.
    Outcome(&'a Outcome),
}

impl Detail<'_> {
    /// Whether the numbers alone give the same result: flags that only say what follows are not numbers.
    #[must_use]
    pub fn has_numbers_of(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Self::Total(one), Self::Total(other)) => Total { basis: other.basis, ..one } == other,
            (Self::PerReplica(one), Self::PerReplica(other)) => {
                PerReplica { within: other.within, is_capped: other.is_capped, ..one } == other
            }
            _ => self == other,
        }
    }
}

impl Step<'_> {
    /// Whether the step leaves everything as it was, so that a screen can do without it.
    #[must_use]
    pub fn changes_nothing(&self) -> bool {
        if self.code == Code::MemoryUnknown {
            return false;
        }
        match self.detail {
            Detail::Gate(Gate::Metrics, _)
            | Detail::Selector(SelectorVerdict::Good)
            | Detail::NoChoice(HoldReason::Decided | HoldReason::Disabled | HoldReason::Selector) => true,
            Detail::Choice(choice) => self.code == Code::OnlyMetric && choice.before == choice.after,
            // A disabled direction keeps the replicas that the window keeps as well.
            Detail::Limit(limited) => limited.before == limited.after && self.code == Code::WithinRange,
            Detail::Window(_) => self.link.is_some_and(|(before, after)| before == after),
            Detail::Outcome(outcome) => outcome.refused().is_none(),
            Detail::NoChoice(
                HoldReason::AllMetricsInvalid | HoldReason::InvalidMetricBlocksDown | HoldReason::Crash,
            )
            | Detail::Gate(..)
            | Detail::Selector(_)
            | Detail::Pass(..)
            | Detail::Total(_)
            | Detail::PerReplica(_)
            | Detail::Failed(_)
            | Detail::Unread(_)
            | Detail::Missing(..)
            | Detail::Unready(..)
            | Detail::Proposal(_)
            | Detail::Floor(_) => false,
        }
    }
}

impl Explanation {
    /// All steps of a decision, in the controller's order.
    #[must_use]
    pub fn steps(&self) -> Vec<Step<'_>> {
        let decision = self.decision();
        let chain = decision.chain();
        let mut steps =
            vec![plain(Stage::Gate, decision.gate.code(), Detail::Gate(&decision.gate, self.current()))];
        if let Some((code, verdict)) = decision.selector.as_ref().and_then(|it| Some((it.code()?, it))) {
            steps.push(plain(Stage::Selector, code, Detail::Selector(verdict)));
        }
        for metric in self.metrics() {
            steps.extend(of_metric(metric, self.current().unwrap_or_default()));
        }
        steps.extend(normalization(self));
        steps.push(plain(Stage::Outcome, decision.outcome.code(), Detail::Outcome(&decision.outcome)));
        for step in &mut steps {
            step.link = step.link.or_else(|| link_of(&chain, step.stage));
            step.code = self.answer().open_way.code(step.code);
        }
        steps
    }
}

/// The counts of a stage that is no metric's own.
fn link_of(chain: &[Link], stage: Stage) -> Option<(Replicas, Replicas)> {
    let link = chain.iter().find(|link| link.stage == stage && stage != Stage::Replicas)?;
    Some((link.before, link.after))
}

fn plain(stage: Stage, code: Code, detail: Detail<'_>) -> Step<'_> {
    Step { stage, metric: None, code, link: None, detail }
}

fn of_metric(metric: Metric<'_>, current: Replicas) -> Vec<Step<'_>> {
    let step = |stage, code, detail| Step { stage, metric: Some(metric), code, link: None, detail };
    match &metric.trace.verdict {
        Verdict::Failed(failure) => vec![step(Stage::Reading, failure.code(), Detail::Failed(failure))],
        Verdict::Unknown(unread) => vec![step(Stage::Reading, Code::Unread, Detail::Unread(unread))],
        Verdict::Proposal(proposal) => {
            let reading = match &proposal.calculation {
                Calculation::PerPod(per_pod) => Detail::Pass(per_pod.measure, per_pod.first),
                Calculation::Total(total) => Detail::Total(*total),
                Calculation::PerReplica(per_replica) => Detail::PerReplica(*per_replica),
            };
            let mut steps = vec![step(Stage::Reading, proposal.code(), reading)];
            if let (Some(refill), Some(groups)) = (proposal.refill(), &metric.trace.groups) {
                let fillers = fillers(refill, groups).into_iter();
                steps.extend(fillers.map(|(code, detail)| step(Stage::Refill, code, detail)));
            }
            let ending = step(Stage::Replicas, proposal.ending(), Detail::Proposal(proposal));
            steps.push(Step { link: Some((current, proposal.replicas)), ..ending });
            steps
        }
    }
}

fn fillers<'a>(refill: &'a Refill, groups: &PodGroups) -> Vec<(Code, Detail<'a>)> {
    let [missing, unready] = refill.codes();
    let missing = missing.map(|code| (code, Detail::Missing(refill, groups.missing)));
    let unready = unready.map(|code| (code, Detail::Unready(refill, groups.unready)));
    missing.into_iter().chain(unready).collect()
}

fn normalization(explanation: &Explanation) -> Vec<Step<'_>> {
    let decision = explanation.decision();
    let mut steps = Vec::new();
    match (&decision.choice, &decision.outcome) {
        (Some(choice), _) => {
            steps.push(plain(Stage::Choice, choice.code(decision.metrics.len()), Detail::Choice(*choice)));
        }
        (None, Outcome::Hold { reason, .. }) if !decision.metrics.is_empty() => {
            steps.push(plain(Stage::Choice, decision.outcome.code(), Detail::NoChoice(*reason)));
        }
        (None, _) => {}
    }
    let window = decision.stabilized.as_ref();
    steps.extend(window.map(|window| plain(Stage::Stabilization, window.code(), Detail::Window(window))));
    let limit = decision.limited.as_ref();
    steps.extend(limit.map(|limit| plain(Stage::Limit, limit.code(), Detail::Limit(limit))));
    steps.extend(decision.floor.map(|floor| plain(Stage::Floor, Code::RaisedToMin, Detail::Floor(floor))));
    steps
}
