//! Each value that the schema of a decision lists is printed by some case of the tests: codes of claims, notes, causes and
//! advice, groups of pods, stages, and so on. A code that no test reaches fails here.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::causes::{drawn, made};
use crate::root::root;
use crate::screens::{Screen, all};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::snapshot::Cases;
use serde_json::Value;

const SCHEMA: &str = include_str!("../../src/render/schema/decision.schema.json");

/// Places in the schema, each with a value that is listed there.
type Listed = BTreeSet<(String, String)>;

/// Every listed value below a node of the schema.
fn listed(place: &str, node: &Value, found: &mut Listed) {
    for value in node["enum"].as_array().into_iter().flatten() {
        found.insert((place.to_owned(), value.to_string()));
    }
    for (key, child) in children(node) {
        listed(&format!("{place}/{key}"), child, found);
    }
}

fn children(node: &Value) -> Vec<(String, &Value)> {
    match node {
        Value::Object(fields) => fields.iter().map(|(key, child)| (key.clone(), child)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, child)| (at.to_string(), child)).collect(),
        _ => Vec::new(),
    }
}

/// The listed values that a printed value has, by the node of the schema that describes it.
struct Reader<'a> {
    schema: &'a Value,
    found: Listed,
}

impl Reader<'_> {
    fn read(&mut self, place: &str, printed: &Value) {
        let Some(node) = self.schema.pointer(place) else { return };
        if let Some(reference) = node["$ref"].as_str() {
            return self.read(reference.trim_start_matches('#'), printed);
        }
        if node["enum"].as_array().is_some_and(|values| values.contains(printed)) {
            self.found.insert((place.to_owned(), printed.to_string()));
        }
        for branches in ["anyOf", "oneOf", "allOf"] {
            let count = node[branches].as_array().map_or(0, Vec::len);
            (0..count).for_each(|branch| self.read(&format!("{place}/{branches}/{branch}"), printed));
        }
        for (name, field) in printed.as_object().into_iter().flatten() {
            let of_its_own = node["properties"].get(name).is_some();
            let rest =
                if of_its_own { format!("properties/{name}") } else { "additionalProperties".to_owned() };
            self.read(&format!("{place}/{rest}"), field);
        }
        for item in printed.as_array().into_iter().flatten() {
            self.read(&format!("{place}/items"), item);
        }
    }
}

/// The cases of a folder.
fn stored(folder: &str) -> impl Iterator<Item = Screen> + use<> {
    let folder = root(folder);
    let paths = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let cases = paths.filter(|path| path.extension().is_some_and(|it| it == "yaml" || it == "json"));
    cases.flat_map(|path| {
        let name = path.display().to_string();
        let text = fs::read(&path).expect("a file");
        let cases = Cases::new(&name, text.as_slice()).filter_map(Result::ok).collect::<Vec<_>>();
        let explained = cases.into_iter().filter_map(|case| Explanation::of(case).ok());
        explained.map(|explanation| Screen { name: name.clone(), explanation }).collect::<Vec<_>>()
    })
}

#[test]
fn every_listed_value_is_printed_by_a_case() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let mut expected = Listed::new();
    listed("", &schema, &mut expected);
    let mut reader = Reader { schema: &schema, found: Listed::new() };
    let kept =
        ["tests/questions", "tests/documents", "tests/decisions/attested", "tests/memory/hostile/kept"];
    for screen in all().into_iter().chain(made()).chain(kept.into_iter().flat_map(stored)).chain(drawn()) {
        screen.explanation.blame();
        reader.read("", &screen.json());
    }
    // Only a watch has watched; that has tests of its own.
    expected.remove(&("/properties/basis/items/properties/code".to_owned(), "\"watched\"".to_owned()));
    let never: Vec<_> = expected.difference(&reader.found).collect();
    assert!(never.is_empty(), "no case prints {never:#?}");
}

/// A command for each exit code.
const ENDINGS: [&[&str]; 6] = [
    &["explain", "--example", "missing-samples"],
    &["explain", "-f", "no-such-file.yaml"],
    &["explain", "--no-such-flag"],
    &["simulate", "--example", "missing-request", "--container", "app"],
    &["simulate", "-f", "tests/simulate/upgrade.yaml", "--all", "--max", "40"],
    &["list", "--example", "--fail-on", "broken"],
];

#[test]
fn every_exit_code_of_readme_ends_a_command() {
    let readme = include_str!("../../README.md");
    let rows = readme.lines().skip_while(|line| !line.starts_with("| exit code |")).skip(2);
    let rows = rows.map_while(|line| line.strip_prefix("| "));
    let codes: Vec<i32> = rows.map(|row| row[..1].parse().expect("a code")).collect();
    let ended = ENDINGS.map(|args| {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa")).args(args).output();
        output.expect("the binary runs").status.code().expect("a code")
    });
    assert_eq!(codes, ended);
}
