//! A [`Source`] as the deserializer that the types are decoded from: always this one type.

use std::marker::PhantomData;

use serde::de::value::MapDeserializer;
use serde::de::{DeserializeSeed, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};

use super::Fault;
use super::expected;
use super::fault::Step;
use super::names::Names;
use super::source::{Ask, Entries, Items, Scalar, Seed, Sink, Source};

/// A value.
pub(super) struct Typed<'a, 'n, 'de> {
    value: Value<'a, 'de>,
    names: &'n Names,
    role: Role,
}

/// A value, as far as it is read.
enum Value<'a, 'de> {
    Unread(&'a mut dyn Source<'de>),
    /// The rest of them are what turned out not to be null.
    Scalar(Scalar<'de, 'a>),
    List(&'a mut dyn Items<'de>),
    Object(&'a mut dyn Entries<'de>),
}

/// What a value is to what holds it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Of a list: null is an object without fields here, as Go's decoder has it.
    Item,
    /// Of an object, or the whole.
    Value,
}

/// Kinds of values, as a visitor takes them. They are part of the type, so that nothing is built of what the visitor of a struct
/// makes of a list, or that of a word of an object.
trait Wants {
    const WANTS: Want;
}

/// The value as the visitor says itself.
struct Any;
/// Null or a value.
struct Nullable;
/// An object, and no list for it.
struct Fields;
/// One of some words.
struct Word;

#[derive(Clone, Copy)]
enum Want {
    Any,
    Option,
    Object,
    Word,
}

impl Wants for Any {
    const WANTS: Want = Want::Any;
}

impl Wants for Nullable {
    const WANTS: Want = Want::Option;
}

impl Wants for Fields {
    const WANTS: Want = Want::Object;
}

impl Wants for Word {
    const WANTS: Want = Want::Word;
}

impl<'a, 'n, 'de> Typed<'a, 'n, 'de> {
    pub fn new(source: &'a mut dyn Source<'de>, names: &'n Names) -> Self {
        Self { value: Value::Unread(source), names, role: Role::Value }
    }

    fn ask<W: Wants, V: Visitor<'de>>(self, ask: Ask, visitor: V) -> Result<V::Value, Fault> {
        self.ask_word::<W, V>(ask, &[], visitor)
    }

    fn ask_word<W: Wants, V: Visitor<'de>>(
        self,
        ask: Ask,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let Self { value, names, role } = self;
        let mut slot: Slot<'_, 'de, W, V> =
            Slot { visitor: Some(visitor), value: None, names, role, words, wants: PhantomData };
        match value {
            Value::Unread(source) => source.give(ask, &mut slot),
            Value::Scalar(scalar) => slot.scalar(scalar),
            Value::List(items) => slot.list(items),
            Value::Object(entries) => slot.object(entries),
        }?;
        slot.value.ok_or_else(|| Fault::custom("has no value"))
    }
}

impl<'de> Deserializer<'de> for Typed<'_, '_, 'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.ask::<Any, V>(Ask::Any, visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.ask::<Any, V>(Ask::Text, visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.ask::<Any, V>(Ask::Text, visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.ask::<Any, V>(Ask::Text, visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.ask::<Nullable, V>(Ask::Option, visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.ask::<Any, V>(Ask::Ignored, visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.ask::<Fields, V>(Ask::Any, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.ask_word::<Word, V>(Ask::Any, words, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple
        tuple_struct map
    }
}

/// Where the value goes once it is there.
struct Slot<'a, 'de, W, V: Visitor<'de>> {
    visitor: Option<V>,
    value: Option<V::Value>,
    names: &'a Names,
    role: Role,
    /// Those that [`Want::Word`] takes.
    words: &'static [&'static str],
    wants: PhantomData<W>,
}

impl<'de, W, V: Visitor<'de>> Slot<'_, 'de, W, V> {
    fn visitor(&mut self) -> Result<V, Fault> {
        self.visitor.take().ok_or_else(|| Fault::custom("is read twice"))
    }

