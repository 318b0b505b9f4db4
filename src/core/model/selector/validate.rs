//! Keys and values of labels in a selector, as faults of their fields.
use super::error::{Fault, Value};
use crate::model::naming;

/// Source: `validateLabelKey`.
pub(super) fn check_key(key: &str, path: &str) -> Result<(), Fault> {
    join(path, key, &naming::label_key(key))
}

/// Source: `validateLabelValue`.
pub(super) fn check_value(value: &str, path: &str) -> Result<(), Fault> {
    join(path, value, &naming::label_value(value))
}

fn join(path: &str, bad: &str, problems: &[String]) -> Result<(), Fault> {
    if problems.is_empty() {
        return Ok(());
    }
    Err(Fault { path: path.to_owned(), value: Value::Text(bad.into()), detail: problems.join("; ") })
}
