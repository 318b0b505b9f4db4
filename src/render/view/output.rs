//! The view as JSON and YAML, written as it is walked: nothing of a decision of ten thousand pods is held as text.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use serde_json::{Serializer, Value};

use super::safe::Safe;
use super::yaml_text::Yaml;
use kubectl_hpa_core::snapshot::case::API_VERSION;

/// Writes a decision as indented JSON.
///
/// # Errors
/// Those of the writer.
pub fn json(out: &mut dyn Write, view: &impl Serialize) -> io::Result<()> {
    write_as(PrettyFormatter::new(), out, view)?;
    writeln!(out)
}

/// Decisions as one JSON document, indented: a list, written item by item.
#[derive(Debug)]
pub struct JsonList {
    kind: &'static str,
    has_items: bool,
}

impl JsonList {
    /// A list of a kind, without items.
    #[must_use]
    pub const fn of(kind: &'static str) -> Self {
        Self { kind, has_items: false }
    }

    /// Writes the next decision; before the first the head of the list.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn item(&mut self, out: &mut dyn Write, view: &impl Serialize) -> io::Result<()> {
        if std::mem::replace(&mut self.has_items, true) {
            write!(out, ",\n    ")?;
        } else {
            let head = format_args!(r#""apiVersion": "{API_VERSION}",{NEXT}"kind": "{}""#, self.kind);
            write!(out, "{{{NEXT}{head},{NEXT}\"items\": [\n    ")?;
        }
        write(PrettyFormatter::new(), Safe { out, indent: "    " }, view)
    }

    /// The whole list as a value.
    #[must_use]
    pub fn whole(&self, items: &[Value]) -> Value {
        serde_json::json!({"apiVersion": API_VERSION, "kind": self.kind, "items": items})
    }

    /// Writes the end of the list, if it has items.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn end(self, out: &mut dyn Write) -> io::Result<()> {
        if self.has_items { writeln!(out, "{NEXT}]\n}}") } else { Ok(()) }
    }
}

/// The beginning of a line in the list's own object.
const NEXT: &str = "\n  ";

/// Writes a decision as one line of JSON.
///
/// # Errors
/// Those of the writer.
pub fn json_line(out: &mut dyn Write, view: &impl Serialize) -> io::Result<()> {
    write_as(CompactFormatter, out, view)?;
    writeln!(out)
}

/// Writes a decision as a YAML document, with its separator.
///
/// # Errors
/// Those of the writer.
pub fn yaml(out: &mut dyn Write, view: &impl Serialize) -> io::Result<()> {
    writeln!(out, "---")?;
    write_as(Yaml::default(), out, view)?;
    writeln!(out)
}

/// A value as lines of YAML, safe for a terminal.
///
/// # Errors
/// If the value cannot be written as JSON either.
pub fn yaml_lines(value: &impl Serialize) -> io::Result<String> {
    let mut text = Vec::new();
    write_as(Yaml::default(), &mut text, value)?;
    text.push(b'\n');
    Ok(String::from_utf8_lossy(&text).into_owned())
}

pub(super) fn write_as(form: impl Formatter, out: &mut dyn Write, view: &impl Serialize) -> io::Result<()> {
    write(form, Safe { out, indent: "" }, view)
}

fn write(form: impl Formatter, out: Safe, view: &impl Serialize) -> io::Result<()> {
    Ok(view.serialize(&mut Serializer::with_formatter(out, form))?)
}
