//! A document as a value, with the place of each of its fields.

use std::collections::BTreeMap;
use std::fmt::{self, Formatter};

use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use serde_yaml::Spanned;

use super::error::Position;

/// Where a value stands and, below it, each of its parts: a field where its name is, an item where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    at: Position,
    below: Below,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Below {
    Nothing,
    Fields(Vec<(String, Places)>),
    Items(Vec<Places>),
}

impl Places {
    /// A whole whose parts are not known.
    pub(super) fn of(at: Position) -> Self {
        Self { at, below: Below::Nothing }
    }

    /// Whether the places of the parts are known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.below != Below::Nothing
    }

    /// Where a field is, by its path, as `spec.metrics[0].type` or `metadata.annotations[example.com/a]`. If it is
    /// not there, what it would stand in.
    #[must_use]
    pub fn find(&self, path: &str) -> Position {
        let mut here = self;
        for part in parts(path) {
            match here.part(part) {
                Some(below) => here = below,
                None => break,
            }
        }
        here.at
    }

    fn part(&self, part: &str) -> Option<&Self> {
        match &self.below {
            Below::Nothing => None,
            // Of two fields of one name the later counts.
            Below::Fields(fields) => fields.iter().rfind(|(name, _)| name == part).map(|(_, below)| below),
            Below::Items(items) => items.get(part.parse::<usize>().ok()?),
        }
    }

    /// The fields that stand more than once in one object: their paths, and where the first of each is. In the order of the
    /// file.
    #[must_use]
    pub fn repeated(&self) -> Vec<(String, Position)> {
        let mut found = Vec::new();
        self.collect_repeated("", &mut found);
        found
    }

    fn collect_repeated(&self, path: &str, found: &mut Vec<(String, Position)>) {
        match &self.below {
            Below::Nothing => {}
            Below::Fields(fields) => {
                let mut first = BTreeMap::new();
                for (name, below) in fields {
                    let dot = if path.is_empty() { "" } else { "." };
                    let own = format!("{path}{dot}{name}");
                    match first.get(name) {
                        Some(at) => found.push((own.clone(), *at)),
                        None => drop(first.insert(name, below.at)),
                    }
                    below.collect_repeated(&own, found);
                }
            }
            Below::Items(items) => {
                for (index, below) in items.iter().enumerate() {
                    below.collect_repeated(&format!("{path}[{index}]"), found);
                }
            }
        }
    }

    /// The places of the items of a list field, one after the other; that of the whole where they are not known.
    pub(super) fn items(self, field: &str) -> impl Iterator<Item = Self> {
        let whole = Self::of(self.at);
        let fields = if let Below::Fields(fields) = self.below { fields } else { Vec::new() };
        let items = match fields.into_iter().rfind(|(name, _)| name == field).map(|(_, places)| places.below)
        {
            Some(Below::Items(items)) => items,
            _ => Vec::new(),
        };
        items.into_iter().chain(std::iter::repeat(whole))
    }

    /// The same in a stream in which the document starts there.
    pub(super) fn shifted(mut self, shift: &dyn Fn(Position) -> Position) -> Self {
        self.at = shift(self.at);
        self.below = match self.below {
            Below::Nothing => Below::Nothing,
            Below::Fields(fields) => {
                Below::Fields(fields.into_iter().map(|(name, it)| (name, it.shifted(shift))).collect())
            }
            Below::Items(items) => Below::Items(items.into_iter().map(|it| it.shifted(shift)).collect()),
        };
        self
    }
}

/// The names and numbers of a path.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = path;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches('.');
        if let Some(inside) = rest.strip_prefix('[') {
            let (part, after) = inside.split_once(']').unwrap_or((inside, ""));
            rest = after;
            return Some(part);
        }
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

/// A value and its places.
pub(super) struct Node {
    pub value: Value,
    pub places: Places,
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Spanned { value: Whole(value, below), referenced, .. } = Spanned::deserialize(deserializer)?;
        let at = Position { line: referenced.line(), column: referenced.column() };
        Ok(Self { value, places: Places { at, below } })
    }
}

/// A value and the places of its parts.
struct Whole(Value, Below);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WholeVisitor)
    }
}

struct WholeVisitor;

fn scalar(value: impl Into<Value>) -> Whole {
    Whole(value.into(), Below::Nothing)
}

