//! Every distinct wrong answer that was ever found, as a case with what the controller decided; and every broken promise, as a
//! case with the syncs that came.

use std::path::{Path, PathBuf};

use kubectl_hpa_core::model::{Duration, Instant, Replicas};
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::case::{Expect, Many};
use kubectl_hpa_core::snapshot::{Case, ReadError, Snapshot};
use kubectl_hpa_core::whatif::{Change, change};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::judge::said;
use super::promise::{Future, Synced, follow};
use super::world::Millis;
use crate::root::root;

/// A case, and what came of it when nobody did anything any more: the replicas after each sync.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Followed {
    pub case: Case,
    /// While load and pods stayed.
    at_rest: Vec<(Millis, i32)>,
    /// While the load stayed, and new pods shared it at once.
    simple: Vec<(Millis, i32)>,
}

impl Followed {
    pub fn of(case: Case, future: &Future<'_>, looked: Instant) -> Self {
        let after = |syncs: &[Synced]| {
            let millis = |at: &Instant| at.since(looked).nanoseconds() / 1_000_000;
            syncs.iter().map(|(at, replicas)| (millis(at), replicas.0)).collect()
        };
        Self { case, at_rest: after(&future.at_rest), simple: after(&future.simple) }
    }

    /// The promises that are broken.
    fn broken(self) -> Vec<String> {
        let (mut seen, rules) = frozen(self.case);
        let from = seen.taken_at;
        let syncs = |syncs: Vec<(Millis, i32)>| {
            let at = |after: Millis| from + Duration::from_nanoseconds(after * 1_000_000);
            syncs.into_iter().map(|(after, replicas)| (at(after), Replicas(replicas))).collect()
        };
        let future = Future::kept(syncs(self.at_rest), syncs(self.simple));
        let (_, answer) = said(&mut seen, &rules);
        follow(&seen, &answer, &rules, &future).broken
    }
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = root("tests/memory/hostile").join(folder);
    let entries = std::fs::read_dir(folder).expect("kept cases");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn frozen(case: Case) -> (Snapshot, Rules) {
    let seen = Snapshot::freeze(case).expect("a snapshot");
    let rules = Rules::for_version(&seen.controller.version.value, &seen.controller.feature_gates);
    (seen, rules.expect("rules"))
}

/// What is wrong with an answer about a case; `None` if nothing is.
fn fault(case: Case, expect: &Expect) -> Option<String> {
    let (mut seen, rules) = frozen(case);
    let (said, _) = said(&mut seen, &rules);
    said.is_wrong(expect.replicas).then(|| format!("{said:?}, decided {:?}", expect.replicas))
}

/// All that is wrong with the kept cases.
pub fn faults() -> Vec<String> {
    files("kept").iter().flat_map(|path| faults_of(path)).collect()
}

/// What is not exact of the cases in which one sign alone tells all that counts.
pub fn intervals() -> Vec<String> {
    let interval = |path: &PathBuf| {
        let case: Case = read(path);
        let (mut seen, rules) = frozen(case);
        let (said, _) = said(&mut seen, &rules);
        said.interval.map(|interval| format!("{}: {interval:?}", path.display()))
    };
    let wrong = files("exact").into_iter().flat_map(|path| faults_of(&path));
    files("exact").iter().filter_map(interval).chain(wrong).collect()
}

/// Answers that are narrower where the events could not be read than where they were.
pub fn narrower_unread() -> Vec<String> {
    let range = |case: Case| {
        let (mut seen, rules) = frozen(case);
        said(&mut seen, &rules).1.range()
    };
    let narrower = |path: &PathBuf| {
        let mut case: Case = read(path);
        let known = range(case.clone())?;
        let error = ReadError { code: Some(500), ..ReadError::default() };
        case.events = Some(Many { items: None, error: Some(error) });
        let unread = range(case)?;
        let is_narrower = unread.0 > known.0 || unread.1 < known.1;
        is_narrower.then(|| format!("{}: {known:?} with events, {unread:?} without", path.display()))
    };
    ["kept", "exact"].into_iter().flat_map(files).filter_map(|path| narrower(&path)).collect()
}

/// All promises of the kept cases that are broken.
pub fn broken_promises() -> Vec<String> {
    let broken = |path: &PathBuf| {
        let followed: Followed = read(path);
        followed
            .broken()
            .into_iter()
            .map(|broken| format!("{}: {broken}", path.display()))
            .collect::<Vec<_>>()
    };
    files("followed").iter().flat_map(broken).collect()
}

fn read<T: DeserializeOwned>(path: &Path) -> T {
    let text = std::fs::read_to_string(path).expect("a kept case");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn faults_of(path: &Path) -> Vec<String> {
    let mut case: Case = read(path);
    let expect = case.expect.take().expect("what was decided");
    let mut faults = Vec::new();
    for what_if in &expect.what_if {
        let mut changed = case.clone();
        let typed: Vec<Change> =
            what_if.change.iter().map(|text| Change::parse(text).expect("a change")).collect();
        change(&mut changed, &typed).expect("a change");
        faults.extend(fault(changed, &what_if.expect).map(|fault| format!("{:?}: {fault}", what_if.change)));
    }
    if expect.what_if.is_empty() {
        faults.extend(fault(case, &expect));
    }
    faults.into_iter().map(|fault| format!("{}: {fault}", path.display())).collect()
}
