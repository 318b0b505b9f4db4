//! From what the metrics want to what is asked of the target.

use std::cmp::Ordering;

use kubectl_hpa_core::model::Duration;
use serde_json::Value;

use super::page::{Page, duration, instant, list};

/// The recommendations with their times, and that of a first reconcile.
fn recommendations(page: &Page) -> Vec<(i64, kubectl_hpa_core::model::Instant)> {
    let earlier = page.list("memoryBefore.recommendations").iter();
    let mut all: Vec<_> =
        earlier.map(|it| (it["replicas"].as_i64().expect("a count"), instant(&it["at"]))).collect();
    if all.is_empty() {
        all.push((page.current(), page.now()));
    }
    all
}

fn has_behavior(page: &Page) -> bool {
    !page.at("spec.behavior").is_null()
}

fn rules<'a>(page: &Page<'a>, direction: &str) -> &'a Value {
    page.at(&format!("spec.behavior.{direction}"))
}

/// What is left of a recommendation after the windows.
pub fn stabilize(page: &Page, wanted: i64) -> i64 {
    let flag = duration(page.at("controller.downscaleStabilization.value"));
    let earlier = recommendations(page);
    if !has_behavior(page) {
        let counted = earlier.iter().filter(|(_, at)| *at >= page.now() - flag);
        return counted.map(|(replicas, _)| *replicas).fold(wanted, i64::max);
    }
    let window = |direction: &str, otherwise: i64| {
        let seconds = rules(page, direction)["stabilizationWindowSeconds"].as_i64().unwrap_or(otherwise);
        Duration::from_seconds(seconds)
    };
    let within = |window: Duration| {
        let counted = earlier.iter().filter(move |(_, at)| *at > page.now() - window);
        counted.map(|(replicas, _)| *replicas)
    };
    let lowest = within(window("scaleUp", 0)).fold(wanted, i64::min);
    let highest = within(window("scaleDown", flag.nanoseconds() / 1_000_000_000)).fold(wanted, i64::max);
    page.current().max(lowest).min(highest)
}

/// What is left of that after rates and bounds.
pub fn limit(page: &Page, wanted: i64) -> i64 {
    let (current, min, max) = (page.current(), page.int("spec.minReplicas"), page.int("spec.maxReplicas"));
    if !has_behavior(page) {
        let rate = page.ceil((2.0 * current as f64).max(4.0));
        return if wanted < min { min } else { wanted.min(rate.min(max)) };
    }
    match wanted.cmp(&current) {
        Ordering::Greater => wanted.min(furthest(page, "scaleUp").max(current).min(max)),
        Ordering::Less => wanted.max(furthest(page, "scaleDown").min(current).max(min)),
        Ordering::Equal => wanted,
    }
}

/// The furthest count that the policies of a direction allow.
fn furthest(page: &Page, direction: &str) -> i64 {
    let rules = rules(page, direction);
    let select = rules["selectPolicy"].as_str();
    if select == Some("Disabled") {
        return page.current();
    }
    let allowed = list(&rules["policies"]).iter().map(|policy| allows(page, direction, policy));
    let furthest =
        if (direction == "scaleUp") == (select == Some("Max")) { allowed.max() } else { allowed.min() };
    furthest.expect("the API server fills in policies")
}

fn allows(page: &Page, direction: &str, policy: &Value) -> i64 {
    let int = |name: &str| policy[name].as_i64().expect("a number");
    let cutoff = page.now() - Duration::from_seconds(int("periodSeconds"));
    // Up to 1.25 only the events of the same direction count.
    let changed = |of: &str| -> i32 {
        if page.minor() < 26 && of != direction {
            return 0;
        }
        let events = page.list(&format!("memoryBefore.{of}Events")).iter();
        let counted = events.filter(|event| instant(&event["at"]) > cutoff);
        counted.fold(0, |sum, event| sum.wrapping_add(event["change"].as_i64().expect("a change") as i32))
    };
    let current = i32::try_from(page.current()).expect("an int32");
    let start = current.wrapping_sub(changed("scaleUp")).wrapping_add(changed("scaleDown"));
    let value = i32::try_from(int("value")).expect("an int32");
    let (is_up, fraction) = (direction == "scaleUp", f64::from(value) / 100.0);
    match (is_up, policy["type"] == "Pods") {
        (true, true) => i64::from(start.wrapping_add(value)),
        (false, true) => i64::from(start.wrapping_sub(value)),
        (true, false) => page.ceil(f64::from(start) * (1.0 + fraction)),
        (false, false) => page.ceil((f64::from(start) * (1.0 - fraction)).trunc()),
    }
}
