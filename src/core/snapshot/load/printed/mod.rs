//! Text that kubectl prints for people: that of `kubectl describe hpa`, and the table of `kubectl top pods`.
//!
//! The text has neither all of an HPA nor any time of its events and conditions: what is made of it is of a kind of our own, and
//! no decision depends on it. The table rounds usage and has no times, so it is only known to be there.

mod hpa;
mod lines;
mod metric;
mod shape;

pub(super) use lines::Unreadable;
pub(super) use shape::{Shape, begins_object, begins_text};

use std::io::{BufRead, BufReader, Read};

use serde_json::{Value, json};

use crate::snapshot::case::API_VERSION;
use lines::Lines;

/// The kind of an HPA that is read from text.
pub const DESCRIBED: &str = "DescribedHorizontalPodAutoscaler";
/// The kind of a table of pods.
pub const TOP: &str = "TopPods";

/// True if a file begins with text that kubectl prints for people.
pub fn is_text(file: impl Read) -> bool {
    let mut shape = Shape::default();
    let lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
    lines.take(LONGEST).any(|line| {
        shape.see(&line);
        shape == Shape::Text
    })
}

/// The most lines before those that tell: HPAs have some annotations.
const LONGEST: usize = 10_000;

/// The HPAs and tables of a text, as a list of [`DESCRIBED`] and [`TOP`]. Rows and events are passed over: ages are from a time that
/// nobody knows.
pub(super) fn read(text: &str) -> Result<Value, Unreadable> {
    let mut lines = Lines::of(text);
    let mut items = Vec::new();
    while let Some(line) = lines.peek() {
        // Other kinds have no reference.
        if shape::is_name(line) && lines.has_before("Reference:", shape::is_name) {
            let hpa = hpa::read(&mut lines)?;
            items.push(json!({"apiVersion": API_VERSION, "kind": DESCRIBED, "hpa": hpa}));
            continue;
        }
        if shape::is_table(line) {
            items.push(json!({"apiVersion": API_VERSION, "kind": TOP}));
        }
        lines.skip();
    }
    Ok(json!({"apiVersion": API_VERSION, "kind": "List", "items": items}))
}
