//! What lies between the types and a format: serde's traits without type parameters.

use super::Fault;

/// How a value is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// As it stands.
    Any,
    /// As a text, in a format that has texts without quotes.
    Text,
    /// As null or a value.
    Option,
    /// To be passed over.
    Ignored,
}

/// A value that is not read yet, to be read once.
pub(super) trait Source<'de> {
    /// Hands the value to the sink.
    fn give(&mut self, ask: Ask, sink: &mut dyn Sink<'de>) -> Result<(), Fault>;
}

/// Where a value goes.
pub(super) trait Sink<'de> {
    fn scalar(&mut self, scalar: Scalar<'de, '_>) -> Result<(), Fault>;
    fn some(&mut self, source: &mut dyn Source<'de>) -> Result<(), Fault>;
    fn list(&mut self, items: &mut dyn Items<'de>) -> Result<(), Fault>;
    fn object(&mut self, entries: &mut dyn Entries<'de>) -> Result<(), Fault>;
}

/// A value without parts.
pub(super) enum Scalar<'de, 'a> {
    Null,
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(&'a str),
    Borrowed(&'de str),
    Owned(String),
}

/// A list.
pub(super) trait Items<'de> {
    /// Hands on the next item; `false` at the end.
    fn next(&mut self, seed: &mut dyn Seed<'de>) -> Result<bool, Fault>;
}

/// An object.
pub(super) trait Entries<'de> {
    /// Hands on the next key, which is a text in every format; `false` at the end.
    fn key(&mut self, take: &mut dyn FnMut(&str) -> Result<(), Fault>) -> Result<bool, Fault>;
    /// Hands on the value of the last key.
    fn value(&mut self, seed: &mut dyn Seed<'de>) -> Result<(), Fault>;
}

/// What an item or a value is for.
pub(super) trait Seed<'de> {
    fn take(&mut self, source: &mut dyn Source<'de>) -> Result<(), Fault>;
}
