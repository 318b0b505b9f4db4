//! Whoever looks against the controller: an answer may be an interval, but it may not exclude what is decided.

use std::collections::BTreeSet;

use kubectl_hpa_core::comparison::{Comparison, Sides};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::memory_bounds::{Answer, answer, longest};
use kubectl_hpa_core::model::Replicas;
use kubectl_hpa_core::past::of_events;
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::case::{Expect, WhatIf};
use kubectl_hpa_core::snapshot::{Case, Snapshot};
use kubectl_hpa_core::trace::{Code, Decision, Limited, Outcome, Stabilized};

use super::change::Proposed;
use super::draw::Draw;
use super::promise::{Future, Promises, follow};
use super::truth::Truth;
use super::view;
use super::world::{Millis, SECOND, World, seconds};

/// What came of one look, or of one what-if.
pub struct Judged {
    pub at: Millis,
    /// The change of a what-if.
    pub change: Option<String>,
    pub said: Said,
    pub truth: Truth,
    pub promises: Promises,
    /// What was done within the longest window.
    pub acts: BTreeSet<&'static str>,
    /// The case, with the truth as what is expected.
    pub case: Case,
}

/// What was answered.
#[derive(Clone, Copy, Debug)]
pub struct Said {
    pub replicas: Option<i32>,
    pub interval: Option<(i32, i32)>,
    /// The width of the interval as a share of what the bounds leave.
    pub width: f64,
}

impl Judged {
    /// The change that was tried, and what was promised and is not kept.
    pub fn about(&self) -> String {
        let parts = self.change.iter().chain(&self.promises.broken);
        parts.map(String::as_str).collect::<Vec<_>>().join("; ")
    }

    pub fn is_wrong(&self) -> bool {
        self.truth.is_missed(&self.said) || !self.promises.broken.is_empty()
    }
}

impl Said {
    pub fn is_exact(&self) -> bool {
        self.interval.is_none()
    }

    pub fn is_wrong(&self, truth: Option<i32>) -> bool {
        match (self.interval, truth) {
            (None, truth) => truth != self.replicas,
            (Some((low, high)), Some(truth)) => truth < low || high < truth,
            (Some(_), None) => true,
        }
    }
}

/// What is answered on a snapshot.
pub fn said(seen: &mut Snapshot, rules: &Rules) -> (Said, Answer) {
    let current = seen.scale.as_ref().ok().map(|scale| scale.replicas);
    let answer = answer(seen, rules);
    let room = f64::from((seen.hpa.max.0 - seen.hpa.min.0).max(1));
    let decision = &answer.decision;
    let unwritten = decision.unwritten();
    // Replicas that the controller may not read stay.
    let stays = current.filter(|_| matches!(decision.outcome, Outcome::NoScale));
    let replicas = unwritten.or(decision.desired()).or(stays).map(|replicas| replicas.0);
    let interval = answer.interval.filter(|_| unwritten.is_none());
    let interval = interval.map(|(Replicas(low), Replicas(high))| (low, high));
    let width = interval.map_or(0.0, |(low, high)| (f64::from(high - low) / room).min(1.0));
    (Said { replicas, interval, width }, answer)
}

/// Whether there is something to look at, and somebody who decides.
pub fn can_look(world: &World) -> bool {
    world.hpa.is_some() && !world.is_away() && world.controller.runs
}

/// Looks at the world as it is now, and on request at its future.
pub fn look(world: &World, is_followed: bool) -> Judged {
    // As a file is read: what is lost on the way is lost here too.
    let text = serde_json::to_string(&view::case(world)).expect("JSON");
    let mut case: Case = serde_json::from_str(&text).expect("a case");
    let mut seen = Snapshot::freeze(case.clone()).expect("a snapshot");
    let truth = Truth::of(world);
    let acts = acts(world, &seen);
    let (said, answer) = said(&mut seen, &world.rules);
    // What nobody can know of now, nobody can promise.
    let is_followed = is_followed && world.shows_all_refused();
    let followed = is_followed.then(|| follow(&seen, &answer, &world.rules, &Future::of(world)));
    let mut promises = followed.unwrap_or_default();
    if world.shows_all_refused() && truth.is_foreseeable() && !answer.attested.is_unsteady() {
        promises.add(way(&answer, &world.decided_under(&world.refused()).1));
    }
    promises.add(rescales(world, &seen));
    case.expect = Some(Expect { replicas: truth.foreseen, ..Expect::default() });
    Judged { at: world.now, change: None, said, truth, promises, acts, case }
}

