//! Objects of any kind, as manifests have them.

use std::collections::VecDeque;
use std::io::Read;
use std::path::Path;

use serde_json::Value;

use super::error::{LoadError, Position};
use super::tree::Places;
use super::{Manifest, Stream, TypeMeta, decode};
use crate::snapshot::Violation;

/// An object of the API as it is written, whatever its kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The file or the stream.
    pub source: String,
    /// The object as kubectl sends it.
    pub value: Value,
    /// Where each field is in the file.
    pub places: Places,
}

impl Written {
    /// The text of a field; empty if it is not there or no text.
    #[must_use]
    pub fn text(&self, pointer: &str) -> &str {
        self.value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    /// Where a field is: see [`Places::find`].
    #[must_use]
    pub fn at(&self, path: &str) -> Position {
        self.places.find(path)
    }

    /// Whether it is an HPA, in a version that may be no longer served.
    #[must_use]
    pub fn is_hpa(&self) -> bool {
        self.text("/kind") == "HorizontalPodAutoscaler"
            && self.text("/apiVersion").starts_with("autoscaling/")
    }

    /// One that was read from a cluster: it has no file and no places.
    #[must_use]
    pub fn live(value: Value) -> Self {
        Self { source: String::new(), value, places: Places::of(Position { line: 1, column: 1 }) }
    }

    /// Whether it comes from a cluster, perhaps through a file.
    #[must_use]
    pub fn is_live(&self) -> bool {
        !self.text("/metadata/uid").is_empty()
    }

    /// Whether it tells kustomize how to make objects, instead of being one of the API, as Flux has one of that name.
    #[must_use]
    pub fn is_kustomization(&self) -> bool {
        let version = self.text("/apiVersion");
        is_kustomization(&self.source)
            && (version.is_empty() || version.starts_with("kustomize.config.k8s.io/"))
    }

    /// The HPA that it is.
    ///
    /// # Errors
    /// The field that no API server can decode.
    pub fn hpa(&self) -> Result<Manifest, Violation> {
        decode::written(&self.value)
    }
}

/// The objects of a stream, one after the other, those of lists one by one. Documents without a kind are passed over:
/// empty ones, and files that hold something else.
pub struct Objects<R> {
    stream: Stream<R>,
    waiting: VecDeque<Written>,
}

impl<R: Read> Objects<R> {
    /// Reads from `reader`, which errors call by `name`.
    pub fn new(name: impl Into<String>, reader: R) -> Self {
        Self { stream: Stream::new(name.into(), reader).of_objects(), waiting: VecDeque::new() }
    }
}

impl<R: Read> Iterator for Objects<R> {
    type Item = Result<Written, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.waiting.is_empty() {
            let source = self.stream.name.clone();
            match self.stream.next(decode::tree)? {
                Ok((value, places)) => take(&source, value, places, &mut self.waiting),
                Err(error) => return Some(Err(error)),
            }
        }
        self.waiting.pop_front().map(Ok)
    }
}

fn take(source: &str, value: Value, places: Places, found: &mut VecDeque<Written>) {
    let is_named = |field: &str| value[field].as_str().is_some_and(|text| !text.is_empty());
    // A kustomization may leave out what it is: its file says so. And what is half an HPA is to be complained of.
    let text = |field: &str| value[field].as_str().unwrap_or_default();
    let is_half = text("kind") == "HorizontalPodAutoscaler" || text("apiVersion").starts_with("autoscaling/");
    let is_object = is_named("kind") && is_named("apiVersion")
        || value.is_object() && (is_half || is_kustomization(source));
    if !is_object {
        return;
    }
    let of_items = TypeMeta::of(&value).of_items();
    match value {
        Value::Object(mut list) if is_list(&list) => {
            let Some(Value::Array(items)) = list.remove("items") else { return };
            for (mut value, places) in items.into_iter().zip(places.items("items")) {
                if let Some(of_items) = of_items.as_ref().filter(|it| !it.kind.is_empty())
                    && TypeMeta::of(&value).kind.is_empty()
                {
                    of_items.write(&mut value);
                }
                take(source, value, places, found);
            }
        }
        value => found.push_back(Written { source: source.to_owned(), value, places }),
    }
}

/// Whether a file is called as kustomize wants it.
fn is_kustomization(source: &str) -> bool {
    let stem = Path::new(source).file_stem();
    stem.is_some_and(|stem| stem.eq_ignore_ascii_case("kustomization"))
}

/// Whether it is kubectl's `List`, or what an API server answers to a list, for example `DeploymentList`.
fn is_list(object: &serde_json::Map<String, Value>) -> bool {
    let kind = object.get("kind").and_then(Value::as_str).unwrap_or_default();
    kind.ends_with("List") && object.get("items").is_some_and(Value::is_array)
}
