//! Texts from a cluster that are longer than anybody reads.

use std::borrow::Cow;

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
