//! Which characters a screen may use. Phrases are written with the fine ones; every one has an ASCII twin here.

use std::borrow::Cow;

/// The set of characters that the terminal shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Glyphs {
    /// Arrows, dashes and dots.
    #[default]
    Unicode,
    /// ASCII alone: twins for our own glyphs, other characters spelled out.
    Ascii,
}

/// Our own glyphs and their twins.
const TWINS: [(char, &str); 9] = [
    ('█', "#"),
    ('░', "."),
    ('→', "->"),
    ('←', "<-"),
    ('…', "..."),
    ('×', "x"),
    ('–', "-"),
    ('≥', ">="),
    ('·', "|"),
];

impl Glyphs {
    /// The text in these glyphs.
    pub(in crate::render) fn show(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Unicode => Cow::Borrowed(text),
            Self::Ascii if text.is_ascii() => Cow::Borrowed(text),
            Self::Ascii => Cow::Owned(text.chars().fold(String::new(), |shown, glyph| shown + &twin(glyph))),
        }
    }

    /// The sign for text that was left out.
    pub(in crate::render) const fn ellipsis(self) -> &'static str {
        match self {
            Self::Unicode => "…",
            Self::Ascii => "...",
        }
    }
}

fn twin(glyph: char) -> String {
    match TWINS.iter().find(|(fine, _)| *fine == glyph) {
        Some((_, plain)) => (*plain).to_owned(),
        None if glyph.is_ascii() || glyph == '\u{a0}' => glyph.to_string(),
        None => glyph.escape_default().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Glyphs, TWINS};

    #[test]
    fn every_glyph_has_an_ascii_twin() {
        for (fine, plain) in TWINS {
            assert!(plain.is_ascii());
            assert_eq!(Glyphs::Ascii.show(&fine.to_string()), plain);
        }
        assert_eq!(Glyphs::Ascii.show("größe → 5"), "gr\\u{f6}\\u{df}e -> 5");
        assert_eq!(Glyphs::Unicode.show("größe → 5"), "größe → 5");
    }
}
