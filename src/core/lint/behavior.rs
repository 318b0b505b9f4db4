//! `spec.behavior`: what it allows, and how long that takes.

use serde_json::{Value, json};

use super::rehearsal::{filled, leaves_zero, time_down};
use super::set::{Set, Subject};
use super::{Finding, Rule};
use crate::engine::allowed;
use crate::model::{
    Behavior, Duration, Policy, PolicyType, Quantity, Ratio, Replicas, ScalingRules, SelectPolicy,
    ToleranceTest, Tolerances,
};
use crate::trace::Direction;

pub(super) fn check(_: &Set<'_>, hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(snapshot) = filled(hpa.spec()) else { return };
    let Some(behavior) = &snapshot.hpa.behavior else { return };
    let way = Way { hpa, behavior };
    findings.extend(way.scale_down_off());
    findings.extend(way.slow_scale_down());
    findings.extend(way.stuck_at_zero());
    findings.extend(
        [Direction::Up, Direction::Down]
            .into_iter()
            .flat_map(|direction| [way.tolerance(direction), way.one_pod(direction)].into_iter().flatten()),
    );
    findings.extend(way.defaults());
}

/// An HPA with its behavior, the defaults filled in.
struct Way<'a> {
    hpa: &'a Subject<'a>,
    behavior: &'a Behavior,
}

const fn name(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "scaleUp",
        Direction::Down => "scaleDown",
    }
}

/// What is longer than this is worth a word.
const LONG: Duration = Duration::from_seconds(3600);
/// What is longer than this is not counted.
const LONGEST: Duration = Duration::from_seconds(86_400);

impl Way<'_> {
    fn finding(&self, rule: Rule, path: &str, message: String, help: &str) -> Finding {
        Finding::new(rule, self.hpa.place, format!("spec.behavior.{path}"), message, help)
    }

    fn rules(&self, direction: Direction) -> &ScalingRules {
        match direction {
            Direction::Up => &self.behavior.up,
            Direction::Down => &self.behavior.down,
        }
    }

    fn bounds(&self) -> (i32, i32) {
        (self.hpa.spec().min_replicas.unwrap_or(1), self.hpa.spec().max_replicas)
    }

    fn scale_down_off(&self) -> Option<Finding> {
        (self.behavior.down.select == SelectPolicy::Disabled).then(|| {
            let message = "selectPolicy Disabled: the count only rises".to_owned();
            let help = "if it is not meant, remove selectPolicy";
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
        let message = format!("if the load stops, the count needs {time} from {max} to {min}");
        let help = "allow more pods at once, or shorten periodSeconds or the window";
        Some(self.finding(Rule::SlowScaleDown, "scaleDown", message, help))
    }

    fn stuck_at_zero(&self) -> Option<Finding> {
        let (min, _) = self.bounds();
        if min != 0 || leaves_zero(self.hpa.spec()) {
            return None;
        }
        let message =
            "from 0 replicas the scaleUp policies allow 0: a target at 0 never gets a pod".to_owned();
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

    /// A tolerance that no ratio leaves downwards, or only one of 2 and more upwards.
    fn tolerance(&self, direction: Direction) -> Option<Finding> {
        let written = self.rules(direction).tolerance.as_ref()?;
        let fraction = written.as_approximate_f64();
        let tolerances = Tolerances { down: fraction, up: fraction, test: ToleranceTest::Band };
        let (is_wide, effect) = match direction {
            Direction::Down => (tolerances.holds(Ratio(0.0)), "the count never falls".to_owned()),
            Direction::Up => {
                let times = tolerances.highest().0;
                let effect = format!("the count only rises if a metric is above {times} times its target");
                (tolerances.holds(Ratio(2.0)), effect)
            }
        };
        let name = name(direction);
        is_wide.then(|| {
            let message = format!("a tolerance of {written} is {}%: {effect}", percent(written));
            let path = format!("{name}.tolerance");
            let meant = hundredth(written);
            let help = format!("if {written}% was meant, write {meant}");
            self.finding(Rule::ToleranceTooWide, &path, message, &help)
                .patch(json!({"spec": {"behavior": {name: {"tolerance": meant}}}}))
        })
    }

    /// A percentage that is one pod at every count, by the engine's rounding.
    fn one_pod(&self, direction: Direction) -> Option<Finding> {
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
            let name = name(direction);
            let message = format!(
                "{value}% of at most {max} replicas is always one pod in {period_seconds}s, as the controller rounds"
            );
            let policies = json!([{"type": "Pods", "value": 1, "periodSeconds": period_seconds}]);
            let path = format!("{name}.policies[0].value");
            let help = "write what it is, or a larger percentage";
            self.finding(Rule::PercentIsOnePod, &path, message, help)
                .patch(json!({"spec": {"behavior": {name: {"policies": policies}}}}))
        })
    }

    /// The directions that repeat what the API server fills in.
    fn defaults(&self) -> Option<Finding> {
        let Behavior { up, down } = Behavior::default();
        let is_written = |name: &str| {
            let written = self.hpa.written.value.pointer(&format!("/spec/behavior/{name}"));
            written.and_then(Value::as_object).is_some_and(|rules| !rules.is_empty())
        };
        // The controller's own default, by its flag.
        let flag = ScalingRules { window_seconds: Some(300), ..down.clone() };
        let mut repeated = Vec::new();
        if self.behavior.up == up && is_written("scaleUp") {
            repeated.push("scaleUp");
        }
        if (self.behavior.down == down || self.behavior.down == flag) && is_written("scaleDown") {
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

fn percent(fraction: &Quantity) -> String {
    (fraction.as_approximate_f64() * 100.0).to_string()
}

fn hundredth(percent: &Quantity) -> String {
    (percent.as_approximate_f64() / 100.0).to_string()
}

/// A time of hours, to the minute.
fn words(time: Duration) -> String {
    let minutes = time.nanoseconds() / 60_000_000_000;
    match (minutes / 60, minutes % 60) {
        (hours, 0) => format!("{hours}h"),
        (hours, minutes) => format!("{hours}h{minutes}m"),
    }
}
