//! The fields of one message, one after the other.

use kubectl_hpa_core::model::Instant;

/// Why bytes are not what they should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::cluster) enum Malformed {
    /// The first four bytes are others.
    #[error("it does not begin as Kubernetes' protobuf does")]
    Unprefixed,
    /// The bytes end too early.
    #[error("it ends in the middle of a field")]
    Truncated,
    /// A length points beyond the message that the field is in.
    #[error("field {0} is longer than what it is in")]
    TooLong(u32),
    /// No number of 64 bits is that long.
    #[error("it has a number of more than 64 bits")]
    LongNumber,
    /// There is no such field number or type.
    #[error("it has a field of an unknown type")]
    Tag,
    /// The field is of another type than its message says.
    #[error("field {0} is of another type")]
    Type(u32),
    /// The kind and version come after the object, or not at all.
    #[error("it does not say first of what kind it is")]
    Untyped,
    /// There are two objects in one answer.
    #[error("it has two objects")]
    Twice,
    /// The object is compressed or encrypted.
    #[error("it is encoded as {0:?}")]
    Encoded(String),
    /// A time that RFC 3339 has no text for.
    #[error("a time is out of range: {0} s")]
    Time(i64),
    /// A list in an object is longer than any.
    #[error("a list in it has more than {0} elements")]
    TooMany(usize),
    /// A text is not of the form that its field has.
    #[error("{0}")]
    Text(String),
}

/// The value of a field, as far as its wire type tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cluster) struct Value<'a> {
    /// The field's number.
    number: u32,
    content: Content<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content<'a> {
    Number(u64),
    Bytes(&'a [u8]),
    /// Fixed-width numbers: no field that is looked at has one.
    Fixed,
}

impl<'a> Value<'a> {
    /// A message, as its bytes.
    pub fn bytes(self) -> Result<&'a [u8], Malformed> {
        match self.content {
            Content::Bytes(bytes) => Ok(bytes),
            _ => Err(Malformed::Type(self.number)),
        }
    }

    /// A text. What is not UTF-8 in it is replaced byte by byte, as Go's JSON does.
    pub fn text(self) -> Result<String, Malformed> {
        self.bytes().map(|bytes| str::from_utf8(bytes).map_or_else(|_| replaced(bytes), str::to_owned))
    }

    /// A whole number.
    pub fn integer(self) -> Result<i64, Malformed> {
        match self.content {
            Content::Number(number) => Ok(number.cast_signed()),
            _ => Err(Malformed::Type(self.number)),
        }
    }

    /// A whole number of 32 bits: of a larger one the lower half, as in upstream's decoder.
    pub fn short(self) -> Result<i32, Malformed> {
        let [one, two, three, four, ..] = self.integer()?.to_le_bytes();
        Ok(i32::from_le_bytes([one, two, three, four]))
    }

    /// A truth value.
    pub fn flag(self) -> Result<bool, Malformed> {
        self.integer().map(|number| number != 0)
    }

    /// A time; see [`time`].
    pub fn time(self) -> Result<Option<Instant>, Malformed> {
        time(self.bytes()?)
    }
}

/// Source: `appendString` of Go's `encoding/json`.
fn replaced(bytes: &[u8]) -> String {
    bytes.utf8_chunks().fold(String::new(), |mut text, chunk| {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
        text
    })
}

