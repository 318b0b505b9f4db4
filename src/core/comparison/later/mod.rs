//! Where two versions leave an HPA that scales to 0, in situations that are still to come.
//!
//! Only the rules about 0 replicas decide differently tomorrow what they decide alike today: they look at how the target
//! came to 0. Every other rule shows in the decision of now as soon as its situation is there. No version has rules of its own
//! for a controller that restarts, or for a metric that fails: `tests/decisions/upgrades.rs` plays both.

mod precaution;
mod situation;
mod sleeper;

pub use precaution::Precaution;
pub use situation::Situation;

use sleeper::Sleeper;

use super::{Neighbors, Sides};
use crate::api::ObjectMeta;
use crate::model::Replicas;
use crate::rules::{Rule, Rules};
use crate::snapshot::{HpaKey, Origin};
use crate::whatif::{RuleAttribution, attribute_to_rules};

/// An HPA that one of two versions leaves elsewhere, sooner or later.
#[derive(Clone, Debug)]
pub struct Foreseen {
    /// Namespace and name.
    pub key: HpaKey,
    /// Where it was read.
    pub origin: Option<Origin>,
    /// The version that decides now.
    pub from: String,
    /// The situations in which it ends elsewhere.
    pub later: Vec<Later>,
    /// How to keep the other version from leaving it at 0; `None` if it does not.
    pub precaution: Option<Precaution>,
}

/// Situations in which two versions come to different replicas, by the same rules.
#[derive(Clone, Debug)]
pub struct Later {
    /// Those with the same ends.
    pub situations: Vec<Situation>,
    /// The replicas in the end: by the version of now, and by the other one.
    pub ends: [Replicas; 2],
    /// The rules behind the difference.
    pub rules: RuleAttribution,
}

impl Foreseen {
    /// Plays every situation by both versions; `None` if they always come to the same replicas, or if it cannot be played.
    pub(super) fn of(versions: &Neighbors<'_>, metadata: &ObjectMeta) -> Option<Self> {
        let sides = versions.sides();
        let [now, then] = [versions.now.1, versions.then.1];
        let zero = Rule::between(now.rules(), then.rules()).into_iter().filter(|rule| rule.is_about_zero());
        let zero: Vec<&Rule> = zero.collect();
        if zero.is_empty() || sides.is_unknown() {
            return None;
        }
        let sleeper = Sleeper::of(now.snapshot())?;
        let pair = [now.rules(), then.rules()];
        let shown = shown_now(&sides);
        let situations = Situation::ALL.into_iter().filter(|it| it.is_possible(sleeper.is_at_zero()));
        let mut later: Vec<Later> = Vec::new();
        for situation in situations.filter(|it| *it != Situation::AtZeroBefore || shown.is_none()) {
            let Some(one) = play(&sleeper, situation, pair, &zero) else { continue };
            match later.iter_mut().find(|other| other.is_like(&one)) {
                Some(other) => other.situations.push(situation),
                None => later.push(one),
            }
        }
        let is_left = |ends: [Replicas; 2]| ends[0] > Replicas(0) && ends[1] == Replicas(0);
        let stays =
            later.iter().filter(|it| it.situations.iter().any(|it| it.is_its_own())).map(|it| it.ends);
        let needs_precaution = stays.chain(shown).any(is_left);
        let precaution = needs_precaution.then(|| Precaution::of(&sleeper, now.rules(), metadata));
        let snapshot = now.snapshot();
        let (key, origin) = (snapshot.hpa.key.clone(), snapshot.origin.clone());
        let is_anything = !later.is_empty() || precaution.is_some();
        is_anything.then(|| Self { key, origin, from: versions.now.0.to_owned(), later, precaution })
    }
}

impl Later {
    fn is_like(&self, other: &Self) -> bool {
        let names = |it: &Self| it.rules.rules.iter().map(|rule| rule.name()).collect::<Vec<_>>();
        self.ends == other.ends && names(self) == names(other)
    }
}

/// The ends of a decision that is another one now, of a target that is at 0 under load.
fn shown_now(sides: &Sides<'_>) -> Option<[Replicas; 2]> {
    let is_at_zero = sides.then.current() == Some(Replicas(0));
    sides.ends().filter(|[now, then]| is_at_zero && now != then)
}

/// Both ends of a situation, if they differ.
fn play(sleeper: &Sleeper, situation: Situation, [from, to]: [&Rules; 2], zero: &[&Rule]) -> Option<Later> {
    let end = |rules: &Rules| sleeper.end(situation, from, rules);
    let ends = [end(from)?, end(to)?];
    if ends[0] == ends[1] {
        return None;
    }
    let is_reached = |rules: &Rules| end(rules) == Some(ends[1]);
    // Each further rule costs a play, and these two explain nearly all.
    let near = from.with(zero, to);
    let rules = attribute_to_rules(from, if is_reached(&near) { &near } else { to }, is_reached);
    Some(Later { situations: vec![situation], ends, rules })
}
