//! Faults of a template, and texts in quotes.

/// A template that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TemplateError(pub(super) String);

impl TemplateError {
    pub(super) fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }
}

/// A text in quotes of either kind.
pub(super) fn unquoted(quoted: &str) -> Result<String, TemplateError> {
    let wrong = || TemplateError::new(format!("{quoted} is no quoted string"));
    let quote = quoted.chars().next().ok_or_else(wrong)?;
    let inside = quoted.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)).ok_or_else(wrong)?;
    let mut text = String::with_capacity(inside.len());
    let mut letters = inside.chars();
    while let Some(letter) = letters.next() {
        text.push(match letter {
            '\\' => match letters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some(escaped @ ('\\' | '"' | '\'')) => escaped,
                _ => return Err(wrong()),
            },
            letter if letter == quote => return Err(wrong()),
            letter => letter,
        });
    }
    Ok(text)
}
