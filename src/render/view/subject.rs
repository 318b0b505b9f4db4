//! What the decision is about: the HPA, its bounds and its target.

use serde::Serialize;

use super::number::Moment;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::{Behavior, ScalingRules};
use kubectl_hpa_core::snapshot::{Origin, ReadError};

/// The HPA and its target.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SubjectView {
    /// The context of the kubeconfig; absent of a case file.
    context: Option<String>,
    namespace: String,
    name: String,
    /// Since when it is being deleted.
    deletion_timestamp: Option<Moment>,
    target: TargetRefView,
}

/// `spec.scaleTargetRef`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TargetRefView {
    api_version: String,
    kind: String,
    name: String,
}

impl SubjectView {
    pub fn of(explanation: &Explanation) -> Self {
        let hpa = &explanation.snapshot().hpa;
        let context = explanation.snapshot().origin.as_ref().and_then(Origin::context);
        Self {
            context: context.map(str::to_owned),
            namespace: hpa.key.namespace.to_string(),
            name: hpa.key.name.to_string(),
            deletion_timestamp: hpa.deleted.map(Moment),
            target: TargetRefView {
                api_version: hpa.target.api_version.to_string(),
                kind: hpa.target.kind.to_string(),
                name: hpa.target.name.to_string(),
            },
        }
    }
}

/// The spec, with the API server's defaults filled in.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SpecView {
    min_replicas: i32,
    max_replicas: i32,
    behavior: Option<BehaviorView>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BehaviorView {
    scale_up: RulesView,
    scale_down: RulesView,
}

#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RulesView {
    stabilization_window_seconds: Option<i32>,
    select_policy: &'static str,
    policies: Vec<PolicyView>,
    tolerance: Option<String>,
}

/// A policy of `spec.behavior`.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PolicyView {
    #[serde(rename = "type")]
    kind: &'static str,
    value: i32,
    period_seconds: i32,
}

impl PolicyView {
    pub fn of(policy: kubectl_hpa_core::model::Policy) -> Self {
        Self { kind: policy.kind.as_str(), value: policy.value, period_seconds: policy.period_seconds }
    }
}

impl SpecView {
    pub fn of(explanation: &Explanation) -> Self {
        let hpa = &explanation.snapshot().hpa;
        let behavior = |behavior: &Behavior| BehaviorView {
            scale_up: RulesView::of(&behavior.up),
            scale_down: RulesView::of(&behavior.down),
        };
        Self {
            min_replicas: hpa.min.0,
            max_replicas: hpa.max.0,
            behavior: hpa.behavior.as_ref().map(behavior),
        }
    }
}

impl RulesView {
    fn of(rules: &ScalingRules) -> Self {
        Self {
            stabilization_window_seconds: rules.window_seconds,
            select_policy: rules.select.as_str(),
            policies: rules.policies.iter().map(|policy| PolicyView::of(*policy)).collect(),
            tolerance: rules.tolerance.as_ref().map(ToString::to_string),
        }
    }
}

/// The scale of the target as it was read.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ScaleView<'a> {
    replicas: Option<i32>,
    status_replicas: Option<i32>,
    selector: Option<&'a str>,
    error: Option<&'a ReadError>,
}

impl<'a> ScaleView<'a> {
    pub fn of(explanation: &'a Explanation) -> Self {
        let read = explanation.snapshot().scale.as_ref();
        Self {
            replicas: read.ok().map(|scale| scale.replicas.0),
            status_replicas: read.ok().map(|scale| scale.observed.0),
            selector: read.ok().map(|_| explanation.selector()),
            error: read.err(),
        }
    }
}
