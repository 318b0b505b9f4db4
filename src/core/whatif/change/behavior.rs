//! `spec.behavior`, a direction at a time.

use super::number;
use crate::api::{Behavior, HpaSpec, Policy, ScalingRules};
use crate::model::Duration;

/// The behavior of a spec, written or not.
pub(super) fn of(spec: &mut HpaSpec) -> &mut Behavior {
    spec.behavior.get_or_insert_with(Behavior::default)
}

/// `Percent=10/60s,Pods=4/60s,select=Min,window=300s,tolerance=0.05`, or `disabled`. Policies stand in the place of all
/// that were written; what is not named stays as it is. The API's own names are taken too, and so is any case.
pub(super) fn rules(slot: &mut Option<ScalingRules>, text: &str) -> Result<(), String> {
    let mut rules = slot.clone().unwrap_or_default();
    if text.eq_ignore_ascii_case("disabled") {
        rules.select_policy = Some("Disabled".to_owned());
    } else {
        let mut policies = Vec::new();
        for part in text.split(',') {
            let (key, value) = number::pair(part).map_err(|_| form(part))?;
            match key.to_ascii_lowercase().as_str() {
                "percent" => policies.push(policy("Percent", value)?),
                "pods" => policies.push(policy("Pods", value)?),
                "select" | "selectpolicy" => rules.select_policy = Some(select(value)?),
                "window" | "stabilizationwindowseconds" => {
                    rules.stabilization_window_seconds = Some(seconds(value)?);
                }
                "tolerance" => rules.tolerance = Some(number::quantity(value)?),
                _ => return Err(form(part)),
            }
        }
        if !policies.is_empty() {
            rules.policies = Some(policies);
        }
    }
    *slot = Some(rules);
    Ok(())
}

fn form(part: &str) -> String {
    format!(
        "`{part}` is no rule; expected Percent=N/PERIOD, Pods=N/PERIOD, select=Max|Min|Disabled, window=DURATION, \
         tolerance=FRACTION, or disabled alone"
    )
}

fn policy(kind: &str, text: &str) -> Result<Policy, String> {
    let wrong = || format!("`{text}` is no rate; expected a number and a period such as 10/60s");
    let (value, period) = text.split_once('/').ok_or_else(wrong)?;
    let value = value.trim();
    let value = if kind == "Percent" { value.strip_suffix('%').unwrap_or(value).trim() } else { value };
    Ok(Policy {
        kind: kind.to_owned(),
        value: value.parse().map_err(|_| wrong())?,
        period_seconds: seconds(period.trim())?,
    })
}

fn select(text: &str) -> Result<String, String> {
    let policy = ["Max", "Min", "Disabled"].into_iter().find(|policy| policy.eq_ignore_ascii_case(text));
    policy.map(str::to_owned).ok_or_else(|| format!("`{text}` is no policy; expected Max, Min or Disabled"))
}

/// Whole seconds: `60s`, `5m`, or a plain number.
fn seconds(text: &str) -> Result<i32, String> {
    let plain: Option<i64> = text.parse().ok();
    let nanoseconds = Duration::parse(text).ok().map(Duration::nanoseconds);
    let whole = nanoseconds.filter(|it| it % 1_000_000_000 == 0).map(|it| it / 1_000_000_000);
    let seconds = plain.or(whole).and_then(|seconds| i32::try_from(seconds).ok());
    seconds.ok_or_else(|| format!("`{text}` is no period; expected whole seconds such as 60s or 5m"))
}
