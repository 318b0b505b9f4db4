//! Cuts a list into its items while it arrives.

use super::envelope::{Envelope, PREFIX, RAW};
use super::fields::{Malformed, Varint, tag};
use crate::cluster::wire::splitter::{LONGEST_ENVELOPE, MOST_ITEMS, SplitError};
use crate::cluster::wire::undecodable::{DecodeError, Undecodable};

/// An item longer than this is refused: the API server takes no object above 3 MiB.
///
/// Source: `DefaultMaxRequestBodyBytes` of k8s.io/apiserver's `pkg/server/config.go`.
const LONGEST_ITEM: usize = 4 << 20;
/// The field of every list that is an item of it.
const ITEM: u32 = 2;

/// What the next bytes are.
#[derive(Debug, PartialEq)]
enum Place {
    /// So many bytes of the prefix were there.
    Prefix(usize),
    /// The number and type of a field.
    Tag(Varint),
    /// The length of the field of this number.
    Length(u32, Varint),
    /// The rest of a field of this number and length.
    Content(u32, usize),
}

impl Place {
    /// Between two fields.
    const START: Self = Self::Tag(Varint::START);
}

/// Fed with chunks of any size, calls a function with each item.
pub(in crate::cluster::wire) struct Splitter {
    place: Place,
    /// What the list still has to come, while its bytes do.
    in_list: Option<u64>,
    had_list: bool,
    envelope: Envelope,
    /// How much stood around the items.
    around: usize,
    /// The part of a field that came with earlier chunks.
    carried: Vec<u8>,
    index: usize,
}

impl Splitter {
    pub fn new() -> Self {
        Self {
            place: Place::Prefix(0),
            in_list: None,
            had_list: false,
            envelope: Envelope::default(),
            around: 0,
            carried: Vec::new(),
            index: 0,
        }
    }

    /// Takes the next bytes; `take` gets each item that ends in them, and what the list says of itself.
    pub fn feed(
        &mut self,
        mut chunk: &[u8],
        take: &mut impl FnMut(&[u8], &Envelope) -> Result<(), Undecodable>,
    ) -> Result<(), DecodeError> {
        while let Some((byte, rest)) = chunk.split_first() {
            if let Place::Content(number, length) = self.place {
                chunk = self.content(chunk, number, length, take)?;
                continue;
            }
            chunk = rest;
            self.head(*byte)?;
            // A field without content ends here: no byte of its own may follow.
            if let Place::Content(number, 0) = self.place {
                self.content(&[], number, 0, take)?;
            }
        }
        Ok(())
    }

    /// What stood around the items, if they came to their end.
    pub fn finish(self) -> Result<Envelope, Undecodable> {
        if self.place != Place::START || self.in_list.is_some() {
            return Err(Malformed::Truncated.into());
        }
        // Upstream's encoder writes it in every list.
        if self.envelope.token.is_none() {
            return Err(Undecodable::Missing("metadata"));
        }
        Ok(self.envelope)
    }

    /// Takes a byte of what comes before the content of a field.
    fn head(&mut self, byte: u8) -> Result<(), DecodeError> {
        if let Place::Prefix(known) = self.place {
            return Ok(self.prefix(byte, known)?);
        }
        self.spend(1)?;
        match &mut self.place {
            Place::Tag(varint) => {
                let Some((number, wire_type)) = varint.push(byte)?.map(tag).transpose()? else {
                    return Ok(());
                };
                // Around the items nothing is of another type.
                if wire_type != 2 {
                    return Err(Malformed::Type(number).into());
                }
                self.place = Place::Length(number, Varint::START);
            }
            Place::Length(number, varint) => {
                let number = *number;
                if let Some(length) = varint.push(byte)? {
                    self.begin(number, length)?;
                }
            }
            Place::Prefix(_) | Place::Content(..) => {}
        }
        Ok(())
    }

    fn prefix(&mut self, byte: u8, known: usize) -> Result<(), Malformed> {
        if PREFIX.get(known) != Some(&byte) {
            return Err(Malformed::Unprefixed);
        }
        self.place = if known + 1 == PREFIX.len() { Place::START } else { Place::Prefix(known + 1) };
        Ok(())
    }

    /// Begins with the content of a field; that of the list is its own fields.
    fn begin(&mut self, number: u32, length: u64) -> Result<(), DecodeError> {
        if self.in_list.is_none() && number == RAW {
            return Ok(self.begin_list(length)?);
        }
        if self.in_list.is_some_and(|left| length > left) {
            return Err(Malformed::TooLong(number).into());
        }
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        if self.in_list.is_some() && number == ITEM {
            self.bound_item(length)?;
        } else {
            self.around = self.around.saturating_add(length).saturating_add(1);
            if self.around > LONGEST_ENVELOPE {
                return Err(SplitError::LongEnvelope.into());
            }
        }
        self.place = Place::Content(number, length);
        Ok(())
    }

