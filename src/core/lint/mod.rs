//! Faults of HPAs and of what stands beside them, in manifests or in a cluster: what the API server would refuse, and what it
//! accepts but hurts. Reads nothing: the objects come parsed, with their places.
//!
//! A rule speaks only if the objects show that it is so. Where the cluster may add something (a LimitRange, a webhook), the
//! message says so. [`Rule`] has the table of all rules; each file has those that look at the same thing.

mod behavior;
mod companions;
mod disruption;
mod finding;
mod folders;
mod gone;
mod group;
mod ignore;
mod ignore_file;
mod metric;
mod missing;
mod near;
mod neighbors;
mod node_room;
mod patches;
mod policies;
mod reach;
mod refused;
mod rehearsal;
mod repeated;
mod requests;
mod room;
mod rule;
mod served;
mod set;
mod target;
mod use_now;
mod utilization;
mod windows;
mod workload;

use std::collections::BTreeMap;

pub use finding::{Finding, Fix};
pub use ignore_file::{IGNORE_KIND, IgnoreFile};
pub use rule::{Rule, Severity};

use crate::snapshot::Written;
use set::{Set, Subject};

/// A rule looks at one HPA among all objects.
type Check = fn(&Set<'_>, &Subject<'_>, &mut Vec<Finding>);

/// What is looked at in an HPA that the API server takes.
const CHECKS: &[Check] = &[
    target::check,
    missing::check,
    repeated::check,
    metric::check,
    utilization::check,
    behavior::check,
    neighbors::check,
    companions::check,
    disruption::check,
    served::check,
    room::check,
    use_now::check,
];

/// Whether lint looks at an object for itself: an HPA, in any group it ever had.
#[must_use]
pub fn is_subject(written: &Written) -> bool {
    written.is_hpa() || gone::is_in_extensions(written) || refused::is_misnamed(written)
}

/// What lint says of the HPAs among some objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Linted {
    /// What is wrong, in the order of the files.
    pub findings: Vec<Finding>,
    /// How many HPAs can be decoded.
    pub targets: usize,
    /// For how many of them what they scale is there.
    pub targets_found: usize,
}

impl Linted {
    /// Adds what is said of other objects, of which the first has this place among all.
    pub fn append(&mut self, mut other: Self, first: usize) {
        for finding in &mut other.findings {
            finding.object += first;
            finding.fix.iter_mut().for_each(|fix| fix.object += first);
        }
        self.findings.append(&mut other.findings);
        self.targets += other.targets;
        self.targets_found += other.targets_found;
    }
}

/// What is wrong with the HPAs among objects that are applied together, in the order of the files.
#[must_use]
pub fn lint(objects: &[Written]) -> Vec<Finding> {
    lint_some(objects, |_| true).findings
}

/// The same for some of the HPAs, by their places; the others count as what is beside them.
#[must_use]
pub fn lint_some(objects: &[Written], is_asked: impl Fn(usize) -> bool) -> Linted {
    let set = Set::of(objects);
    let mut findings = Vec::new();
    for (place, written) in objects.iter().enumerate().filter(|(place, _)| is_asked(*place)) {
        if written.is_hpa()
            && !set.patches.has(written)
            && let Some(finding) = refused::undecodable(place, written)
        {
            findings.push(finding);
            findings.extend(gone::undecodable(place, written));
        }
        if refused::is_misnamed(written) {
            findings.push(refused::misnamed(place, written));
        }
        if gone::is_in_extensions(written) {
            findings.push(gone::in_extensions(place, written));
        }
    }
    for hpa in set.hpas.iter().filter(|hpa| is_asked(hpa.place)) {
        let mut of_hpa = refused::check(hpa);
        if !refused::is_refused(&of_hpa) {
            for check in CHECKS {
                check(&set, hpa, &mut of_hpa);
            }
        }
        ignore::apply(hpa, &mut of_hpa);
        findings.extend(of_hpa);
    }
    let targets = || set.hpas.iter().filter(|hpa| is_asked(hpa.place));
    let targets_found = targets().filter(|hpa| set.has_target(hpa)).count();
    let targets = targets().count();
    let files = first_of_files(objects);
    findings.sort_by_cached_key(|finding| {
        let written = objects.get(finding.object);
        let first = written.and_then(|written| files.get(written.source.as_str()).copied());
        (first, written.map(|written| written.at(&finding.path)), finding.object, finding.rule)
    });
    refused::note_unchecked(&mut findings);
    // What is said of a workload is said once, however many HPAs it concerns.
    let is_hpa = |place: usize| objects.get(place).is_some_and(Written::is_hpa);
    findings.dedup_by(|one, other| {
        let keys = [one, other].map(|it| (it.rule, it.object, it.path.clone(), it.ignored.is_some()));
        keys[0] == keys[1] && !is_hpa(keys[0].1)
    });
    Linted { findings, targets, targets_found }
}

/// The place of the first object of each file: files are in the order in which they were read.
fn first_of_files(objects: &[Written]) -> BTreeMap<&str, usize> {
    let mut first = BTreeMap::new();
    for (place, written) in objects.iter().enumerate() {
        first.entry(written.source.as_str()).or_insert(place);
    }
    first
}
