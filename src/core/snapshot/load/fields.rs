//! Fields of a manifest that its version of the API does not know: a slip of the pen, which would go unseen.
//!
//! The API server warns of them by its field validation (`strict decoding` of apimachinery's serializer); the names
//! stand in `types.go` of each version of `k8s.io/api/autoscaling`, and in that of apimachinery's `meta/v1`.
//!
//! Written here and not left to serde_ignored: that tells of fields which our types lack. Ours lack most of the metadata,
//! which is no slip, and one type holds the fields of several versions, of which each knows only its own.

use serde_json::Value;

use crate::model::nearest;

/// A field, and those below it; where there are none, what stands there is not looked into.
struct Field(&'static str, Fields);
type Fields = &'static [Field];

const ANY: Fields = &[];

const fn leaf(name: &'static str) -> Field {
    Field(name, ANY)
}

const OBJECT: [&str; 5] = ["apiVersion", "kind", "metadata", "spec", "status"];
const METADATA: Fields = &[
    leaf("name"),
    leaf("generateName"),
    leaf("namespace"),
    leaf("selfLink"),
    leaf("uid"),
    leaf("resourceVersion"),
    leaf("generation"),
    leaf("creationTimestamp"),
    leaf("deletionTimestamp"),
    leaf("deletionGracePeriodSeconds"),
    leaf("labels"),
    leaf("annotations"),
    leaf("ownerReferences"),
    leaf("finalizers"),
    leaf("managedFields"),
];
const REFERENCE: Fields = &[leaf("kind"), leaf("name"), leaf("apiVersion")];
const SELECTOR: Fields =
    &[leaf("matchLabels"), Field("matchExpressions", &[leaf("key"), leaf("operator"), leaf("values")])];

const METRIC: Field = Field("metric", &[leaf("name"), Field("selector", SELECTOR)]);
const TARGET: Field =
    Field("target", &[leaf("type"), leaf("value"), leaf("averageValue"), leaf("averageUtilization")]);
const METRICS: Field = Field(
    "metrics",
    &[
        leaf("type"),
        Field("object", &[Field("describedObject", REFERENCE), TARGET, METRIC]),
        Field("pods", &[METRIC, TARGET]),
        Field("resource", &[leaf("name"), TARGET]),
        Field("containerResource", &[leaf("name"), TARGET, leaf("container")]),
        Field("external", &[METRIC, TARGET]),
    ],
);
const POLICIES: Field = Field("policies", &[leaf("type"), leaf("value"), leaf("periodSeconds")]);
const WINDOW: Field = leaf("stabilizationWindowSeconds");
const SELECT: Field = leaf("selectPolicy");
const RULES: Fields = &[WINDOW, SELECT, POLICIES, leaf("tolerance")];
const RULES_OF_V2BETA2: Fields = &[WINDOW, SELECT, POLICIES];
const BEHAVIOR: Field = Field("behavior", &[Field("scaleUp", RULES), Field("scaleDown", RULES)]);
const BEHAVIOR_OF_V2BETA2: Field =
    Field("behavior", &[Field("scaleUp", RULES_OF_V2BETA2), Field("scaleDown", RULES_OF_V2BETA2)]);

const METRICS_OF_V2BETA1: Field = Field(
    "metrics",
    &[
        leaf("type"),
        Field(
            "object",
            &[
                Field("target", REFERENCE),
                leaf("metricName"),
                leaf("targetValue"),
                Field("selector", SELECTOR),
                leaf("averageValue"),
            ],
        ),
        Field("pods", &[leaf("metricName"), leaf("targetAverageValue"), Field("selector", SELECTOR)]),
        Field("resource", &[leaf("name"), leaf("targetAverageUtilization"), leaf("targetAverageValue")]),
        Field(
            "containerResource",
            &[leaf("name"), leaf("targetAverageUtilization"), leaf("targetAverageValue"), leaf("container")],
        ),
        Field(
            "external",
            &[
                leaf("metricName"),
                Field("metricSelector", SELECTOR),
                leaf("targetValue"),
                leaf("targetAverageValue"),
            ],
        ),
    ],
);

const SCALE_TARGET: Field = Field("scaleTargetRef", REFERENCE);
const MIN: Field = leaf("minReplicas");
const MAX: Field = leaf("maxReplicas");
const V2: Fields = &[SCALE_TARGET, MIN, MAX, METRICS, BEHAVIOR];
const V2BETA2: Fields = &[SCALE_TARGET, MIN, MAX, METRICS, BEHAVIOR_OF_V2BETA2];
const V2BETA1: Fields = &[SCALE_TARGET, MIN, MAX, METRICS_OF_V2BETA1];
const V1: Fields = &[SCALE_TARGET, MIN, MAX, leaf("targetCPUUtilizationPercentage")];

/// A field that the version of the API does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownField {
    /// Its path, as `spec.metrics[0].resource.nmae`.
    pub path: String,
    /// The field in its place that it may have been meant for.
    pub near: Option<&'static str>,
}

impl UnknownField {
    fn of(path: String, name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        Self { path, near: nearest(name, known).first().copied() }
    }
}

/// Those of an HPA.
pub(super) fn unknown(manifest: &Value) -> Vec<UnknownField> {
    let spec = match manifest["apiVersion"].as_str() {
        Some("autoscaling/v1") => V1,
        Some("autoscaling/v2beta1" | "autoscaling/v2alpha1") => V2BETA1,
        Some("autoscaling/v2beta2") => V2BETA2,
        _ => V2,
    };
    let mut unknown = Vec::new();
    for (name, value) in manifest.as_object().into_iter().flatten() {
        match name.as_str() {
            "apiVersion" | "kind" | "status" => {}
            "metadata" => collect(value, METADATA, name, &mut unknown),
            "spec" => collect(value, spec, name, &mut unknown),
            _ => unknown.push(UnknownField::of(name.clone(), name, OBJECT.iter().copied())),
        }
    }
    unknown
}

fn collect(value: &Value, fields: Fields, path: &str, unknown: &mut Vec<UnknownField>) {
    match value {
        _ if fields.is_empty() => {}
        Value::Object(object) => {
            for (name, below) in object {
                let path = format!("{path}.{name}");
                match fields.iter().find(|field| field.0 == name) {
                    Some(Field(_, fields)) => collect(below, fields, &path, unknown),
                    None => unknown.push(UnknownField::of(path, name, fields.iter().map(|field| field.0))),
                }
            }
        }
        Value::Array(items) => {
            let places = items.iter().enumerate();
            places.for_each(|(place, item)| collect(item, fields, &format!("{path}[{place}]"), unknown));
        }
        _ => {}
    }
}
