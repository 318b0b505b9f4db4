//! The controller and its settings.

use std::collections::BTreeMap;

use serde::Serialize;

use super::number::{Moment, Number, SettingView, go_duration};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Architecture;
use kubectl_hpa_core::snapshot::ReadError;

/// The controller behind the decision.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ControllerView<'a> {
    version: SettingView<String>,
    /// The API server's version, where both are known.
    api_server_version: Option<&'a str>,
    /// The row of versions by whose rules it was recomputed.
    rules: &'static str,
    architecture: SettingView<&'static str>,
    tolerance: SettingView<Number>,
    downscale_stabilization: SettingView<String>,
    cpu_initialization_period: SettingView<String>,
    initial_readiness_delay: SettingView<String>,
    sync_period: SettingView<String>,
    #[serde(rename = "eventTTL")]
    event_ttl: SettingView<String>,
    started: Option<SettingView<Moment>>,
    feature_gates: BTreeMap<String, SettingView<bool>>,
    /// Why the flags of kube-controller-manager are not known.
    error: Option<&'a ReadError>,
}

impl<'a> ControllerView<'a> {
    pub fn of(explanation: &'a Explanation) -> Self {
        let controller = &explanation.snapshot().controller;
        let gates = controller.feature_gates.iter();
        Self {
            version: SettingView::of(&controller.version, String::from),
            api_server_version: controller.api_server.as_deref(),
            rules: explanation.rules().row,
            architecture: SettingView::of(&controller.architecture, Architecture::as_str),
            tolerance: SettingView::of(&controller.tolerance, Number),
            downscale_stabilization: SettingView::of(&controller.downscale_stabilization, go_duration),
            cpu_initialization_period: SettingView::of(&controller.cpu_initialization_period, go_duration),
            initial_readiness_delay: SettingView::of(&controller.initial_readiness_delay, go_duration),
            sync_period: SettingView::of(&controller.sync_period, go_duration),
            event_ttl: SettingView::of(&controller.event_ttl, go_duration),
            started: controller.started.as_ref().map(|it| SettingView::of(it, Moment)),
            feature_gates: gates
                .map(|(name, set)| (name.to_string(), SettingView::of(set, |on| on)))
                .collect(),
            error: controller.error.as_ref(),
        }
    }
}
