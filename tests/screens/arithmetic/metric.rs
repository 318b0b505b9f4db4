//! From the samples of a metric to what it proposes.

use serde_json::Value;

use super::page::{Page, duration, float, instant, list};

/// What a metric proposes; nothing where it failed.
pub fn propose(page: &Page, metric: &Value) -> Option<i64> {
    let proposal = metric.get("proposal")?;
    let calculation = &proposal["calculation"];
    let replicas = match calculation["kind"].as_str() {
        Some("perPod") => per_pod(page, metric),
        Some("total") => total(page, metric),
        _ => per_replica(page, metric),
    };
    assert_eq!(Some(replicas), proposal["replicas"].as_i64(), "{metric}");
    Some(replicas)
}

/// Whether a ratio is within the tolerance of a metric.
fn holds(page: &Page, metric: &Value, ratio: f64) -> bool {
    let band = &metric["proposal"]["tolerance"];
    if page.minor() < 33 {
        return (1.0 - ratio).abs() <= float(&band["up"]);
    }
    float(&band["lowest"]) <= ratio && ratio <= float(&band["highest"])
}

/// A sum, as Go adds: without an end.
fn sum(values: impl Iterator<Item = i64>) -> i64 {
    values.fold(0, i64::wrapping_add)
}

fn milli(pod: &Value, name: &str) -> Option<i64> {
    pod[name].as_i64()
}

/// The ratio of one pass, from what each pod counts for in it.
fn ratio(metric: &Value, shown: &Value, pass: &str) -> f64 {
    let calculation = &metric["proposal"]["calculation"];
    let (pods, foreign) = (list(&metric["census"]["pods"]), list(&metric["census"]["foreign"]));
    let counted: Vec<&Value> = pods.iter().filter(|pod| milli(pod, pass).is_some()).collect();
    let usage = sum(counted.iter().filter_map(|pod| milli(pod, pass)));
    if let Some(target) = calculation["targetPercent"].as_i64() {
        let requests = sum(counted.iter().filter_map(|pod| milli(pod, "requestMilli")));
        let percent = usage.wrapping_mul(100).wrapping_div(requests) as i32;
        assert_eq!(shown["utilizationPercent"].as_i64(), Some(i64::from(percent)), "{metric}");
        return f64::from(percent) / target as f64;
    }
    let all = usage.wrapping_add(sum(foreign.iter().filter_map(|pod| milli(pod, "sampleMilli"))));
    let mean = all.wrapping_div((counted.len() + foreign.len()) as i64);
    assert_eq!(shown["meanMilli"].as_i64(), Some(mean), "{metric}");
    mean as f64 / calculation["targetMilli"].as_i64().expect("a target") as f64
}

/// The four groups of the controller, from what the page says of a pod.
fn group(page: &Page, metric: &Value, pod: &Value) -> &'static str {
    let phase = pod["phase"].as_str();
    if pod["deleting"] == true || phase == Some("Failed") {
        return "ignored";
    }
    if phase == Some("Pending") {
        return "unready";
    }
    if pod["sampleMilli"].is_null() {
        return "missing";
    }
    let source = &metric["source"];
    let is_resource = matches!(source["type"].as_str(), Some("Resource" | "ContainerResource"));
    if !is_resource || source["name"] != "cpu" {
        return "ready";
    }
    let (Some(started), Some(ready)) = (pod.get("startedAt"), pod.get("ready")) else { return "unready" };
    let (started, since) = (instant(started), instant(&ready["since"]));
    let is_false = ready["status"] == "False";
    let setting = |name: &str| duration(page.at(&format!("controller.{name}.value")));
    let unready = if started + setting("cpuInitializationPeriod") > page.now() {
        is_false || instant(&pod["sampleAt"]) < since + duration(&pod["sampleWindow"])
    } else {
        is_false && started + setting("initialReadinessDelay") > since
    };
    if unready { "unready" } else { "ready" }
}

fn per_pod(page: &Page, metric: &Value) -> i64 {
    let (current, calculation) = (page.current(), &metric["proposal"]["calculation"]);
    let pods = list(&metric["census"]["pods"]);
    for pod in pods {
        assert_eq!(pod["group"].as_str(), Some(group(page, metric, pod)), "{pod}");
    }
    let count = |group: &str| pods.iter().filter(|pod| pod["group"] == group).count();
    let first = ratio(metric, &calculation["first"], "pass1Milli");
    let has_unready = count("unready") > 0 && first > 1.0;
    if count("missing") == 0 && !has_unready {
        let ready = count("ready") as f64;
        return if holds(page, metric, first) { current } else { page.ceil(first * ready) };
    }
    let second = ratio(metric, &calculation["refill"]["pass"], "pass2Milli");
    if holds(page, metric, second) || (first < 1.0 && second > 1.0) || (first > 1.0 && second < 1.0) {
        return current;
    }
    // All that has a sample or was given one, also where a utilization cannot use it.
    let counted = pods.iter().filter(|pod| milli(pod, "pass2Milli").is_some()).count();
    let all = counted + list(&metric["census"]["foreign"]).len();
    let proposed = page.ceil(second * all as f64);
    let turns = (second < 1.0 && proposed > current) || (second > 1.0 && proposed < current);
    if turns { current } else { proposed }
}

/// The value of an Object or External metric, where its sum stays within the integers.
fn value(metric: &Value) -> i64 {
    let calculation = &metric["proposal"]["calculation"];
    let shown = calculation["usageMilli"].as_i64().expect("a value");
    let values: Vec<i64> = list(&metric["valuesMilli"]).iter().filter_map(Value::as_i64).collect();
    let exact: i128 = values.iter().map(|value| i128::from(*value)).sum();
    if values.iter().all(|value| *value >= 0) && exact <= i128::from(i64::MAX) {
        assert_eq!(i128::from(shown), exact, "{metric}");
    }
    shown
}

fn target(metric: &Value) -> f64 {
    metric["proposal"]["calculation"]["targetMilli"].as_i64().expect("a target") as f64
}

fn total(page: &Page, metric: &Value) -> i64 {
    let ratio = value(metric) as f64 / target(metric);
    if page.current() == 0 {
        return page.ceil(ratio);
    }
    if holds(page, metric, ratio) {
        return page.current();
    }
    let ready = metric["proposal"]["calculation"]["readyPods"].as_i64().expect("ready pods") as f64;
    if page.minor() >= 35 { capped(page, ratio * ready) } else { page.ceil(ratio * ready) }
}

fn per_replica(page: &Page, metric: &Value) -> i64 {
    let observed = metric["proposal"]["calculation"]["statusReplicas"].as_i64().expect("replicas");
    let (value, target) = (value(metric) as f64, target(metric));
    let ratio = value / (target * observed as f64);
    if holds(page, metric, ratio) || (page.minor() < 33 && ratio.is_nan()) {
        return observed;
    }
    let is_capped = page.minor() >= 34 && metric["source"]["type"] == "External";
    if is_capped { capped(page, (value / target).ceil()) } else { page.ceil(value / target) }
}

/// Not beyond the largest int32.
fn capped(page: &Page, value: f64) -> i64 {
    if value > f64::from(i32::MAX) { i64::from(i32::MAX) } else { page.ceil(value) }
}
