//! A decision as it is and as it would be, side by side.

use std::collections::BTreeMap;

use super::explanation::{Explanation, Metric};
use super::phrases::{group, metric, step};
use super::steps::steps;
use crate::model::{Milli, Replicas, ResourceName};
use crate::snapshot::Pod;
use crate::trace::{Member, Outcome, SelectorVerdict, Stage};
use crate::whatif::is_foreign;

/// Two decisions, and the changes that lead from one to the other.
#[derive(Clone, Copy, Debug)]
pub struct Simulation<'a> {
    /// The changes, as they were typed.
    pub changes: &'a [String],
    /// As it is; `None` where the autoscaler is not there yet.
    pub now: Option<Explanation<'a>>,
    /// As it would be.
    pub then: Explanation<'a>,
}

/// How two decisions compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The same is decided.
    Same,
    /// Something else is decided.
    Different,
    /// Nobody can say: a side is not known, or only its bounds are, and both sides may come to the same or not.
    Unknown,
}

/// A step on both sides; `None` where a side has come to its end.
pub(super) struct Parting {
    place: usize,
    /// Its place among all steps of a side; past the last where a side has come to its end.
    places: [usize; 2],
    pub now: Option<Told>,
    pub then: Option<Told>,
}

/// A step in words.
#[derive(Clone)]
pub(super) struct Told {
    pub label: String,
    pub text: String,
    pub code: &'static str,
    stage: Stage,
    /// The label of the metric that it is about.
    metric: Option<String>,
    /// Whether it leaves everything as it was.
    changes_nothing: bool,
    /// The counts before and after it, where it has them.
    link: Option<(Replicas, Replicas)>,
}

impl Told {
    /// Whether the same is done: the same branch from the same count to the same, or with the same numbers.
    fn does_as(&self, other: &Self) -> bool {
        let same_numbers = self.label == other.label && self.text == other.text;
        self.code == other.code && self.link == other.link && (self.link.is_some() || same_numbers)
    }
}

/// Whether the same is done on both sides, or nothing any more.
fn does_as(one: Option<&Told>, other: Option<&Told>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.does_as(other),
        (None, None) => true,
        _ => false,
    }
}

/// A pod that counts as something else.
pub(super) struct Moved {
    pub metric: String,
    pub pod: String,
    pub now: String,
    pub then: String,
}