    /// What is not null, to the visitor of what may be.
    fn not_null(&mut self, value: Value<'_, 'de>) -> Result<(), Fault> {
        let typed = Typed { value, names: self.names, role: self.role };
        self.value = Some(self.visitor()?.visit_some(typed)?);
        Ok(())
    }

    /// One of some words.
    fn word(&mut self, scalar: &Scalar<'de, '_>) -> Result<V::Value, Fault> {
        match scalar {
            Scalar::Text(text) | Scalar::Borrowed(text) => {
                self.visitor()?.visit_enum((*text).into_deserializer())
            }
            Scalar::Owned(text) => self.visitor()?.visit_enum(text.as_str().into_deserializer()),
            other => Err(refused(found(other), self.words)),
        }
    }
}

fn refused(found: Unexpected<'_>, words: &'static [&'static str]) -> Fault {
    Fault::custom(expected::words(found, &expected::one_of(words)))
}

fn found<'a>(scalar: &'a Scalar<'_, 'a>) -> Unexpected<'a> {
    match scalar {
        Scalar::Null => Unexpected::Unit,
        Scalar::Bool(value) => Unexpected::Bool(*value),
        Scalar::Signed(value) => Unexpected::Signed(*value),
        Scalar::Unsigned(value) => Unexpected::Unsigned(*value),
        Scalar::Float(value) => Unexpected::Float(*value),
        Scalar::Text(text) | Scalar::Borrowed(text) => Unexpected::Str(text),
        Scalar::Owned(text) => Unexpected::Str(text),
    }
}

impl<'de, W: Wants, V: Visitor<'de>> Sink<'de> for Slot<'_, 'de, W, V> {
    fn scalar(&mut self, scalar: Scalar<'de, '_>) -> Result<(), Fault> {
        match W::WANTS {
            Want::Word => {
                self.value = Some(self.word(&scalar)?);
                return Ok(());
            }
            Want::Option if !matches!(scalar, Scalar::Null) => return self.not_null(Value::Scalar(scalar)),
            Want::Option => {
                self.value = Some(self.visitor()?.visit_unit()?);
                return Ok(());
            }
            Want::Object => {
                let visitor = self.visitor()?;
                let is_empty = matches!(scalar, Scalar::Null) && self.role == Role::Item;
                if !is_empty {
                    return Err(Fault::invalid_type(found(&scalar), &visitor));
                }
                let nothing = MapDeserializer::new(std::iter::empty::<(&str, &str)>());
                self.value = Some(visitor.visit_map(nothing)?);
                return Ok(());
            }
            Want::Any => {}
        }
        let visitor = self.visitor()?;
        let value = match scalar {
            Scalar::Null => visitor.visit_unit(),
            Scalar::Bool(value) => visitor.visit_bool(value),
            Scalar::Signed(value) => visitor.visit_i64(value),
            Scalar::Unsigned(value) => visitor.visit_u64(value),
            Scalar::Float(value) => visitor.visit_f64(value),
            Scalar::Text(text) => visitor.visit_str(text),
            Scalar::Borrowed(text) => visitor.visit_borrowed_str(text),
            Scalar::Owned(text) => visitor.visit_string(text),
        };
        self.value = Some(value?);
        Ok(())
    }

    fn some(&mut self, source: &mut dyn Source<'de>) -> Result<(), Fault> {
        self.not_null(Value::Unread(source))
    }

    fn list(&mut self, items: &mut dyn Items<'de>) -> Result<(), Fault> {
        match W::WANTS {
            Want::Any => {}
            Want::Option => return self.not_null(Value::List(items)),
            Want::Object => return Err(Fault::invalid_type(Unexpected::Seq, &"a map")),
            Want::Word => return Err(refused(Unexpected::Seq, self.words)),
        }
        let list = List { items, names: self.names, index: 0 };
        self.value = Some(self.visitor()?.visit_seq(list)?);
        Ok(())
    }

    fn object(&mut self, entries: &mut dyn Entries<'de>) -> Result<(), Fault> {
        match W::WANTS {
            Want::Any | Want::Object => {}
            Want::Option => return self.not_null(Value::Object(entries)),
            Want::Word => return Err(refused(Unexpected::Map, self.words)),
        }
        let start = self.names.borrow().len();
        let is_free = matches!(W::WANTS, Want::Any);
        let object = Object { entries, names: self.names, start, is_free };
        self.value = Some(self.visitor()?.visit_map(object)?);
        self.names.borrow_mut().truncate(start);
        Ok(())
    }
}