/// The fields of a message, with their numbers. After an error there are no more.
pub(in crate::cluster) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    /// Those of the message with these bytes.
    pub fn of(message: &'a [u8]) -> Self {
        Self(message)
    }

    fn field(&mut self) -> Result<(u32, Value<'a>), Malformed> {
        let (number, wire_type) = tag(self.varint()?)?;
        let content = match wire_type {
            0 => Content::Number(self.varint()?),
            1 => self.fixed(8)?,
            2 => {
                let length = self.varint()?;
                let length = usize::try_from(length).ok().filter(|length| *length <= self.0.len());
                let (bytes, rest) = self.0.split_at(length.ok_or(Malformed::TooLong(number))?);
                self.0 = rest;
                Content::Bytes(bytes)
            }
            5 => self.fixed(4)?,
            _ => return Err(Malformed::Tag),
        };
        Ok((number, Value { number, content }))
    }

    /// Nearly all tags and lengths are of one byte.
    #[inline]
    fn varint(&mut self) -> Result<u64, Malformed> {
        match self.0.split_first() {
            Some((&byte, rest)) if byte < 0x80 => {
                self.0 = rest;
                Ok(byte.into())
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Result<u64, Malformed> {
        let mut varint = Varint::START;
        loop {
            let (byte, rest) = self.0.split_first().ok_or(Malformed::Truncated)?;
            self.0 = rest;
            if let Some(number) = varint.push(*byte)? {
                return Ok(number);
            }
        }
    }

    fn fixed(&mut self, width: usize) -> Result<Content<'a>, Malformed> {
        self.0 = self.0.get(width..).ok_or(Malformed::Truncated)?;
        Ok(Content::Fixed)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u32, Value<'a>), Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

/// The number and the wire type of a field.
pub(super) fn tag(tag: u64) -> Result<(u32, u64), Malformed> {
    let number = u32::try_from(tag >> 3).ok().filter(|number| *number > 0).ok_or(Malformed::Tag)?;
    Ok((number, tag & 7))
}

/// A number in groups of seven bits, the lowest first, while its bytes arrive.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Varint {
    value: u64,
    shift: u32,
}

impl Varint {
    /// Before its first byte.
    pub const START: Self = Self { value: 0, shift: 0 };

    /// Takes the next byte; the number, if that is its last.
    pub fn push(&mut self, byte: u8) -> Result<Option<u64>, Malformed> {
        if self.shift > 63 {
            return Err(Malformed::LongNumber);
        }
        self.value |= u64::from(byte & 0x7f) << self.shift;
        self.shift += 7;
        Ok((byte < 0x80).then_some(self.value))
    }
}

/// The years that RFC 3339 has: the times of 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
const YEARS: std::ops::RangeInclusive<i64> = -62_167_219_200..=253_402_300_799;

/// `metav1.Time`: an empty one is no time, and whatever is below a second is dropped, as in JSON.
///
/// Source: `Time.Unmarshal` and `Time.MarshalJSON` of apimachinery's `pkg/apis/meta/v1`.
fn time(message: &[u8]) -> Result<Option<Instant>, Malformed> {
    if message.is_empty() {
        return Ok(None);
    }
    let seconds = number(message)?;
    if !YEARS.contains(&seconds) {
        return Err(Malformed::Time(seconds));
    }
    let instant = Instant::from_unix_seconds(seconds);
    Ok((!instant.is_zero()).then_some(instant))
}

/// The first field of a message that has one number.
pub(super) fn number(message: &[u8]) -> Result<i64, Malformed> {
    let mut number = 0;
    for field in Fields::of(message) {
        if let (1, value) = field? {
            number = value.integer()?;
        }
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{label_selector, pod, pod_metrics, whole};
    use super::*;

    proptest! {
        /// Tags with small numbers and lengths are more often right than bytes of any kind.
        #[test]
        fn no_bytes_make_a_reader_panic(
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0u8..8, Just(0x0a), Just(0x12)], 0..200),
        ) {
            let _ = (pod(&bytes), pod_metrics(&bytes), label_selector(&bytes), whole(&bytes));
            prop_assert!(Fields::of(&bytes).count() <= bytes.len());
        }
    }

    #[test]
    fn numbers_have_at_most_64_bits() {
        let read =
            |bytes: &[u8]| Fields::of(bytes).next().map(|field| field.and_then(|(_, value)| value.integer()));
        let negative = [&[0x08][..], &[0xff; 9], &[0x01]].concat();
        assert_eq!(read(&negative), Some(Ok(-1)));
        assert_eq!(read(&[&[0x08][..], &[0xff; 10], &[0x01]].concat()), Some(Err(Malformed::LongNumber)));
        assert_eq!(read(&[0x08, 0x80]), Some(Err(Malformed::Truncated)));
        assert_eq!(read(&[0x0a, 0x00]), Some(Err(Malformed::Type(1))));
    }

    #[test]
    fn text_that_is_not_utf_8_is_replaced_as_in_go() {
        let text = |bytes: &[u8]| Value { number: 1, content: Content::Bytes(bytes) }.text();
        assert_eq!(text("größe".as_bytes()), Ok("größe".to_owned()));
        assert_eq!(text(b"a\xf0\x9f\x99b\xed\xa0\x80"), Ok(format!("a{0}b{0}", "\u{fffd}".repeat(3))));
    }
}
