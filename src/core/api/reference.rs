//! References that a spec and a status share: to an object, and to a metric.

use serde::{Deserialize, Serialize};

use super::{is_zero, nullable};
use crate::model::LabelSelector;

/// `CrossVersionObjectReference`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectReference {
    /// Kind.
    #[serde(deserialize_with = "nullable")]
    pub kind: String,
    /// Name.
    #[serde(deserialize_with = "nullable")]
    pub name: String,
    /// Group and version.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_zero")]
    pub api_version: String,
}

impl ObjectReference {
    /// The API group; empty for the core group.
    #[must_use]
    pub fn group(&self) -> &str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }

    /// True if it is a Namespace, whose metrics the controller reads in the HPA's own one, whatever the name.
    ///
    /// Source: `GetObjectMetric` of the controller's `metrics/client.go`.
    #[must_use]
    pub fn is_namespace(&self) -> bool {
        self.group().is_empty() && self.kind == "Namespace"
    }
}

/// `MetricIdentifier`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MetricIdentifier {
    /// Name.
    #[serde(deserialize_with = "nullable")]
    pub name: String,
    /// Selector.
    pub selector: Option<LabelSelector>,
}

impl MetricIdentifier {
    /// The selector in the form that a query has. None is no selector, and so is an empty one; `None` if it is invalid: the
    /// controller stops there, and asks nothing.
    #[must_use]
    pub fn queried_selector(&self) -> Option<String> {
        match &self.selector {
            None => Some(String::new()),
            Some(selector) => selector.to_selector().ok().map(|selector| selector.to_string()),
        }
    }
}
