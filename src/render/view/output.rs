//! The view as JSON and YAML.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{DecisionView, decision_view, yaml_text};
use crate::render::explanation::Explanation;
use crate::render::page::is_hazard;
use crate::snapshot::case::API_VERSION;

/// Writes decisions as indented JSON: one as an object, several as a list.
///
/// # Errors
/// Those of the writer.
pub fn json_list(out: &mut dyn Write, mut views: Vec<serde_json::Value>) -> io::Result<()> {
    let value = match (views.pop(), views.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            views.extend(last);
            serde_json::json!({"apiVersion": API_VERSION, "kind": "DecisionList", "items": views})
        }
    };
    writeln!(out, "{}", escaped(&serde_json::to_string_pretty(&value)?))
}

/// Writes a decision as one line of JSON.
///
/// # Errors
/// Those of the writer.
pub fn json_line(out: &mut dyn Write, explanation: Explanation<'_>) -> io::Result<()> {
    let text = serde_json::to_string(&decision_view(explanation))?;
    writeln!(out, "{}", escaped(&text))
}

/// Writes a decision as a YAML document, with its separator.
///
/// # Errors
/// Those of the writer.
pub fn yaml(out: &mut dyn Write, explanation: Explanation<'_>) -> io::Result<()> {
    let view: DecisionView<'_> = decision_view(explanation);
    let value = serde_json::to_value(&view)?;
    writeln!(out, "---\n{}", yaml_text::document(&value))
}

/// JSON leaves characters as they are that a terminal would obey; inside strings it can spell them out.
pub(super) fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if character != '\n' && is_hazard(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn json_spells_out_what_a_terminal_obeys_and_means_the_same() {
        let text = "a\u{9b}31m\u{202e}b\u{e0001}\u{7f}\n\"";
        let json = serde_json::to_string(text).map(|json| escaped(&json));
        assert_eq!(json.as_deref().ok(), Some(r#""a\u009b31m\u202eb\udb40\udc01\u007f\n\"""#));
        let back: Option<String> = json.ok().and_then(|json| serde_json::from_str(&json).ok());
        assert_eq!(back.as_deref(), Some(text));
    }
}
