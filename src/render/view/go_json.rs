//! JSON on one line as Go writes it.

use std::io::{self, Write};

use serde_json::Value;
use serde_json::ser::Formatter;

use super::output::write_as;
use kubectl_hpa_core::model::go_text::{html_safe, json_float};

/// A value with its keys sorted, with numbers in Go's form, and with what HTML would take for its own by number.
pub(in crate::render) fn go_json(value: &Value) -> String {
    let mut sorted = value.clone();
    sorted.sort_all_objects();
    let mut line = Vec::new();
    // Writing to memory cannot fail.
    let _ = write_as(GoLine, &mut line, &sorted);
    html_safe(&String::from_utf8_lossy(&line))
}

struct GoLine;

impl Formatter for GoLine {
    fn write_f64<W: ?Sized + Write>(&mut self, out: &mut W, value: f64) -> io::Result<()> {
        out.write_all(json_float(value).as_bytes())
    }
}
