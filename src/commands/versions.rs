//! One case, decided by the rules of several versions; and all cases, by those of one more.

use std::io::{self, Write};

use serde::Serialize;

use super::explained::{Explained, rules_of};
use super::writer::Answered;
use crate::render::{self, Comparison, Difference, Extent, Options, Simulation};
use kubectl_hpa_core::model::{Evidence, Evidenced};
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::Snapshot;
use kubectl_hpa_core::whatif::{Behind, behind};

/// A case as several versions decide it.
pub struct Versions {
    decided: Vec<(String, Explained)>,
    /// From each version to the next.
    differences: Vec<Difference>,
}

impl Versions {
    /// Decides by the rules of each version. Gates that were set, and all else that is known of the controller, hold
    /// for every one; so does its memory.
    pub fn of(snapshot: &Snapshot, versions: &[Evidenced<Box<str>>]) -> anyhow::Result<Self> {
        let decided = versions.iter().map(|version| {
            let mut snapshot = snapshot.clone();
            snapshot.controller.version = version.clone();
            let rules = rules_of(&snapshot)?;
            Ok((version.value.to_string(), Explained::by(snapshot, rules)))
        });
        let decided: Vec<(String, Explained)> = decided.collect::<anyhow::Result<_>>()?;
        let pairs = decided.windows(2).filter_map(|pair| match pair {
            [(_, now), (_, then)] => Some(difference(snapshot, now, then)),
            _ => None,
        });
        let differences = pairs.collect();
        Ok(Self { decided, differences })
    }

    /// Whether each version decides the same, as far as that is known.
    pub fn comparison(&self) -> Comparison {
        self.versions().comparison()
    }

    fn first(&self) -> Option<&Explained> {
        self.decided.first().map(|(_, decided)| decided)
    }

    fn versions(&self) -> render::Versions<'_> {
        let decided = self.decided.iter();
        render::Versions {
            decided: decided.map(|(version, it)| (version.as_str(), it.explanation())).collect(),
            differences: &self.differences,
        }
    }
}

/// A value that was typed.
pub fn typed<T>(value: T, flag: &str) -> Evidenced<T> {
    Evidenced { value, evidence: Evidence::Given, from: flag.into() }
}

/// How far two versions are apart, and by which rules.
fn difference(snapshot: &Snapshot, now: &Explained, then: &Explained) -> Difference {
    let pair = between(now, then);
    let decided = |rules: &Rules| Explained::by(snapshot.clone(), rules.clone());
    let search = |is_reached: &dyn Fn(&Explained) -> bool| -> Behind {
        behind(&now.rules, &then.rules, |rules| is_reached(&decided(rules)))
    };
    let has_outcome = |it: &Explained| between(it, then).is_same();
    let steps = || search(&|it| between(now, it).parts_as(&pair));
    match (pair.is_same(), pair.goes_the_same_way()) {
        (false, true) => Difference { extent: Extent::Outcome, rules: search(&has_outcome), outcome: None },
        (false, false) => {
            let rules = steps();
            let is_all = has_outcome(&decided(&now.rules.with(&rules.rules, &then.rules)));
            let outcome = (!is_all).then(|| search(&has_outcome));
            Difference { extent: Extent::Outcome, rules, outcome }
        }
        (true, false) => Difference { extent: Extent::Way, rules: steps(), outcome: None },
        (true, true) if now.report == then.report || then.is_unknown() => {
            Difference { extent: Extent::Nothing, rules: Behind::default(), outcome: None }
        }
        (true, true) => {
            let rules = search(&|it| it.report == then.report);
            Difference { extent: Extent::Words, rules, outcome: None }
        }
    }
}

fn between<'a>(now: &'a Explained, then: &'a Explained) -> Simulation<'a> {
    Simulation { changes: &[], now: Some(now.explanation()), then: then.explanation() }
}

impl Answered for Versions {
    const LIST: &'static str = "VersionsList";

    fn names(&self) -> Vec<&str> {
        self.first().into_iter().flat_map(Answered::names).collect()
    }

    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        render::versions(out, &self.versions(), options)
    }

    fn view(&self) -> impl Serialize {
        render::versions_view(&self.versions())
    }
}

/// What another version decides otherwise.
pub struct Upgrade {
    to: String,
    from: Vec<String>,
    hpas: usize,
    undecided: Vec<String>,
    changed: Vec<Versions>,
}

impl Upgrade {
    /// To a version, of no autoscaler yet.
    pub fn to(version: &str) -> Self {
        Self { to: version.to_owned(), from: Vec::new(), hpas: 0, undecided: Vec::new(), changed: Vec::new() }
    }

    /// Decides on one more, and keeps it where it is decided otherwise.
    pub fn add(&mut self, snapshot: &Snapshot) -> anyhow::Result<()> {
        let from = snapshot.controller.version.clone();
        let versions =
            Versions::of(snapshot, &[from.clone(), typed(self.to.as_str().into(), "--upgrade-to")])?;
        self.hpas += 1;
        if !self.from.iter().any(|known| **known == *from.value) {
            self.from.push(from.value.into());
        }
        match versions.comparison() {
            Comparison::Same => {}
            Comparison::Different => self.changed.push(versions),
            Comparison::Unknown => {
                let key = &snapshot.hpa.key;
                self.undecided.push(format!("{}/{}", key.namespace, key.name));
            }
        }
        Ok(())
    }

    /// One more of which nothing can be said, by the name under which it was asked for.
    pub fn add_failed(&mut self, name: String) {
        self.hpas += 1;
        self.undecided.push(name);
    }

    /// Whether each is decided as it is now, as far as that is known.
    pub fn comparison(&self) -> Comparison {
        match (self.undecided.as_slice(), self.changed.as_slice()) {
            ([], []) => Comparison::Same,
            ([], _) => Comparison::Different,
            _ => Comparison::Unknown,
        }
    }

    fn upgrade(&self) -> render::Upgrade<'_> {
        render::Upgrade {
            to: &self.to,
            from: &self.from,
            hpas: self.hpas,
            undecided: &self.undecided,
            changed: self.changed.iter().map(Versions::versions).collect(),
        }
    }
}

impl Answered for Upgrade {
    const LIST: &'static str = "UpgradeList";

    fn names(&self) -> Vec<&str> {
        self.changed.iter().flat_map(Answered::names).collect()
    }

    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        render::upgrade(out, &self.upgrade(), options)
    }

    fn view(&self) -> impl Serialize {
        render::upgrade_view(&self.upgrade())
    }
}
