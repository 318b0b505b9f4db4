//! A case as several versions decide it.

use super::{Comparison, Sides};
use crate::explanation::Explanation;
use crate::model::Evidenced;
use crate::rules::{Rules, RulesError};
use crate::snapshot::Snapshot;
use crate::whatif::{RuleAttribution, attribute_to_rules};

/// The decisions of several versions on one case.
#[derive(Clone, Debug)]
pub struct Versions {
    /// Each version as it was asked for, with its decision.
    pub decided: Vec<(String, Explanation)>,
    /// From each version to the next.
    differences: Vec<Difference>,
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
    pub rules: RuleAttribution,
    /// The rules behind the outcome, where those of the step alone do not make it.
    pub outcome: Option<RuleAttribution>,
}

impl Versions {
    /// Decides by the rules of each version. Gates that were set, and all else that is known of the controller, hold
    /// for every one; so does its memory.
    ///
    /// # Errors
    /// Where there are no rules for one of them.
    pub fn of(snapshot: &Snapshot, versions: &[Evidenced<Box<str>>]) -> Result<Self, RulesError> {
        let decided = versions.iter().map(|version| {
            let mut snapshot = snapshot.clone();
            snapshot.controller.version = version.clone();
            let rules = Explanation::rules_of(&snapshot)?;
            Ok((version.value.to_string(), Explanation::by(snapshot, rules)))
        });
        let decided: Vec<(String, Explanation)> = decided.collect::<Result<_, RulesError>>()?;
        let pairs = decided.windows(2).filter_map(|pair| match pair {
            [(_, now), (_, then)] => Some(difference(snapshot, now, then)),
            _ => None,
        });
        let differences = pairs.collect();
        Ok(Self { decided, differences })
    }

    /// Whether all decide the same, as far as that is known.
    #[must_use]
    pub fn comparison(&self) -> Comparison {
        let all: Vec<Comparison> = self.neighbors().map(|it| it.sides().comparison()).collect();
        [Comparison::Unknown, Comparison::Different]
            .into_iter()
            .find(|comparison| all.contains(comparison))
            .unwrap_or(Comparison::Same)
    }

    /// The versions in groups of the same outcome, in the order in which they were asked for.
    #[must_use]
    pub fn groups(&self) -> Vec<Vec<(&str, &Explanation)>> {
        let mut groups: Vec<Vec<(&str, &Explanation)>> = Vec::new();
        for (version, then) in &self.decided {
            let is_same = |group: &&mut Vec<(&str, &Explanation)>| {
                group.first().is_some_and(|(_, now)| Sides::of(now, then).is_same())
            };
            match groups.iter_mut().find(is_same) {
                Some(group) => group.push((version, then)),
                None => groups.push(vec![(version, then)]),
            }
        }
        groups
    }

    /// Each two neighbors with what lies between them.
    pub fn neighbors(&self) -> impl Iterator<Item = Neighbors<'_>> {
        self.decided.windows(2).zip(&self.differences).filter_map(|(pair, difference)| match pair {
            [(from, now), (to, then)] => Some(Neighbors { now: (from, now), then: (to, then), difference }),
            _ => None,
        })
    }
}

/// Two neighboring versions.
#[derive(Clone, Copy, Debug)]
pub struct Neighbors<'a> {
    /// The first, with its decision.
    pub now: (&'a str, &'a Explanation),
    /// The second.
    pub then: (&'a str, &'a Explanation),
    /// What lies between them.
    pub difference: &'a Difference,
}

impl<'a> Neighbors<'a> {
    /// Their decisions.
    #[must_use]
    pub fn sides(&self) -> Sides<'a> {
        Sides::of(self.now.1, self.then.1)
    }
}

/// How far two versions are apart, and by which rules.
fn difference(snapshot: &Snapshot, now: &Explanation, then: &Explanation) -> Difference {
    let sides = Sides::of(now, then);
    let decided = |rules: &Rules| Explanation::by(snapshot.clone(), rules.clone());
    let search = |is_reached: &dyn Fn(&Explanation) -> bool| -> RuleAttribution {
        attribute_to_rules(now.rules(), then.rules(), |rules| is_reached(&decided(rules)))
    };
    let has_outcome = |it: &Explanation| Sides::of(it, then).is_same();
    let steps = || search(&|it| Sides::of(now, it).parts_as(&sides));
    let alike = |extent, rules| Difference { extent, rules, outcome: None };
    match (sides.is_same(), sides.goes_the_same_way()) {
        (false, true) => alike(Extent::Outcome, search(&has_outcome)),
        (false, false) => {
            let rules = steps();
            let is_all = has_outcome(&decided(&now.rules().with(&rules.rules, then.rules())));
            let outcome = (!is_all).then(|| search(&has_outcome));
            Difference { extent: Extent::Outcome, rules, outcome }
        }
        (true, false) => alike(Extent::Way, steps()),
        (true, true) if then.is_unknown() || now.report() == then.report() => {
            alike(Extent::Nothing, RuleAttribution::default())
        }
        (true, true) => alike(Extent::Words, search(&|it| it.report() == then.report())),
    }
}