impl Simulation<'_> {
    /// Whether the same is decided, as far as that is known.
    #[must_use]
    pub fn comparison(&self) -> Comparison {
        let is_unknown = |it: &Explanation<'_>| matches!(it.decision.outcome, Outcome::Unknown(_));
        if is_unknown(&self.then) || self.now.as_ref().is_some_and(is_unknown) {
            return Comparison::Unknown;
        }
        let is_exact = |it: &Explanation<'_>| it.interval.is_none();
        let is_exact = is_exact(&self.then) && self.now.as_ref().is_none_or(is_exact);
        match (self.is_same(), is_exact) {
            (same, true) => {
                if same {
                    Comparison::Same
                } else {
                    Comparison::Different
                }
            }
            (true, false) if self.takes_memory_alike() => Comparison::Same,
            (_, false) if self.is_apart() => Comparison::Different,
            (_, false) => Comparison::Unknown,
        }
    }

    /// Whether no number of replicas is possible on both sides.
    fn is_apart(&self) -> bool {
        let current = |it: Replicas| (it, it);
        let now = self.now.map_or_else(|| self.then.current().map(current), Explanation::range);
        let (Some(now), Some(then)) = (now, self.then.range()) else { return false };
        now.1 < then.0 || then.1 < now.0
    }

    /// Whether all that stands between the metrics and the outcome is the same on both sides, whatever the controller
    /// remembers.
    fn takes_memory_alike(&self) -> bool {
        let Some(now) = self.now else { return false };
        let sides = [now, self.then];
        let [now, then] = sides.map(|it| &it.snapshot.hpa);
        let [wanted, wanted_then] = sides.map(|it| it.decision.choice.map(|choice| choice.after));
        let [scale, scale_then] = sides.map(|it| &it.snapshot.scale);
        let [window, window_then] = sides.map(|it| it.snapshot.controller.downscale_stabilization.value);
        let [rules, rules_then] = sides.map(|it| it.rules);
        (&now.behavior, now.min, now.max) == (&then.behavior, then.min, then.max)
            && (wanted, window) == (wanted_then, window_then)
            && scale == scale_then
            && (rules.rate_events, rules.scale_up_factor)
                == (rules_then.rate_events, rules_then.scale_up_factor)
            && (rules.from_zero, rules.scale_to_zero) == (rules_then.from_zero, rules_then.scale_to_zero)
    }

    /// Whether the same is decided; of an autoscaler that is not there yet: whether the replicas stay as they are.
    #[must_use]
    pub fn is_same(&self) -> bool {
        let Some(now) = self.now else {
            return self.then.current().is_some_and(|current| self.then.range() == Some((current, current)));
        };
        let (now, then) = (now.decision, self.then.decision);
        let selectors = [now, then].map(|it| it.selector.as_ref().and_then(SelectorVerdict::code));
        self.now.and_then(Explanation::range) == self.then.range()
            && now.outcome.code() == then.outcome.code()
            && selectors[0] == selectors[1]
    }

    /// Whether each step is the same.
    #[must_use]
    pub fn goes_the_same_way(&self) -> bool {
        self.now.is_some() && self.parting().is_none()
    }

    /// Whether another one parts from the same decision at the same step, and does there what this one does.
    #[must_use]
    pub fn parts_as(&self, other: &Self) -> bool {
        match (self.parting(), other.parting()) {
            (Some(one), Some(other)) => {
                one.place == other.place && does_as(one.then.as_ref(), other.then.as_ref())
            }
            _ => false,
        }
    }

    /// The first step that is another one.
    pub(super) fn parting(&self) -> Option<Parting> {
        let (now, then) = (told(self.now?), told(self.then));
        let is_same = |place: &usize| {
            let (now, then) = (now.get(*place), then.get(*place));
            now.is_some() && does_as(now, then)
        };
        let place = (0..now.len().max(then.len())).find(|place| !is_same(place))?;
        let at = |steps: Vec<Told>| steps.into_iter().nth(place);
        Some(Parting { place, places: [place; 2], now: at(now), then: at(then) })
    }

    /// The first step with another outcome. Steps that come to the same on both sides are passed over: the gate, if it
    /// goes the same way from the same count, and all steps of a metric that wants the same. If all come to the same, the
    /// first step with other numbers.
    pub(super) fn first_difference(&self) -> Option<Parting> {
        let (now, then) = (told(self.now?), told(self.then));
        // From another count every step counts from another one: that is the first difference, not what follows.
        let from_the_same = self.now.and_then(Explanation::current) == self.then.current();
        let gates = [&now, &then].map(|steps| steps.first().map(|gate| gate.code));
        let passes = |step: &Told| step.stage == Stage::Gate && from_the_same && gates[0] == gates[1];
        let wants_the_same = |step: &Told| {
            let Some(metric) = &step.metric else { return false };
            let wants = |steps: &[Told]| -> Vec<Option<(Replicas, Replicas)>> {
                let endings = steps.iter().filter(|it| it.stage == Stage::Replicas);
                endings.filter(|it| it.metric.as_ref() == Some(metric)).map(|it| it.link).collect()
            };
            let wanted = wants(&now);
            !wanted.is_empty() && wanted == wants(&then)
        };
        let open = |skips: &dyn Fn(&Told) -> bool| {
            let places = |steps: &[Told]| -> Vec<usize> {
                let open = steps.iter().enumerate().filter(|(_, step)| !skips(step));
                open.map(|(place, _)| place).collect()
            };
            let (ours, theirs) = (places(&now), places(&then));
            (0..ours.len().max(theirs.len())).find_map(|place| {
                let side = |steps: &[Told], places: &[usize]| {
                    let place = places.get(place).copied().unwrap_or(steps.len());
                    (place, steps.get(place).cloned())
                };
                let ((our_place, now), (their_place, then)) = (side(&now, &ours), side(&then, &theirs));
                let is_same = now.is_some() && does_as(now.as_ref(), then.as_ref());
                (!is_same).then_some(Parting { place, places: [our_place, their_place], now, then })
            })
        };
        open(&|step| passes(step) || wants_the_same(step)).or_else(|| open(&passes))
    }

    /// The step of each side that its outcome comes of, where the outcomes differ and not by the first other step alone.
    pub(super) fn deciding(&self) -> Option<[Told; 2]> {
        let parting = self.first_difference().filter(|_| !self.is_same())?;
        let last =
            |explanation| told(explanation).into_iter().enumerate().rfind(|(_, it)| !it.changes_nothing);
        let (now, then) = (last(self.now?)?, last(self.then)?);
        let is_later = now.0 > parting.places[0] || then.0 > parting.places[1];
        let reads_alike = (&now.1.label, &now.1.text) == (&then.1.label, &then.1.text);
        (is_later && !reads_alike).then_some([now.1, then.1])
    }

    /// The pods whose group or fill is another one, metric by metric.
    pub(super) fn moved(&self) -> Vec<Moved> {
        let mut moved = Vec::new();
        let Some(explained) = self.now else { return moved };
        for then in self.then.metrics() {
            if let Some(now) = explained.metrics().find(|now| now.trace.index == then.trace.index) {
                moved.extend(compare((explained, now), (self.then, then)));
            }
        }
        moved
    }

    /// How many more (or fewer) replicas there are in the end, and what they request more by resource, in milli-units:
    /// then's replicas times then's requests, less now's times now's. `None` where either end is not known; a resource is
    /// left out where the pods of a side do not all request the same.
    pub(super) fn gained(&self) -> Option<(i64, Vec<(String, i64)>)> {
        let ends = |explanation: Explanation<'_>| {
            let course = explanation.outlook.course.steps.last().map(|step| step.replicas);
            let is_known = explanation.outlook.course.is_known && !explanation.outlook.course.goes_on;
            course.or_else(|| explanation.decision.desired()).filter(|_| is_known)
        };
        let now = self.now.map_or_else(|| self.then.current(), ends);
        let (Replicas(now), Replicas(then)) = (now?, ends(self.then)?);
        let before = self.now.unwrap_or(self.then);
        let requests = [ResourceName::Cpu, ResourceName::Memory].into_iter().filter_map(|resource| {
            let [one, other] = [before, self.then].map(|side| requested(side, &resource));
            let total = |request: Milli, replicas: i32| i128::from(request.0) * i128::from(replicas);
            let more = total(other?, then) - total(one?, now);
            Some((resource.as_str().to_owned(), i64::try_from(more).ok()?))
        });
        Some((i64::from(then) - i64::from(now), requests.collect()))
    }
}

