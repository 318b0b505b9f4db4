//! Where a JSON object ends, found without decoding it: a document that is wrong must not hide the next one, and serde_json
//! reads on only behind one that is right.

/// Brackets and strings seen so far.
#[derive(Default)]
pub(super) struct Scan {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Scan {
    /// Goes on with the next bytes; returns how many of them belong to the object if it ends in them.
    pub fn end_in(&mut self, bytes: &[u8]) -> Option<usize> {
        for (index, byte) in bytes.iter().enumerate() {
            if self.in_string {
                self.inside_string(*byte);
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(index + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn inside_string(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            // A line cannot end within a string: the string was never closed, and the next line is not lost with it.
            b'"' | b'\n' => self.in_string = false,
            _ => {}
        }
    }
}
