//! `spec.behavior`: what it allows, and how long that takes.

use serde_json::{Value, json};

use super::rehearsal::{filled, leaves_zero, time_down};
use super::set::{Set, Subject};
use super::{Finding, Rule};
use crate::model::{Behavior, Duration, PolicyType, Replicas, ScalingRules, SelectPolicy};
use crate::trace::Direction;

pub(super) fn check(_: &Set<'_>, hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    // In v1 and v2beta1 it is an annotation, which is nobody's to edit.
    if hpa.written.value.pointer("/spec/behavior").is_none() {
        return;
    }
    let Some(snapshot) = filled(hpa.spec()) else { return };
    let Some(behavior) = &snapshot.hpa.behavior else { return };
    let way = Way { hpa, behavior };
    findings.extend(way.scale_up_off());
    findings.extend(way.slow_scale_up());
    findings.extend(way.scale_down_off());
    findings.extend(way.no_window());
    findings.extend(way.slow_scale_down());
    findings.extend(way.stuck_at_zero());
    for direction in [Direction::Up, Direction::Down] {
        findings.extend(way.tolerance(direction));
        findings.extend(way.one_pod(direction));
        findings.extend(way.never_decides(direction));
    }
    // In what a cluster gave, the API server has filled them in itself.
    if !hpa.written.is_live() {
        findings.extend(way.defaults());
    }
}

/// An HPA with its behavior, the defaults filled in.
pub(super) struct Way<'a> {
    pub hpa: &'a Subject<'a>,
    pub behavior: &'a Behavior,
}

/// What is longer than this is worth a word.
const LONG: Duration = Duration::from_seconds(3600);
/// What is longer than this is not counted.
const LONGEST: Duration = Duration::from_seconds(86_400);

impl Way<'_> {
    pub fn finding(&self, rule: Rule, path: &str, message: String, help: &str) -> Finding {
        Finding::new(rule, self.hpa.place, format!("spec.behavior.{path}"), message, help)
    }

    pub fn rules(&self, direction: Direction) -> &ScalingRules {
        direction.rules(self.behavior)
    }

    /// `minReplicas` and `maxReplicas`.
    pub fn bounds(&self) -> (i32, i32) {
        (self.hpa.spec().min_replicas.unwrap_or(1), self.hpa.spec().max_replicas)
    }

    fn scale_down_off(&self) -> Option<Finding> {
        (self.behavior.down.select == SelectPolicy::Disabled).then(|| {
            let message = "selectPolicy Disabled: the replicas only rise".to_owned();
            let help = "unless this is intended, remove selectPolicy";
            self.finding(Rule::ScaleDownOff, "scaleDown.selectPolicy", message, help)
                .patch(json!({"spec": {"behavior": {"scaleDown": {"selectPolicy": null}}}}))
        })
    }

    fn slow_scale_down(&self) -> Option<Finding> {
        let (min, max) = self.bounds();
        if min >= max || self.behavior.down.select == SelectPolicy::Disabled {
            return None;
        }
        let time = time_down(self.hpa.spec(), Replicas(min), LONGEST);
        if time.is_some_and(|time| time <= LONG) {
            return None;
        }
        let time = time.map_or_else(|| "more than a day".to_owned(), words);
        let message = format!("if the load stops, scaling down from {max} to {min} takes {time}");
        let help = "allow more pods at once, or shorten periodSeconds or the window";
        Some(self.finding(Rule::SlowScaleDown, "scaleDown", message, help))
    }

    fn stuck_at_zero(&self) -> Option<Finding> {
        let (min, _) = self.bounds();
        if min != 0 || leaves_zero(self.hpa.spec()) {
            return None;
        }
        let message =
            "from 0 replicas the scaleUp policies allow only 0: a target at 0 never gets a pod".to_owned();
        let help = "add a policy of type Pods";
        let finding = self.finding(Rule::StuckAtZero, "scaleUp", message, help);
        if self.behavior.up.select == SelectPolicy::Disabled {
            return Some(finding);
        }
        let written = self.hpa.written.value.pointer("/spec/behavior/scaleUp/policies");
        let mut policies = written.and_then(Value::as_array).cloned().unwrap_or_default();
        let period = policies.first().map_or_else(|| json!(15), |policy| policy["periodSeconds"].clone());
        policies.push(json!({"type": "Pods", "value": 1, "periodSeconds": period}));
        let rules = json!({"policies": policies, "selectPolicy": "Max"});
        Some(finding.patch(json!({"spec": {"behavior": {"scaleUp": rules}}})))
    }

    /// Whether the policies of a direction are those that the API server fills in.
    pub(super) fn is_default(&self, direction: Direction) -> bool {
        let (own, default) = (sorted(self.behavior.clone()), sorted(Behavior::default()));
        match direction {
            Direction::Up => own.up.policies == default.up.policies,
            Direction::Down => own.down.policies == default.down.policies,
        }
    }

    /// The directions that repeat what the API server fills in.
    fn defaults(&self) -> Option<Finding> {
        let Behavior { up, down } = sorted(Behavior::default());
        let own = sorted(self.behavior.clone());
        let is_written = |name: &str| {
            let written = self.hpa.written.value.pointer(&format!("/spec/behavior/{name}"));
            written.and_then(Value::as_object).is_some_and(|rules| !rules.is_empty())
        };
        // The controller's own default, by its flag.
        let flag = ScalingRules { window_seconds: Some(300), ..down.clone() };
        let mut repeated = Vec::new();
        if own.up == up && is_written("scaleUp") {
            repeated.push("scaleUp");
        }
        if (own.down == down || own.down == flag) && is_written("scaleDown") {
            repeated.push("scaleDown");
        }
        let first = *repeated.first()?;
        let (verb, it) = if repeated.len() == 1 { ("repeats", "it") } else { ("repeat", "them") };
        let message = format!("{} {verb} the defaults", repeated.join(" and "));
        let patch: serde_json::Map<_, _> =
            repeated.iter().map(|name| ((*name).to_owned(), Value::Null)).collect();
        let finding = self.finding(Rule::DefaultBehavior, first, message, &format!("remove {it}"));
        Some(finding.patch(json!({"spec": {"behavior": patch}})))
    }
}

/// Policies in one order: it changes nothing which of them comes first.
fn sorted(mut behavior: Behavior) -> Behavior {
    for rules in [&mut behavior.up, &mut behavior.down] {
        rules
            .policies
            .sort_by_key(|policy| (policy.kind == PolicyType::Percent, policy.value, policy.period_seconds));
    }
    behavior
}

/// A time of minutes and hours, to the minute.
pub(super) fn words(time: Duration) -> String {
    let minutes = time.nanoseconds() / 60_000_000_000;
    match (minutes / 60, minutes % 60) {
        (hours, 0) => format!("{hours}h"),
        (0, minutes) => format!("{minutes}m"),
        (hours, minutes) => format!("{hours}h{minutes}m"),
    }
}
