//! The custom metrics API, asked as the controller's client asks it.
//!
//! Source: `k8s.io/metrics/pkg/client/custom_metrics` and `customMetricsClient` of the controller's
//! `metrics/client.go`.

use serde::Deserialize;

use crate::cluster::connection::Connection;
use crate::cluster::discovery::{CUSTOM_METRICS as GROUP, Discovery, group_version};
use crate::cluster::wire::{
    DatedRead, Envelope, Fields, Get, Item, Malformed, Path, Protobuf, Shape, label_selector, quantity,
};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::{Instant, LabelSelector, Quantity, Selector};
use kubectl_hpa_core::snapshot::case::{MetricAnswer, MetricQuery};
use kubectl_hpa_core::snapshot::{Read, ReadError};

/// The versions that the controller's client knows.
const VERSIONS: [&str; 2] = ["v1beta2", "v1beta1"];

/// A value in either version: v1beta1 has other names for the metric and the window.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(clippy::struct_field_names, reason = "the API's names")]
struct Value {
    #[serde(deserialize_with = "api::nullable")]
    described_object: api::ObjectReference,
    metric: Option<api::MetricIdentifier>,
    metric_name: Option<String>,
    selector: Option<LabelSelector>,
    timestamp: Option<Instant>,
    window_seconds: Option<i64>,
    window: Option<i64>,
    #[serde(deserialize_with = "api::nullable")]
    value: Quantity,
}

impl Item for Value {
    /// The metric has another name in each version.
    const LIST: Shape<'static> = Shape {
        kind: "MetricValueList",
        versions: &["custom.metrics.k8s.io/v1beta2", "custom.metrics.k8s.io/v1beta1"],
        written: &["describedObject.", "timestamp", "value"],
    };

    const PROTOBUF: Option<Protobuf<Self>> = Some(Protobuf {
        read: Self::from_protobuf,
        written: &[(1, "describedObject"), (3, "timestamp"), (5, "value")],
    });

    fn kept(&self, text: &[u8]) -> usize {
        let selectors =
            self.metric.iter().filter_map(|metric| metric.selector.as_ref()).chain(&self.selector);
        let texts = selectors.map(|selector| {
            let values = selector.match_expressions.iter().map(|it| 3 + it.values.len()).sum::<usize>();
            2 * selector.match_labels.len() + values
        });
        // None of the texts is longer than it came.
        size_of::<Self>() + text.len() + ENTRY * (8 + texts.sum::<usize>())
    }
}

/// An allocation of its own, and the pointer to it.
const ENTRY: usize = 64;

impl Value {
    /// Source: `generated.proto` of k8s.io/metrics's `pkg/apis/custom_metrics`, in both versions.
    fn from_protobuf(message: &[u8], list: &Envelope) -> Result<Self, Malformed> {
        let is_first = list.version.ends_with("/v1beta1");
        let mut read = Self::default();
        for field in Fields::of(message) {
            match field? {
                (1, value) => read.described_object = described(value.bytes()?)?,
                (2, value) if is_first => read.metric_name = Some(value.text()?),
                (2, value) => read.metric = Some(identifier(value.bytes()?)?),
                (3, value) => read.timestamp = value.time()?,
                (4, value) => read.window_seconds = Some(value.integer()?),
                (5, value) => read.value = quantity(value.bytes()?)?,
                (6, value) if is_first => read.selector = Some(label_selector(value.bytes()?)?),
                _ => {}
            }
        }
        Ok(read)
    }
}

/// core/v1 `ObjectReference`.
fn described(message: &[u8]) -> Result<api::ObjectReference, Malformed> {
    let mut object = api::ObjectReference::default();
    for field in Fields::of(message) {
        match field? {
            (1, value) => object.kind = value.text()?,
            (3, value) => object.name = value.text()?,
            (5, value) => object.api_version = value.text()?,
            _ => {}
        }
    }
    Ok(object)
}

fn identifier(message: &[u8]) -> Result<api::MetricIdentifier, Malformed> {
    let mut metric = api::MetricIdentifier::default();
    for field in Fields::of(message) {
        match field? {
            (1, value) => metric.name = value.text()?,
            (2, value) => metric.selector = Some(label_selector(value.bytes()?)?),
            _ => {}
        }
    }
    Ok(metric)
}

impl From<Value> for api::MetricValue {
    fn from(value: Value) -> Self {
        let named = || api::MetricIdentifier {
            name: value.metric_name.unwrap_or_default(),
            selector: value.selector,
        };
        Self {
            described_object: value.described_object,
            metric: value.metric.unwrap_or_else(named),
            timestamp: value.timestamp,
            window_seconds: value.window_seconds.or(value.window),
            value: value.value,
        }
    }
}

