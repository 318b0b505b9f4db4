//! How many objects and lists an answer has: a few bytes of text are a few hundred of memory in each.

use memchr::memchr2;

/// More than these are in no answer that is read whole: the samples of 50,000 pods have 150,000.
const MOST: usize = 400_000;

/// An answer of more objects and lists than any such answer.
#[derive(Debug, thiserror::Error)]
#[error("it has more than {MOST} objects and lists")]
pub(super) struct TooMany;

/// Counts before anything is decoded; text that is not JSON is left to the decoder.
pub(super) fn check(bytes: &[u8]) -> Result<(), TooMany> {
    if count(bytes) > MOST { Err(TooMany) } else { Ok(()) }
}

/// The objects and lists of a text.
pub(super) fn count(bytes: &[u8]) -> usize {
    let (mut at, mut found) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at + 1),
            b'{' | b'[' => found += 1,
            _ => {}
        }
        at += 1;
    }
    found
}

/// The place of the quote that ends a string.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        let place = at + found;
        if bytes[place] == b'"' {
            return place;
        }
        at = place + 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::{MOST, check};

    #[test]
    fn objects_are_counted_and_brackets_in_strings_are_not() {
        let text = format!("[{}", "{},".repeat(MOST - 1));
        assert!(check(text.as_bytes()).is_ok());
        assert!(check((text + "{}").as_bytes()).is_err());
        let quoted = format!("\"{}\\\"{{\"", "{".repeat(MOST + 1));
        assert!(check(quoted.as_bytes()).is_ok());
    }
}
