//! The labels of an object.
use std::fmt;
use std::sync::Arc;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Labels, sorted by key. Every one of ten thousand pods keeps a few, so they are no map with room for more; and a case that
/// is tried a thousand times over shares them.
///
/// Source: `labels.Set`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Labels(Arc<[(Box<str>, Box<str>)]>);

impl Labels {
    /// The value of a label.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        // Of a few texts the lengths already tell most apart.
        self.0.iter().find(|(label, _)| **label == *key).map(|(_, value)| value.as_ref())
    }

    /// All labels, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_ref(), value.as_ref()))
    }

    /// Keeps equal labels once: the pods of a template have the same.
    pub fn share(&mut self, others: &Self) {
        if self == others {
            self.clone_from(others);
        }
    }

    /// How many labels there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Of two labels of one key the later counts, as in Go's maps.
    fn of(mut labels: Vec<(Box<str>, Box<str>)>) -> Self {
        labels.reverse();
        labels.sort_by(|(one, _), (other, _)| one.cmp(other));
        labels.dedup_by(|(earlier, _), (kept, _)| earlier == kept);
        Self(labels.into())
    }

    /// Whether there are no labels.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: Into<Box<str>>, V: Into<Box<str>>> FromIterator<(K, V)> for Labels {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(labels: I) -> Self {
        let labels = labels.into_iter().map(|(key, value)| (key.into(), value.into()));
        Self::of(labels.collect())
    }
}

impl Serialize for Labels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// As Go reads a map of strings: null is no labels, and a null value is an empty one.
impl<'de> Deserialize<'de> for Labels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<Pairs>::deserialize(deserializer).map(|pairs| pairs.map_or_else(Self::default, |it| it.0))
    }
}

/// Labels that are not null.
struct Pairs(Labels);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor)
    }
}

/// Reads them into a list: a map has room for eleven from the first on, and that ten thousand times over.
struct PairsVisitor;

impl<'de> Visitor<'de> for PairsVisitor {
    type Value = Pairs;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
        let mut labels = Vec::new();
        while let Some((key, value)) = map.next_entry::<Box<str>, Option<Box<str>>>()? {
            labels.push((key, value.unwrap_or_default()));
        }
        Ok(Pairs(Labels::of(labels)))
    }
}
