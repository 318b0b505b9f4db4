//! A list decoded while it arrives: one item at a time, each cut to what is kept of it.

use std::ops::Deref;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::kept;
use super::protobuf::{self, Envelope as ProtobufEnvelope, Fields, Malformed};
use super::shape::{Named, Object, Shape, Strange};
use super::splitter::Splitter;
use super::undecodable::{DecodeError, LONGEST_LIST, MOST_KEPT, Undecodable};
use super::written;
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::Text;

/// How the items of a list are read from protobuf.
pub(in crate::cluster) struct Protobuf<T> {
    /// Reads one of a list that says this of itself.
    pub read: fn(message: &[u8], list: &ProtobufEnvelope) -> Result<T, Malformed>,
    /// The fields that upstream's encoder never leaves out and that must be there.
    pub written: &'static [(u32, &'static str)],
}

/// An item of a list.
pub(in crate::cluster) trait Item: DeserializeOwned + Send + 'static {
    /// The kind of the list, and the fields that each item has.
    const LIST: Shape<'static>;

    /// How it is read from protobuf; `None` if it is asked for as JSON alone.
    const PROTOBUF: Option<Protobuf<Self>> = None;

    /// An error unless an answer is such a list of the resource that was asked for.
    fn listed(kind: &str, version: &str, _resource: &str) -> Result<(), Strange> {
        Self::LIST.typed(kind, version)
    }

    /// Drops what no decision needs, before the next item is decoded.
    fn trim(&mut self) {}

    /// Keeps once what is the same in the item before.
    fn share(&mut self, _before: &Self) {}

    /// Namespace and name of the object; `None` where an item has neither.
    fn place(&self) -> Option<(&str, &str)> {
        None
    }

    /// True if one that cannot be decoded, but tells its name, leaves the others as they are.
    const ONE_BY_ONE: bool = false;

    /// A field that is always there and is absent, where looking for it in the text would take too long.
    fn lack(&self) -> Option<&'static str> {
        None
    }

    /// How much memory is kept of it, in bytes, where this was its text.
    fn kept(&self, text: &[u8]) -> usize {
        size_of::<Self>() + kept::text(text)
    }
}

impl Item for api::Pod {
    const LIST: Shape<'static> = Shape { kind: "PodList", versions: &["v1"], written: &[] };

    const PROTOBUF: Option<Protobuf<Self>> =
        Some(Protobuf { read: |message, _| protobuf::pod(message), written: &[] });

    fn trim(&mut self) {
        without_writes(&mut self.metadata);
        self.status
            .conditions
            .retain(|it| it.kind == "Ready" || it.is_unscheduled() || it.is_resize_pending());
        self.trim_container_statuses();
        // The reason why a pod is not ready is used nowhere, and would make a large list larger.
        self.status
            .conditions
            .iter_mut()
            .filter(|it| it.kind == "Ready")
            .for_each(|it| it.reason = String::new());
        self.status.conditions.shrink_to_fit();
        // Nobody else has it yet.
        if let Some(spec) = Arc::get_mut(&mut self.spec) {
            spec.containers.shrink_to_fit();
        }
    }

    fn share(&mut self, before: &Self) {
        self.metadata.share(&before.metadata);
        self.status.share(&before.status);
        if self.spec == before.spec {
            self.spec.clone_from(&before.spec);
        }
    }

    fn place(&self) -> Option<(&str, &str)> {
        Some((&self.metadata.namespace, &self.metadata.name))
    }

    fn lack(&self) -> Option<&'static str> {
        self.spec.containers.is_empty().then_some("spec.containers")
    }

    fn kept(&self, _: &[u8]) -> usize {
        kept::pod(self)
    }
}

