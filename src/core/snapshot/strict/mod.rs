//! One way of decoding for every format: structs are read from objects alone, numbers from numbers, booleans from
//! booleans.
//!
//! Serde's derived code also takes a list for a struct, field by field; so a list in the wrong place would be read as
//! something that nobody wrote. And a YAML deserializer that is asked for a number takes a quoted text for one. Go's
//! decoder refuses both, and so does this one, around any deserializer. Libraries that wrap a deserializer tell of fields
//! that were passed over (serde_ignored) or of the path of an error; none of them tells a list from a struct. Which fields a
//! case may have is said by the types themselves (`deny_unknown_fields`).
//!
//! What is decoded meets the format only through the object-safe traits of [`source`]. So the code that decodes a case
//! is compiled once, not once for each format; the path of an error comes with it at no cost while there is none, and
//! what is wrong is said in the words of the API ([`Fault`]), whatever the format.

mod below;
mod expected;
mod fault;
mod names;
mod source;
mod typed;

use serde::{Deserialize, Deserializer};

pub(super) use self::below::Texts;
use self::below::{Below, State};
pub(super) use self::fault::Fault;
use self::names::Names;
use self::typed::Typed;

/// Decodes.
///
/// # Errors
/// The format's own error, for its place, and the fault, for words and path.
pub(super) fn decode<'de, T, D>(deserializer: D, texts: Texts) -> Result<T, (D::Error, Fault)>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let state = State::new(texts);
    let names = Names::default();
    let mut source = Below::new(deserializer, &state);
    let decoded = T::deserialize(Typed::new(&mut source, &names));
    decoded.map_err(|fault| (source.into_error(&fault), fault))
}
