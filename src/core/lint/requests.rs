//! Utilizations and the requests and limits that they depend on.

use serde_json::{Value, json};

use super::companions;
use super::rehearsal::{resource, verdict};
use super::set::{Set, Subject};
use super::workload::Workload;
use super::{Finding, Rule};
use crate::api::{Container, MetricSpec, PodSpec};
use crate::model::{Format, Quantity, Replicas, nearest};
use crate::snapshot::default_metric;
use crate::trace::{Calculation, Failure, Verdict};

/// A utilization of an HPA, measured on the pods of its target.
struct Utilization<'a> {
    hpa: &'a Subject<'a>,
    index: usize,
    metric: MetricSpec,
    workload: Workload<'a>,
    pods: PodSpec,
}

pub(super) fn check(set: &Set<'_>, hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(workload) = set.target(hpa) else { return };
    let written = &hpa.spec().metrics;
    let metrics = if written.is_empty() { vec![default_metric()] } else { written.clone() };
    for (index, metric) in metrics.into_iter().enumerate() {
        let Some(pods) = workload.pods() else { return };
        let utilization = Utilization { hpa, index, metric, workload, pods };
        findings.extend(utilization.check(set));
    }
}

impl Utilization<'_> {
    fn check(&self, set: &Set<'_>) -> Option<Finding> {
        let (name, container) = resource(&self.metric)?;
        if let Some(container) = container.filter(|name| !self.running().any(|(_, it)| it.name == **name)) {
            return Some(self.no_such_container(container));
        }
        match verdict(&self.metric, &self.workload, |_| Quantity::from_milli(1, Format::DecimalSI))? {
            Verdict::Failed(Failure::RequestGaps(_)) => {
                let is_set_later = companions::has_default(set, &self.workload, name)
                    || companions::sets_requests(set, self.hpa, name).is_some();
                (!is_set_later).then(|| self.no_request(name, container))
            }
            Verdict::Proposal(_) => {
                self.out_of_reach(name, container).or_else(|| self.sidecars_count(name, container))
            }
            _ => None,
        }
    }

    /// The containers that run, with their paths in the workload.
    fn running(&self) -> impl Iterator<Item = (String, &Container)> {
        let root = self.workload.template_path();
        let main = self.pods.containers.iter().enumerate();
        let main = main.map(move |(index, it)| (format!("{root}spec.containers[{index}]"), it));
        let sidecars = self.pods.init_containers.iter().enumerate().filter(|(_, it)| it.is_sidecar());
        main.chain(sidecars.map(move |(index, it)| (format!("{root}spec.initContainers[{index}]"), it)))
    }

    fn counted(&self, container: Option<&str>) -> Vec<(String, &Container)> {
        self.running().filter(|(_, it)| container.is_none_or(|name| name == it.name)).collect()
    }

    fn no_request(&self, resource: &str, container: Option<&str>) -> Finding {
        let counted = self.counted(container);
        let lacks = |it: &Container| it.resources.requests.get(resource).is_none();
        let missing: Vec<&str> =
            counted.iter().filter(|(_, it)| lacks(it)).map(|(_, it)| it.name.as_str()).collect();
        let place = counted.iter().find(|(_, it)| lacks(it)).map_or("", |(path, _)| path.as_str());
        let (who, verb) = match missing.as_slice() {
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
        let path = format!("{place}.resources");
        let finding = Finding::new(Rule::NoRequest, self.workload.place, path, message, help);
        let having: Vec<&Container> =
            counted.iter().filter(|(_, it)| !lacks(it)).map(|(_, it)| *it).collect();
        match having.as_slice() {
            [one] if container.is_none() => self.measured(finding, &one.name),
            _ => finding,
        }
    }

    fn no_such_container(&self, container: &str) -> Finding {
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

    /// The limits as a bound of the usage: the target is not met even there.
    fn out_of_reach(&self, resource: &str, container: Option<&str>) -> Option<Finding> {
        let counted = self.counted(container);
        // Limits of a pod as a whole bound its containers in a way of their own.
        let is_known = self.pods.resources.is_none();
        let is_limited = counted.iter().all(|(_, it)| it.resources.limits.get(resource).is_some());
        if !is_known || !is_limited {
            return None;
        }
        let at_limit = |target: Option<i32>| {
            let mut metric = self.metric.clone();
            if let (Some(target), Some(slot)) = (target, target_of(&mut metric)) {
                *slot = Some(target);
            }
            let limit = |it: &Container| it.resources.limits.get(resource).cloned().unwrap_or_default();
            verdict(&metric, &self.workload, limit)
        };
        let scales_up =
            |target| matches!(at_limit(target), Some(Verdict::Proposal(it)) if it.replicas > Replicas(1));
        if scales_up(None) {
            return None;
        }
        let target = *target_of(&mut self.metric.clone())?.as_ref()?;
        let highest = (1..target).rev().find(|target| scales_up(Some(*target)));
        let of = container.map_or_else(|| "the containers".to_owned(), |name| format!("container {name}"));
        let message = format!(
            "at its {resource} limits {of} of {} are not above the target of {target}% by more than the tolerance, so the \
             HPA never scales up by this metric",
            self.workload.shown(),
        );
        let (part, path) = self.target_path();
        let help = highest.map_or_else(
            || "raise the limits".to_owned(),
            |highest| format!("set a target of at most {highest}, or raise the limits"),
        );
        let finding = Finding::new(Rule::TargetOutOfReach, self.hpa.place, path, message, help);
        let metrics = self.metrics(|metric| metric[part]["target"]["averageUtilization"] = json!(highest));
        Some(match (highest, metrics) {
            (Some(_), Some(metrics)) => finding.patch(json!({"spec": {"metrics": metrics}})),
            _ => finding,
        })
    }

    /// The largest container at its whole request is not noticed while the others idle.
    fn sidecars_count(&self, resource: &str, container: Option<&str>) -> Option<Finding> {
        let counted = self.counted(container);
        let request = |it: &Container| it.resources.requests.get(resource).cloned().unwrap_or_default();
        // Of equal ones the first.
        let (_, main) =
            counted.iter().rev().max_by(|(_, one), (_, other)| request(one).cmp(&request(other)))?;
        let alone = |it: &Container| if it.name == main.name { request(it) } else { Quantity::default() };
        let Verdict::Proposal(proposal) = verdict(&self.metric, &self.workload, alone)? else { return None };
        if counted.len() < 2 || self.pods.resources.is_some() || proposal.replicas > Replicas(1) {
            return None;
        }
        let utilization = match &proposal.calculation {
            Calculation::PerPod(it) => it.first.utilization?.0,
            _ => return None,
        };
        let target = *target_of(&mut self.metric.clone())?.as_ref()?;
        if target > 100 {
            return None;
        }
        let message = format!(
            "the {resource} utilization counts all {} containers: if {} uses its whole request and the others nothing, it \
             is {utilization}%, which does not scale up (target {target}%)",
            counted.len(),
            main.name,
        );
        let help = format!("measure container {} alone, by a ContainerResource metric", main.name);
        let (_, path) = self.target_path();
        let finding = Finding::new(Rule::SidecarsCount, self.hpa.place, path, message, help);
        Some(self.measured(finding, &main.name))
    }

    /// With the patch that measures one container.
    fn measured(&self, finding: Finding, container: &str) -> Finding {
        let metrics = self.metrics(|metric| {
            let mut part = metric["resource"].take();
            part["container"] = json!(container);
            *metric = json!({"type": "ContainerResource", "containerResource": part});
        });
        match metrics {
            Some(metrics) => finding.patch_of(self.hpa.place, json!({"spec": {"metrics": metrics}})),
            None => finding,
        }
    }

    /// The metrics as they are written, one of them changed.
    fn metrics(&self, change: impl Fn(&mut Value)) -> Option<Value> {
        if self.hpa.written.text("/apiVersion") != "autoscaling/v2" {
            return None;
        }
        let default = || serde_json::to_value([default_metric()]).unwrap_or_default();
        let mut metrics = match self.hpa.written.value.pointer("/spec/metrics") {
            Some(Value::Array(list)) if !list.is_empty() => Value::Array(list.clone()),
            _ => default(),
        };
        change(metrics.get_mut(self.index)?);
        Some(metrics)
    }

    fn target_path(&self) -> (&'static str, String) {
        let part = if self.metric.kind == "Resource" { "resource" } else { "containerResource" };
        (part, format!("spec.metrics[{}].{part}.target.averageUtilization", self.index))
    }
}

fn target_of(metric: &mut MetricSpec) -> Option<&mut Option<i32>> {
    match (&mut metric.resource, &mut metric.container_resource) {
        (Some(it), _) if metric.kind == "Resource" => Some(&mut it.target.average_utilization),
        (_, Some(it)) => Some(&mut it.target.average_utilization),
        _ => None,
    }
}
