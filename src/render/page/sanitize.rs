//! What comes from the cluster never reaches a terminal as it is: control characters, escape sequences and
//! invisible marks that turn text around are spelled out.

use std::borrow::Cow;

use kubectl_hpa_core::model::is_hazard;

/// The longest text that is shown as it is, in bytes.
const LONGEST: usize = 4096;
/// What is left of a longer one.
const KEPT: usize = 600;

/// The beginning of a text that is longer than anybody reads, and how long it is.
pub(in crate::render) fn clipped(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST {
        return Cow::Borrowed(text);
    }
    let end = (0..=KEPT).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let kept = text.get(..end).unwrap_or_default();
    let (tenths, unit) =
        if text.len() < 1_000_000 { (text.len() / 100, "kB") } else { (text.len() / 100_000, "MB") };
    Cow::Owned(format!("{kept}… ({}.{} {unit})", tenths / 10, tenths % 10))
}

/// Spells out every character that a terminal would obey instead of showing, or that shows as nothing.
#[must_use]
pub fn sanitize(text: &str) -> Cow<'_, str> {
    if text.contains(is_hazard) { Cow::Owned(spell_out(text)) } else { Cow::Borrowed(text) }
}

fn spell_out(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_hazard(character) {
            spelled.extend(character.escape_default());
        } else {
            spelled.push(character);
        }
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::sanitize;

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
