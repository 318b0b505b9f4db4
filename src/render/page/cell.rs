//! The cells of a table, and how a column is laid out.

use super::Role;

/// How a column is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::render) enum Align {
    /// Short texts: from the left, always whole.
    Left,
    /// Numbers: from the right, always whole.
    Right,
    /// The number of a row: from the right, close to what it numbers.
    Ordinal,
    /// Names: from the left; the middle is left out where they do not fit.
    Name,
    /// What is read of something: like names, but shortened only once these are as short as they get.
    Reading,
    /// Sentences: from the left, wrapped in their column.
    Text,
    /// Remarks: from the left; below their rows where they do not fit.
    Remark,
    /// Remarks that are always below their rows.
    Below,
}

/// One cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::render) struct Cell {
    pub(super) text: String,
    pub(super) role: Role,
}

impl Cell {
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { text: text.into(), role }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::new(Role::Plain, text)
    }
}
