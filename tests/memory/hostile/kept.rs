//! Every distinct wrong answer that was ever found, as a case with what the controller decided.

use std::path::{Path, PathBuf};

use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::case::Expect;
use kubectl_hpa_core::snapshot::{Case, Snapshot};
use kubectl_hpa_core::whatif::{Change, change};

use super::judge::said;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/memory/hostile/kept");
    let entries = std::fs::read_dir(folder).expect("kept cases");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

/// What is wrong with an answer about a case; `None` if nothing is.
fn fault(case: Case, expect: &Expect) -> Option<String> {
    let mut seen = Snapshot::freeze(case).expect("a snapshot");
    let rules =
        Rules::for_version(&seen.controller.version.value, &seen.controller.feature_gates).expect("rules");
    let (said, _) = said(&mut seen, &rules);
    said.is_wrong(expect.replicas).then(|| format!("{said:?}, decided {:?}", expect.replicas))
}

/// All that is wrong with the kept cases.
pub fn faults() -> Vec<String> {
    files().iter().flat_map(|path| faults_of(path)).collect()
}

fn faults_of(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a kept case");
    let mut case: Case =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
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
