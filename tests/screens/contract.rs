//! The page on the JSON (`src/render/schema/README.md`): its examples are run, and what each command prints keeps to the
//! schema that the page names for its kind.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jsonschema::Validator;
use serde_json::Value;

use crate::pages;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/render/schema")
}

#[test]
fn the_examples_answer_as_on_the_page() {
    let path = folder().join("README.md");
    pages::check(&path, |line| Some(pages::answer(&folder(), line)));
    let text = fs::read_to_string(path).expect("a page");
    let mut endings =
        pages::blocks(&text).flat_map(|(_, answer)| answer.lines()).filter(|line| line.starts_with("exit "));
    assert!(endings.all(|ending| ending == "exit 3"), "an example fails");
}

/// The schema of each kind, as the page has it.
fn schemas() -> BTreeMap<String, (String, Validator)> {
    let page = fs::read_to_string(folder().join("README.md")).expect("a page");
    let mut schemas = BTreeMap::new();
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (_, link) = cells[3].split_once("](").expect("a link to a schema");
        let file = link.trim_end_matches(')');
        for kind in cells[1].split('`').skip(1).step_by(2) {
            let text = fs::read_to_string(folder().join(file)).expect("a schema");
            let schema = serde_json::from_str(&text).expect("the schema is JSON");
            let schema = jsonschema::draft202012::new(&schema).expect("a schema");
            assert!(schemas.insert(kind.to_owned(), (file.to_owned(), schema)).is_none(), "{kind} twice");
        }
    }
    schemas
}

#[test]
fn each_schema_is_on_the_page() {
    let of_page: BTreeSet<String> = schemas().into_values().map(|(file, _)| file).collect();
    let entries = fs::read_dir(folder()).expect("the folder is there");
    let stored = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    assert_eq!(of_page, stored.filter(|file| file != "README.md").collect());
}

fn json(typed: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"));
    let output = command.args(typed).args(["-o", "json"]).output().expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{typed:?}: {error}: {text}"))
}

/// The object itself, and the items of a list that have kinds of their own.
fn objects(value: &Value) -> Vec<&Value> {
    let items = value["items"].as_array().into_iter().flatten();
    [value].into_iter().chain(items.filter(|item| item.get("kind").is_some())).collect()
}

#[test]
fn each_kind_keeps_to_the_schema_that_the_page_names() {
    let schemas = schemas();
    let mut seen = BTreeSet::new();
    let mut keeps = |typed: &[&str]| {
        let printed = json(typed);
        for object in objects(&printed) {
            let kind = object["kind"].as_str().expect("a kind").to_owned();
            let (file, schema) = schemas.get(&kind).unwrap_or_else(|| panic!("{kind} is not on the page"));
            let problems: Vec<String> = schema
                .iter_errors(object)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert!(problems.is_empty(), "{typed:?}: {file}: {problems:#?}");
            for nested in ["now", "then"].iter().filter_map(|side| object.get(*side)) {
                let is_decision = kind == "Simulation";
                assert!(!is_decision || schemas["Decision"].1.is_valid(nested), "{typed:?}: {nested:#}");
            }
            seen.insert(kind);
        }
    };
    let entries = fs::read_dir(folder().join("../../examples")).expect("the folder is there");
    for entry in entries {
        let file = entry.expect("an entry").path();
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        for change in [vec![], vec!["--blame"], vec!["--as-version", "1.30,1.37"]] {
            keeps(&[&["explain", "--example", &name], &change[..]].concat());
        }
        for change in [
            vec!["--max", "40"],
            vec!["--load", "+150%", "--replicas", "3"],
            vec!["--sweep", "load=-50%..+100%:50%"],
        ] {
            keeps(&[&["simulate", "--example", &name], &change[..]].concat());
        }
    }
    let several = "tests/simulate/upgrade.yaml";
    keeps(&["explain", "-f", several]);
    keeps(&["explain", "-f", several, "--as-version", "1.30,1.37"]);
    keeps(&["explain", "-f", several, "--upgrade-to", "1.37"]);
    keeps(&["simulate", "-f", several, "--max", "40"]);
    keeps(&["simulate", "-f", several, "--all", "--max", "40"]);
    for example in ["missing-samples", "scale-up-limited", "held-by-window"] {
        keeps(&["simulate", "--example", example, "--max", "40", "--over", "10m"]);
    }
    keeps(&["list", "--example"]);
    keeps(&["lint", "-f", "tests/lint"]);
    let others: BTreeSet<&String> = schemas.keys().filter(|kind| *kind != "ReplicaChange").collect();
    assert_eq!(seen.iter().collect::<BTreeSet<_>>(), others);
}