impl Item for api::PodMetrics {
    const LIST: Shape<'static> = Shape {
        kind: "PodMetricsList",
        versions: &["metrics.k8s.io/v1beta1"],
        written: &["timestamp", "window", "containers"],
    };

    /// Of no containers there is no field.
    const PROTOBUF: Option<Protobuf<Self>> = Some(Protobuf {
        read: |message, _| protobuf::pod_metrics(message),
        written: &[(2, "timestamp"), (3, "window")],
    });

    fn trim(&mut self) {
        self.containers.shrink_to_fit();
    }

    fn share(&mut self, before: &Self) {
        self.metadata.namespace.share(&before.metadata.namespace);
        self.metadata.labels.share(&before.metadata.labels);
        for (container, before) in self.containers.iter_mut().zip(&before.containers) {
            container.name.share(&before.name);
        }
    }

    fn place(&self) -> Option<(&str, &str)> {
        Some((&self.metadata.namespace, &self.metadata.name))
    }

    fn kept(&self, _: &[u8]) -> usize {
        kept::pod_metrics(self)
    }
}

impl Item for api::Event {
    const LIST: Shape<'static> =
        Shape { kind: "EventList", versions: &["v1"], written: &["metadata.", "involvedObject."] };

    fn trim(&mut self) {
        without_writes(&mut self.metadata);
    }

    fn kept(&self, _: &[u8]) -> usize {
        kept::event(self)
    }
}

impl Item for api::Hpa {
    const LIST: Shape<'static> = Shape {
        kind: "HorizontalPodAutoscalerList",
        versions: &["autoscaling/v2"],
        written: <Self as Object>::SHAPE.written,
    };

    const PROTOBUF: Option<Protobuf<Self>> = Some(Protobuf {
        read: |message, _| protobuf::hpa(message),
        written: &[(1, "metadata"), (2, "spec"), (3, "status")],
    });

    const ONE_BY_ONE: bool = true;

    /// What was read one by one has room for four.
    fn trim(&mut self) {
        self.metadata.managed_fields.shrink_to_fit();
        self.spec.metrics.shrink_to_fit();
        self.status.conditions.shrink_to_fit();
        self.status.current_metrics.iter_mut().for_each(Vec::shrink_to_fit);
    }

    fn share(&mut self, before: &Self) {
        self.metadata.share(&before.metadata);
        self.status.share(&before.status);
    }

    fn place(&self) -> Option<(&str, &str)> {
        Some((&self.metadata.namespace, &self.metadata.name))
    }

    fn kept(&self, text: &[u8]) -> usize {
        kept::hpa(self, text.len())
    }
}

impl Item for api::ExternalMetricValue {
    const LIST: Shape<'static> = Shape {
        kind: "ExternalMetricValueList",
        versions: &["external.metrics.k8s.io/v1beta1"],
        written: &["metricName", "metricLabels", "timestamp", "value"],
    };

    /// Of no labels there is no field.
    const PROTOBUF: Option<Protobuf<Self>> = Some(Protobuf {
        read: |message, _| protobuf::external(message),
        written: &[(1, "metricName"), (3, "timestamp"), (5, "value")],
    });

    fn kept(&self, _: &[u8]) -> usize {
        kept::external(self)
    }
}

/// An item that a list and the cases picked out of it have in common.
impl<T: Item + Sync> Item for Arc<T> {
    const LIST: Shape<'static> = T::LIST;

    const PROTOBUF: Option<Protobuf<Self>> = match T::PROTOBUF {
        Some(Protobuf { written, .. }) => Some(Protobuf { read: shared::<T>, written }),
        None => None,
    };

    fn listed(kind: &str, version: &str, resource: &str) -> Result<(), Strange> {
        T::listed(kind, version, resource)
    }

    fn trim(&mut self) {
        // Nobody else has it yet.
        if let Some(item) = Self::get_mut(self) {
            item.trim();
        }
    }

    fn share(&mut self, before: &Self) {
        if let Some(item) = Self::get_mut(self) {
            item.share(before);
        }
    }

    fn place(&self) -> Option<(&str, &str)> {
        T::place(self)
    }

    fn lack(&self) -> Option<&'static str> {
        T::lack(self)
    }

    fn kept(&self, text: &[u8]) -> usize {
        size_of::<Self>() + T::kept(self, text)
    }
}

