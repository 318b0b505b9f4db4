//! What is wrong with a value, in the words of the API.

use std::fmt::{Display, Formatter, Result};

use serde::de::{Error, Expected, Unexpected};

use super::expected;

/// What is wrong, and where. Small, because it is in every result.
#[derive(Debug, Default)]
pub(in crate::snapshot) struct Fault(Box<Content>);

#[derive(Debug, Default)]
struct Content {
    /// `None` where the format has words of its own.
    words: Option<String>,
    /// From the inside out.
    path: Vec<Step>,
    /// Whether a bound was met.
    is_bound: bool,
}

/// One step of a path.
#[derive(Debug)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

impl Fault {
    fn new(words: String) -> Self {
        Self(Box::new(Content { words: Some(words), ..Content::default() }))
    }

    /// A bound was met: the same again would take as long.
    pub(super) fn bound(words: String) -> Self {
        let Self(content) = Self::new(words);
        Self(Box::new(Content { is_bound: true, ..*content }))
    }

    /// Whether a bound was met.
    pub(in crate::snapshot) fn is_bound(&self) -> bool {
        self.0.is_bound
    }

    /// The same, found inside of `step`.
    pub(super) fn within(mut self, step: Step) -> Self {
        self.0.path.push(step);
        self
    }

    /// What is wrong; `None` where the format's own error says it.
    pub(in crate::snapshot) fn words(&self) -> Option<&str> {
        self.0.words.as_deref()
    }

    /// Where, as `hpa.spec.metrics[0].type`.
    pub(in crate::snapshot) fn path(&self) -> String {
        let mut path = String::new();
        for step in self.0.path.iter().rev() {
            match step {
                Step::Key(key) if path.is_empty() => path.push_str(key),
                Step::Key(key) => path.extend([".", key]),
                Step::Index(index) => path.extend(["[", &index.to_string(), "]"]),
            }
        }
        path
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(self.words().unwrap_or_default())
    }
}

impl std::error::Error for Fault {}

impl Error for Fault {
    fn custom<T: Display>(words: T) -> Self {
        Self::new(words.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(expected::words(found, &expected.to_string()))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn unknown_variant(found: &str, known: &'static [&'static str]) -> Self {
        Self::new(expected::words(Unexpected::Str(found), &expected::one_of(known)))
    }
}
