//! Foreign text in messages.

use crate::model::sanitize;

/// Longest problem, in characters.
const LONGEST: usize = 300;
/// Characters of the line before and after the marked column.
const AROUND: usize = 60;

/// What a terminal must not get spelled out (a tab is a space).
pub(super) fn visible(text: &str) -> String {
    sanitize(&text.replace('\t', " ")).into_owned()
}

/// The middle of a long text left out: its end says what was expected.
pub(super) fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= LONGEST {
        return text.to_owned();
    }
    let half = LONGEST / 2;
    let head = text.chars().take(half);
    let tail = text.chars().skip(length - half);
    head.chain(" … ".chars()).chain(tail).collect()
}

/// The part of a line around a column (from 1), with a mark under it: two lines of text. `None` for an empty line.
#[must_use]
pub fn snippet(line: &str, column: u64) -> Option<String> {
    let column = usize::try_from(column).ok()?.checked_sub(1)?;
    let start = column.saturating_sub(AROUND);
    let part: String = line.chars().skip(start).take(2 * AROUND).collect();
    let part = part.trim_end();
    if part.trim_start().is_empty() {
        return None;
    }
    let before = visible(&part.chars().take(column - start).collect::<String>());
    let after = visible(&part.chars().skip(column - start).collect::<String>());
    Some(format!("  | {before}{after}\n  | {}^", " ".repeat(before.chars().count())))
}
