//! What the API server fills in where a spec says nothing (`pkg/apis/autoscaling/v2/defaults.go`).

use crate::api;
use crate::model::{Behavior, Policy};

/// Fills in a spec (`SetDefaults_HorizontalPodAutoscaler`).
pub fn fill_in(spec: &mut api::HpaSpec) {
    spec.min_replicas.get_or_insert(1);
    if spec.metrics.is_empty() {
        spec.metrics.push(default_metric());
    }
    if let Some(behavior) = &mut spec.behavior {
        fill_in_behavior(behavior);
    }
}

/// What takes the place of an empty `spec.metrics`: cpu at 80% of the request.
#[must_use]
pub fn default_metric() -> api::MetricSpec {
    cpu_target(80)
}

/// A utilization of cpu, in percent of the request.
pub(super) fn cpu_target(percent: i32) -> api::MetricSpec {
    let target = api::MetricTarget {
        kind: "Utilization".to_owned(),
        average_utilization: Some(percent),
        ..api::MetricTarget::default()
    };
    let resource = Some(api::ResourceSource { name: "cpu".to_owned(), target }.into());
    api::MetricSpec { kind: "Resource".to_owned(), resource, ..api::MetricSpec::default() }
}

/// Both directions are filled as soon as `behavior` is set; each field that is written replaces its default
/// (`SetDefaults_HorizontalPodAutoscalerBehavior`).
pub(super) fn fill_in_behavior(behavior: &mut api::Behavior) {
    let Behavior { up, down } = Behavior::default();
    for (slot, defaults) in [(&mut behavior.scale_up, up), (&mut behavior.scale_down, down)] {
        let rules = slot.get_or_insert_default();
        rules.stabilization_window_seconds = rules.stabilization_window_seconds.or(defaults.window_seconds);
        rules.select_policy.get_or_insert_with(|| defaults.select.as_str().to_owned());
        rules.policies.get_or_insert_with(|| defaults.policies.iter().map(written).collect());
    }
}

fn written(policy: &Policy) -> api::Policy {
    let Policy { kind, value, period_seconds } = *policy;
    api::Policy { kind: kind.as_str().to_owned(), value, period_seconds }
}
