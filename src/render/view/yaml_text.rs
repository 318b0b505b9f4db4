//! YAML in the plainest form: two spaces, double quotes wherever a plain word could be read as something else.
//!
//! Written here and not by the YAML library, because every character that a terminal obeys has to be spelled out.

use std::fmt::Write as _;

use serde_json::Value;

use super::output::escaped;

/// A value as a document.
pub(super) fn document(value: &Value) -> String {
    let mut text = String::new();
    block(&mut text, value, 0);
    text.trim_start_matches('\n').trim_end().to_owned()
}

fn block(text: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, value) in fields {
                let _ = write!(text, "\n{:indent$}{}:", "", scalar(name));
                nested(text, value, indent + 2);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                let _ = write!(text, "\n{:indent$}-", "");
                entry(text, item, indent + 2);
            }
        }
        other => {
            let _ = write!(text, " {}", inline(other));
        }
    }
}

/// The value behind a name: lists stand as deep as their name.
fn nested(text: &mut String, value: &Value, indent: usize) {
    let indent = if value.is_array() { indent - 2 } else { indent };
    block(text, value, indent);
}

/// An item of a list: its first field stands beside the dash.
fn entry(text: &mut String, item: &Value, indent: usize) {
    let mut inner = String::new();
    block(&mut inner, item, indent);
    let inner = inner.trim_start_matches('\n').trim_start();
    let _ = write!(text, " {inner}");
}

fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => scalar(text),
        Value::Object(_) => "{}".to_owned(),
        Value::Array(_) => "[]".to_owned(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// A string, bare where no reader of YAML takes it for anything else.
fn scalar(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { escaped(&Value::String(text.to_owned()).to_string()) }
}

fn is_plain(text: &str) -> bool {
    const RESERVED: [&str; 11] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"];
    let starts = text.starts_with(|first: char| first.is_ascii_alphabetic());
    let bare = |character: char| character.is_ascii_alphanumeric() || "-_./".contains(character);
    starts && text.chars().all(bare) && !RESERVED.contains(&text.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::document;

    #[test]
    fn yaml_reads_back_as_the_same_value() {
        let value = json!({
            "apiVersion": "kubectl-hpa/v1",
            "words": ["no", "5", "a: b", "", "- x", "größe", "a\nb\u{9b}c\u{202e}", "2026-11-21T10:42:00Z", "+Inf"],
            "nothing": null, "list": [], "map": {}, "odd key:": 1,
            "rows": [{"name": "web-1", "deep": [{"a": 1, "b": [1.5, -2]}]}, [1, [2, 3]], {"only": {"x": true}}],
        });
        let text = document(&value);
        let back: Result<serde_json::Value, _> = serde_yaml::from_str(&text);
        assert_eq!(back.ok().as_ref(), Some(&value), "{text}");
        assert!(!text.contains(['\u{9b}', '\u{202e}']));
    }
}