/// The rescales that events show: each was made within that second, from the replicas that are told.
fn rescales(world: &World, seen: &Snapshot) -> Promises {
    let mut promises = Promises::default();
    for told in of_events(seen) {
        let Some(at) = told.at else { continue };
        let mut there = world.rescales.iter().filter(|(real, _)| seconds(*real) == at);
        let is_from = |from: i32| told.from.is_none_or(|told| told.0 == from);
        promises.given.push("rescaled");
        let is_made = there.clone().any(|(_, from)| is_from(*from));
        promises.broken.extend((!is_made).then(|| format!("rescaled: {told:?}, really {:?}", there.next())));
    }
    promises
}

/// What is said of the window, the rates and the bounds, where the controller came as far.
fn way(answer: &Answer, real: &Decision) -> Promises {
    let told = [
        answer.decision.stabilized.as_ref().map(Stabilized::code),
        answer.decision.limited.as_ref().map(Limited::code),
    ];
    let real = [real.stabilized.as_ref().map(Stabilized::code), real.limited.as_ref().map(Limited::code)];
    let told = told.map(|told| told.map(|branch| answer.open_way.code(branch)));
    let both = told.into_iter().zip(real).filter_map(|(told, real)| told.zip(real));
    let known = both.filter(|(told, _)| *told != Code::MemoryUnknown);
    let mut promises = Promises::default();
    for (told, real) in known {
        promises.given.push("way");
        promises.broken.extend((told != real).then(|| format!("way: {told}, decided {real}")));
    }
    promises
}

/// A change, said to come to something and really made.
pub fn what_if(world: &World, looked: &Judged, draw: &mut Draw) -> Judged {
    let proposed = Proposed::draw(world, draw);
    let name = proposed.name();
    let changed = proposed.on(looked.case.clone());
    let mut seen = Snapshot::freeze(changed.clone()).expect("a snapshot");
    let acts = acts(world, &seen);
    let sides = [looked.case.clone(), changed.clone()].map(|case| Explanation::of(case).expect("a decision"));
    let (said, _) = said(&mut seen, &world.rules);
    let change: Vec<String> = proposed.typed.iter().map(ToString::to_string).collect();
    let mut other = world.clone();
    proposed.make(&mut other);
    let truth = Truth::of(&other);
    let expect = Expect { replicas: truth.foreseen, ..Expect::default() };
    // What nobody types is kept as it was changed.
    let mut case = if change.is_empty() { changed } else { looked.case.clone() };
    case.expect = Some(if change.is_empty() {
        expect
    } else {
        Expect { what_if: vec![WhatIf { change, expect: Box::new(expect) }], ..Expect::default() }
    });
    let promises = compared(&sides, [looked.truth, truth]);
    Judged { at: world.now, change: Some(name), said, truth, promises, acts, case }
}

/// What is said of both sides: that they come to the same replicas, or that they do not.
fn compared([now, then]: &[Explanation; 2], truths: [Truth; 2]) -> Promises {
    let is_apart = now.range().zip(then.range()).is_some_and(|(now, then)| now.1 < then.0 || then.1 < now.0);
    let promised = match Sides::of(now, then).comparison() {
        Comparison::Same => true,
        Comparison::Different if is_apart => false,
        Comparison::Different | Comparison::Unknown => return Promises::default(),
    };
    let [now, then] = truths;
    let is_same = [now.foreseen == then.foreseen, now.actual == then.actual];
    let is_kept = is_same.contains(&promised);
    let broken = (!is_kept).then(|| format!("compares: same is {promised}, decided {truths:?}"));
    Promises { given: vec!["compares"], broken: broken.into_iter().collect() }
}

/// What was done for as long as the controller remembers.
fn acts(world: &World, seen: &Snapshot) -> BTreeSet<&'static str> {
    let window = longest(seen).nanoseconds() / 1_000_000 + SECOND;
    let recent = world.log.iter().rev().take_while(|done| done.at >= world.now - window);
    recent.map(|done| done.what).collect()
}
