//! `ResourceList`: quantities by resource name.

use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::model::{Quantity, ResourceName};

/// Quantities by resource name, sorted by it. Two or three in a list are kept by every container of ten thousand pods,
/// so it is no map: a `BTreeMap` has room for eleven from the first on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceList(Box<[(ResourceName, Quantity)]>);

impl ResourceList {
    /// All quantities, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Quantity)> {
        self.0.iter().map(|(name, quantity)| (name.as_str(), quantity))
    }

    /// The quantity of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Quantity> {
        self.0.iter().find(|(listed, _)| listed.as_str() == name).map(|(_, quantity)| quantity)
    }

    /// Gives a name a quantity.
    pub fn set(&mut self, name: &str, quantity: Quantity) {
        let list = std::mem::take(&mut self.0).into_vec();
        *self = list.into_iter().chain([(name.into(), quantity)]).collect();
    }

    /// All quantities, to change them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Quantity> {
        self.0.iter_mut().map(|(_, quantity)| quantity)
    }
}

/// Of two quantities of one name the later counts, as in Go's maps.
impl FromIterator<(ResourceName, Quantity)> for ResourceList {
    fn from_iter<I: IntoIterator<Item = (ResourceName, Quantity)>>(pairs: I) -> Self {
        // Room for cpu and memory: a list of just these is kept as it is, and no longer one is cut.
        let mut list = Vec::with_capacity(2);
        list.extend(pairs);
        list.reverse();
        list.sort_by(|(one, _), (other, _)| one.as_str().cmp(other.as_str()));
        list.dedup_by(|(later, _), (kept, _)| later == kept);
        Self(list.into())
    }
}

impl Serialize for ResourceList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for ResourceList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ListVisitor)
    }
}

struct ListVisitor;

impl<'de> Visitor<'de> for ListVisitor {
    type Value = ResourceList;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ResourceList, A::Error> {
        std::iter::from_fn(|| map.next_entry_seed(Name, PhantomData).transpose()).collect()
    }
}

/// A name: `cpu` and `memory` need no text of their own.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = ResourceName;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<ResourceName, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = ResourceName;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<ResourceName, E> {
        Ok(name.into())
    }
}

#[cfg(test)]
mod tests {
    use super::ResourceList;

    #[test]
    fn names_are_sorted_and_the_later_of_two_counts() {
        let list: ResourceList =
            serde_json::from_str(r#"{"memory": "1Gi", "cpu": "100m", "memory": "2Gi", "gpu": null}"#)
                .expect("a map of quantities");
        let text = serde_json::to_string(&list).expect("JSON");
        assert_eq!(text, r#"{"cpu":"100m","gpu":"0","memory":"2Gi"}"#);
    }
}
