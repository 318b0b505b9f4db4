//! What the API server asks of an HPA besides when it is written: `validationOptionsForHorizontalPodAutoscaler`.

use super::findings::{Findings, Violation};
use super::spec::validate;
use crate::api::{Hpa, HpaSpec, ObjectMeta, ObjectReference};
use crate::model::GroupVersion;
use crate::model::go_text::quote;
use crate::model::naming::{dns_label, dns_subdomain, label_key, label_value};

/// Every reason why the API server would refuse a manifest, whatever is stored.
#[must_use]
pub fn validate_manifest(hpa: &Hpa) -> Vec<Violation> {
    let mut findings = Findings::default();
    metadata(&hpa.metadata, &mut findings);
    scale_to_zero(&hpa.spec, &mut findings);
    [findings.into_list(), validate(&hpa.spec)].concat()
}

/// `ValidateObjectMeta`, for what is decoded of it.
fn metadata(metadata: &ObjectMeta, findings: &mut Findings) {
    let ObjectMeta { name, namespace, labels, .. } = metadata;
    let mut refuse = |path: &str, value: &str, problems: Vec<String>| {
        for problem in problems {
            findings.invalid(path.to_owned(), quote(value), &problem);
        }
    };
    if !name.is_empty() {
        refuse("metadata.name", name, dns_subdomain(name));
    }
    if !namespace.is_empty() {
        refuse("metadata.namespace", namespace, dns_label(namespace));
    }
    for (key, value) in labels.iter() {
        let path = format!("metadata.labels[{key}]");
        refuse(&path, key, label_key(key));
        refuse(&path, value, label_value(value));
    }
    if name.is_empty() {
        findings.required("metadata.name".to_owned(), "name or generateName is required");
    }
}

/// Why the API server would refuse a spec instead of the stored one, besides what it would refuse of any.
#[must_use]
pub fn validate_change(stored: &HpaSpec, spec: &HpaSpec) -> Vec<Violation> {
    let mut findings = Findings::default();
    if spec != stored {
        scale_to_zero(spec, &mut findings);
    }
    findings.into_list()
}

/// `validateMetrics`. What is stored may break this rule: defaults come later.
fn scale_to_zero(spec: &HpaSpec, findings: &mut Findings) {
    let holds = spec.metrics.iter().any(|metric| matches!(metric.kind.as_str(), "Object" | "External"));
    if spec.min_replicas == Some(0) && !holds {
        let words = "must specify at least one Object or External metric to support scaling to zero replicas";
        findings.forbidden("spec.metrics".to_owned(), words);
    }
}

/// Why the API server would refuse the version of a target that is not the stored one's (`ValidateAPIVersion`).
#[must_use]
pub fn validate_target(target: &ObjectReference, stored: Option<&ObjectReference>) -> Option<Violation> {
    let is_stored =
        stored.is_some_and(|stored| stored.api_version == target.api_version && stored.kind == target.kind);
    if is_stored {
        return None;
    }
    let problem = match GroupVersion::parse(&target.api_version) {
        Err(error) => error.to_string(),
        Ok(version) if version.group.is_empty() && target.kind != "ReplicationController" => {
            "apiVersion must specify API group".to_owned()
        }
        Ok(_) => return None,
    };
    let mut findings = Findings::default();
    findings.invalid("spec.scaleTargetRef.apiVersion".to_owned(), quote(&target.api_version), &problem);
    findings.into_list().pop()
}
