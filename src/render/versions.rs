//! A case as several versions decide it, side by side.

use super::explanation::Explanation;
use super::simulation::{Comparison, Simulation};
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::whatif::Behind;

/// What several versions make of one case.
#[derive(Clone, Debug)]
pub struct Versions<'a> {
    /// Each version as it was typed, with its decision.
    pub decided: Vec<(&'a str, Explanation<'a>)>,
    /// From each version to the next.
    pub differences: &'a [Difference],
}

/// How far two versions are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Not at all.
    Nothing,
    /// The same is decided by the same steps, and another status or another event is written about it.
    Words,
    /// The same is decided, by other steps.
    Way,
    /// Something else is decided, or only one of them decides.
    Outcome,
}

/// What lies between two versions.
#[derive(Clone, Debug)]
pub struct Difference {
    /// How far they are apart.
    pub extent: Extent,
    /// The rules behind the first step at which they part; without such a step, those behind the difference itself.
    pub rules: Behind,
    /// The rules behind the outcome, where those of the step alone do not make it.
    pub outcome: Option<Behind>,
}

impl<'a> Versions<'a> {
    /// Whether all decide the same, as far as that is known.
    #[must_use]
    pub fn comparison(&self) -> Comparison {
        let all: Vec<Comparison> = self.neighbors().map(|it| it.simulation().comparison()).collect();
        [Comparison::Unknown, Comparison::Different]
            .into_iter()
            .find(|comparison| all.contains(comparison))
            .unwrap_or(Comparison::Same)
    }

    /// The versions in groups of the same outcome, in the order in which they were typed.
    pub(super) fn groups(&self) -> Vec<Vec<(&'a str, Explanation<'a>)>> {
        let mut groups: Vec<Vec<(&'a str, Explanation<'a>)>> = Vec::new();
        for (version, then) in &self.decided {
            let is_same = |group: &&mut Vec<(&'a str, Explanation<'a>)>| {
                group.first().is_some_and(|(_, now)| between(*now, *then).is_same())
            };
            match groups.iter_mut().find(is_same) {
                Some(group) => group.push((version, *then)),
                None => groups.push(vec![(version, *then)]),
            }
        }
        groups
    }

    /// Each two neighbors with what lies between them.
    pub(super) fn neighbors(&self) -> impl Iterator<Item = Neighbors<'a, '_>> {
        self.decided.windows(2).zip(self.differences).filter_map(|(pair, difference)| match pair {
            [now, then] => Some(Neighbors { now: *now, then: *then, difference }),
            _ => None,
        })
    }
}

/// Two versions that stand side by side.
#[derive(Clone, Copy)]
pub(super) struct Neighbors<'a, 'd> {
    pub now: (&'a str, Explanation<'a>),
    pub then: (&'a str, Explanation<'a>),
    pub difference: &'d Difference,
}

impl<'a> Neighbors<'a, '_> {
    /// The two decisions as those of a simulation.
    pub fn simulation(&self) -> Simulation<'a> {
        between(self.now.1, self.then.1)
    }
}

/// Two decisions on one world.
pub(super) fn between<'a>(now: Explanation<'a>, then: Explanation<'a>) -> Simulation<'a> {
    Simulation { changes: &[], now: Some(now), then }
}

/// A version, and by which rules it is decided where it has none of its own.
pub(super) fn named(version: &str, rules: &Rules) -> String {
    if Rules::is_beyond(version) {
        format!("{version}, by the rules of {}", rules.row)
    } else {
        version.to_owned()
    }
}
