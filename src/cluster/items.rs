//! A list decoded while it arrives: one item at a time, each cut to what is kept of it.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::splitter::{SplitError, Splitter};
use crate::api;

/// An item of a list.
pub(super) trait Item: DeserializeOwned + Send + 'static {
    /// The kind of the list.
    const LIST: &'static str;

    /// Drops what no decision needs, before the next item is decoded.
    fn trim(&mut self) {}
}

impl Item for api::Pod {
    const LIST: &'static str = "PodList";

    fn trim(&mut self) {
        without_writes(&mut self.metadata);
        self.status.conditions.retain(|condition| condition.kind == "Ready");
        self.status.conditions.shrink_to_fit();
        self.spec.containers.shrink_to_fit();
    }
}

impl Item for api::PodMetrics {
    const LIST: &'static str = "PodMetricsList";

    fn trim(&mut self) {
        without_writes(&mut self.metadata);
        self.containers.shrink_to_fit();
    }
}

impl Item for api::Event {
    const LIST: &'static str = "EventList";

    fn trim(&mut self) {
        without_writes(&mut self.metadata);
    }
}

impl Item for api::Hpa {
    const LIST: &'static str = "HorizontalPodAutoscalerList";
}

impl Item for api::ExternalMetricValue {
    const LIST: &'static str = "ExternalMetricValueList";
}

/// Who wrote an object, and which write was the last, bears on the autoscaler's own alone.
fn without_writes(metadata: &mut api::ObjectMeta) {
    metadata.managed_fields = Vec::new();
    metadata.resource_version = String::new();
}

/// A list beyond this is refused: a cluster of 150,000 pods, more than Kubernetes supports, comes near it.
const LONGEST_LIST: usize = 2 << 30;

/// Why a list could not be decoded.
#[derive(Debug, thiserror::Error)]
pub(super) enum DecodeError {
    /// The list does not end.
    #[error("the list is longer than {LONGEST_LIST} bytes")]
    TooLong,
    /// One of the items is wrong, or there are too many.
    #[error(transparent)]
    Split(#[from] SplitError<serde_json::Error>),
    /// What stands around the items is wrong, or the text ended early.
    #[error("the list: {0}")]
    Envelope(serde_json::Error),
    /// The answer is JSON, but not a list.
    #[error("the answer is of kind {found:?}, not {expected}")]
    OtherKind {
        /// What came.
        found: String,
        /// What was asked for.
        expected: &'static str,
    },
}

/// Gathers items from chunks.
pub(super) struct Items<T> {
    splitter: Splitter,
    decoded: Vec<T>,
    length: usize,
}

/// What is looked at around the items; each item has left a zero.
#[derive(Deserialize)]
struct Envelope {
    #[serde(default)]
    kind: String,
    /// A list of anything but zeros would be items that the splitter has not seen.
    #[serde(default, rename = "items")]
    _items: Option<Vec<Zero>>,
}

/// What an item leaves behind.
#[derive(Deserialize)]
#[serde(try_from = "u8")]
struct Zero;

impl TryFrom<u8> for Zero {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        if number == 0 { Ok(Self) } else { Err("an item of a list is no object") }
    }
}

impl<T: Item> Items<T> {
    pub fn new() -> Self {
        Self { splitter: Splitter::new(), decoded: Vec::new(), length: 0 }
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8]) -> Result<(), DecodeError> {
        self.length = self.length.saturating_add(chunk.len());
        if self.length > LONGEST_LIST {
            return Err(DecodeError::TooLong);
        }
        let decoded = &mut self.decoded;
        let mut take = |bytes: &[u8]| {
            let mut item: T = serde_json::from_slice(bytes)?;
            item.trim();
            decoded.push(item);
            Ok(())
        };
        Ok(self.splitter.feed(chunk, &mut take)?)
    }

    /// The items, once all bytes were fed.
    pub fn finish(self) -> Result<Vec<T>, DecodeError> {
        let envelope: Envelope =
            serde_json::from_slice(&self.splitter.into_envelope()).map_err(DecodeError::Envelope)?;
        if envelope.kind != T::LIST {
            return Err(DecodeError::OtherKind { found: envelope.kind, expected: T::LIST });
        }
        Ok(self.decoded)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(transparent)]
    struct Any(Value);

    impl Item for Any {
        const LIST: &'static str = "PodList";
    }

    /// The same list for a reader that has it whole.
    #[derive(Deserialize)]
    struct Whole {
        #[serde(default)]
        kind: String,
        #[serde(default)]
        items: Option<Vec<Any>>,
    }

    fn streamed(text: &[u8], piece: usize) -> Option<Vec<Any>> {
        let mut items = Items::new();
        for chunk in text.chunks(piece) {
            items.feed(chunk).ok()?;
        }
        items.finish().ok()
    }

    fn whole(text: &[u8]) -> Option<Vec<Any>> {
        let whole: Whole = serde_json::from_slice(text).ok()?;
        (whole.kind == Any::LIST).then(|| whole.items.unwrap_or_default())
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            r#"[a-z"\\{}\[\],: é]{0,6}"#.prop_map(Value::from),
            Just(json!("items")),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::btree_map(r#"items|[a-c"]{1,2}"#, inner, 0..3)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    fn list() -> impl Strategy<Value = String> {
        let items = prop::collection::vec(value(), 0..4);
        (items, value(), value(), any::<bool>()).prop_map(|(items, metadata, last, pretty)| {
            let list = json!({"apiVersion": "v1", "items": items, "kind": "PodList", "metadata": metadata, "z": last});
            if pretty { serde_json::to_string_pretty(&list).unwrap_or_default() } else { list.to_string() }
        })
    }

    #[test]
    fn a_list_that_does_not_end_is_refused() {
        let mut items: Items<Any> = Items::new();
        let begin = items.feed(br#"{"kind":"PodList","items":["#);
        assert!(begin.is_ok());
        let refused = (0..1_000_000).find_map(|_| items.feed(b"{},").err());
        assert!(matches!(refused, Some(DecodeError::Split(SplitError::LongEnvelope))), "{refused:?}");
    }

    proptest! {
        #[test]
        fn pieces_of_any_size_make_the_same_items(list in list(), piece in 1usize..40) {
            let expected = whole(list.as_bytes());
            prop_assert!(expected.is_some());
            prop_assert_eq!(streamed(list.as_bytes(), piece), expected);
        }

        #[test]
        fn what_is_malformed_is_refused_and_nothing_else(
            list in list(),
            piece in 1usize..40,
            at in any::<prop::sample::Index>(),
            byte in prop::sample::select(br#"{}[]",:\0ax "#.to_vec()),
            cut in any::<bool>(),
        ) {
            let mut text = list.into_bytes();
            let at = at.index(text.len());
            if cut { text.truncate(at) } else { text[at] = byte }
            prop_assert_eq!(streamed(&text, piece), whole(&text), "{}", String::from_utf8_lossy(&text));
        }
    }
}
