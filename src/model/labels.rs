//! The labels of an object.
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

/// Labels, sorted by key.
///
/// Source: `labels.Set`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Labels(BTreeMap<Box<str>, Box<str>>);

impl Labels {
    /// The value of a label.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(Box::as_ref)
    }

    /// All labels, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_ref(), value.as_ref()))
    }

    /// How many labels there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no labels.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: Into<Box<str>>, V: Into<Box<str>>> FromIterator<(K, V)> for Labels {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(labels: I) -> Self {
        Self(labels.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}

/// As Go reads a map of strings: null is no labels, and a null value is an empty one.
impl<'de> Deserialize<'de> for Labels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let labels = Option::<BTreeMap<Box<str>, Option<Box<str>>>>::deserialize(deserializer)?;
        Ok(labels.into_iter().flatten().map(|(key, value)| (key, value.unwrap_or_default())).collect())
    }
}
