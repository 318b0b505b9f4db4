//! Characters that are not shown as they are: what comes from a cluster or a file never reaches a terminal as it is.

use std::borrow::Cow;

/// Whether a terminal obeys a character, or an eye is misled by it: controls (line breaks and escape among them), marks
/// that turn text around, line and paragraph separators, and all that takes no room or shows as nothing, behind which
/// one name passes for another.
///
/// The one table of them: screens, JSON, YAML, errors, notes and what a shell is offered go by it. What Unicode calls
/// `Default_Ignorable_Code_Point`, format controls, and the blanks of Braille and Hangul.
#[must_use]
pub fn is_hazard(character: char) -> bool {
    // Most characters, in one quick look.
    if matches!(character, ' '..='~') {
        return false;
    }
    let is_none = matches!(u32::from(character) & 0xffff, 0xfffe | 0xffff);
    is_none
        || character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
            | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}'
            | '\u{fdd0}'..='\u{fdef}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// The text with each such character spelled out, as `\n` or `\u{1b}`.
#[must_use]
pub fn sanitize(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hazard) {
        return Cow::Borrowed(text);
    }
    let spelled = text.chars().fold(String::with_capacity(text.len() + 8), |mut spelled, character| {
        if is_hazard(character) {
            spelled.extend(character.escape_default());
        } else {
            spelled.push(character);
        }
        spelled
    });
    Cow::Owned(spelled)
}

#[cfg(test)]
mod tests {
    use super::{is_hazard, sanitize};

    #[test]
    fn what_is_shown_as_nothing_is_one_and_what_is_read_is_none() {
        for hazard in "\0\n\t\u{1b}\u{7f}\u{9b}\u{ad}\u{61c}\u{115f}\u{200b}\u{200d}\u{2028}\u{2029}\u{202e}\u{2066}\u{2800}\u{3164}\u{fe0f}\u{feff}\u{ffa0}\u{fffe}\u{1ffff}\u{e0041}\u{e0100}".chars() {
            assert!(is_hazard(hazard), "{hazard:?}");
        }
        for plain in "az09 ~\u{a0}äßé→…·漢字한글ᄀ⠁\u{3000}\u{301}\u{fffd}🙂".chars() {
            assert!(!is_hazard(plain), "{plain:?}");
        }
    }

    #[test]
    fn nothing_that_a_terminal_obeys_gets_through() {
        let cases = [
            ("web-1", "web-1"),
            ("größe → 5", "größe → 5"),
            ("a\nb\rc\td", "a\\nb\\rc\\td"),
            ("\u{1b}[2J\u{1b}]0;title\u{7}", "\\u{1b}[2J\\u{1b}]0;title\\u{7}"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("pod\u{202e}1-bew", "pod\\u{202e}1-bew"),
            ("zero\u{200b}width", "zero\\u{200b}width"),
            ("\u{2028}", "\\u{2028}"),
            ("b\u{3164}o\u{2800}m\u{feff}", "b\\u{3164}o\\u{2800}m\\u{feff}"),
            ("\u{7f}", "\\u{7f}"),
        ];
        for (text, shown) in cases {
            assert_eq!(sanitize(text), shown);
        }
    }
}
