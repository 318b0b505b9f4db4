use thiserror::Error;

/// Why a selector is invalid, word for word as Kubernetes says it since 1.34.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{words}")]
pub struct SelectorError {
    words: String,
    words_before: String,
}

/// How an error shows a list of strings (`field.Error.ErrorBody`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListWords {
    /// Up to 1.33 as Go source: `[]string{"a"}`.
    Go,
    /// Since 1.34 as JSON: `["a"]`.
    Json,
}

impl SelectorError {
    /// One that is worded alike in all versions.
    pub(in crate::model) fn new(words: String) -> Self {
        Self { words_before: words.clone(), words }
    }

    /// One that shows a list: its words with JSON, and with Go source.
    pub(super) fn with_list(words: String, words_before: String) -> Self {
        Self { words, words_before }
    }

    /// What a version says.
    #[must_use]
    pub fn words(&self, lists: ListWords) -> &str {
        match lists {
            ListWords::Go => &self.words_before,
            ListWords::Json => &self.words,
        }
    }
}