impl<'de> Visitor<'de> for WholeVisitor {
    type Value = Whole;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Whole, E> {
        Ok(scalar(Value::Null))
    }

    fn visit_none<E>(self) -> Result<Whole, E> {
        Ok(scalar(Value::Null))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Whole, D::Error> {
        Whole::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Whole, E> {
        Ok(scalar(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Whole, E> {
        Ok(scalar(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Whole, E> {
        Ok(scalar(value))
    }

    /// A float without a fraction is sent as an integer, as Go's JSON prints it: `80.0` is 80.
    fn visit_f64<E>(self, value: f64) -> Result<Whole, E> {
        Ok(value.to_string().parse::<i64>().map_or_else(|_| scalar(value), scalar))
    }

    fn visit_str<E>(self, value: &str) -> Result<Whole, E> {
        Ok(scalar(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Whole, A::Error> {
        let (mut values, mut items) = (Vec::new(), Vec::new());
        while let Some(Node { value, places }) = seq.next_element()? {
            values.push(value);
            items.push(places);
        }
        Ok(Whole(Value::Array(values), Below::Items(items)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Whole, A::Error> {
        let (mut values, mut fields) = (Map::new(), Vec::new());
        while let Some(Spanned { value: name, referenced, .. }) = map.next_key::<Spanned<String>>()? {
            if name == MANAGED_FIELDS {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let Node { value, places } = map.next_value()?;
            let at = Position { line: referenced.line(), column: referenced.column() };
            fields.push((name.clone(), Places { at, ..places }));
            values.insert(name, value);
        }
        spare(&mut values);
        fields.retain(|(name, _)| values.contains_key(name));
        Ok(Whole(Value::Object(values), Below::Fields(fields)))
    }
}

const MANAGED_FIELDS: &str = "managedFields";

/// Leaves out what nobody reads of an object of the API and a large list is full of: the status of most kinds, and all but
/// the name of a pod that another object makes.
fn spare(object: &mut Map<String, Value>) {
    let is_of =
        |kinds: &[&str]| object.get("kind").and_then(Value::as_str).is_some_and(|it| kinds.contains(&it));
    if !object.contains_key("apiVersion") || !object.contains_key("kind") {
        return;
    }
    let owners = object.get("metadata").and_then(|metadata| metadata.get("ownerReferences"));
    if is_of(&["Pod"]) && owners.and_then(Value::as_array).is_some_and(|owners| !owners.is_empty()) {
        object.retain(|name, _| ["apiVersion", "kind", "metadata"].contains(&name.as_str()));
    } else if !is_of(&["HorizontalPodAutoscaler", "Node"]) {
        object.shift_remove("status");
    }
}

/// A list in JSON, without the places of its parts and without what nobody reads of its items.
pub(super) struct Listing(pub Value);

/// More objects that are read than any cluster has; as HPAs they take 440 MB.
const MOST_OBJECTS: usize = 100_000;

/// The words of a list that has more.
pub(super) fn too_many_items() -> String {
    format!("the list has more than {MOST_OBJECTS} objects")
}

impl<'de> Deserialize<'de> for Listing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ListingVisitor)
    }
}

struct ListingVisitor;

impl<'de> Visitor<'de> for ListingVisitor {
    type Value = Listing;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Listing, A::Error> {
        let mut values = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            let value = if name == "items" { map.next_value::<Listed>()?.0 } else { map.next_value()? };
            values.insert(name, value);
        }
        Ok(Listing(Value::Object(values)))
    }
}

struct Listed(Value);

impl<'de> Deserialize<'de> for Listed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListedVisitor)
    }
}

struct ListedVisitor;

impl<'de> Visitor<'de> for ListedVisitor {
    type Value = Listed;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Listed, A::Error> {
        let mut items = Vec::new();
        while let Some(mut item) = seq.next_element::<Map<String, Value>>()? {
            if let Some(Value::Object(metadata)) = item.get_mut("metadata") {
                metadata.shift_remove(MANAGED_FIELDS);
            }
            spare(&mut item);
            // An empty object is none of the API.
            if !item.is_empty() {
                if items.len() == MOST_OBJECTS {
                    return Err(A::Error::custom(too_many_items()));
                }
                items.push(Value::Object(item));
            }
        }
        Ok(Listed(Value::Array(items)))
    }
}
