//! Words as a shell takes them.

use std::borrow::Cow;
use std::fmt::Write;

use super::is_hazard;

/// A word that a shell takes whole and as it is, in quotes where it needs them: bash, zsh, and fish but for what no
/// terminal must get. That is written in the quotes of bash and zsh that spell characters out, so that the line can be
/// shown and copied.
#[must_use]
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "=%+-./:_@".contains(it);
    // To zsh =ls is the path of ls, and %1 is a job.
    let is_taken_otherwise = word.starts_with(['=', '%']);
    if !word.is_empty() && word.chars().all(is_plain) && !is_taken_otherwise {
        Cow::Borrowed(word)
    } else if word.contains(is_hazard) {
        Cow::Owned(spelled_out(word))
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    }
}

fn spelled_out(word: &str) -> String {
    let mut spelled = String::from("$'");
    for character in word.chars() {
        let code = u32::from(character);
        // Writing to a string cannot fail.
        let _ = match character {
            '\'' | '\\' => write!(spelled, "\\{character}"),
            _ if !is_hazard(character) => write!(spelled, "{character}"),
            '\0'..='\x7f' => write!(spelled, "\\x{code:02x}"),
            '\u{80}'..='\u{ffff}' => write!(spelled, "\\u{code:04x}"),
            _ => write!(spelled, "\\U{code:08x}"),
        };
    }
    spelled.push('\'');
    spelled
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    #[test]
    fn only_what_a_shell_would_read_otherwise_is_quoted() {
        assert_eq!(shell_word("cpu=80"), "cpu=80");
        assert_eq!(shell_word(""), "''");
        assert_eq!(shell_word("it's here"), r"'it'\''s here'");
        assert_eq!(shell_word("$(touch x)"), "'$(touch x)'");
        assert_eq!(shell_word("=ls"), "'=ls'");
        assert_eq!(shell_word("~root"), "'~root'");
    }

    #[test]
    fn what_a_terminal_must_not_get_is_spelled_out_so_that_a_shell_reads_it_back() {
        let words = "it's\n\u{1b}[2J\\ \u{3164}\u{e0041}é$HOME";
        let spelled = shell_word(words);
        assert_eq!(spelled, r"$'it\'s\x0a\x1b[2J\\ \u3164\U000e0041é$HOME'");
    }
}
