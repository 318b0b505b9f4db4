//! Cuts the JSON of a Kubernetes list into its items while it arrives.
//!
//! Only brackets, strings and commas are looked at. Each item is handed on as the bytes of one JSON value; what
//! stands around the items is kept, with a `0` in the place of each, so that the caller can check it as JSON in its
//! own right and nothing malformed passes unseen.
//!
//! Written here: kube and serde_json hold a whole answer before the first item of it, and ten thousand pods are tens of
//! megabytes, of which a tenth is kept.

use memchr::memchr2;

/// An item longer than this is refused: etcd holds no object above 1.5 MiB, and JSON says it in a few times that.
const LONGEST_ITEM: usize = 16 << 20;
/// Most items: as many as a list of a case may have.
pub(super) const MOST_ITEMS: usize = 100_000;
/// What may stand around the items, and with it how many items there may be (two bytes each).
pub(super) const LONGEST_ENVELOPE: usize = 2 * MOST_ITEMS;

/// Why a list was not read to its end.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SplitError<E> {
    /// A single item is too long.
    #[error("items[{index}] is longer than {longest} bytes")]
    LongItem {
        /// The item's place.
        index: usize,
        /// How long it may be.
        longest: usize,
    },
    /// There is too much beside the items, or there are too many of them.
    #[error("the list has more than {MOST_ITEMS} items, or is not a list")]
    LongEnvelope,
    /// The receiver refused the item.
    #[error("items[{index}]: {error}")]
    Item {
        /// The item's place.
        index: usize,
        /// What is wrong with it.
        error: E,
    },
}

/// Where the splitter is in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// Outside of the items, in this many open brackets.
    Envelope { depth: usize },
    /// In the list of items, between two of them.
    Between,
    /// In an item, in this many brackets of its own.
    Item { depth: usize },
}

/// Fed with chunks of any size, calls a function with each item.
pub(super) struct Splitter {
    place: Position,
    in_string: bool,
    escaped: bool,
    /// The last string at depth one of the envelope: the key, when a colon follows.
    key: Vec<u8>,
    /// The part of an item that came with earlier chunks.
    carried: Vec<u8>,
    envelope: Vec<u8>,
    index: usize,
}

impl Splitter {
    pub fn new() -> Self {
        Self {
            place: Position::Envelope { depth: 0 },
            in_string: false,
            escaped: false,
            key: Vec::new(),
            carried: Vec::new(),
            envelope: Vec::new(),
            index: 0,
        }
    }

    /// What stood around the items.
    pub fn into_envelope(self) -> Vec<u8> {
        self.envelope
    }

    /// Takes the next bytes; `take` gets each item that ends in them.
    pub fn feed<E>(
        &mut self,
        chunk: &[u8],
        take: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), SplitError<E>> {
        let mut rest = chunk;
        while !rest.is_empty() {
            rest = match self.place {
                Position::Envelope { depth } => self.envelope(rest, depth)?,
                Position::Between => self.between(rest)?,
                Position::Item { depth } => self.item(rest, depth, take)?,
            };
        }
        Ok(())
    }

    /// Copies the envelope up to the items.
    fn envelope<'a, E>(&mut self, bytes: &'a [u8], mut depth: usize) -> Result<&'a [u8], SplitError<E>> {
        for (at, &byte) in bytes.iter().enumerate() {
            self.keep(byte)?;
            if self.in_string {
                self.in_envelope_string(byte, depth);
                continue;
            }
            match byte {
                b'"' => {
                    self.in_string = true;
                    self.key.clear();
                }
                b'[' if depth == 1 && self.key == b"items" => {
                    self.place = Position::Between;
                    return Ok(&bytes[at + 1..]);
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        self.place = Position::Envelope { depth };
        Ok(&[])
    }

    fn in_envelope_string(&mut self, byte: u8, depth: usize) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => self.in_string = false,
            _ if depth == 1 && self.key.len() <= b"items".len() => self.key.push(byte),
            _ => {}
        }
    }

    /// Skips the bytes between two items.
    fn between<'a, E>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8], SplitError<E>> {
        for (at, &byte) in bytes.iter().enumerate() {
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' => {}
                // An unmatched closing bracket is kept, so that the parser of the envelope refuses it.
                b',' | b'}' => self.keep(byte)?,
                b']' => {
                    self.keep(byte)?;
                    self.key.clear();
                    self.place = Position::Envelope { depth: 1 };
                    return Ok(&bytes[at + 1..]);
                }
                _ => {
                    self.keep(b'0')?;
                    self.place = Position::Item { depth: 0 };
                    return Ok(&bytes[at..]);
                }
            }
        }
        Ok(&[])
    }

    /// Finds the end of the item, and hands it on without a copy where it came in one piece.
    fn item<'a, E>(
        &mut self,
        bytes: &'a [u8],
        depth: usize,
        take: &mut impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<&'a [u8], SplitError<E>> {
        let end = self.item_end(bytes, depth);
        let (part, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
        if self.carried.len() + part.len() > LONGEST_ITEM {
            return Err(SplitError::LongItem { index: self.index, longest: LONGEST_ITEM });
        }
        if end.is_none() {
            self.carried.extend_from_slice(part);
            return Ok(rest);
        }
        let index = self.index;
        let taken = if self.carried.is_empty() {
            take(part)
        } else {
            self.carried.extend_from_slice(part);
            let taken = take(&self.carried);
            self.carried.clear();
            taken
        };
        taken.map_err(|error| SplitError::Item { index, error })?;
        self.index += 1;
        self.place = Position::Between;
        Ok(rest)
    }

    /// How many of the bytes belong to the item, if it ends among them. The state is left as of the last byte.
    fn item_end(&mut self, bytes: &[u8], mut depth: usize) -> Option<usize> {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if self.in_string {
                at += self.string_part(&bytes[at..]);
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'{' | b'[' => depth += 1,
                b',' | b']' | b'}' if depth == 0 => return Some(at),
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            at += 1;
        }
        self.place = Position::Item { depth };
        None
    }

    /// How many of the bytes belong to the string that they begin in. Most of a list is strings, so they are not looked
    /// at byte by byte.
    fn string_part(&mut self, bytes: &[u8]) -> usize {
        let mut at = usize::from(std::mem::take(&mut self.escaped));
        while let Some(found) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
            let place = at + found;
            if bytes[place] == b'"' {
                self.in_string = false;
                return place + 1;
            }
            at = place + 2;
        }
        // The character that the last backslash escapes has not arrived yet.
        self.escaped = at > bytes.len();
        bytes.len()
    }

    fn keep<E>(&mut self, byte: u8) -> Result<(), SplitError<E>> {
        if self.envelope.len() >= LONGEST_ENVELOPE {
            return Err(SplitError::LongEnvelope);
        }
        self.envelope.push(byte);
        Ok(())
    }
}
