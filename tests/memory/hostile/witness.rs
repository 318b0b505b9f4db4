//! Witnesses of an interval: for each end another history that shows the same signs and in which the controller decides for
//! that end. An interval whose ends both have one is no wider than it has to be.

use std::fmt;

use kubectl_hpa_core::memory_bounds::{MemorySource, longest};
use kubectl_hpa_core::snapshot::Snapshot;

use super::draw::Draw;
use super::history::History;
use super::judge::{can_look, said};
use super::mutate::MUTATIONS;
use super::plan::{Plan, plan};
use super::scene::{Scene, decided, world};
use super::shares::Shares;
use super::span::Span;
use super::view;
use super::world::Millis;

/// At most so many intervals of one world.
const OF_ONE_WORLD: usize = 2;
/// After so many histories without a witness the search begins anew.
const ANEW: u32 = 500;

/// A history to go on from, and how much it lacks.
struct Try {
    history: History,
    span: Span,
    left: u64,
}

/// A look that was answered by an interval, and what the search for its ends came to.
pub struct Searched {
    pub seed: u64,
    pub at: Millis,
    pub interval: (i32, i32),
    pub truth: Option<i32>,
    /// Of the lower and of the upper end, whether it has a witness.
    pub is_witnessed: [bool; 2],
    /// Lowest and highest decision of all histories with the same signs that were found.
    pub found: (i32, i32),
    pub replays: u32,
    /// What the interval rests on.
    pub sources: Vec<MemorySource>,
}

/// Searches for the ends of as many intervals, in worlds from a seed on.
pub fn search(is_tame: bool, acts: &[usize], seed: u64, wanted: usize, replays: u32) -> Shares {
    let mut all = Vec::new();
    for seed in seed.. {
        let plan = plan(seed, is_tame, super::LOOKS, acts);
        let mut draw = Draw::new(seed);
        let (mut looks, mut of_this) = (plan.looks.clone(), 0);
        while of_this < OF_ONE_WORLD && !looks.is_empty() && all.len() < wanted {
            let at = draw.pick(&looks);
            looks.retain(|look| *look != at);
            let searched = Searched::of(&plan, at, replays);
            of_this += usize::from(searched.is_some());
            all.extend(searched);
        }
        if all.len() >= wanted {
            break;
        }
    }
    Shares(all)
}

impl Searched {
    /// Looks at the world of a plan at an instant; `None` if the answer is exact, or there is none.
    fn of(plan: &Plan, at: Millis, replays: u32) -> Option<Self> {
        let truth = world(plan, at);
        if !can_look(&truth) {
            return None;
        }
        let mut seen = Snapshot::freeze(view::case(&truth)).expect("a snapshot");
        let remembers = longest(&seen).nanoseconds() / 1_000_000;
        let (said, answer) = said(&mut seen, &truth.rules);
        let mut searched = Self {
            seed: plan.seed,
            at,
            interval: said.interval?,
            truth: decided(&truth),
            is_witnessed: [false; 2],
            found: (i32::MAX, i32::MIN),
            replays: 0,
            sources: answer.memory_bounds.map(|bounds| bounds.sources).unwrap_or_default(),
        };
        searched.meet(searched.truth?);
        let scene = Scene::new(&truth, remembers, searched.interval);
        let mut draw = Draw::new(plan.seed ^ at.cast_unsigned());
        for end in 0..2 {
            searched.climb(end, &scene, replays, &mut draw);
        }
        Some(searched)
    }

    pub fn ends(&self) -> [i32; 2] {
        [self.interval.0, self.interval.1]
    }

    /// A history with the same signs led there.
    fn meet(&mut self, decided: i32) {
        self.found = (self.found.0.min(decided), self.found.1.max(decided));
        for (end, is_witnessed) in self.ends().into_iter().zip(&mut self.is_witnessed) {
            *is_witnessed |= end == decided;
        }
    }

    /// Changes histories again and again, from both sides: one that shows the same signs, as long as the end comes no farther
    /// away, and one that leads there, as long as its signs do not.
    fn climb(&mut self, end: usize, scene: &Scene, replays: u32, draw: &mut Draw) {
        let wanted = self.ends()[end];
        let really = || {
            let history = scene.first();
            let replayed = scene.replay(&history, wanted).expect("the same signs");
            Try { span: scene.span.following(&replayed), history, left: replayed.distance }
        };
        let (mut same, mut there) = (really(), None::<Try>);
        for step in 1..=replays {
            if self.is_witnessed[end] {
                return;
            }
            if step % ANEW == 0 {
                (same, there) = (really(), None);
            }
            let from = there.as_ref().filter(|_| draw.chance(60)).unwrap_or(&same);
            let mut history = from.history.clone();
            for _ in 0..draw.pick(&[1, 1, 2, 3]) {
                draw.pick(MUTATIONS)(&mut history, &from.span, draw);
            }
            self.replays += 1;
            let Some(replayed) = scene.replay(&history, wanted) else { continue };
            let tried = |left: u64| Try { span: scene.span.following(&replayed), history, left };
            if replayed.apart > 0 {
                if there.as_ref().is_none_or(|it| replayed.apart <= it.left) {
                    there = Some(tried(replayed.apart));
                }
                continue;
            }
            self.meet(replayed.decided);
            if replayed.distance <= same.left {
                same = tried(replayed.distance);
            }
        }
    }

    pub fn is_done(&self) -> bool {
        self.is_witnessed == [true; 2]
    }

    /// What it rests on, without instants.
    pub fn rests_on(&self) -> String {
        let name = |it: &MemorySource| match it {
            MemorySource::SizeBeforeUnknown(_) => "SizeBeforeUnknown".to_owned(),
            MemorySource::ResizedByWhom(_) => "ResizedByWhom".to_owned(),
            other => format!("{other:?}"),
        };
        let mut names: Vec<String> = self.sources.iter().map(name).collect();
        names.dedup();
        names.join(" ")
    }
}

impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, at, interval, truth, found, .. } = self;
        write!(
            f,
            "seed {seed} at {at}: {interval:?}, decided {truth:?}, found {found:?}: {}",
            self.rests_on()
        )
    }
}
