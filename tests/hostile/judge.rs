//! Whoever looks against the controller: an answer may be an interval, but it may not exclude what is decided.

use std::collections::BTreeSet;

use kubectl_hpa::engine::decide;
use kubectl_hpa::model::{Evidence, Replicas};
use kubectl_hpa::recall::{Answer, answer};
use kubectl_hpa::snapshot::{Case, Snapshot};

use super::view;
use super::world::{Millis, SECOND, World};

/// What came of one look.
pub struct Judged {
    pub at: Millis,
    pub interval: Option<(i32, i32)>,
    /// The width of the interval as a share of what the bounds leave.
    pub width: f64,
    pub truth: Option<i32>,
    pub said: Option<i32>,
    /// What was done within the longest window.
    pub acts: BTreeSet<&'static str>,
    pub case: Case,
}

impl Judged {
    pub fn is_exact(&self) -> bool {
        self.interval.is_none()
    }

    pub fn is_wrong(&self) -> bool {
        match (self.interval, self.truth) {
            (None, truth) => truth != self.said,
            (Some((low, high)), Some(truth)) => truth < low || high < truth,
            (Some(_), None) => true,
        }
    }
}

/// Looks at the world as it is now; `None` if there is nothing to look at, or nobody who decides.
pub fn look(world: &World) -> Option<Judged> {
    if world.hpa.is_none() || world.is_away() || !world.controller.runs {
        return None;
    }
    // As a file is read: what is lost on the way is lost here too.
    let text = serde_json::to_string(&view::case(world)).expect("JSON");
    let case: Case = serde_json::from_str(&text).expect("a case");
    let mut seen = Snapshot::freeze(case.clone()).expect("a snapshot");
    let whole = Snapshot {
        memory: world.controller.memory.clone(),
        memory_evidence: Evidence::Given,
        ..seen.clone()
    };
    let truth = decide(&whole, &world.rules).desired();
    let answer = answer(&mut seen, &world.rules);
    let room = f64::from((seen.hpa.max.0 - seen.hpa.min.0).max(1));
    let interval = answer.interval.map(|(Replicas(low), Replicas(high))| (low, high));
    Some(Judged {
        at: world.now,
        interval,
        width: interval.map_or(0.0, |(low, high)| (f64::from(high - low) / room).min(1.0)),
        truth: truth.map(|it| it.0),
        said: said(&answer),
        acts: acts(world, longest(&seen)),
        case,
    })
}

fn said(answer: &Answer) -> Option<i32> {
    answer.decision.desired().map(|desired| desired.0)
}

/// The longest time for which the controller remembers.
fn longest(seen: &Snapshot) -> Millis {
    kubectl_hpa::recall::longest(seen).nanoseconds() / 1_000_000 + SECOND
}

fn acts(world: &World, window: Millis) -> BTreeSet<&'static str> {
    let recent = world.log.iter().rev().take_while(|done| done.at >= world.now - window);
    recent.map(|done| done.what).collect()
}
