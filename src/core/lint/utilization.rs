//! A utilization of an HPA, measured on the pods of its target.

use serde_json::{Value, json};

use super::Finding;
use super::companions;
use super::metric::MEASURED;
use super::rehearsal::{resource, verdict};
use super::set::{Set, Subject};
use super::workload::Workload;
use crate::api::{Container, MetricSpec, PodSpec};
use crate::model::{Format, Quantity};
use crate::snapshot::default_metric;
use crate::trace::{Failure, Verdict};

/// A utilization of an HPA, measured on the pods of its target.
pub(super) struct Utilization<'a> {
    pub hpa: &'a Subject<'a>,
    /// Its place in the spec.
    pub index: usize,
    pub metric: MetricSpec,
    pub workload: &'a Workload<'a>,
    pub pods: PodSpec,
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
        let named =
            self.metric.container_resource.as_ref().filter(|_| self.metric.kind == "ContainerResource");
        if let Some(source) = named.filter(|it| self.counted(Some(&it.container)).is_empty()) {
            return Some(self.no_such_container(&source.container));
        }
        if let Some(finding) = self.absolute_out_of_reach() {
            return Some(finding);
        }
        let (name, container) = resource(&self.metric)?;
        if !MEASURED.contains(&name) {
            return None;
        }
        match verdict(&self.metric, self.workload, |_| Quantity::from_milli(1, Format::DecimalSI))? {
            Verdict::Failed(Failure::RequestGaps(_)) => {
                let is_set_later = companions::has_default(set, self.workload, name)
                    || companions::sets_requests(set, self.hpa, name).is_some();
                if is_set_later { None } else { self.no_request(name, container) }
            }
            Verdict::Failed(Failure::NoKnownPods)
                if companions::sets_requests(set, self.hpa, name).is_none() =>
            {
                self.zero_requests(name, container)
            }
            Verdict::Proposal(_) => {
                self.out_of_reach(name, container).or_else(|| self.sidecars_count(name, container))
            }
            _ => None,
        }
    }

    /// The containers that run, with their paths in the workload.
    pub fn running(&self) -> impl Iterator<Item = (String, &Container)> {
        let root = self.workload.template_path();
        let main = self.pods.containers.iter().enumerate();
        let main = main.map(move |(index, it)| (format!("{root}spec.containers[{index}]"), it));
        let sidecars = self.pods.init_containers.iter().enumerate().filter(|(_, it)| it.is_sidecar());
        main.chain(sidecars.map(move |(index, it)| (format!("{root}spec.initContainers[{index}]"), it)))
    }

    /// The containers that a metric looks at: one, or all that run.
    pub fn counted(&self, container: Option<&str>) -> Vec<(String, &Container)> {
        self.running().filter(|(_, it)| container.is_none_or(|name| name == it.name)).collect()
    }

    /// With the patch that measures one container.
    pub fn measured(&self, finding: Finding, container: &str) -> Finding {
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
    pub fn metrics(&self, change: impl Fn(&mut Value)) -> Option<Value> {
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

    /// The part of the metric that has the target, and the target's path.
    pub fn target_path(&self) -> (&'static str, String) {
        let part = if self.metric.kind == "Resource" { "resource" } else { "containerResource" };
        (part, format!("spec.metrics[{}].{part}.target.averageUtilization", self.index))
    }
}
