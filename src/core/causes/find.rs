//! Finds the causes of a decision.

use std::cmp::{Ordering, Reverse};

use super::{About, Cause, Ending, Weight, ZeroOf, disabled};
use crate::attested::About as Fault;
use crate::memory_bounds::Answer;
use crate::model::{Duration, MetricSpec, Replicas, SelectPolicy};
use crate::rules::{FromZero, Rules};
use crate::snapshot::Snapshot;
use crate::trace::{
    Code, Direction, Failure, Gate, HoldReason, Limit, LimitReason, MetricTrace, Outcome, Proposal,
    SelectorVerdict, Stabilized, Verdict,
};
use crate::whatif::{Removal, answer_without};

/// The one cause that a person would name; `None` if nothing is decided here.
#[must_use]
pub fn principal(snapshot: &Snapshot, rules: &Rules, answer: &Answer) -> Option<Cause> {
    Finder { snapshot, rules, answer }.principal()
}

/// The brake between what the metrics want and the replicas: the principal cause if it is one, else the one that the controller
/// comes to last.
#[must_use]
pub fn brake(snapshot: &Snapshot, rules: &Rules, answer: &Answer, principal: Option<Cause>) -> Option<About> {
    let finder = Finder { snapshot, rules, answer };
    let brakes = finder.brakes();
    let principal = principal.map(|cause| cause.about).filter(|about| brakes.contains(about));
    principal.or_else(|| brakes.first().copied().filter(|_| !finder.is_as_wanted()))
}

/// The other causes beside the principal one, in order of their effect.
#[must_use]
pub fn others(snapshot: &Snapshot, rules: &Rules, answer: &Answer, principal: Cause) -> Vec<Cause> {
    let finder = Finder { snapshot, rules, answer };
    let others = finder.brakes().into_iter().chain(finder.all_of_metric());
    let mut others: Vec<Cause> = others
        .filter(|about| *about != principal.about)
        .map(|about| finder.cause(about))
        .filter(|cause| cause.weight > Weight::Shared)
        .collect();
    others.sort_by_key(|cause| Reverse((cause.weight, finder.effect(cause))));
    others
}

/// The brake that keeps the replicas without the principal cause as well.
#[must_use]
pub fn beside(snapshot: &Snapshot, rules: &Rules, answer: &Answer, principal: Cause) -> Option<About> {
    let is_blocked =
        matches!(answer.decision.outcome, Outcome::Hold { reason: HoldReason::InvalidMetricBlocksDown, .. });
    let found = answer.decision.found().filter(|_| is_blocked || answer.decision.choice.is_some())?;
    let stays = Some((found, found));
    let removal = principal.removal.filter(|_| answer.range() == stays && principal.without == stays)?;
    let then = answer_without(removal, snapshot, rules, &answer.decision);
    let finder = Finder { snapshot, rules, answer: &then };
    let mut brakes = finder.brakes().into_iter().filter(|_| !finder.is_as_wanted());
    let window = then.decision.stabilized.as_ref().map(Stabilized::window);
    brakes.find(|about| match about {
        _ if *about == principal.about => false,
        About::Max => found == snapshot.hpa.max,
        About::Min => found == snapshot.hpa.min,
        About::Window(_) => window.is_some_and(|window| window > Duration::default()),
        _ => true,
    })
}

/// Whose the zero replicas are at which the controller stops.
#[must_use]
pub fn zero_of(snapshot: &Snapshot, rules: &Rules) -> ZeroOf {
    let hpa = &snapshot.hpa;
    if hpa.scaled_object().is_some() {
        return ZeroOf::Keda;
    }
    let by_condition = rules.from_zero == FromZero::Condition;
    let own = by_condition && hpa.status.is_scaled_to_zero();
    let may_be_own = own || hpa.min == Replicas(0) && by_condition;
    match (own, rules.scale_to_zero) {
        (_, false) if may_be_own => ZeroOf::NotTold,
        (true, true) => ZeroOf::OwnWithoutMetric,
        _ => ZeroOf::Others,
    }
}

struct Finder<'a> {
    snapshot: &'a Snapshot,
    rules: &'a Rules,
    answer: &'a Answer,
}