/// What each of the target's own pods requests, if all request the same.
fn requested(explanation: Explanation<'_>, resource: &ResourceName) -> Option<Milli> {
    // A pod without an owner says nothing of whose it is.
    let is_other = |pod: &Pod| pod.owner.is_some() && is_foreign(explanation.snapshot, pod);
    let own = explanation.pods().iter().filter(|pod| !is_other(pod));
    let mut requests = own.map(|pod| of_pod(pod, resource));
    let first = requests.next()?;
    first.filter(|_| requests.all(|other| other == first))
}

fn of_pod(pod: &Pod, resource: &ResourceName) -> Option<Milli> {
    if let Some(amounts) = &pod.pod_requests {
        return amounts.get(resource);
    }
    let amounts = pod.containers.iter().filter_map(|container| container.requests.get(resource));
    amounts.reduce(Milli::plus)
}

fn told(explanation: Explanation<'_>) -> Vec<Told> {
    let told = |it| Told {
        label: step::label(it),
        text: step::text(explanation, it),
        code: it.code.as_str(),
        stage: it.stage,
        metric: it.metric.map(|metric| metric::label(metric.spec)),
        changes_nothing: it.changes_nothing(),
        link: it.link,
    };
    steps(explanation).iter().map(told).collect()
}

fn compare(now: (Explanation<'_>, Metric<'_>), then: (Explanation<'_>, Metric<'_>)) -> Vec<Moved> {
    let (before, after) = (members(now), members(then));
    let name = metric::label(then.1.spec);
    let mut names: Vec<&&str> = before.keys().chain(after.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let side = |members: &BTreeMap<&str, String>, pod: &str| {
        members.get(pod).cloned().unwrap_or_else(|| "not there".to_owned())
    };
    let moved = names.into_iter().map(|pod| (pod, side(&before, pod), side(&after, pod)));
    let moved = moved.filter(|(_, before, after)| before != after);
    moved.map(|(pod, now, then)| Moved { metric: name.clone(), pod: (*pod).to_owned(), now, then }).collect()
}

/// Each pod's group, with what it counts for where it is filled in.
fn members<'a>((explanation, metric): (Explanation<'a>, Metric<'a>)) -> BTreeMap<&'a str, String> {
    let members = metric.trace.census.iter().flat_map(|census| &census.members);
    let unit = super::units::Unit::of(metric);
    let words = |member: &Member| match (member.counted(), member.refilled) {
        (None, Some(filled)) => format!("{}, as {}", group::name(&member.group), unit.human(filled)),
        _ => group::name(&member.group).to_owned(),
    };
    explanation.pods().iter().zip(members).map(|(pod, member)| (&*pod.name, words(member))).collect()
}
