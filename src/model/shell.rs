//! Words as a shell takes them.

use std::borrow::Cow;

/// A word that a shell takes whole and as it is, in quotes where it needs them.
#[must_use]
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "=%+-./:_@".contains(it);
    if !word.is_empty() && word.chars().all(is_plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn only_what_a_shell_would_read_otherwise_is_quoted() {
        assert_eq!(shell_word("cpu=80"), "cpu=80");
        assert_eq!(shell_word(""), "''");
        assert_eq!(shell_word("it's here"), r"'it'\''s here'");
    }
}