impl Finder<'_> {
    fn principal(&self) -> Option<Cause> {
        if matches!(self.answer.decision.outcome, Outcome::Unknown(_)) {
            return None;
        }
        if let Some(about) = self.stop() {
            return Some(self.cause(about));
        }
        let brakes: Vec<Cause> = self.brakes().into_iter().map(|about| self.cause(about)).collect();
        if let Some(brake) = brakes.iter().find(|cause| cause.weight == Weight::Decides) {
            return Some(*brake);
        }
        // Two brakes, each of which is enough: they keep the replicas that stay, but a change has another cause. What one of them
        // moves and another moves back is what the metrics want.
        let brake = lasting(&brakes).filter(|_| !self.is_as_wanted());
        if brake.is_some() && matches!(self.answer.decision.outcome, Outcome::Hold { .. }) {
            return brake;
        }
        let metric = self.of_metric();
        let decides = metric.iter().find(|cause| cause.weight == Weight::Decides);
        let wanted = || metric.iter().find(|cause| cause.weight == Weight::Wanted).copied();
        let known = |about| metric.iter().find(|cause| cause.about == about).copied();
        let shared = || self.shared().map(|about| known(about).unwrap_or_else(|| self.cause(about)));
        decides.copied().or(brake).or_else(wanted).or_else(shared)
    }

    /// True if the replicas are those that the metrics want.
    fn is_as_wanted(&self) -> bool {
        let wanted = self.answer.decision.choice.map(|choice| choice.after);
        wanted.is_some_and(|wanted| self.answer.range() == Some((wanted, wanted)))
    }

    /// The bound that the replicas do not pass whatever else holds them too.
    fn reached(&self) -> Option<About> {
        let decision = &self.answer.decision;
        let (hpa, wanted) = (&self.snapshot.hpa, decision.choice?.after);
        let (replicas, _) = self.answer.range().filter(|(low, high)| low == high)?;
        if replicas == hpa.max && wanted > hpa.max {
            return Some(About::Max);
        }
        let is_floor = decision.floor.is_some_and(|it| it.before != it.after);
        (replicas == hpa.min && wanted < hpa.min && !is_floor).then_some(About::Min)
    }

    /// What the deciding metric hangs on, where something else would have led to the same.
    fn shared(&self) -> Option<About> {
        let (winner, proposal) = self.answer.decision.winner()?;
        let (ratio, _) = proposal.calculation.ratios();
        let keeps_others = proposal.keeps() && Some(proposal.replicas) != self.answer.decision.found();
        let status = keeps_others.then_some(About::StatusReplicas);
        let turned = || self.pods(winner).first().copied().filter(|_| proposal.turns());
        let is_off = ratio.is_above() || ratio.is_below();
        let tolerance = (proposal.keeps() && is_off).then_some(About::Tolerance);
        status.or_else(turned).or(tolerance).or(Some(About::Load(winner.index)))
    }

    /// What keeps the controller from deciding by its metrics.
    fn stop(&self) -> Option<About> {
        let attested = &self.answer.attested;
        if attested.is_idle() {
            return Some(About::NobodyAtWork);
        }
        if let Some(place) =
            attested.faults.iter().position(|fault| fault.is_certain && !fault.may_depend_on_size())
        {
            return Some(About::ControllerFault(place));
        }
        self.stopped().or_else(|| self.doubt())
    }

    fn stopped(&self) -> Option<About> {
        let decision = &self.answer.decision;
        match &decision.outcome {
            Outcome::NoScale => Some(About::Scale),
            Outcome::Hold { reason: HoldReason::Selector, .. } => Some(match &decision.selector {
                Some(SelectorVerdict::Ambiguous(claimants)) => {
                    About::OtherHpas(claimants.len().saturating_sub(1))
                }
                _ => About::Selector,
            }),
            Outcome::Hold { reason: HoldReason::Disabled, .. } => {
                Some(About::Zero(zero_of(self.snapshot, self.rules)))
            }
            Outcome::Hold { reason: HoldReason::Crash, .. } => Some(About::Crash),
            Outcome::Hold { reason: HoldReason::AllMetricsInvalid, .. } => Some(self.invalid()),
            Outcome::Hold { reason: HoldReason::InvalidMetricBlocksDown, .. } => {
                self.failed().map(About::FailedMetric)
            }
            Outcome::Scale { failed: Some(_), .. } => Some(About::RefusedWrite),
            Outcome::Hold { reason: HoldReason::Decided, .. }
            | Outcome::Scale { .. }
            | Outcome::Unknown(_) => None,
        }
    }

    /// What leaves the replicas open.
    fn doubt(&self) -> Option<About> {
        self.answer.interval?;
        let attested = &self.answer.attested;
        let is_open = |fault: &crate::attested::Fault| !fault.is_certain || fault.may_depend_on_size();
        if let Some(place) = attested.faults.iter().position(is_open) {
            return Some(About::ControllerFault(place));
        }
        if !attested.open_rivals().is_empty() {
            return Some(About::Rivals);
        }
        Some(if attested.idle.is_some() { About::NobodyAtWork } else { About::UnknownMemory })
    }

    fn invalid(&self) -> About {
        let mut failures = self.answer.decision.metrics.iter().filter_map(|it| match &it.verdict {
            Verdict::Failed(failure) => Some(failure),
            Verdict::Proposal(_) | Verdict::Unknown(_) => None,
        });
        let is_idle = self.snapshot.idle_pods().is_some();
        let sleeps = self.answer.decision.gate == Gate::MetricsFromZero;
        if sleeps && !self.snapshot.hpa.metrics.iter().any(MetricSpec::outlives_pods) {
            return About::Zero(ZeroOf::OwnWithoutMetric);
        }
        if is_idle && failures.any(Failure::lacks_samples_of_pods) {
            return About::IdlePods;
        }
        About::FailedMetric(self.failed().unwrap_or_default())
    }

    fn failed(&self) -> Option<usize> {
        let mut metrics = self.answer.decision.metrics.iter();
        metrics.find(|it| matches!(it.verdict, Verdict::Failed(_))).map(|it| it.index)
    }

    /// What the deciding metric hangs on, the likeliest first, up to one without which the decision is another.
    fn of_metric(&self) -> Vec<Cause> {
        let (Some(current), Some((winner, proposal))) =
            (self.answer.decision.found(), self.answer.decision.winner())
        else {
            return Vec::new();
        };
        let (ratio, _) = proposal.calculation.ratios();
        let goes_with_load = match proposal.replicas.cmp(&current) {
            Ordering::Greater => ratio.is_above(),
            Ordering::Less => ratio.is_below(),
            Ordering::Equal => false,
        };
        let mut all = Vec::new();
        if goes_with_load {
            all.push(self.cause(About::Load(winner.index)));
            if all.iter().any(|cause| cause.weight == Weight::Decides) {
                return all;
            }
        }
        // Inside the tolerance the controller assumes nothing of pods: it leaves them out. That it is within is said first.
        let is_within = proposal.ending() == Code::WithinTolerance;
        let is_left_out = |about: &About| match about {
            About::MissingPods(_) | About::UnreadyPods(_) => is_within && proposal.refill().is_none(),
            About::ForeignPods(_) => is_within,
            _ => false,
        };
        let (left_out, pods): (Vec<About>, Vec<About>) = self.pods(winner).into_iter().partition(is_left_out);
        let mut pods: Vec<Cause> = pods.into_iter().map(|about| self.cause(about)).collect();
        pods.sort_by_key(|cause| Reverse((cause.weight, self.effect(cause))));
        all.extend(pods);
        let rest = [About::Tolerance].into_iter().chain(left_out).chain([About::Load(winner.index)]);
        for about in rest {
            if all.iter().any(|cause| cause.weight == Weight::Decides) {
                break;
            }
            all.push(self.cause(about));
        }
        all
    }

    /// All that the deciding metric hangs on.
    fn all_of_metric(&self) -> Vec<About> {
        let Some((winner, _)) = self.answer.decision.winner() else { return Vec::new() };
        self.pods(winner).into_iter().chain([About::Tolerance, About::Load(winner.index)]).collect()
    }

    /// What bends the replicas after the metrics, from the last stage backward: before it the bound that they do not pass
    /// anyway, and a disabled direction before the window that would hold them as well.
    fn brakes(&self) -> Vec<About> {
        let decision = &self.answer.decision;
        match decision.gate {
            Gate::AboveMax => return vec![About::Max],
            Gate::BelowMin => return vec![About::Min],
            _ => {}
        }
        let floor = decision.floor.filter(|it| it.before != it.after).map(|_| About::Floor);
        let limited = decision.limited.as_ref().filter(|_| !self.answer.open_way.limit);
        let limit = limited.filter(|it| it.before != it.after).and_then(|it| limit(it.reason, &it.how));
        let stabilized = decision.stabilized.as_ref().filter(|it| it.before != it.after);
        let window = stabilized
            .map(|it| About::Window(if it.after > it.before { Direction::Down } else { Direction::Up }));
        // A limit that leads back toward what the metrics want only trims what the window made of it.
        let is_trimmed = decision.choice.zip(limited).is_some_and(|(choice, limited)| {
            let distance = |replicas: Replicas| replicas.0.abs_diff(choice.after.0);
            distance(limited.after) < distance(limited.before)
        });
        let disabled = disabled(self.snapshot, decision).map(About::Disabled);
        let [first, second] = if is_trimmed { [window, limit] } else { [limit, window] };
        let mut all: Vec<About> = Vec::new();
        for about in [self.reached(), floor, disabled, first, second].into_iter().flatten() {
            if !all.contains(&about) {
                all.push(about);
            }
        }
        all
    }

    /// What the number of pods, and what is assumed of them, does to the deciding metric.
    fn pods(&self, winner: &MetricTrace) -> Vec<About> {
        let groups = winner.groups.as_ref();
        let of_group = |number: Option<usize>| number.filter(|number| *number > 0);
        let unready = of_group(groups.map(|it| it.unready)).map(About::UnreadyPods);
        let missing = of_group(groups.map(|it| it.missing)).map(About::MissingPods);
        let foreign = of_group(groups.map(|it| it.foreign.len())).map(About::ForeignSamples);
        // Inside the tolerance the ratio keeps the replicas, whatever the number of pods.
        let found = self.answer.decision.found();
        let is_kept = matches!(self.answer.decision.outcome, Outcome::Hold { .. });
        let is_within = is_kept
            && winner
                .proposal()
                .is_some_and(|it| it.ending() == Code::WithinTolerance && Some(it.replicas) == found);
        let numbers = Removal::numbers(self.snapshot, &self.answer.decision);
        let numbers = numbers.into_iter().filter_map(|removal| match removal {
            Removal::SurplusPods(_) | Removal::AbsentPods(_) if is_within => None,
            Removal::SurplusPods(pods) => Some(About::SurplusPods(pods)),
            Removal::AbsentPods(pods) => Some(About::AbsentPods(pods)),
            Removal::StatusReplicas => Some(About::StatusReplicas),
            _ => None,
        });
        let others = of_group(Some(self.snapshot.foreign_pods().len())).map(About::ForeignPods);
        missing.into_iter().chain(unready).chain(foreign).chain(others).chain(numbers).collect()
    }

    /// A cause with its effect.
    fn cause(&self, about: About) -> Cause {
        let ending = Ending::of(about, self.snapshot, self.rules, self.answer);
        let code = self.code(about);
        let now = self.answer.range();
        // Without its only metric it would be another HPA.
        let is_only = |it: &Removal| matches!(it, Removal::Metric(_)) && self.snapshot.hpa.metrics.len() < 2;
        let removals: Vec<Removal> = about.removals().into_iter().filter(|it| !is_only(it)).collect();
        let weight = if removals.is_empty() { Weight::Decides } else { Weight::Shared };
        let mut found = Cause {
            about,
            code,
            removal: None,
            without: self.otherwise(about),
            wanted: None,
            weight,
            ending,
        };
        for removal in removals {
            let then = answer_without(removal, self.snapshot, self.rules, &self.answer.decision);
            let frees = self.answer.decision.outcome.is_stopped() && !then.decision.outcome.is_stopped();
            let (without, wanted) = (then.range(), then.decision.choice.map(|choice| choice.after));
            let moves = wanted.is_some() && wanted != self.answer.decision.choice.map(|choice| choice.after);
            let weight = match without {
                _ if frees => Weight::Decides,
                Some(_) if without != now => Weight::Decides,
                Some(_) if moves => Weight::Wanted,
                Some(_) | None => Weight::Shared,
            };
            if weight > found.weight || found.removal.is_none() {
                found = Cause { removal: Some(removal), without, wanted, weight, ..found };
            }
            if weight == Weight::Decides {
                break;
            }
        }
        found
    }

    /// What the controller would decide without what only it meets.
    fn otherwise(&self, about: About) -> Option<(Replicas, Replicas)> {
        let is_attested = matches!(about, About::NobodyAtWork | About::ControllerFault(_));
        self.answer.attested.otherwise.filter(|_| is_attested)
    }

    /// How far the replicas are from those without it.
    fn effect(&self, cause: &Cause) -> u32 {
        let wanted = self.answer.decision.choice.map(|choice| choice.after).zip(cause.wanted);
        let wanted = wanted.map_or(0, |(now, then)| now.0.abs_diff(then.0));
        let ends = self.answer.range().zip(cause.without);
        let replicas =
            ends.map_or(0, |(now, then)| now.0.0.abs_diff(then.0.0).max(now.1.0.abs_diff(then.1.0)));
        if cause.weight == Weight::Decides { replicas } else { wanted }
    }

    /// The branch of the step at which a cause acts.
    fn code(&self, about: About) -> Code {
        let decision = &self.answer.decision;
        let winner = || decision.winner().map(|(_, proposal)| proposal);
        let outcome = || decision.outcome.code();
        let found = match about {
            About::NobodyAtWork | About::Rivals | About::Crash => None,
            About::ControllerFault(place) => self.fault_code(place),
            About::RefusedWrite => Some(outcome()),
            About::Scale | About::Zero(_) if decision.metrics.is_empty() => Some(decision.gate.code()),
            About::Scale | About::Zero(_) | About::IdlePods => {
                self.failed().and_then(|place| self.failure_code(place))
            }
            About::Selector | About::OtherHpas(_) => {
                decision.selector.as_ref().and_then(SelectorVerdict::code)
            }
            About::FailedMetric(place) => self.failure_code(place),
            About::UnknownMemory => Some(Code::MemoryUnknown),
            About::Floor => Some(Code::RaisedToMin),
            About::Max | About::Min if matches!(decision.gate, Gate::AboveMax | Gate::BelowMin) => {
                Some(decision.gate.code())
            }
            About::Max => Some(Code::TooManyReplicas),
            About::Min => Some(Code::TooFewReplicas),
            About::Disabled(Direction::Up) => Some(Code::ScaleUpDisabled),
            About::Disabled(Direction::Down) => Some(Code::ScaleDownDisabled),
            About::Rate(Direction::Up) | About::Doubling => Some(Code::ScaleUpLimit),
            About::Rate(Direction::Down) => Some(Code::ScaleDownLimit),
            About::Window(Direction::Up) => Some(Code::ScaleUpStabilized),
            About::Window(Direction::Down) => Some(Code::ScaleDownStabilized),
            About::MissingPods(_) => winner().and_then(|it| it.refill()?.codes()[0]),
            About::UnreadyPods(_) => winner().and_then(|it| it.refill()?.codes()[1]),
            About::ForeignPods(_)
            | About::SurplusPods(_)
            | About::AbsentPods(_)
            | About::ForeignSamples(_)
            | About::Tolerance => winner().map(Proposal::ending),
            About::StatusReplicas | About::Load(_) => winner().map(Proposal::code),
        };
        let codes = self.answer.codes();
        // A bound that is not passed in any case has no step if a window holds the replicas before it.
        let window = || decision.stabilized.as_ref().filter(|it| it.before != it.after).map(Stabilized::code);
        let known = |code: Code| self.answer.open_way.code(code);
        let is_there = |code: &Code| codes.contains(code);
        let all = [found, window(), winner().map(Proposal::code)];
        all.into_iter().flatten().map(known).find(is_there).unwrap_or_else(outcome)
    }

    /// The branch of the read or write that fails for the controller, if it fails here, too.
    fn fault_code(&self, place: usize) -> Option<Code> {
        let decision = &self.answer.decision;
        let fault = self.answer.attested.faults.get(place)?;
        if !fault.is_certain || !decision.outcome.is_stopped() {
            return None;
        }
        match fault.about {
            Fault::Scale => Some(decision.gate.code()),
            Fault::Update => Some(decision.outcome.code()),
            Fault::Metric(place) => self.failure_code(place),
            Fault::PodMetrics => self.failed().and_then(|place| self.failure_code(place)),
        }
    }

    fn failure_code(&self, place: usize) -> Option<Code> {
        let trace = self.answer.decision.metrics.iter().find(|it| it.index == place)?;
        match &trace.verdict {
            Verdict::Failed(failure) => Some(failure.code()),
            Verdict::Proposal(_) | Verdict::Unknown(_) => None,
        }
    }
}

