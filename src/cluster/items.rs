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
        self.metadata.managed_fields = Vec::new();
        self.status.conditions.retain(|condition| condition.kind == "Ready");
        self.status.conditions.shrink_to_fit();
        self.spec.containers.shrink_to_fit();
    }
}

impl Item for api::PodMetrics {
    const LIST: &'static str = "PodMetricsList";

    fn trim(&mut self) {
        self.metadata.managed_fields = Vec::new();
        self.containers.shrink_to_fit();
    }
}

impl Item for api::Event {
    const LIST: &'static str = "EventList";

    fn trim(&mut self) {
        self.metadata.managed_fields = Vec::new();
    }
}

impl Item for api::Hpa {
    const LIST: &'static str = "HorizontalPodAutoscalerList";
}

impl Item for api::ExternalMetricValue {
    const LIST: &'static str = "ExternalMetricValueList";
}

/// Why a list could not be decoded.
#[derive(Debug, thiserror::Error)]
pub(super) enum DecodeError {
    /// One of the items is wrong, or the list is too large.
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
    items: Vec<T>,
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
        Self { splitter: Splitter::new(), items: Vec::new() }
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8]) -> Result<(), DecodeError> {
        let items = &mut self.items;
        let mut take = |bytes: &[u8]| {
            let mut item: T = serde_json::from_slice(bytes)?;
            item.trim();
            items.push(item);
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
        Ok(self.items)
    }
}
