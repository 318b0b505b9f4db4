//! A line: pieces of text, each with its role.

use unicode_width::UnicodeWidthStr;

use super::clip::clipped;
use super::{Glyphs, Paint, Role, sanitize};

/// Columns that a text takes on a terminal.
pub(in crate::render) fn width(text: &str) -> usize {
    text.width()
}

/// A text in a role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::render) struct Span {
    pub role: Role,
    pub text: String,
}

/// Spans side by side; already safe to print.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::render) struct Line {
    spans: Vec<Span>,
}

impl Line {
    /// A line of one piece, made safe and put into the screen's glyphs.
    pub fn of(glyphs: Glyphs, role: Role, text: &str) -> Self {
        Self::default().and(glyphs, role, text)
    }

    /// The line and another piece.
    pub fn and(mut self, glyphs: Glyphs, role: Role, text: &str) -> Self {
        self.spans.push(Span { role, text: glyphs.show(&sanitize(&clipped(text))).into_owned() });
        self
    }

    /// A drawing or a table for a browser, which is escaped already.
    pub fn figure(drawing: String) -> Self {
        Self { spans: vec![Span { role: Role::Figure, text: drawing }] }
    }

    pub fn is_figure(&self) -> bool {
        self.role() == Role::Figure
    }

    /// The line, filled up with spaces to a width.
    pub fn padded(mut self, to: usize) -> Self {
        let missing = to.saturating_sub(self.width());
        self.spans.push(Span { role: Role::Plain, text: " ".repeat(missing) });
        self
    }

    /// The line and another one behind it.
    pub fn joined(mut self, other: Self) -> Self {
        self.spans.extend(other.spans);
        self
    }

    /// The text of all pieces.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// The role of the first piece that shows anything.
    pub fn role(&self) -> Role {
        let shown = self.spans.iter().find(|span| !span.text.trim().is_empty());
        shown.map_or(Role::Plain, |span| span.role)
    }

    pub fn width(&self) -> usize {
        self.spans.iter().map(|span| width(&span.text)).sum()
    }

    /// The line as it is sent, without trailing spaces.
    pub fn paint(&self, paint: Paint) -> String {
        let last = self.spans.iter().rposition(|span| !span.text.trim_end().is_empty());
        let kept = last.map_or(&[][..], |last| self.spans.get(..=last).unwrap_or_default());
        let mut painted = String::new();
        for (place, span) in kept.iter().enumerate() {
            let text = if Some(place) == last { span.text.trim_end() } else { &span.text };
            painted.push_str(&paint.brush(span.role, text));
        }
        painted
    }
}
