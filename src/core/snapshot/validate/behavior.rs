//! `validateBehavior`.

use super::findings::Findings;
use crate::api;
use crate::model::Quantity;
use crate::model::go_text::{json_quote, quote};

/// Longest window, in seconds.
const MAX_WINDOW: i32 = 3600;
/// Longest period of a policy, in seconds.
const MAX_PERIOD: i32 = 1800;

pub(super) fn behavior(behavior: &api::Behavior, findings: &mut Findings) {
    for (name, rules) in [("scaleUp", &behavior.scale_up), ("scaleDown", &behavior.scale_down)] {
        if let Some(rules) = rules {
            scaling_rules(rules, &format!("spec.behavior.{name}"), findings);
        }
    }
}

fn scaling_rules(rules: &api::ScalingRules, path: &str, findings: &mut Findings) {
    let window = || format!("{path}.stabilizationWindowSeconds");
    match rules.stabilization_window_seconds {
        Some(seconds @ ..0) => findings.invalid(window(), seconds, "must be greater than or equal to zero"),
        Some(seconds) if seconds > MAX_WINDOW => {
            findings.invalid(window(), seconds, &format!("must be less than or equal to {MAX_WINDOW}"));
        }
        _ => {}
    }
    if let Some(select) = &rules.select_policy {
        let known = ["Disabled", "Max", "Min"];
        if !known.contains(&select.as_str()) {
            findings.unsupported(format!("{path}.selectPolicy"), json_quote(select), &known);
        }
    }
    if let Some(policies) = &rules.policies {
        if policies.is_empty() {
            findings.required(format!("{path}.policies"), "must specify at least one Policy");
        }
        for (index, written) in policies.iter().enumerate() {
            policy(written, &format!("{path}.policies[{index}]"), findings);
        }
    }
    if let Some(tolerance) = rules.tolerance.as_ref().filter(|tolerance| **tolerance < Quantity::default()) {
        let value = quote(&tolerance.to_string());
        findings.invalid(format!("{path}.tolerance"), value, "must be greater than or equal to 0");
    }
}

fn policy(policy: &api::Policy, path: &str, findings: &mut Findings) {
    let known = ["Percent", "Pods"];
    if !known.contains(&policy.kind.as_str()) {
        findings.unsupported(format!("{path}.type"), json_quote(&policy.kind), &known);
    }
    if policy.value <= 0 {
        findings.invalid(format!("{path}.value"), policy.value, "must be greater than zero");
    }
    let period = policy.period_seconds;
    if period <= 0 {
        findings.invalid(format!("{path}.periodSeconds"), period, "must be greater than zero");
    }
    if period > MAX_PERIOD {
        let words = format!("must be less than or equal to {MAX_PERIOD}");
        findings.invalid(format!("{path}.periodSeconds"), period, &words);
    }
}
