//! How a screen is laid out; the caller knows the terminal and decides.

use super::page::{Glyphs, Paint, Style};

/// How a text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Columns of the terminal; fewer than 20 are taken for 20.
    pub width: usize,
    /// Which characters it shows.
    pub glyphs: Glyphs,
    /// Whether it is colored.
    pub paint: Paint,
    /// How much of each row.
    pub detail: Detail,
    /// Which rows of a ledger.
    pub rows: Rows,
}

/// How much of each row is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// What fits a terminal.
    #[default]
    Normal,
    /// `-o wide`: raw values, owners and codes as well, and the steps that change nothing.
    Wide,
}

/// Which rows of a ledger are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rows {
    /// Unusual pods; similar ones are folded into a count.
    #[default]
    Folded,
    /// Every one.
    All,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            width: 80,
            glyphs: Glyphs::default(),
            paint: Paint::default(),
            detail: Detail::default(),
            rows: Rows::default(),
        }
    }
}

impl Options {
    pub(super) fn style(&self) -> Style {
        Style { width: self.width, glyphs: self.glyphs, paint: self.paint }
    }

    pub(super) fn is_wide(&self) -> bool {
        self.detail == Detail::Wide
    }
}
