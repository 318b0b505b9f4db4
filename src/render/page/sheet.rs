//! The page itself.

use std::io::{self, Write};

use super::fit::wrap;
use super::line::Line;
use super::{Glyphs, Paint, Role, Table, markup};

/// Prose is never set wider than this, whatever the terminal.
const PROSE: usize = 100;
/// The narrowest page that is laid out.
const NARROWEST: usize = 20;
/// Before a table.
const INDENT: usize = 2;
/// The least room in which a text is set beside something.
const BESIDE: usize = 24;

/// For what kind of terminal a page is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::render) struct Style {
    pub width: usize,
    pub glyphs: Glyphs,
    pub paint: Paint,
}

/// Lines, top to bottom.
#[derive(Clone, Debug)]
pub(in crate::render) struct Page {
    style: Style,
    lines: Vec<Line>,
    /// The title of the last section.
    section: String,
}

impl Page {
    pub fn new(style: Style) -> Self {
        Self {
            style: Style { width: style.width.max(NARROWEST), ..style },
            lines: Vec::new(),
            section: String::new(),
        }
    }

    pub fn width(&self) -> usize {
        self.style.width
    }

    /// A piece of text, safe to print.
    pub fn line(&self, role: Role, text: &str) -> Line {
        Line::of(self.style.glyphs, role, text)
    }

    /// A line as it is; one that is too long goes on in the next, a bit further in. A browser wraps by itself.
    pub fn push(&mut self, line: Line) {
        if self.draws() || line.width() <= self.style.width {
            self.lines.push(line);
            return;
        }
        let text = line.text();
        let indent = text.len() - text.trim_start().len();
        let hanging = (indent + 2).min(self.style.width / 2);
        let texts = wrap(self.style.glyphs, text.trim_start(), self.style.width - hanging);
        for (place, text) in texts.iter().enumerate() {
            let start = Line::default().padded(if place == 0 { indent.min(hanging) } else { hanging });
            self.lines.push(start.joined(self.line(line.role(), text)));
        }
    }

    /// A command, two columns in, and a remark beside it. One that is too long goes on in the next line, so that a shell takes
    /// both as one.
    pub fn command(&mut self, command: &str, remark: &str) {
        let whole = Line::default().padded(2).joined(self.line(Role::Plain, command));
        let is_split = |word| self.line(Role::Plain, word).width() + 6 > self.style.width;
        if self.draws() || whole.width() <= self.style.width || shell_words(command).any(is_split) {
            self.beside_at(&whole, whole.width() + 3, Role::Quiet, remark);
            return;
        }
        let mut line = Line::default().padded(2);
        for word in shell_words(command) {
            let word = self.line(Role::Plain, word);
            let is_begun = !line.text().trim().is_empty();
            if is_begun && line.width() + 1 + word.width() + 2 > self.style.width {
                let end = self.line(Role::Plain, " \\");
                self.lines.push(std::mem::replace(&mut line, Line::default().padded(4)).joined(end));
            } else if is_begun {
                let space = line.width() + 1;
                line = line.padded(space);
            }
            line = line.joined(word);
        }
        self.lines.push(line);
        if !remark.is_empty() {
            self.text(Role::Quiet, remark);
        }
    }

    /// Whether a text that begins at a column fits in one line.
    pub fn has_room(&self, column: usize, text: &str) -> bool {
        let columns = self.line(Role::Plain, text).width();
        columns <= PROSE && column + columns <= self.style.width
    }

    /// Starts a section: an empty line, the title, and what is to be said beside it.
    pub fn title(&mut self, title: &str, beside: &str) {
        if !self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        let title = self.line(Role::Title, title);
        self.section = title.text();
        self.beside(&title, Role::Plain, beside);
    }

    /// A section of one text beside its title.
    pub fn note(&mut self, title: &str, role: Role, text: &str) {
        if !self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        self.beside(&self.line(Role::Title, title), role, text);
    }

