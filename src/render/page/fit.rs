//! Making text fit: breaking paragraphs, leaving out the middle of names.

use super::clip::clipped;
use super::line::width;
use super::{Glyphs, sanitize};

/// Breaks a text into lines of at most so many columns, at spaces, but not
/// before a percent sign, behind the sign of a result or divisor, or at a no-break space; a word that is longer than a line
/// is cut, behind a sign that joins parts of a name if there is one.
pub(in crate::render) fn wrap(glyphs: Glyphs, text: &str, columns: usize) -> Vec<String> {
    let text = clipped(text);
    let text = sanitize(&text);
    let text = glyphs.show(&text);
    let columns = columns.max(1);
    let mut lines = vec![String::new()];
    let text = bound(&text);
    // A text that is normally kept together is broken if it is longer than a line.
    let parts = |word: &'_ str| -> Vec<String> {
        let parts = if width(word) > columns { word.split('\u{a0}').collect() } else { vec![word] };
        parts.into_iter().flat_map(|part| pieces(part, columns)).collect()
    };
    for word in text.split(' ').filter(|word| !word.is_empty()).flat_map(parts) {
        let last =
            lines.last_mut().filter(|line| line.is_empty() || width(line) + 1 + width(&word) <= columns);
        match last {
            Some(line) if line.is_empty() => line.push_str(&word),
            Some(line) => {
                line.push(' ');
                line.push_str(&word);
            }
            None => lines.push(word),
        }
    }
    lines.iter().map(|line| spaced(line)).collect()
}

/// A text that breaks at its spaces, but not between a number and the sign of what it is.
pub(super) fn bound(text: &str) -> String {
    let signs = ["= ", "→ ", "-> ", "/ "].into_iter().filter(|sign| text.contains(sign));
    signs.fold(text.to_owned(), |text, sign| text.replace(sign, &sign.replace(' ', "\u{a0}")))
}

/// The same once it is broken into lines.
pub(super) fn spaced(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

/// Where a piece of a word ends: behind the last sign that joins parts of a name, if that is in its second half.
fn joint(full: &str, columns: usize) -> usize {
    let joint = full.rfind(['-', '/', '.', '_', ',', '=']).map_or(0, |place| place + 1);
    let is_far = full.get(..joint).is_some_and(|head| width(head) * 2 > columns);
    if is_far { joint } else { full.len() }
}

fn pieces(word: &str, columns: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for glyph in word.chars() {
        let glyph = glyph.to_string();
        match pieces.last_mut() {
            Some(piece) if width(piece) + width(&glyph) <= columns => piece.push_str(&glyph),
            Some(full) => {
                let rest = full.split_off(joint(full, columns));
                pieces.push(rest + &glyph);
            }
            None => pieces.push(glyph),
        }
    }
    pieces
}

/// Leaves out the middle of a text that is wider than so many columns: names differ at their ends.
pub(in crate::render) fn elide(glyphs: Glyphs, text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let ellipsis = glyphs.ellipsis();
    let room = columns.saturating_sub(width(ellipsis));
    let tail = room * 2 / 3;
    format!("{}{ellipsis}{}", head(text, room - tail), last(text, tail))
}

fn head(text: &str, columns: usize) -> String {
    let mut head = String::new();
    for glyph in text.chars() {
        if width(&head) + width(glyph.encode_utf8(&mut [0; 4])) > columns {
            break;
        }
        head.push(glyph);
    }
    head
}

fn last(text: &str, columns: usize) -> String {
    let reversed: String = text.chars().rev().collect();
    head(&reversed, columns).chars().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_break_at_spaces_and_long_words_are_cut() {
        let lines = wrap(Glyphs::Unicode, "the highest recommendation of the window wins", 20);
        assert_eq!(lines, ["the highest", "recommendation of", "the window wins"]);
        assert_eq!(wrap(Glyphs::Unicode, "abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap(Glyphs::Unicode, "checkout-7f9c6d", 10), ["checkout-", "7f9c6d"]);
        assert_eq!(wrap(Glyphs::Ascii, "10 → 5", 80), ["10 -> 5"]);
        assert_eq!(wrap(Glyphs::Unicode, "at 90% of it", 8), ["at 90%", "of it"]);
        assert_eq!(wrap(Glyphs::Unicode, "45 / 40 = 1.125", 9), ["45 / 40", "= 1.125"]);
        assert_eq!(wrap(Glyphs::Unicode, "at 10:42:00\u{a0}UTC", 8), ["at", "10:42:00", "UTC"]);
        assert_eq!(wrap(Glyphs::Unicode, "", 10), [""]);
        let long = wrap(Glyphs::Unicode, &"é".repeat(5_000_000), 1000);
        assert_eq!(long, [format!("{}… (10.0 MB)", "é".repeat(300))]);
    }

    #[test]
    fn names_keep_their_end() {
        assert_eq!(elide(Glyphs::Unicode, "checkout-7f9c6d5b4-x2k9p", 14), "check…b4-x2k9p");
        assert_eq!(elide(Glyphs::Ascii, "checkout-7f9c6d5b4-x2k9p", 14), "chec...4-x2k9p");
        assert_eq!(elide(Glyphs::Unicode, "web-1", 14), "web-1");
    }
}