fn shared<T: Item>(message: &[u8], list: &ProtobufEnvelope) -> Result<Arc<T>, Malformed> {
    let protobuf = T::PROTOBUF.ok_or(Malformed::Tag)?;
    (protobuf.read)(message, list).map(Arc::new)
}

/// Who wrote an object, and which write was the last, bears on the HPA's own alone.
fn without_writes(metadata: &mut api::ObjectMeta) {
    metadata.managed_fields = Vec::new();
    metadata.resource_version = Text::default();
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    Protobuf,
}

/// Cuts one part of a list into items.
enum Reader {
    Json(Splitter),
    Protobuf(protobuf::Splitter),
}

impl Reader {
    fn of(form: Form) -> Self {
        match form {
            Form::Json => Self::Json(Splitter::new()),
            Form::Protobuf => Self::Protobuf(protobuf::Splitter::new()),
        }
    }
}

/// Gathers items from chunks.
pub(super) struct Items<T> {
    reader: Reader,
    gathered: Gathered<T>,
    length: usize,
    /// That was asked for.
    resource: Box<str>,
}

/// The items of a list.
#[derive(Clone, Debug)]
pub(in crate::cluster) struct Decoded<T> {
    pub items: Vec<T>,
    /// Those that are kept by their names alone.
    pub undecoded: Vec<Undecoded>,
}

/// An object of which only who it is could be decoded.
#[derive(Clone, Debug)]
pub(in crate::cluster) struct Undecoded {
    pub metadata: api::ObjectMeta,
    /// Why no more could.
    pub problem: String,
}

impl<T> Default for Decoded<T> {
    fn default() -> Self {
        Self { items: Vec::new(), undecoded: Vec::new() }
    }
}

impl<T> Deref for Decoded<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl Decoded<api::Hpa> {
    /// The metadata of all HPAs, last of those of which nothing else is known.
    pub fn metadata(&self) -> impl Iterator<Item = &api::ObjectMeta> {
        self.items.iter().map(|hpa| &hpa.metadata).chain(self.undecoded.iter().map(|it| &it.metadata))
    }
}

/// What was read so far.
struct Gathered<T> {
    decoded: Decoded<T>,
    /// How much memory is kept of them.
    kept: usize,
    /// Where all items are; empty where they may be anywhere.
    namespace: String,
}

/// The items up to the end of one part of a list, and where the next one begins.
pub(super) struct Part<T> {
    pub items: Items<T>,
    /// Empty where there is no other.
    pub next: String,
}

/// What is looked at around the items; each item has left a zero.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    #[serde(default, deserialize_with = "api::nullable")]
    kind: String,
    #[serde(default, deserialize_with = "api::nullable")]
    api_version: String,
    #[serde(default, deserialize_with = "api::nullable")]
    metadata: ListMeta,
    /// A list of anything but zeros would be items that the splitter has not seen.
    #[serde(rename = "items")]
    _items: Option<Vec<Zero>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ListMeta {
    #[serde(rename = "continue", deserialize_with = "api::nullable")]
    token: String,
}

/// What an item leaves behind.
#[derive(Deserialize)]
#[serde(try_from = "u8")]
struct Zero;

impl TryFrom<u8> for Zero {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        if number == 0 { Ok(Self) } else { Err("an item of a list is not an object") }
    }
}

impl<T: Item> Items<T> {
    pub fn new(namespace: &str, resource: &str) -> Self {
        let resource = resource.into();
        let gathered = Gathered { decoded: Decoded::default(), kept: 0, namespace: namespace.into() };
        Self { reader: Reader::of(Form::Json), gathered, length: 0, resource }
    }

    /// Ready for a part of this form.
    pub fn begin(&mut self, form: Form) {
        self.reader = Reader::of(form);
    }