    /// A short line and a text beside it, which wraps under its own beginning.
    pub fn beside(&mut self, left: &Line, role: Role, right: &str) {
        self.beside_at(left, left.width() + 2, role, right);
    }

    /// The same, with the text from a column on.
    pub fn beside_at(&mut self, left: &Line, column: usize, role: Role, right: &str) {
        if right.is_empty() {
            self.push(left.clone());
            return;
        }
        let column = if left.width() == 0 { column } else { column.max(left.width() + 2) };
        let (column, mut left) = if left.width() == 0 || column + BESIDE <= self.style.width {
            (if left.width() == 0 { column.min(self.style.width / 2) } else { column }, left.clone())
        } else {
            self.push(left.clone());
            (2, Line::default())
        };
        for text in wrap(self.style.glyphs, right, self.style.width.min(column + PROSE) - column) {
            let line = std::mem::take(&mut left).padded(column);
            self.lines.push(line.joined(self.line(role, &text)));
        }
    }

    /// A paragraph, two columns in.
    pub fn paragraph(&mut self, text: &str) {
        self.text(Role::Plain, text);
    }

    /// The same in a role.
    pub fn text(&mut self, role: Role, text: &str) {
        self.beside_at(&Line::default(), 2, role, text);
    }

    pub fn table(&mut self, table: &Table) {
        if self.draws() {
            self.figure(table.html(self.style.glyphs, self.style.width, &self.section));
            return;
        }
        self.lines.extend(table.lay_out(self.style.glyphs, INDENT, self.style.width));
    }

    /// Whether a table can be shown with all columns side by side; a browser always can.
    pub fn has_columns_for(&self, table: &Table) -> bool {
        self.draws() || table.is_readable(self.style.glyphs, INDENT, self.style.width)
    }

    /// Whether a table can be shown with every name whole; a browser always can.
    pub fn has_room_for(&self, table: &Table) -> bool {
        self.draws() || table.is_whole(self.style.glyphs, INDENT, self.style.width)
    }

    /// A text with a code at the right edge, or below it where the text reaches too far.
    pub fn coded(&mut self, left: &Line, text: &str, code: &str) {
        let narrow = left.width() + BESIDE > self.style.width;
        let start = if narrow { 4 } else { left.width() };
        let mut line = left.clone();
        if narrow {
            let above = std::mem::replace(&mut line, Line::default().padded(start));
            if !above.text().trim().is_empty() {
                self.push(above);
            }
        }
        let width = self.style.width.min(PROSE.max(start + NARROWEST));
        for (place, text) in wrap(self.style.glyphs, text, width - start).iter().enumerate() {
            if place > 0 {
                self.lines.push(std::mem::take(&mut line));
            }
            line = line.padded(start).joined(self.line(Role::Plain, text));
        }
        let code = self.line(Role::Quiet, code);
        let right = self.style.width.min(PROSE).saturating_sub(code.width());
        let column = if line.width() + 2 <= right {
            right
        } else {
            self.lines.push(std::mem::take(&mut line));
            if narrow { start } else { right }
        };
        self.push(line.padded(column).joined(code));
    }

    /// Whether drawings can be shown.
    pub fn draws(&self) -> bool {
        self.style.paint == Paint::Html
    }

    /// A drawing, where they can be shown.
    pub fn figure(&mut self, drawing: String) {
        self.lines.push(Line::figure(drawing));
    }

    /// Writes it all.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.draws() {
            return markup::blocks(out, &self.lines);
        }
        for line in &self.lines {
            writeln!(out, "{}", line.paint(self.style.paint))?;
        }
        Ok(())
    }
}

/// A command at the spaces that a shell splits it at: not at those in single quotes.
fn shell_words(command: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    command.split(move |letter| {
        is_quoted ^= letter == '\'';
        letter == ' ' && !is_quoted
    })
}
