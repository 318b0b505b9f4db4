//! A file that holds no case.

use std::fmt::{Display, Formatter, Result};

use super::text::{shortened, visible};

/// A problem of a case file, with its place.
///
/// The first line says it all: place, path, problem. What to try and the line of the file may follow, each on lines of
/// their own. Control characters of the file are escaped, long values shortened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// The file or the stream.
    pub source: String,
    /// Which document of it, from 1.
    pub document: usize,
    /// Line and column in the file, both from 1, where known.
    pub position: Option<Position>,
    /// Path of the field, as `hpa.spec.maxReplicas`; may be empty.
    pub path: String,
    /// What is wrong.
    pub problem: String,
    /// What to try.
    pub hint: Option<&'static str>,
    /// The line of the file with a mark under the column.
    pub snippet: Option<String>,
    /// Whether it is a template that was not rendered, as far as its braces show.
    pub is_template: bool,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u64,
    /// Column, from 1.
    pub column: u64,
}

impl Display for LoadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.source.as_str() {
            "-" => write!(f, "standard input")?,
            source => write!(f, "{}", visible(source))?,
        }
        if let Some(Position { line, column }) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        if self.document > 1 {
            write!(f, ": document {}", self.document)?;
        }
        if !self.path.is_empty() {
            write!(f, ": {}", self.path)?;
        }
        // What a document is instead of a case reads on as one sentence.
        let colon = if self.path.is_empty() && self.problem.starts_with(IS) { "" } else { ":" };
        write!(f, "{colon} {}", self.problem)?;
        if let Some(hint) = self.hint {
            write!(f, "\nhint: {hint}")?;
        }
        if let Some(snippet) = &self.snippet {
            write!(f, "\n{snippet}")?;
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {}

/// The beginning of a problem that says what a document is instead of a case.
pub(super) const IS: &str = "is ";

/// A problem with a document, before the file's name is known.
#[derive(Debug)]
pub(super) struct Problem {
    pub position: Option<Position>,
    pub path: String,
    pub words: String,
    pub hint: Option<&'static str>,
    pub snippet: Option<String>,
    /// Whether a bound was met, so that the document is not looked at again.
    pub is_bound: bool,
    /// True if what follows in the stream is of the same kind, so that one error says it all.
    pub is_last: bool,
    pub is_template: bool,
}

impl Problem {
    pub fn new(words: &str) -> Self {
        let words = shortened(&visible(words));
        Self {
            position: None,
            path: String::new(),
            words,
            hint: None,
            snippet: None,
            is_bound: false,
            is_last: false,
            is_template: false,
        }
    }

    pub fn at(self, position: Position) -> Self {
        Self { position: Some(position), ..self }
    }

    pub fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    pub fn of(self, source: &str, document: usize) -> LoadError {
        let Self { position, path, words: problem, hint, snippet, is_bound: _, is_last: _, is_template } =
            self;
        LoadError { source: source.to_owned(), document, position, path, problem, hint, snippet, is_template }
    }
}
