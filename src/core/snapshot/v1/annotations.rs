//! The annotations in which a v1 HPA keeps what only v2 can say (`pkg/apis/autoscaling/annotations.go`).

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::source::MetricSource;
use super::status::MetricStatus;
use crate::api;
use crate::snapshot::strict::{Texts, decode as strictly};

/// Their texts.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::snapshot) struct Annotations {
    #[serde(rename = "autoscaling.alpha.kubernetes.io/metrics")]
    metrics: Option<String>,
    #[serde(rename = "autoscaling.alpha.kubernetes.io/behavior")]
    behavior: Option<String>,
    #[serde(rename = "autoscaling.alpha.kubernetes.io/current-metrics")]
    current_metrics: Option<String>,
    #[serde(rename = "autoscaling.alpha.kubernetes.io/conditions")]
    conditions: Option<String>,
}

impl Annotations {
    pub(super) fn metrics(&self) -> Vec<api::MetricSpec> {
        list::<MetricSource>(self.metrics.as_deref())
            .unwrap_or_default()
            .into_iter()
            .map(Into::into)
            .collect()
    }

    /// Without either direction it is no behavior.
    pub(in crate::snapshot) fn behavior(&self) -> Option<api::Behavior> {
        let behavior: Option<api::Behavior> = decode(self.behavior.as_deref()?)?;
        behavior.filter(|behavior| *behavior != api::Behavior::default())
    }

    /// `None` where there is no such annotation, or a bad one.
    pub(super) fn current_metrics(&self) -> Option<Vec<api::MetricStatus>> {
        let metrics = list::<MetricStatus>(self.current_metrics.as_deref())?;
        Some(metrics.into_iter().map(Into::into).collect())
    }

    pub(super) fn conditions(&self) -> Vec<api::Condition> {
        list(self.conditions.as_deref()).unwrap_or_default()
    }
}

/// A list whose items may be null, which is the zero value.
fn list<T: DeserializeOwned + Default>(text: Option<&str>) -> Option<Vec<T>> {
    let items: Option<Vec<Option<T>>> = decode(text?)?;
    Some(items.unwrap_or_default().into_iter().map(Option::unwrap_or_default).collect())
}

fn decode<T: DeserializeOwned>(text: &str) -> Option<T> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    rename(&mut value);
    strictly(value, Texts::Quoted).ok()
}

/// Every name that the annotations' types know. Go's decoder does not mind the case of names, and API servers write
/// the behavior with its internal, capitalized names.
const NAMES: [&str; 38] = [
    "type",
    "object",
    "pods",
    "resource",
    "containerResource",
    "external",
    "kind",
    "name",
    "apiVersion",
    "target",
    "metricName",
    "selector",
    "metricSelector",
    "matchLabels",
    "matchExpressions",
    "key",
    "operator",
    "values",
    "container",
    "averageValue",
    "targetValue",
    "targetAverageValue",
    "targetAverageUtilization",
    "currentValue",
    "currentAverageValue",
    "currentAverageUtilization",
    "status",
    "lastTransitionTime",
    "reason",
    "message",
    "scaleUp",
    "scaleDown",
    "stabilizationWindowSeconds",
    "selectPolicy",
    "policies",
    "tolerance",
    "value",
    "periodSeconds",
];

fn rename(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(rename),
        Value::Object(fields) => {
            let written = std::mem::take(fields);
            for (name, mut value) in written {
                let known = NAMES.iter().find(|known| known.eq_ignore_ascii_case(&name));
                // The keys of a map of labels are data.
                if known != Some(&"matchLabels") {
                    rename(&mut value);
                }
                fields.insert(known.map_or(name, |known| (*known).to_owned()), value);
            }
        }
        _ => {}
    }
}