    /// Takes the next bytes.
    pub fn feed(&mut self, chunk: &[u8]) -> Result<(), DecodeError> {
        self.length = self.length.saturating_add(chunk.len());
        if self.length > LONGEST_LIST {
            return Err(DecodeError::TooLong);
        }
        let gathered = &mut self.gathered;
        match &mut self.reader {
            Reader::Json(splitter) => splitter.feed(chunk, &mut |json| gathered.take(json, from_json))?,
            Reader::Protobuf(splitter) => splitter.feed(chunk, &mut |message, envelope| {
                gathered.take(message, |message| from_protobuf(message, envelope))
            })?,
        }
        if gathered.kept > MOST_KEPT {
            return Err(DecodeError::TooMuch { items: gathered.decoded.items.len() });
        }
        Ok(())
    }

    /// What came, once all bytes of one part were fed.
    pub fn finish(mut self) -> Result<Part<T>, DecodeError> {
        let reader = std::mem::replace(&mut self.reader, Reader::of(Form::Json));
        let next = match reader {
            Reader::Json(splitter) => next_of_json::<T>(&splitter.into_envelope(), &self.resource)?,
            Reader::Protobuf(splitter) => {
                let envelope = splitter.finish().map_err(DecodeError::Envelope)?;
                T::listed(&envelope.kind, &envelope.version, &self.resource)?;
                envelope.token.unwrap_or_default()
            }
        };
        Ok(Part { items: self, next })
    }

    /// Empty, for the part after this one.
    pub fn after(&self) -> Self {
        let Gathered { kept, namespace, .. } = &self.gathered;
        let gathered = Gathered { decoded: Decoded::default(), kept: *kept, namespace: namespace.clone() };
        Self { gathered, length: self.length, ..Self::new("", &self.resource) }
    }

    /// With the items of the part after this one.
    pub fn and(mut self, Self { gathered, length, .. }: Self) -> Self {
        let Decoded { items, undecoded } = gathered.decoded;
        self.gathered.decoded.items.extend(items);
        self.gathered.decoded.undecoded.extend(undecoded);
        (self.gathered.kept, self.length) = (gathered.kept, length);
        self
    }

    /// All items so far.
    pub fn decoded(&self) -> &[T] {
        &self.gathered.decoded.items
    }

    /// Takes all items out, with those that could not be decoded.
    pub fn into_decoded(self) -> Decoded<T> {
        self.gathered.decoded
    }
}

impl<T: Item> Gathered<T> {
    /// Decodes the next item from its bytes.
    fn take(
        &mut self,
        bytes: &[u8],
        decode: impl FnOnce(&[u8]) -> Result<T, Undecodable>,
    ) -> Result<(), Undecodable> {
        // Items over the limit are not decoded; the rest of the chunk is short.
        if self.kept > MOST_KEPT {
            return Ok(());
        }
        let mut item = match decode(bytes).and_then(|item| whole(item, &self.namespace)) {
            Ok(item) => item,
            Err(error) => return self.take_undecoded(bytes, error),
        };
        if let Some(before) = self.decoded.items.last() {
            item.share(before);
        }
        self.kept += item.kept(bytes);
        self.decoded.items.push(item);
        Ok(())
    }

    /// Keeps the name of an item that could not be decoded, if such an item is one problem and no answer that is another.
    fn take_undecoded(&mut self, bytes: &[u8], error: Undecodable) -> Result<(), Undecodable> {
        let is_there = |it: &api::ObjectMeta| {
            !it.name.is_empty() && (self.namespace.is_empty() || it.namespace == self.namespace)
        };
        let metadata = T::ONE_BY_ONE.then(|| metadata(bytes)).flatten().filter(is_there);
        let Some(metadata) = metadata else { return Err(error) };
        self.kept += size_of::<Undecoded>() + kept::text(bytes);
        self.decoded.undecoded.push(Undecoded { metadata, problem: error.to_string() });
        Ok(())
    }
}

