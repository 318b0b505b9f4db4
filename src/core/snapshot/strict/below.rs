//! A format's deserializer as a [`Source`].
//!
//! An error is a [`Fault`] above and the format's own error below. Wherever it goes up, the format's half waits in the
//! frame that it came from, and goes on from there on the way down.

use std::cell::Cell;
use std::fmt::{Formatter, Result as FmtResult};

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};

use super::fault::Fault;
use super::source::{Ask, Entries, Items, Scalar, Seed, Sink, Source};

/// Whether a number, a boolean and a time may stand where a text is expected, without quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::snapshot) enum Texts {
    /// JSON.
    Quoted,
    /// YAML.
    Plain,
}

/// What all frames share.
pub(super) struct State {
    texts: Texts,
    /// The fault while the format's error is on its way.
    fault: Cell<Option<Fault>>,
}

impl State {
    pub fn new(texts: Texts) -> Self {
        Self { texts, fault: Cell::new(None) }
    }

    /// An error that gets its place from the format.
    fn down<E: Error>(&self, fault: Fault, own: Option<E>) -> E {
        let error = own.unwrap_or_else(|| E::custom(&fault));
        self.fault.set(Some(fault));
        error
    }

    /// The fault for the format's error, which is kept; one that the format has found itself has no words here.
    fn up<E>(&self, error: E, kept: &mut Option<E>) -> Fault {
        *kept = Some(error);
        self.fault.take().unwrap_or_default()
    }
}

/// A value.
pub(super) struct Below<'s, D, E> {
    deserializer: Option<D>,
    error: Option<E>,
    state: &'s State,
}

impl<'de, 's, D: Deserializer<'de>> Below<'s, D, D::Error> {
    pub fn new(deserializer: D, state: &'s State) -> Self {
        Self { deserializer: Some(deserializer), error: None, state }
    }

    /// The format's half of a fault.
    pub fn into_error(self, fault: &Fault) -> D::Error {
        self.error.unwrap_or_else(|| D::Error::custom(fault))
    }
}

impl<'de, D: Deserializer<'de>> Source<'de> for Below<'_, D, D::Error> {
    fn give(&mut self, ask: Ask, sink: &mut dyn Sink<'de>) -> Result<(), Fault> {
        let Some(deserializer) = self.deserializer.take() else { return Err(Fault::custom("is read twice")) };
        let to = Give { sink, state: self.state };
        let given = match ask {
            Ask::Text if self.state.texts == Texts::Plain => deserializer.deserialize_string(to),
            Ask::Any | Ask::Text => deserializer.deserialize_any(to),
            // What null is, such a format tells without being asked for it.
            Ask::Option if self.state.texts == Texts::Quoted => deserializer.deserialize_any(to),
            Ask::Option => deserializer.deserialize_option(to),
            Ask::Ignored => deserializer.deserialize_ignored_any(to),
        };
        given.map_err(|error| self.state.up(error, &mut self.error))
    }
}

/// Gives a value to a sink.
struct Give<'a, 'de> {
    sink: &'a mut dyn Sink<'de>,
    state: &'a State,
}

impl<'de> Give<'_, 'de> {
    fn scalar<E: Error>(self, scalar: Scalar<'de, '_>) -> Result<(), E> {
        self.sink.scalar(scalar).map_err(|fault| self.state.down(fault, None))
    }
}

impl<'de> Visitor<'de> for Give<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut Formatter<'_>) -> FmtResult {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.scalar(Scalar::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.scalar(Scalar::Signed(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.scalar(Scalar::Unsigned(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.scalar(Scalar::Float(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.scalar(Scalar::Text(value))
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<(), E> {
        self.scalar(Scalar::Borrowed(value))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<(), E> {
        self.scalar(Scalar::Owned(value))
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.scalar(Scalar::Null)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.scalar(Scalar::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let mut source = Below::new(deserializer, self.state);
        let taken = self.sink.some(&mut source);
        taken.map_err(|fault| self.state.down(fault, source.error))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        let mut items = Parts { access, error: None, state: self.state };
        let taken = self.sink.list(&mut items);
        taken.map_err(|fault| self.state.down(fault, items.error))
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<(), A::Error> {
        let mut entries = Parts { access, error: None, state: self.state };
        let taken = self.sink.object(&mut entries);
        taken.map_err(|fault| self.state.down(fault, entries.error))
    }
}

/// The rest of a list or an object.
struct Parts<'s, A, E> {
    access: A,
    error: Option<E>,
    state: &'s State,
}

impl<'de, A: SeqAccess<'de>> Items<'de> for Parts<'_, A, A::Error> {
    fn next(&mut self, seed: &mut dyn Seed<'de>) -> Result<bool, Fault> {
        let next = self.access.next_element_seed(Part { seed, state: self.state });
        next.map(|item| item.is_some()).map_err(|error| self.state.up(error, &mut self.error))
    }
}

impl<'de, A: MapAccess<'de>> Entries<'de> for Parts<'_, A, A::Error> {
    fn key(&mut self, take: &mut dyn FnMut(&str) -> Result<(), Fault>) -> Result<bool, Fault> {
        let next = self.access.next_key_seed(Key { take, state: self.state });
        next.map(|key| key.is_some()).map_err(|error| self.state.up(error, &mut self.error))
    }

    fn value(&mut self, seed: &mut dyn Seed<'de>) -> Result<(), Fault> {
        let value = self.access.next_value_seed(Part { seed, state: self.state });
        value.map_err(|error| self.state.up(error, &mut self.error))
    }
}

/// One of them.
struct Part<'a, 'de> {
    seed: &'a mut dyn Seed<'de>,
    state: &'a State,
}

impl<'de> DeserializeSeed<'de> for Part<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let mut source = Below::new(deserializer, self.state);
        let taken = self.seed.take(&mut source);
        taken.map_err(|fault| self.state.down(fault, source.error))
    }
}

/// A key.
struct Key<'a> {
    take: &'a mut dyn FnMut(&str) -> Result<(), Fault>,
    state: &'a State,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_string(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = ();

    fn expecting(&self, f: &mut Formatter<'_>) -> FmtResult {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<(), E> {
        (self.take)(key).map_err(|fault| self.state.down(fault, None))
    }
}