struct List<'a, 'de> {
    items: &'a mut dyn Items<'de>,
    names: &'a Names,
    index: usize,
}

impl<'de> SeqAccess<'de> for List<'_, 'de> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        let mut part = Part::new(seed, self.names, Role::Item);
        let next = self.items.next(&mut part);
        if next.map_err(|fault| fault.within(Step::Index(self.index)))? {
            self.names.item(self.index)?;
        }
        self.index += 1;
        Ok(part.value)
    }

    /// Most lists of a case hold one thing: a pod's container, owner, condition. Room for four, as a list has from its first
    /// item on, is several hundred bytes in each of ten thousand pods.
    fn size_hint(&self) -> Option<usize> {
        Some(1)
    }
}

struct Object<'a, 'de> {
    entries: &'a mut dyn Entries<'de>,
    names: &'a Names,
    /// Where its keys stand in the names.
    start: usize,
    /// Whether it has any keys, and not those of a struct.
    is_free: bool,
}

impl Object<'_, '_> {
    /// Within the last key.
    fn within(&self, fault: Fault) -> Fault {
        fault.within(Step::Key(self.names.borrow()[self.start..].to_owned()))
    }
}

impl<'de> MapAccess<'de> for Object<'_, 'de> {
    type Error = Fault;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        let (names, start) = (self.names, self.start);
        names.borrow_mut().truncate(start);
        let (mut seed, mut decoded) = (Some(seed), None);
        self.entries.key(&mut |key| {
            names.borrow_mut().push_str(key);
            let seed = seed.take().ok_or_else(|| Fault::custom("is read twice"))?;
            let told = |fault: Fault| fault.within(Step::Key(key.to_owned()));
            decoded = Some(seed.deserialize(key.into_deserializer()).map_err(told)?);
            Ok(())
        })?;
        Ok(decoded)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let end = self.names.borrow().len();
        if self.is_free {
            self.names.part()?;
        }
        let mut part = Part::new(seed, self.names, Role::Value);
        if let Err(fault) = self.entries.value(&mut part) {
            // What was read inside of the value stands behind the key.
            self.names.borrow_mut().truncate(end);
            return Err(self.within(fault));
        }
        part.value.ok_or_else(|| Fault::custom("has no value"))
    }
}

/// An item or a value.
struct Part<'a, 'de, S: DeserializeSeed<'de>> {
    seed: Option<S>,
    value: Option<S::Value>,
    names: &'a Names,
    role: Role,
}

impl<'a, 'de, S: DeserializeSeed<'de>> Part<'a, 'de, S> {
    fn new(seed: S, names: &'a Names, role: Role) -> Self {
        Self { seed: Some(seed), value: None, names, role }
    }
}

impl<'de, S: DeserializeSeed<'de>> Seed<'de> for Part<'_, 'de, S> {
    fn take(&mut self, source: &mut dyn Source<'de>) -> Result<(), Fault> {
        let seed = self.seed.take().ok_or_else(|| Fault::custom("is read twice"))?;
        let typed = Typed { value: Value::Unread(source), names: self.names, role: self.role };
        self.value = Some(seed.deserialize(typed)?);
        Ok(())
    }
}