/// The metadata of an object, at least its name and namespace, however strange the rest of it is.
fn metadata(bytes: &[u8]) -> Option<api::ObjectMeta> {
    #[derive(Deserialize)]
    struct Object<M> {
        metadata: M,
    }
    if !bytes.starts_with(b"{") {
        return protobuf::metadata_of(bytes).ok();
    }
    let whole = serde_json::from_slice(bytes).map(|Object { metadata }| metadata).ok();
    whole.or_else(|| {
        let Object { metadata: Named { name, namespace } } = serde_json::from_slice(bytes).ok()?;
        Some(api::ObjectMeta { name, namespace: namespace.into(), ..api::ObjectMeta::default() })
    })
}

/// Where the next part begins, if what stood around the items is what stands around those of such a list.
fn next_of_json<T: Item>(text: &[u8], resource: &str) -> Result<String, DecodeError> {
    let around = |error: serde_json::Error| DecodeError::Envelope(error.into());
    if !text.trim_ascii_start().starts_with(b"{") {
        written::check(text, &[]).map_err(around)?;
    }
    let envelope: Envelope = serde_json::from_slice(text).map_err(around)?;
    T::listed(&envelope.kind, &envelope.api_version, resource)?;
    written::check(text, &["items"]).map_err(around)?;
    Ok(envelope.metadata.token)
}

fn from_json<T: Item>(json: &[u8]) -> Result<T, Undecodable> {
    if !T::LIST.written.is_empty() {
        written::check(json, T::LIST.written)?;
    }
    Ok(serde_json::from_slice(json)?)
}

fn from_protobuf<T: Item>(message: &[u8], envelope: &ProtobufEnvelope) -> Result<T, Undecodable> {
    let protobuf = T::PROTOBUF.ok_or(Malformed::Tag)?;
    for (number, name) in protobuf.written {
        let is_there = Fields::of(message).any(|field| field.is_ok_and(|(found, _)| found == *number));
        if !is_there {
            return Err(Undecodable::Missing(name));
        }
    }
    Ok((protobuf.read)(message, envelope)?)
}

