//! JSON leaves characters as they are that a terminal would obey; inside strings it can spell them out.

use std::io::{self, Write};

use kubectl_hpa_core::model::is_hazard;

/// What stands between JSON, or YAML with JSON's strings, and its reader. Outside of strings both have no such character
/// but line breaks, and inside of them no line breaks: so whatever else comes along is part of a string.
pub(super) struct Safe<'a> {
    out: &'a mut dyn Write,
    /// What each line but the first begins with.
    indent: &'static str,
    /// What is not handed on yet: serde_json writes a quotation mark at a time.
    held: Vec<u8>,
}

/// So many bytes are handed on at once.
const HELD: usize = 8 << 10;

impl<'a> Safe<'a> {
    /// Around a writer; each line but the first begins with `indent`.
    pub fn new(out: &'a mut dyn Write, indent: &'static str) -> Self {
        Self { out, indent, held: Vec::with_capacity(HELD) }
    }

    /// Hands on the rest.
    pub fn end(mut self) -> io::Result<()> {
        self.hand_on()
    }

    fn hand_on(&mut self) -> io::Result<()> {
        self.out.write_all(&self.held)?;
        self.held.clear();
        Ok(())
    }
}

impl Write for Safe<'_> {
    /// Takes whole characters, as serde_json hands them out.
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        if self.held.len() + part.len() > HELD {
            self.hand_on()?;
        }
        // Nearly all parts are safe, which one quick scan shows.
        if part.iter().all(|byte| (b' '..=b'~').contains(byte)) {
            self.held.extend_from_slice(part);
            return Ok(part.len());
        }
        for character in str::from_utf8(part).map_err(io::Error::other)?.chars() {
            match character {
                '\n' => write!(self.held, "\n{}", self.indent)?,
                _ if is_hazard(character) => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        write!(self.held, "\\u{unit:04x}")?;
                    }
                }
                _ => write!(self.held, "{character}")?,
            }
        }
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hand_on()?;
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
