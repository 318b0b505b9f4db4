//! `validateMetricTarget`, and what each source asks of its target besides.

use super::findings::Findings;
use crate::api::MetricTarget;
use crate::model::Quantity;
use crate::model::go_text::json_quote;

pub(super) fn of_object(target: &MetricTarget, path: &str, findings: &mut Findings) {
    common(target, path, findings);
    if target.value.is_none() && target.average_value.is_none() {
        let path = format!("{path}.target.averageValue");
        findings.required(path, "must set either a target value or averageValue");
    }
}

pub(super) fn of_external(target: &MetricTarget, path: &str, findings: &mut Findings) {
    common(target, path, findings);
    match (&target.value, &target.average_value) {
        (None, None) => findings.required(
            format!("{path}.target.averageValue"),
            "must set either a target value for metric or a per-pod target",
        ),
        (Some(_), Some(_)) => findings.forbidden(
            format!("{path}.target.value"),
            "may not set both a target value for metric and a per-pod target",
        ),
        _ => {}
    }
}

pub(super) fn of_pods(target: &MetricTarget, path: &str, findings: &mut Findings) {
    common(target, path, findings);
    if target.average_value.is_none() {
        findings
            .required(format!("{path}.target.averageValue"), "must specify a positive target averageValue");
    }
}

/// Resource and `ContainerResource`.
pub(super) fn of_resource(target: &MetricTarget, path: &str, findings: &mut Findings) {
    common(target, path, findings);
    match (&target.average_utilization, &target.average_value) {
        (None, None) => findings.required(
            format!("{path}.target.averageUtilization"),
            "must set either a target raw value or a target utilization",
        ),
        (Some(_), Some(_)) => findings.forbidden(
            format!("{path}.target.averageValue"),
            "may not set both a target raw value and a target utilization",
        ),
        _ => {}
    }
}

fn common(target: &MetricTarget, path: &str, findings: &mut Findings) {
    let path = format!("{path}.target");
    if target.kind.is_empty() {
        findings.required(format!("{path}.type"), "must specify a metric target type");
    }
    if !matches!(target.kind.as_str(), "Utilization" | "Value" | "AverageValue") {
        let words = "must be either Utilization, Value, or AverageValue";
        findings.invalid(format!("{path}.type"), json_quote(&target.kind), words);
    }
    for (name, value) in [("value", &target.value), ("averageValue", &target.average_value)] {
        if let Some(value) = value.as_ref().filter(|value| **value <= Quantity::default()) {
            findings.invalid(format!("{path}.{name}"), json_quote(&value.to_string()), "must be positive");
        }
    }
    if let Some(percent) = target.average_utilization.filter(|percent| *percent < 1) {
        findings.invalid(format!("{path}.averageUtilization"), percent, "must be greater than 0");
    }
}