/// The item without what no decision needs, if it is whole and in the namespace that was asked for.
fn whole<T: Item>(mut item: T, namespace: &str) -> Result<T, Undecodable> {
    if let Some((found, name)) = item.place() {
        if name.is_empty() {
            return Err(Undecodable::Missing("metadata.name"));
        }
        if !namespace.is_empty() && found != namespace {
            let found = found.to_owned();
            return Err(Undecodable::Elsewhere { found, expected: namespace.into() });
        }
    }
    if let Some(field) = item.lack() {
        return Err(Undecodable::Missing(field));
    }
    item.trim();
    Ok(item)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::super::splitter::SplitError;
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(transparent)]
    struct Any(Value);

    impl Item for Any {
        const LIST: Shape<'static> = Shape { kind: "PodList", versions: &["v1"], written: &[] };

        fn kept(&self, _: &[u8]) -> usize {
            1
        }
    }

    /// The same list for a reader that has it whole.
    #[derive(Deserialize)]
    struct Whole {
        kind: String,
        #[serde(rename = "apiVersion")]
        version: String,
        #[serde(default, rename = "metadata")]
        _metadata: Option<Meta>,
        #[serde(deserialize_with = "Option::deserialize")]
        items: Option<Vec<Any>>,
    }

    #[derive(Deserialize)]
    struct Meta {
        #[serde(default, rename = "continue")]
        _token: Option<String>,
    }

    fn streamed(text: &[u8], piece: usize) -> Option<Vec<Any>> {
        let mut items = Items::new("", "pods");
        for chunk in text.chunks(piece) {
            items.feed(chunk).ok()?;
        }
        Some(items.finish().ok()?.items.into_decoded().items)
    }

    fn whole(text: &[u8]) -> Option<Vec<Any>> {
        let whole: Whole = serde_json::from_slice(text).ok()?;
        let is_list = whole.kind == "PodList" && whole.version == "v1" && text.starts_with(b"{");
        is_list.then(|| whole.items.unwrap_or_default())
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
        let metadata =
            prop_oneof![Just(Value::Null), value().prop_map(|it| json!({"remainingItemCount": it}))];
        (items, metadata, value(), any::<bool>()).prop_map(|(items, metadata, last, pretty)| {
            let list = json!({"apiVersion": "v1", "items": items, "kind": "PodList", "metadata": metadata, "z": last});
            if pretty { serde_json::to_string_pretty(&list).unwrap_or_default() } else { list.to_string() }
        })
    }

    #[test]
    fn a_list_that_does_not_end_is_refused() {
        let mut items: Items<Any> = Items::new("", "pods");
        let begin = items.feed(br#"{"kind":"PodList","items":["#);
        assert!(begin.is_ok());
        let refused = (0..1_000_000).find_map(|_| items.feed(b"{},").err());
        assert!(matches!(refused, Some(DecodeError::Split(SplitError::LongEnvelope))), "{refused:?}");
    }

    #[test]
    fn an_hpa_that_cannot_be_decoded_is_kept_by_its_name_in_both_forms() {
        let field = |number: u8, bytes: &[u8]| {
            let length = u8::try_from(bytes.len()).expect("short");
            [&[(number << 3) | 2, length][..], bytes].concat()
        };
        let hpa = |name: &[u8], spec: &[u8]| {
            let metadata = [field(1, name), field(3, b"shop")].concat();
            field(2, &[field(1, &metadata), field(2, spec), field(3, b"")].concat())
        };
        let kind = [field(1, b"autoscaling/v2"), field(2, b"HorizontalPodAutoscalerList")].concat();
        // Field 3 is `maxReplicas`, a number.
        let list = [field(1, &field(3, b"")), hpa(b"api", &field(3, b"ten")), hpa(b"web", b"")].concat();
        let protobuf = [&b"k8s\0"[..], &field(1, &kind), &field(2, &list)].concat();
        let hpa = |name: &str, replicas: Value| {
            json!({"metadata": {"name": name, "namespace": "shop"}, "status": {"desiredReplicas": 1, "currentMetrics": null},
                "spec": {"scaleTargetRef": {"kind": "Deployment", "name": name}, "maxReplicas": replicas}})
        };
        let json = json!({"kind": "HorizontalPodAutoscalerList", "apiVersion": "autoscaling/v2",
            "items": [hpa("api", json!("ten")), hpa("web", json!(10))]});
        for (form, bytes) in [(Form::Protobuf, protobuf), (Form::Json, json.to_string().into_bytes())] {
            for (namespace, is_read) in [("", true), ("shop", true), ("bank", false)] {
                let mut items: Items<api::Hpa> = Items::new(namespace, "horizontalpodautoscalers");
                items.begin(form);
                let fed = items.feed(&bytes);
                assert_eq!(fed.is_ok(), is_read, "{form:?}: {fed:?}");
                if is_read {
                    let decoded = items.finish().expect("a list").items.into_decoded();
                    let names: Vec<&str> = decoded.metadata().map(|it| it.name.as_str()).collect();
                    assert_eq!((names, decoded.undecoded.len()), (vec!["web", "api"], 1), "{form:?}");
                }
            }
        }
    }

    #[test]
    fn no_list_is_kept_beyond_a_bound() {
        let mut items: Items<api::Pod> = Items::new("", "pods");
        assert!(items.feed(br#"{"kind":"PodList","items":["#).is_ok());
        let labels: Vec<String> = (0..1_000).map(|label| format!("\"{label}\":\"\"")).collect();
        let labels = labels.join(",");
        let spec = r#""spec":{"containers":[{"name":"app"}]}"#;
        let pod = format!(r#"{{"metadata":{{"name":"web","labels":{{{labels}}}}},{spec}}},"#);
        let refused = (0..100_000).find_map(|_| items.feed(pod.as_bytes()).err());
        assert!(matches!(refused, Some(DecodeError::TooMuch { items: 100..2_000 })), "{refused:?}");
    }

    #[test]
    fn of_a_pods_conditions_those_are_kept_that_are_told_of() {
        let kept = |scheduled: &str| {
            let conditions = [("Initialized", "True"), ("PodScheduled", scheduled), ("Ready", "False")];
            let conditions = conditions.map(
                |(kind, status)| json!({"type": kind, "status": status, "reason": format!("Why{kind}")}),
            );
            let pod = json!({"metadata": {"name": "web"}, "status": {"conditions": conditions}});
            let mut pod: api::Pod = serde_json::from_value(pod).expect("a pod");
            pod.trim();
            let conditions = pod.status.conditions.into_iter();
            conditions.map(|condition| (condition.kind.to_string(), condition.reason)).collect::<Vec<_>>()
        };
        let pair = |kind: &str, reason: &str| (kind.to_owned(), reason.to_owned());
        assert_eq!(kept("False"), [pair("PodScheduled", "WhyPodScheduled"), pair("Ready", "")]);
        assert_eq!(kept("True"), [pair("Ready", "")]);
    }

    #[test]
    fn of_containers_those_are_kept_that_are_being_resized() {
        let container = |cpu: &str| json!({"name": "app", "resources": {"requests": {"cpu": cpu}}});
        let kept = |actual: &str| {
            let conditions = [json!({"type": "PodResizePending", "status": "True", "reason": "Deferred"})];
            let status = json!({"conditions": conditions, "containerStatuses": [container(actual)]});
            let pod = json!({"metadata": {"name": "web"}, "spec": {"containers": [container("4")]}, "status": status});
            let mut pod: api::Pod = serde_json::from_value(pod).expect("a pod");
            pod.trim();
            (pod.status.container_statuses.map_or(0, |it| it.0.len()), pod.status.conditions.len())
        };
        assert_eq!(kept("1"), (1, 1));
        assert_eq!(kept("4000m"), (0, 1));
    }

    #[test]
    fn of_containers_those_are_kept_that_wait() {
        let status =
            |name: &str, state: serde_json::Value| json!({"name": name, "image": "a", "state": state});
        let pulling = json!({"waiting": {"reason": "ImagePullBackOff", "message": "Back-off pulling image"}});
        let pod = json!({
            "metadata": {"name": "web"},
            "spec": {"containers": [{"name": "app"}, {"name": "log"}], "initContainers": [{"name": "set"}]},
            "status": {
                "initContainerStatuses": [status("set", json!({"terminated": {"reason": "Completed"}}))],
                "containerStatuses": [status("app", pulling), status("log", json!({"running": {}})),
                    status("old", json!({"waiting": {}}))],
            },
        });
        let mut pod: api::Pod = serde_json::from_value(pod).expect("a pod");
        pod.trim();
        let kept = json!({"containerStatuses": [
            {"name": "app", "state": {"waiting": {"reason": "ImagePullBackOff"}}}]});
        assert_eq!(serde_json::to_value(&pod.status).expect("JSON"), kept);
    }

    /// 20,000 pods of 12 KB, as a deployment with sidecars has them.
    #[test]
    fn a_large_deployment_is_well_below_the_bound() {
        let container = json!({"name": "container", "resources": {
            "requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"cpu": "1", "memory": "1Gi"}}});
        let labels = json!({"app": "web", "pod-template-hash": "6c8f9d7b54", "team": "checkout"});
        let owner = json!({"kind": "ReplicaSet", "name": "web-6c8f9d7b54", "controller": true});
        let pod = json!({
            "metadata": {
                "name": "web-6c8f9d7b54-x8vwr", "namespace": "shop", "labels": labels, "ownerReferences": [owner],
            },
            "spec": {"containers": [container, container, container]},
            "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
        });
        let mut item: api::Pod = serde_json::from_value(pod).expect("a pod");
        item.trim();
        assert!(item.kept(&[]) * 20_000 < MOST_KEPT / 2, "{}", item.kept(&[]));
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
