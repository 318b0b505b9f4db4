//! JSON leaves characters as they are that a terminal would obey; inside strings it can spell them out.

use std::io::{self, Write};

use serde_json::ser::Formatter;

use kubectl_hpa_core::model::is_hazard;

/// JSON on one line.
pub(super) struct OneLine;

impl Formatter for OneLine {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        write_safe(out, fragment)
    }
}

/// Writes a part of a JSON string that needs no escape of JSON's own.
pub(super) fn write_safe<W: ?Sized + Write>(out: &mut W, fragment: &str) -> io::Result<()> {
    // Nearly all fragments, in one quick look.
    if fragment.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return out.write_all(fragment.as_bytes());
    }
    let mut rest = fragment;
    while let Some((at, hazard)) = rest.char_indices().find(|(_, character)| is_hazard(*character)) {
        out.write_all(&rest.as_bytes()[..at])?;
        for unit in hazard.encode_utf16(&mut [0; 2]) {
            write!(out, "\\u{unit:04x}")?;
        }
        rest = &rest[at + hazard.len_utf8()..];
    }
    out.write_all(rest.as_bytes())
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::Serializer;

    use super::OneLine;

    #[test]
    fn json_spells_out_what_a_terminal_obeys_and_means_the_same() {
        let text = "a\u{9b}31m\u{202e}b\u{e0001}\u{7f}\n\"";
        let mut json = Vec::new();
        let written = text.serialize(&mut Serializer::with_formatter(&mut json, OneLine));
        assert!(written.is_ok());
        assert_eq!(str::from_utf8(&json), Ok(r#""a\u009b31m\u202eb\udb40\udc01\u007f\n\"""#));
        let back: Option<String> = serde_json::from_slice(&json).ok();
        assert_eq!(back.as_deref(), Some(text));
    }
}
