//! Requests that a utilization needs, and containers that a metric names.

use serde_json::json;

use super::utilization::Utilization;
use super::{Finding, Rule};
use crate::api::Container;
use crate::model::nearest;

impl Utilization<'_> {
    /// What the containers lack that the metric looks at.
    pub(super) fn no_request(&self, resource: &str, container: Option<&str>) -> Option<Finding> {
        let counted = self.counted(container);
        let lacks = |it: &Container| it.resources.requests.get(resource).is_none();
        let missing: Vec<&str> =
            counted.iter().filter(|(_, it)| lacks(it)).map(|(_, it)| it.name.as_str()).collect();
        let place = counted.iter().find(|(_, it)| lacks(it)).map_or("", |(path, _)| path.as_str());
        let (who, verb) = match missing.as_slice() {
            [] => return None,
            [one] => (format!("container {one}"), "requests"),
            several => (format!("containers {}", several.join(", ")), "request"),
        };
        let message = format!(
            "{who} of {} {verb} no {resource}; unless a LimitRange or a webhook sets it, the {resource} utilization of \
             HPA {} fails",
            self.workload.shown(),
            self.hpa.name()
        );
        let help = format!("set resources.requests.{resource}, or measure containers that have it");
        let path = format!("{place}.resources.requests.{resource}");
        let finding = Finding::new(Rule::NoRequest, self.workload.place, path, message, help);
        let having: Vec<&Container> =
            counted.iter().filter(|(_, it)| !lacks(it)).map(|(_, it)| *it).collect();
        Some(match having.as_slice() {
            [one] if container.is_none() => self.measured(finding, &one.name),
            _ => finding,
        })
    }

    /// All requests that the metric looks at are written as 0: no default replaces them, and nothing can be divided by them.
    pub(super) fn zero_requests(&self, resource: &str, container: Option<&str>) -> Option<Finding> {
        let counted = self.counted(container);
        let (place, _) = counted.first()?;
        let message = format!(
            "the {resource} requests of {} are 0, so the {resource} utilization of HPA {} fails",
            self.workload.shown(),
            self.hpa.name()
        );
        let help = format!("set resources.requests.{resource} to what a container needs");
        let path = format!("{place}.resources.requests.{resource}");
        Some(Finding::new(Rule::NoRequest, self.workload.place, path, message, help))
    }

    /// No container of the name that the metric has.
    pub(super) fn no_such_container(&self, container: &str) -> Finding {
        let names: Vec<&str> = self.running().map(|(_, it)| it.name.as_str()).collect();
        let message = format!(
            "{} has no container {container}, only {}; unless a webhook adds it, the metric fails",
            self.workload.shown(),
            names.join(", ")
        );
        let path = format!("spec.metrics[{}].containerResource.container", self.index);
        let help = "name a container of the template";
        let finding = Finding::new(Rule::ContainerNotInTemplate, self.hpa.place, path, message, help);
        let near = nearest(container, names.iter().copied());
        let meant = if names.len() == 1 { names.first() } else { near.first() };
        let metrics = self.metrics(|metric| metric["containerResource"]["container"] = json!(meant));
        match (meant, metrics) {
            (Some(_), Some(metrics)) => finding.patch(json!({"spec": {"metrics": metrics}})),
            _ => finding,
        }
    }
}
