//! The view as JSON and YAML, written as it is walked: nothing of a decision of ten thousand pods is held as text.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;
use serde_json::{Serializer, Value};

use super::errors::ErrorView;
use super::form::Form;
use super::safe::Safe;
use kubectl_hpa_core::comparison::Unanswered;
use kubectl_hpa_core::snapshot::case::API_VERSION;

/// Writes a decision as indented JSON.
///
/// # Errors
/// Those of the writer.
pub fn json(out: &mut dyn Write, view: &impl Serialize) -> io::Result<()> {
    write_as(Form::indented(), out, view)?;
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
            self.head(out)?;
            write!(out, "\n    ")?;
        }
        write(Form::indented(), Safe::new(out, "    "), view)
    }

    fn head(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = format_args!(r#""apiVersion": "{API_VERSION}",{NEXT}"kind": "{}""#, self.kind);
        write!(out, "{{{NEXT}{head},{NEXT}\"items\": [")
    }

    /// The whole list as a value.
    ///
    /// # Errors
    /// Those of serialization.
    pub fn whole(&self, items: &[Value], errors: &[Unanswered]) -> io::Result<Value> {
        let errors = errors.iter().map(|error| serde_json::to_value(ErrorView::of(error)));
        let errors: Vec<Value> = errors.collect::<Result<_, _>>()?;
        Ok(
            serde_json::json!({"apiVersion": API_VERSION, "kind": self.kind, "items": items, "errors": errors}),
        )
    }

    /// Writes the end of the list: what has no answer.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn end(self, out: &mut dyn Write, errors: &[Unanswered]) -> io::Result<()> {
        if self.has_items {
            write!(out, "{NEXT}],")?;
        } else {
            self.head(out)?;
            write!(out, "],")?;
        }
        write!(out, "{NEXT}\"errors\": ")?;
        let errors: Vec<ErrorView<'_>> = errors.iter().map(ErrorView::of).collect();
        write(Form::indented(), Safe::new(&mut *out, "  "), &errors)?;
        writeln!(out, "\n}}")
    }
}

/// The beginning of a line in the list's own object.
const NEXT: &str = "\n  ";

/// Writes a decision as one line of JSON.
///
/// # Errors
/// Those of the writer.
pub fn json_line(out: &mut dyn Write, view: &impl Serialize) -> io::Result<()> {
    write_as(Form::Line, out, view)?;
    writeln!(out)
}

/// Writes a decision as a YAML document, with its separator.
///
/// # Errors
/// Those of the writer.
pub fn yaml(out: &mut dyn Write, view: &impl Serialize) -> io::Result<()> {
    writeln!(out, "---")?;
    write_as(Form::yaml(), out, view)?;
    writeln!(out)
}

/// What has no answer, as the last YAML document of several.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorListView<'a> {
    api_version: &'static str,
    kind: &'static str,
    errors: Vec<ErrorView<'a>>,
}

/// Writes what has no answer as a YAML document of `kind: ErrorList`; nothing if everything has one.
///
/// # Errors
/// Those of the writer.
pub fn yaml_errors(out: &mut dyn Write, errors: &[Unanswered]) -> io::Result<()> {
    if errors.is_empty() {
        return Ok(());
    }
    let errors = errors.iter().map(ErrorView::of).collect();
    yaml(out, &ErrorListView { api_version: API_VERSION, kind: "ErrorList", errors })
}

/// A value as lines of YAML, safe for a terminal.
///
/// # Errors
/// If the value cannot be written as JSON either.
pub fn yaml_lines(value: &impl Serialize) -> io::Result<String> {
    let mut text = Vec::new();
    write_as(Form::yaml(), &mut text, value)?;
    text.push(b'\n');
    Ok(String::from_utf8_lossy(&text).into_owned())
}

pub(super) fn write_as(form: impl Formatter, out: &mut dyn Write, view: &impl Serialize) -> io::Result<()> {
    write(form, Safe::new(out, ""), view)
}

fn write(form: impl Formatter, mut out: Safe, view: &impl Serialize) -> io::Result<()> {
    view.serialize(&mut Serializer::with_formatter(&mut out, form))?;
    out.end()
}
