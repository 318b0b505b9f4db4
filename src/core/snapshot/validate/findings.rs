//! Violations, worded as upstream's `field.Error` words them.

use std::fmt::{Display, Formatter, Result};

use crate::model::go_text::quote;

/// One reason why the API server refuses an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Path of the field in the object, as `spec.metrics[0].type`.
    pub path: String,
    /// The API server's words.
    pub text: String,
}

impl Display for Violation {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}: {}", self.path, self.text)
    }
}

/// More than these are not counted: each new one is compared with all before.
const MOST: usize = 1_000;

/// Violations in the order in which they are found, without repetitions (upstream `ErrorList.ToAggregate`).
#[derive(Default)]
pub(super) struct Findings(Vec<Violation>);

impl Findings {
    pub fn into_list(self) -> Vec<Violation> {
        self.0
    }

    /// A field is missing; `detail` may be empty.
    pub fn required(&mut self, path: String, detail: &str) {
        let separator = if detail.is_empty() { "" } else { ": " };
        self.add(path, format!("Required value{separator}{detail}"));
    }

    /// A field is there and must not be.
    pub fn forbidden(&mut self, path: String, detail: &str) {
        self.add(path, format!("Forbidden: {detail}"));
    }

    /// A value is wrong; `value` is quoted where upstream quotes it.
    pub fn invalid(&mut self, path: String, value: impl Display, detail: &str) {
        self.add(path, format!("Invalid value: {value}: {detail}"));
    }

    /// A value is none of those that are known.
    pub fn unsupported(&mut self, path: String, value: impl Display, known: &[&str]) {
        let known: Vec<_> = known.iter().map(|known| format!("\"{known}\"")).collect();
        self.add(path, format!("Unsupported value: {value}: supported values: {}", known.join(", ")));
    }

    /// An object's name is no longer than any that is stored. Its letters are not judged: they change no decision.
    pub fn name(&mut self, path: &str, name: &str) {
        if name.len() > 253 {
            let start = name.chars().take(20).collect::<String>();
            let shown = quote(&format!("{start}…"));
            self.invalid(path.to_owned(), shown, "must be no more than 253 characters");
        }
    }

    fn add(&mut self, path: String, text: String) {
        let violation = Violation { path, text };
        if self.0.len() < MOST && !self.0.contains(&violation) {
            self.0.push(violation);
        }
    }
}
