use thiserror::Error;

/// Why a selector is invalid, word for word as Kubernetes says it since 1.34.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{words}")]
pub struct SelectorError {
    words: String,
    words_before: String,
    words_at_first: String,
}

/// How an error about a selector is worded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectorWords {
    /// An unknown operator is no "pod selector operator" (`LabelSelectorAsSelector`), and lists are Go source.
    PodOperator,
    /// An unknown operator is no "label selector operator". Up to 1.33 a list of strings is shown as Go source,
    /// `[]string{"a"}` (`field.Error.ErrorBody`).
    GoList,
    /// Since 1.34 as JSON, `["a"]`.
    JsonList,
}

impl SelectorError {
    /// One that is worded alike in all versions.
    pub(in crate::model) fn new(words: String) -> Self {
        Self { words_before: words.clone(), words_at_first: words.clone(), words }
    }

    /// One about an operator that does not exist, quoted.
    pub(in crate::model) fn of_operator(quoted: &str) -> Self {
        let words = format!("{quoted} is not a valid label selector operator");
        let words_at_first = format!("{quoted} is not a valid pod selector operator");
        Self { words_before: words.clone(), words_at_first, words }
    }

    /// One that shows a list: its words with JSON, and with Go source.
    pub(super) fn with_list(words: String, words_before: String) -> Self {
        Self { words, words_at_first: words_before.clone(), words_before }
    }

    /// What a version says.
    #[must_use]
    pub fn words(&self, how: SelectorWords) -> &str {
        match how {
            SelectorWords::PodOperator => &self.words_at_first,
            SelectorWords::GoList => &self.words_before,
            SelectorWords::JsonList => &self.words,
        }
    }
}
