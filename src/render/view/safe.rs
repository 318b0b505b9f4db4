//! JSON leaves characters as they are that a terminal would obey; inside strings it can spell them out.

use std::io::{self, Write};

use kubectl_hpa_core::model::is_hazard;

/// What stands between JSON, or YAML with JSON's strings, and its reader. Outside of strings both have no such character
/// but line breaks, and inside of them no line breaks: so whatever else comes along is part of a string.
pub(super) struct Safe<'a> {
    pub out: &'a mut dyn Write,
    /// What each line but the first begins with.
    pub indent: &'static str,
}

impl Write for Safe<'_> {
    /// Takes whole characters, as serde_json hands them out.
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        // Nearly all parts are safe, which one quick scan shows.
        if part.iter().all(|byte| (b' '..=b'~').contains(byte)) {
            self.out.write_all(part)?;
            return Ok(part.len());
        }
        for character in str::from_utf8(part).map_err(io::Error::other)?.chars() {
            match character {
                '\n' => write!(self.out, "\n{}", self.indent)?,
                _ if is_hazard(character) => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        write!(self.out, "\\u{unit:04x}")?;
                    }
                }
                _ => write!(self.out, "{character}")?,
            }
        }
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use crate::render::view::json_line;

    #[test]
    fn json_spells_out_what_a_terminal_obeys_and_means_the_same() {
        let text = "a\u{9b}31m\u{202e}b\u{e0001}\u{7f}\n\"";
        let mut json = Vec::new();
        assert!(json_line(&mut json, &text).is_ok());
        assert_eq!(str::from_utf8(&json), Ok("\"a\\u009b31m\\u202eb\\udb40\\udc01\\u007f\\n\\\"\"\n"));
        let back: Option<String> = serde_json::from_slice(&json).ok();
        assert_eq!(back.as_deref(), Some(text));
    }
}