impl Connection {
    /// Asks for a metric of all pods that the selector matches.
    pub(super) async fn pods_metric(
        &self,
        discovery: &Discovery,
        metric: &api::MetricIdentifier,
        pods: &Selector,
    ) -> Option<MetricAnswer<api::MetricValue>> {
        let selector = metric.queried_selector()?;
        let get = of_pods(discovery, &self.client.namespace, &metric.name, &pods.to_string(), &selector);
        let query = MetricQuery { metric: metric.clone(), described_object: None };
        Some(answered(query, self.values(get).await))
    }

    /// Asks for a metric of one object.
    pub(super) async fn object_metric(
        &self,
        discovery: &Discovery,
        source: &api::ObjectSource,
    ) -> Option<MetricAnswer<api::MetricValue>> {
        let selector = source.metric.queried_selector()?;
        let get = of_object(
            discovery,
            &self.client.namespace,
            &source.described_object,
            &source.metric.name,
            &selector,
        );
        let described_object = Some(source.described_object.clone());
        let query = MetricQuery { metric: source.metric.clone(), described_object };
        Some(answered(query, self.values(get).await))
    }

    async fn values(&self, get: Read<Get>) -> DatedRead<Vec<api::MetricValue>> {
        match get {
            Ok(get) => match self.shared_by_all() {
                Some(shared) => shared.values.once(get.path.as_str().to_owned(), self.asked(&get)).await,
                None => self.asked(&get).await,
            },
            Err(error) => DatedRead::none(error),
        }
    }

    async fn asked(&self, get: &Get) -> DatedRead<Vec<api::MetricValue>> {
        let values: DatedRead<Vec<Value>> = self.client.list(get).await;
        values.map(|values| values.into_iter().map(Into::into).collect())
    }
}

/// A query with its answer.
pub(super) fn answered<T>(query: MetricQuery, answer: DatedRead<Vec<T>>) -> MetricAnswer<T> {
    match answer.read {
        Ok(items) => MetricAnswer { query, items: Some(items), error: None },
        Err(error) => MetricAnswer { query, items: None, error: Some(error) },
    }
}

/// Source: `namespacedMetrics.GetForObjects`.
fn of_pods(discovery: &Discovery, namespace: &str, metric: &str, pods: &str, selector: &str) -> Read<Get> {
    let version = version(discovery)?;
    let resource = qualified_resource(discovery, "", "Pod")?;
    let path = Path::of(GROUP, version)
        .namespace(namespace)
        .segment(&resource)
        .segment("*")
        .segment(metric)
        .parameter("labelSelector", pods)
        .parameter("metricLabelSelector", selector);
    Ok(Get::named(path, GROUP, &resource, "*"))
}

/// Source: `GetObjectMetric` and `namespacedMetrics.GetForObject`. The metric of a namespace is asked of the HPA's
/// own, whatever its name in the spec.
fn of_object(
    discovery: &Discovery,
    namespace: &str,
    object: &api::ObjectReference,
    metric: &str,
    selector: &str,
) -> Read<Get> {
    let version = version(discovery)?;
    let group = group_version(&object.api_version).map(|(group, _)| group).unwrap_or_default();
    let path = Path::of(GROUP, version).namespace(namespace);
    let (path, resource, name) = if object.kind == "Namespace" && group.is_empty() {
        (path.segment("metrics").segment(metric), "metrics".to_owned(), metric)
    } else {
        let resource = qualified_resource(discovery, &group, &object.kind)?;
        (path.segment(&resource).segment(&object.name).segment(metric), resource, object.name.as_str())
    };
    Ok(Get::named(path.parameter("metricLabelSelector", selector), GROUP, &resource, name))
}

/// Source: `apiVersionsFromDiscovery.PreferredVersion`.
fn version(discovery: &Discovery) -> Read<&'static str> {
    let Some(group) = discovery.group(GROUP) else {
        let unregistered = || ReadError {
            message: format!("no custom metrics API ({GROUP}) registered"),
            path: "/apis".into(),
            ..ReadError::default()
        };
        return Err(discovery.doubt.clone().unwrap_or_else(unregistered));
    };
    let known = |served: &str| VERSIONS.into_iter().find(|known| *known == served);
    group.versions.iter().find_map(|version| known(&version.version)).ok_or_else(|| ReadError {
        message: "no known available metric versions found".into(),
        path: "/apis".into(),
        ..ReadError::default()
    })
}

/// Source: `qualResourceForKind`: `RESOURCE` or `RESOURCE.GROUP`.
fn qualified_resource(discovery: &Discovery, group: &str, kind: &str) -> Read<String> {
    let qualified = |name: &str| if group.is_empty() { name.to_owned() } else { format!("{name}.{group}") };
    let mappings = discovery.mappings(group, kind).map_err(|error| ReadError {
        message: format!("unable to map kind {} to resource: {}", qualified(kind), error.message),
        stage: kubectl_hpa_core::snapshot::Stage::default(),
        ..error
    })?;
    Ok(mappings.first().map(|mapping| qualified(&mapping.resource)).unwrap_or_default())
}