    fn bound_item(&self, length: usize) -> Result<(), SplitError<Undecodable>> {
        if self.index >= MOST_ITEMS {
            return Err(SplitError::LongEnvelope);
        }
        if length > LONGEST_ITEM {
            return Err(SplitError::LongItem { index: self.index, longest: LONGEST_ITEM });
        }
        Ok(())
    }

    fn begin_list(&mut self, length: u64) -> Result<(), Malformed> {
        if self.had_list {
            return Err(Malformed::Twice);
        }
        if self.envelope.kind.is_empty() {
            return Err(Malformed::Untyped);
        }
        self.had_list = true;
        self.in_list = (length > 0).then_some(length);
        self.place = Place::START;
        Ok(())
    }

    /// Takes what there is of a field, and hands it on without a copy where it came in one piece.
    fn content<'a>(
        &mut self,
        chunk: &'a [u8],
        number: u32,
        length: usize,
        take: &mut impl FnMut(&[u8], &Envelope) -> Result<(), Undecodable>,
    ) -> Result<&'a [u8], DecodeError> {
        let (part, rest) = chunk.split_at(chunk.len().min(length));
        self.spend(part.len() as u64)?;
        if part.len() < length || !self.carried.is_empty() {
            self.carried.extend_from_slice(part);
        }
        if part.len() < length {
            self.place = Place::Content(number, length - part.len());
            return Ok(rest);
        }
        let mut carried = std::mem::take(&mut self.carried);
        self.field(number, if carried.is_empty() { part } else { &carried }, take)?;
        // Its room is used again for the next field that comes in pieces.
        carried.clear();
        self.carried = carried;
        self.place = Place::START;
        self.in_list = self.in_list.filter(|left| *left > 0);
        Ok(rest)
    }

    fn field(
        &mut self,
        number: u32,
        bytes: &[u8],
        take: &mut impl FnMut(&[u8], &Envelope) -> Result<(), Undecodable>,
    ) -> Result<(), DecodeError> {
        if self.in_list.is_none() {
            return Ok(self.envelope.outer(number, bytes)?);
        }
        if number != ITEM {
            return Ok(self.envelope.of_list(number, bytes)?);
        }
        let index = self.index;
        take(bytes, &self.envelope).map_err(|error| SplitError::Item { index, error })?;
        self.index += 1;
        Ok(())
    }

    /// So many bytes of the list have come.
    fn spend(&mut self, bytes: u64) -> Result<(), Malformed> {
        if let Some(left) = &mut self.in_list {
            *left = left.checked_sub(bytes).ok_or(Malformed::Truncated)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The items of a list and the token behind it, if it is one.
    fn split(bytes: &[u8], piece: usize) -> Option<(Vec<Vec<u8>>, Option<String>)> {
        let (mut splitter, mut items) = (Splitter::new(), Vec::new());
        let mut take = |item: &[u8], _: &Envelope| {
            items.push(item.to_vec());
            Ok(())
        };
        for chunk in bytes.chunks(piece) {
            splitter.feed(chunk, &mut take).ok()?;
        }
        Some((items, splitter.finish().ok()?.token))
    }

    fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
        let length = [
            u8::try_from((bytes.len() % 128) | 128).unwrap_or(0),
            u8::try_from(bytes.len() / 128).unwrap_or(0),
        ];
        [&[(number << 3) | 2][..], &length, bytes].concat()
    }

    fn list(items: &[Vec<u8>], token: &str) -> Vec<u8> {
        let type_meta = [field(1, b"v1"), field(2, b"PodList")].concat();
        let items = items.iter().flat_map(|item| field(2, item));
        let list: Vec<u8> = field(1, &field(3, token.as_bytes())).into_iter().chain(items).collect();
        [PREFIX.to_vec(), field(1, &type_meta), field(2, &list), field(3, b"")].concat()
    }

    fn items() -> impl Strategy<Value = Vec<Vec<u8>>> {
        prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 0..6)
    }

    proptest! {
        #[test]
        fn pieces_of_any_size_make_the_same_items(items in items(), token in "[a-z]{0,4}", piece in 1usize..40) {
            prop_assert_eq!(split(&list(&items, &token), piece), Some((items, Some(token))));
        }

        #[test]
        fn what_is_malformed_is_refused_in_any_pieces(
            items in items(),
            piece in 1usize..40,
            at in any::<prop::sample::Index>(),
            byte in any::<u8>(),
            cut in any::<bool>(),
        ) {
            let mut bytes = list(&items, "next");
            let at = at.index(bytes.len());
            if cut { bytes.truncate(at) } else { bytes[at] = byte }
            prop_assert_eq!(split(&bytes, piece), split(&bytes, bytes.len().max(1)));
        }
    }
}
