//! The HPAs of public charts and manifests: `public/index.yaml` says where each comes from, what lint finds, and whether
//! that is true.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use kubectl_hpa_core::lint::{Rule, Severity, lint};
use kubectl_hpa_core::snapshot::{Objects, Written};
use serde::Deserialize;

use crate::root::root;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    half: Half,
    origin: Vec<Origin>,
    findings: Vec<Judged>,
    /// What lint does not find.
    missed: Option<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Half {
    First,
    Second,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Origin {
    repository: String,
    path: String,
    commit: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judged {
    rule: String,
    #[serde(default = "once")]
    times: usize,
    object: String,
    /// Whether it is true of the manifest, and its author would want to know.
    verdict: bool,
    reason: String,
}

const fn once() -> usize {
    1
}

fn folder() -> PathBuf {
    root("tests/lint/public")
}

fn cases() -> Vec<Case> {
    let text = fs::read_to_string(folder().join("index.yaml")).expect("the index is there");
    serde_yaml::from_str::<Index>(&text).expect("the index").cases
}

/// The objects of a case: a file, or a folder of files.
fn objects(name: &str) -> Vec<Written> {
    let folder = folder().join(name);
    let mut files = vec![folder.with_extension("yaml")];
    if folder.is_dir() {
        let entries = fs::read_dir(&folder).expect("a folder");
        files = entries.map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
    }
    let read = |file: PathBuf| {
        let text = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let objects = Objects::new(file.display().to_string(), text.as_slice());
        objects.collect::<Result<Vec<_>, _>>().expect("objects")
    };
    files.into_iter().flat_map(read).collect()
}

/// How often each rule is broken by each object.
type Counts = BTreeMap<(String, String), usize>;

fn found(name: &str) -> Counts {
    let objects = objects(name);
    let mut counts = Counts::new();
    for finding in lint(&objects) {
        let written = &objects[finding.object];
        let object = format!("{} {}", written.text("/kind"), written.text("/metadata/name"));
        *counts.entry((finding.rule.to_string(), object)).or_default() += 1;
    }
    counts
}

#[test]
fn lint_finds_in_public_manifests_what_was_judged() {
    for case in cases() {
        let judged: Counts =
            case.findings.iter().map(|it| ((it.rule.clone(), it.object.clone()), it.times)).collect();
        assert_eq!(found(&case.name), judged, "{}", case.name);
    }
}

/// False errors: none. False warnings: at most one in twenty.
#[test]
fn few_findings_in_public_manifests_are_false() {
    let cases = cases();
    let count = |severity: Severity, verdict: Option<bool>| -> usize {
        let findings = cases.iter().flat_map(|case| &case.findings);
        let of_severity = findings.filter(|it| Rule::of(&it.rule).expect("a rule").severity() == severity);
        of_severity.filter(|it| verdict.is_none_or(|verdict| it.verdict == verdict)).map(|it| it.times).sum()
    };
    assert_eq!(count(Severity::Error, Some(false)), 0);
    let warnings = count(Severity::Warning, None);
    assert!(count(Severity::Warning, Some(false)) * 20 <= warnings, "of {warnings} warnings");
}

#[test]
fn every_public_case_has_its_origin() {
    let cases = cases();
    let names: BTreeSet<String> = cases.iter().map(|case| case.name.clone()).collect();
    assert_eq!(names.len(), cases.len(), "each name once");
    let entries = fs::read_dir(folder()).expect("the folder is there");
    let stems = entries.map(|entry| {
        let path = entry.expect("an entry").path();
        path.file_stem().and_then(|stem| stem.to_str()).expect("UTF-8").to_owned()
    });
    let files: BTreeSet<String> =
        stems.filter(|stem| !["index", "README"].contains(&stem.as_str())).collect();
    assert_eq!(files, names);
    let of_half = |half: Half| -> BTreeSet<String> {
        let of_half = cases.iter().filter(|case| case.half == half);
        of_half.flat_map(|case| case.origin.iter().map(|it| it.repository.clone())).collect()
    };
    let (first, second) = (of_half(Half::First), of_half(Half::Second));
    assert!(first.is_disjoint(&second), "the halves are of other projects");
    for case in &cases {
        let is_commit = |text: &str| text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_whole =
            |it: &Origin| it.repository.contains('/') && !it.path.is_empty() && is_commit(&it.commit);
        assert!(!case.origin.is_empty() && case.origin.iter().all(is_whole), "{}", case.name);
        assert!(case.findings.iter().all(|it| !it.reason.is_empty()), "{}", case.name);
        assert!(case.missed.as_ref().is_none_or(|text| !text.is_empty()), "{}", case.name);
    }
}
