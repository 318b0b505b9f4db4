//! What one metric asks for, whatever the target's pods are: a resource that nobody measures, a selector that cannot be
//! parsed, a target below what any process uses, the same metric twice.

use serde_json::{Value, json};

use super::set::{Set, Subject};
use super::{Finding, Rule, Severity};
use crate::api::{MetricIdentifier, MetricSpec, MetricTarget};
use crate::model::Quantity;

pub(super) fn check(_: &Set<'_>, hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    for (index, metric) in hpa.spec().metrics.iter().enumerate() {
        let metric = Metric { hpa, index, spec: metric };
        findings.extend(metric.not_measured());
        findings.extend(metric.unreadable_selector());
        findings.extend(metric.always_above());
        findings.extend(metric.twice());
    }
    findings.extend(memory_keeps_one(hpa));
}

/// The resources that the metrics API has of each container (`metrics.k8s.io`).
pub(super) const MEASURED: [&str; 2] = ["cpu", "memory"];

/// The resource of a metric that is read from `metrics.k8s.io`, its target, and the part that has both.
pub(super) fn resource(metric: &MetricSpec) -> Option<(&'static str, &str, &MetricTarget)> {
    match metric.kind.as_str() {
        "Resource" => metric.resource.as_ref().map(|it| ("resource", it.name.as_str(), &it.target)),
        "ContainerResource" => {
            metric.container_resource.as_ref().map(|it| ("containerResource", it.name.as_str(), &it.target))
        }
        _ => None,
    }
}

/// The name and selector of a metric of an adapter, and the part that has them.
fn identifier(metric: &MetricSpec) -> Option<(&'static str, &MetricIdentifier)> {
    Some(match metric.kind.as_str() {
        "Pods" => ("pods", &metric.pods.as_ref()?.metric),
        "Object" => ("object", &metric.object.as_ref()?.metric),
        "External" => ("external", &metric.external.as_ref()?.metric),
        _ => return None,
    })
}

struct Metric<'a> {
    hpa: &'a Subject<'a>,
    index: usize,
    spec: &'a MetricSpec,
}

impl Metric<'_> {
    fn finding(&self, rule: Rule, path: &str, message: String, help: impl Into<String>) -> Finding {
        let path = format!("spec.metrics[{}].{path}", self.index);
        Finding::new(rule, self.hpa.place, path, message, help)
    }

    fn not_measured(&self) -> Option<Finding> {
        let (part, name, _) = resource(self.spec)?;
        if MEASURED.contains(&name) {
            return None;
        }
        let lower = name.to_ascii_lowercase();
        let lower = lower.trim_end_matches('s');
        let meant = MEASURED.into_iter().find(|it| *it == lower || lower == "mem" && *it == "memory");
        let message = format!("metrics.k8s.io has cpu and memory, not {name}: the metric fails at each sync");
        let path = format!("{part}.name");
        let Some(meant) = meant else {
            let message = format!(
                "metrics-server measures cpu and memory alone: with it the metric of {name} fails at each sync"
            );
            let help = "use a Pods or External metric of an adapter that measures it";
            let finding = self.finding(Rule::ResourceNotMeasured, &path, message, help);
            // Who replaces metrics-server may serve more.
            return Some(Finding { severity: Severity::Warning, ..finding });
        };
        let finding = self.finding(Rule::ResourceNotMeasured, &path, message, format!("write {meant}"));
        Some(match self.hpa.metric_patch(self.index, &format!("{part}/name"), json!(meant)) {
            Some(change) => finding.certain(change),
            None => finding,
        })
    }

    fn unreadable_selector(&self) -> Option<Finding> {
        let (part, identifier) = identifier(self.spec)?;
        let error = identifier.selector.as_ref()?.to_selector().err()?;
        let message = format!(
            "the selector of {} cannot be parsed: {}: the metric fails at each sync",
            identifier.name,
            // The rest is the whole pattern.
            error.to_string().split(" (e.g.").next().unwrap_or_default()
        );
        let path = format!("{part}.metric.selector");
        Some(self.finding(Rule::SelectorUnreadable, &path, message, "correct the selector"))
    }

    /// A process of any kind uses more memory.
    fn always_above(&self) -> Option<Finding> {
        let (part, name, target) = resource(self.spec)?;
        // With the type of a percentage that is what was meant, which is a finding of its own.
        let is_meant = name == "memory" && target.kind != "Utilization";
        let target = target.average_value.as_ref().filter(|_| is_meant)?;
        let least = Quantity::parse(LEAST_MEMORY).ok()?;
        if *target >= least {
            return None;
        }
        let (max, min) = (self.hpa.spec().max_replicas, self.hpa.spec().min_replicas.unwrap_or(1));
        let behavior = self.hpa.spec().behavior.as_ref().and_then(|behavior| behavior.scale_up.as_ref());
        let is_off = behavior.is_some_and(|rules| rules.select_policy.as_deref() == Some("Disabled"));
        if is_off || min >= max {
            return None;
        }
        let unit = if target.to_string().ends_with(char::is_alphabetic) { "" } else { " bytes" };
        let message = format!(
            "the target is {target}{unit} of memory per pod, and every process uses more: the replicas rise to {max} and stay there"
        );
        let path = format!("{part}.target.averageValue");
        let number = target.to_string();
        let number = number.trim_end_matches(char::is_alphabetic);
        let help =
            format!("write a unit, as {number}Mi, or averageUtilization for a percentage of the request");
        Some(self.finding(Rule::AlwaysAboveTarget, &path, message, help))
    }

    /// The highest proposal counts, so of two metrics that differ in their targets alone the higher target never does.
    fn twice(&self) -> Option<Finding> {
        let same = |it: &MetricSpec| without_target(it) == without_target(self.spec);
        let first = self.hpa.spec().metrics.iter().take(self.index).position(same)?;
        let is_identical = self.hpa.spec().metrics.get(first) == Some(self.spec);
        let message = if is_identical {
            format!("spec.metrics[{first}] is the same metric with the same target")
        } else {
            format!(
                "spec.metrics[{first}] is the same metric: of the two only the one with the lower target ever decides"
            )
        };
        Some(self.finding(Rule::MetricTwice, "type", message, "remove one of the two"))
    }
}

/// Less than any program needs that runs.
const LEAST_MEMORY: &str = "256Ki";

/// A metric without the number of its target: what is read, and what it is compared as.
fn without_target(metric: &MetricSpec) -> Value {
    let mut value = serde_json::to_value(metric).unwrap_or_default();
    for part in ["resource", "containerResource", "pods", "object", "external"] {
        let Some(target) = value.get_mut(part).and_then(|part| part.get_mut("target")) else { continue };
        let fields = target.as_object().into_iter().flatten();
        let fields: Vec<&String> = fields.filter(|(_, it)| !it.is_null()).map(|(name, _)| name).collect();
        *target = json!(fields);
    }
    value
}

/// At one pod its own use is above 0, so what the metric wants is at least 1 (KEP-2021).
fn memory_keeps_one(hpa: &Subject<'_>) -> Option<Finding> {
    let metrics = &hpa.spec().metrics;
    let index = metrics.iter().position(|it| resource(it).is_some_and(|(_, name, _)| name == "memory"))?;
    (hpa.spec().min_replicas == Some(0)).then(|| {
        let message =
            "minReplicas is 0, but a running pod always uses memory: this metric keeps 1 replica".to_owned();
        let path = format!("spec.metrics[{index}].type");
        let help = "remove the memory metric, or set minReplicas to 1";
        Finding::new(Rule::MemoryKeepsOne, hpa.place, path, message, help)
    })
}
