//! Tolerances and percentages that are not what they look like.

use serde_json::json;

use super::behavior::Way;
use super::node_room::shown;
use super::{Finding, Rule};
use crate::engine::allowed;
use crate::model::{Policy, PolicyType, Ratio, Replicas, SelectPolicy, ToleranceTest, Tolerances};
use crate::trace::Direction;

impl Way<'_> {
    /// A tolerance that no ratio leaves downwards, or only one of 2 and more upwards.
    pub(super) fn tolerance(&self, direction: Direction) -> Option<Finding> {
        let written = self.rules(direction).tolerance.as_ref()?;
        let fraction = written.as_approximate_f64();
        let tolerances = Tolerances { down: fraction, up: fraction, test: ToleranceTest::Band };
        let (is_wide, effect) = match direction {
            Direction::Down => (tolerances.holds(Ratio(0.0)), "the replicas never fall".to_owned()),
            Direction::Up => {
                let times = tolerances.highest().0;
                let effect = format!("the replicas only rise if a metric is above {times} times its target");
                (tolerances.holds(Ratio(2.0)), effect)
            }
        };
        let name = direction.field();
        is_wide.then(|| {
            let typed = shown(&self.hpa.written.value["spec"]["behavior"][name]["tolerance"]);
            let message = format!("a tolerance of {typed} is {}%: {effect}", decimal(fraction * 100.0));
            let path = format!("{name}.tolerance");
            let meant = decimal(fraction / 100.0);
            let help = format!("if {}% was meant, write {meant}", decimal(fraction));
            self.finding(Rule::ToleranceTooWide, &path, message, &help)
                .patch(json!({"spec": {"behavior": {name: {"tolerance": meant}}}}))
        })
    }

    /// A percentage that is one pod at every count, by the engine's rounding.
    pub(super) fn one_pod(&self, direction: Direction) -> Option<Finding> {
        let rules = self.rules(direction);
        let (min, max) = self.bounds();
        let [policy @ Policy { kind: PolicyType::Percent, .. }] = rules.policies.as_slice() else {
            return None;
        };
        // Of two counts there is only one step, whatever the policy says.
        if rules.select == SelectPolicy::Disabled || max - min < 2 || max > 1_000 || policy.value >= 100 {
            return None;
        }
        let mut starts = match direction {
            Direction::Up => min.max(1)..max,
            Direction::Down => min + 1..max + 1,
        };
        let is_one = |start| (allowed(*policy, direction, Replicas(start)).0 - start).abs() == 1;
        starts.all(is_one).then(|| {
            let Policy { value, period_seconds, .. } = policy;
            let name = direction.field();
            let message = format!(
                "{value}% of at most {max} replicas is always one pod in {period_seconds}s, because the controller rounds"
            );
            let policies = json!([{"type": "Pods", "value": 1, "periodSeconds": period_seconds}]);
            let path = format!("{name}.policies[0].value");
            let help = "write what it is, or a larger percentage";
            self.finding(Rule::PercentIsOnePod, &path, message, help)
                .patch(json!({"spec": {"behavior": {name: {"policies": policies}}}}))
        })
    }
}

impl Way<'_> {
    /// A policy that another of the same period outdoes at every count, by the engine's rounding.
    pub(super) fn never_decides(&self, direction: Direction) -> Option<Finding> {
        let rules = self.rules(direction);
        let (min, max) = self.bounds();
        let is_written = self.hpa.written.value["spec"]["behavior"][direction.field()]["policies"].is_array();
        // The defaults, written out, are a finding of their own.
        let is_default = self.is_default(direction);
        if !is_written || is_default || rules.select == SelectPolicy::Disabled || max - min > 1_000 {
            return None;
        }
        let starts: Vec<i32> = match direction {
            Direction::Up => (min.max(1)..max).collect(),
            Direction::Down => ((min + 1)..=max).collect(),
        };
        let step = |policy: &Policy, start: i32| {
            let reached = allowed(*policy, direction, Replicas(start)).0.clamp(min, max);
            let step = (reached - start).abs();
            if rules.select == SelectPolicy::Min { -step } else { step }
        };
        let outdoes = |other: &Policy, policy: &Policy| {
            other.period_seconds == policy.period_seconds
                && starts.iter().all(|start| step(other, *start) >= step(policy, *start))
                && starts.iter().any(|start| step(other, *start) > step(policy, *start))
        };
        let outdone = rules.policies.iter().enumerate().find_map(|(index, policy)| {
            let other = rules.policies.iter().find(|other| outdoes(other, policy))?;
            Some((index, policy, other))
        });
        let (index, policy, other) = outdone?;
        let words = |it: &Policy| match it.kind {
            PolicyType::Percent => format!("{}%", it.value),
            PolicyType::Pods if it.value == 1 => "1 pod".to_owned(),
            PolicyType::Pods => format!("{} pods", it.value),
        };
        let allows = if rules.select == SelectPolicy::Min { "less" } else { "more" };
        let message = format!(
            "between {min} and {max} replicas the policy of {} in {}s never decides: that of {} always allows as much or {allows}",
            words(policy),
            policy.period_seconds,
            words(other)
        );
        let path = format!("{}.policies[{index}]", direction.field());
        Some(self.finding(Rule::PolicyNeverDecides, &path, message, "remove it, or change its value"))
    }
}

/// With as many places as a quantity keeps.
fn decimal(number: f64) -> String {
    let text = format!("{number:.9}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
