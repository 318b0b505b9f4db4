//! What makes pods.

use serde::Deserialize;
use serde_json::Value;

use super::group::served_group;
use crate::api::PodSpec;
use crate::model::{LabelSelector, Labels, Selector};
use crate::snapshot::Written;

/// An object with a template of pods, or a pod.
pub(super) struct Workload<'a> {
    /// Its place in the list.
    pub place: usize,
    pub written: &'a Written,
    /// Where its pods' metadata and spec are.
    template: &'a Value,
    /// What its scale selects.
    pub selector: Option<Selector>,
    /// The labels of its pods.
    pub labels: Option<Labels>,
}

impl<'a> Workload<'a> {
    pub fn of(place: usize, written: &'a Written) -> Option<Self> {
        let value = &written.value;
        let template = match written.text("/kind") {
            "Pod" => Some(value),
            "CronJob" => value.pointer("/spec/jobTemplate/spec/template"),
            _ => value.pointer("/spec/template"),
        };
        // Templates of other things (of certificates, of cluster machines) have no containers.
        let template = template.filter(|template| template["spec"]["containers"].is_array())?;
        let labels = Labels::deserialize(&template["metadata"]["labels"]).ok();
        Some(Self { place, written, template, selector: selector(value), labels })
    }

    pub fn kind(&self) -> &'a str {
        self.written.text("/kind")
    }

    pub fn name(&self) -> &'a str {
        self.written.text("/metadata/name")
    }

    /// The group that serves it now.
    pub fn served_group(&self) -> &'a str {
        served_group(self.written.text("/apiVersion"))
    }

    /// As `Deployment web`.
    pub fn shown(&self) -> String {
        format!("{} {}", self.kind(), self.name())
    }

    /// The spec of its pods, with the requests that the API server fills in: a container's limit, if it has no request
    /// (`SetDefaults_Pod`).
    pub fn pods(&self) -> Option<PodSpec> {
        let mut spec = PodSpec::deserialize(&self.template["spec"]).ok()?;
        for container in spec.containers.iter_mut().chain(&mut spec.init_containers) {
            let resources = &mut container.resources;
            let missing: Vec<_> = resources
                .limits
                .iter()
                .filter(|(name, _)| resources.requests.get(name).is_none())
                .map(|(name, limit)| (name.to_owned(), limit.clone()))
                .collect();
            for (name, limit) in missing {
                resources.requests.set(&name, limit);
            }
        }
        Some(spec)
    }

    /// Where the template is in the object.
    pub fn template_path(&self) -> &'static str {
        match self.kind() {
            "Pod" => "",
            "CronJob" => "spec.jobTemplate.spec.template.",
            _ => "spec.template.",
        }
    }
}

/// What the scale of a workload selects. In a ReplicationController and a DeploymentConfig the labels stand there
/// themselves.
fn selector(workload: &Value) -> Option<Selector> {
    let selector = workload.pointer("/spec/selector")?;
    let fields = selector.as_object().filter(|fields| !fields.is_empty())?;
    let is_plain = !["matchLabels", "matchExpressions"].iter().any(|name| fields.contains_key(*name));
    let selector = if is_plain {
        LabelSelector { match_labels: Labels::deserialize(selector).ok()?, ..LabelSelector::default() }
    } else {
        LabelSelector::deserialize(selector).ok()?
    };
    selector.to_selector().ok()
}
