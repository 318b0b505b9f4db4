//! The examples of lint's rules, for tests of either crate.

use std::fs;

use kubectl_hpa_core::lint::Rule;

use super::root::root;

/// The `bad` or `good` example of a rule.
pub fn example(rule: Rule, which: &str) -> String {
    let path = root(&format!("tests/lint/{rule}.{which}.yaml"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
