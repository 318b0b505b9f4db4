//! Whether an adapter offers the metrics that an HPA names. The answers of a cluster say so: `APIGroupList`, which groups are
//! served, and `APIResourceList`, what a metrics API offers.

use serde_json::Value;

use super::set::{Set, Subject};
use super::{Finding, Rule, Severity};
use crate::api::MetricSpec;

const CUSTOM: &str = "custom.metrics.k8s.io";
const EXTERNAL: &str = "external.metrics.k8s.io";

/// What adapters put in the place of a list that they do not make: KEDA and those of cloud providers.
const PLACEHOLDERS: [&str; 3] = ["*", "externalmetrics", "*/*"];

pub(super) fn check(set: &Set<'_>, hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    for (index, metric) in hpa.spec().metrics.iter().enumerate() {
        findings.extend(Wanted::of(metric).and_then(|wanted| wanted.check(set, hpa, index)));
    }
}

/// A metric that an adapter has to offer.
struct Wanted<'a> {
    group: &'static str,
    /// The part of the metric that has the name.
    part: &'static str,
    name: &'a str,
}

impl<'a> Wanted<'a> {
    fn of(metric: &'a MetricSpec) -> Option<Self> {
        let (group, part, name) = match metric.kind.as_str() {
            "Pods" => (CUSTOM, "pods", &metric.pods.as_ref()?.metric.name),
            "Object" => (CUSTOM, "object", &metric.object.as_ref()?.metric.name),
            "External" => (EXTERNAL, "external", &metric.external.as_ref()?.metric.name),
            _ => return None,
        };
        Some(Self { group, part, name })
    }

    fn check(&self, set: &Set<'_>, hpa: &Subject<'_>, index: usize) -> Option<Finding> {
        let Self { group, part, name } = self;
        let finding = |message: String, help: &str| {
            let path = format!("spec.metrics[{index}].{part}.metric.name");
            Finding::new(Rule::MetricNotOffered, hpa.place, path, message, help)
        };
        if !is_served(set, group)? {
            let message = format!("no adapter serves {group}, so the metric {name} has no value");
            let help =
                "install the adapter that offers it, or check whether it runs: kubectl get apiservices";
            return Some(finding(message, help));
        }
        let offered = offered(set, group)?;
        if offered.iter().any(|it| self.is(it)) {
            return None;
        }
        let message = format!(
            "{group} lists {} at this moment, and {name} is not among them",
            if offered.len() == 1 { "1 metric".to_owned() } else { format!("{} metrics", offered.len()) }
        );
        let help = "compare the name with what the adapter offers; some adapters list only a part, or only what has values";
        Some(Finding { severity: Severity::Info, ..finding(message, help) })
    }

    /// Custom metrics are listed with what they are measured on: `pods/NAME`, `services/NAME`.
    fn is(&self, listed: &str) -> bool {
        match (self.part, listed.split_once('/')) {
            ("external", _) => listed == self.name,
            ("pods", Some((on, name))) => on == "pods" && name == self.name,
            (_, Some((_, name))) => name == self.name,
            _ => false,
        }
    }
}

/// Whether the API server serves a group; `None` if nothing tells.
fn is_served(set: &Set<'_>, group: &str) -> Option<bool> {
    if set.cluster("APIResourceList").any(|list| is_of(list, group)) {
        return Some(true);
    }
    let groups = set.cluster("APIGroupList").next()?["groups"].as_array()?;
    Some(groups.iter().any(|served| served["name"] == group))
}

/// The names that a metrics API lists; `None` if it makes no list.
fn offered<'a>(set: &Set<'a>, group: &str) -> Option<Vec<&'a str>> {
    let lists = set.cluster("APIResourceList").filter(|list| is_of(list, group));
    let resources = lists.flat_map(|list| list["resources"].as_array().into_iter().flatten());
    let names: Vec<&str> = resources.filter_map(|resource| resource["name"].as_str()).collect();
    let is_list = names.iter().any(|name| !PLACEHOLDERS.contains(name));
    is_list.then_some(names)
}

fn is_of(list: &Value, group: &str) -> bool {
    let version = list["groupVersion"].as_str().unwrap_or_default();
    version.split_once('/').is_some_and(|(served, _)| served == group)
}