/// Of brakes each of which is enough, the one that goes last: the first that time alone does not end.
fn lasting(brakes: &[Cause]) -> Option<Cause> {
    brakes.iter().rev().copied().max_by_key(|cause| match cause.ending {
        Ending::Time(at) => (false, Some(at)),
        _ => (true, None),
    })
}

fn limit(reason: LimitReason, how: &Limit) -> Option<About> {
    let is_legacy = matches!(how, Limit::Legacy { .. });
    let disabled = match how {
        Limit::Behavior(Some(limit)) if limit.select == SelectPolicy::Disabled => Some(limit.direction),
        Limit::Behavior(_) | Limit::Legacy { .. } => None,
    };
    match reason {
        LimitReason::ScaleUpLimit | LimitReason::ScaleDownLimit if disabled.is_some() => {
            disabled.map(About::Disabled)
        }
        LimitReason::DesiredWithinRange => None,
        LimitReason::TooManyReplicas => Some(About::Max),
        LimitReason::TooFewReplicas => Some(About::Min),
        LimitReason::ScaleUpLimit if is_legacy => Some(About::Doubling),
        LimitReason::ScaleUpLimit => Some(About::Rate(Direction::Up)),
        LimitReason::ScaleDownLimit => Some(About::Rate(Direction::Down)),
    }
}
