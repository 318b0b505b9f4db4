//! `spec.behavior`, a direction at a time.

use super::{Problem, number};
use crate::api::{Behavior, HpaSpec, Policy, ScalingRules};
use crate::model::Duration;

/// The behavior of a spec, written or not.
pub(super) fn of(spec: &mut HpaSpec) -> &mut Behavior {
    spec.behavior.get_or_insert_with(Behavior::default)
}

/// Policies stand in the place of all that were written; what is not named stays as it is.
pub(super) fn set(slot: &mut Option<ScalingRules>, named: &ScalingRules) {
    let ScalingRules { stabilization_window_seconds, select_policy, policies, tolerance } = named.clone();
    let rules = slot.get_or_insert_default();
    rules.stabilization_window_seconds = stabilization_window_seconds.or(rules.stabilization_window_seconds);
    rules.select_policy = select_policy.or(rules.select_policy.take());
    rules.policies = policies.or(rules.policies.take());
    rules.tolerance = tolerance.or(rules.tolerance.take());
}

/// `Percent=10/60s,Pods=4/60s,select=Min,window=300s,tolerance=0.05`, or `disabled`. The API's own names are taken too,
/// and so is any case.
pub(super) fn rules(text: &str) -> Result<ScalingRules, Problem> {
    if text.eq_ignore_ascii_case("disabled") {
        return Ok(ScalingRules { select_policy: Some("Disabled".to_owned()), ..ScalingRules::default() });
    }
    let mut rules = ScalingRules::default();
    for part in text.split(',') {
        let wrong = || Problem::NotARule(part.to_owned());
        let (key, value) = number::pair(part).ok_or_else(wrong)?;
        match key.to_ascii_lowercase().as_str() {
            "percent" => rules.policies.get_or_insert_default().push(policy("Percent", value)?),
            "pods" => rules.policies.get_or_insert_default().push(policy("Pods", value)?),
            "select" | "selectpolicy" => rules.select_policy = Some(select(value)?),
            "window" | "stabilizationwindowseconds" => {
                rules.stabilization_window_seconds = Some(seconds(value)?);
            }
            "tolerance" => rules.tolerance = Some(number::quantity(value)?),
            _ => return Err(wrong()),
        }
    }
    Ok(rules)
}

fn policy(kind: &str, text: &str) -> Result<Policy, Problem> {
    let wrong = || Problem::NotARate(text.to_owned());
    let (value, period) = text.split_once('/').ok_or_else(wrong)?;
    let value = value.trim();
    let value = if kind == "Percent" { value.strip_suffix('%').unwrap_or(value).trim() } else { value };
    Ok(Policy {
        kind: kind.to_owned(),
        value: value.parse().map_err(|_| wrong())?,
        period_seconds: seconds(period.trim())?,
    })
}

fn select(text: &str) -> Result<String, Problem> {
    let policy = ["Max", "Min", "Disabled"].into_iter().find(|policy| policy.eq_ignore_ascii_case(text));
    policy.map(str::to_owned).ok_or_else(|| Problem::NotAPolicy(text.to_owned()))
}

/// Whole seconds: `60s`, `5m`, or a plain number.
fn seconds(text: &str) -> Result<i32, Problem> {
    let plain: Option<i64> = text.parse().ok();
    let nanoseconds = Duration::parse(text).ok().map(Duration::nanoseconds);
    let whole = nanoseconds.filter(|it| it % 1_000_000_000 == 0).map(|it| it / 1_000_000_000);
    let seconds = plain.or(whole).and_then(|seconds| i32::try_from(seconds).ok());
    seconds.ok_or_else(|| Problem::NotAPeriod(text.to_owned()))
}
