//! What the API server refuses of a pod, as far as it bears on requests.

use std::sync::Arc;

use super::findings::Findings;
use super::in_one;
use crate::api;
use crate::model::go_text::quote;
use crate::snapshot::CaseError;

/// Validates the pods of a case: all violations of the first bad pod in one error.
pub(in crate::snapshot) fn pods(items: &[Arc<api::Pod>]) -> Result<(), CaseError> {
    items.iter().enumerate().try_for_each(|(index, pod)| {
        let mut findings = Findings::default();
        findings.name("metadata.name", &pod.metadata.name);
        requests_of(pod, &mut findings);
        in_one(findings.into_list(), &format!("pods.items[{index}]"))
    })
}

fn requests_of(pod: &api::Pod, findings: &mut Findings) {
    for (list, containers) in
        [("containers", &pod.spec.containers), ("initContainers", &pod.spec.init_containers)]
    {
        for (index, container) in containers.iter().enumerate() {
            let path = || format!("spec.{list}[{index}].resources.requests");
            not_negative(&container.resources.requests, path, findings);
        }
    }
    if let Some(resources) = &pod.spec.resources {
        not_negative(&resources.requests, || "spec.resources.requests".to_owned(), findings);
    }
    not_negative(&pod.spec.overhead, || "spec.overhead".to_owned(), findings);
}

/// `ValidateNonnegativeQuantity`.
fn not_negative(amounts: &api::ResourceList, path: impl Fn() -> String, findings: &mut Findings) {
    for (name, amount) in amounts.iter().filter(|(_, amount)| amount.is_negative()) {
        let value = quote(&amount.to_string());
        findings.invalid(format!("{}[{name}]", path()), value, "must be greater than or equal to 0");
    }
}
