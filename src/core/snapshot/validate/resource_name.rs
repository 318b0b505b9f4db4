//! Names of resources that a container can request (upstream `ValidateContainerResourceName`).

use crate::model::naming::label_key;

/// Known to the system, by `pkg/apis/core/helper`; huge pages come in sizes.
const STANDARD: [&str; 20] = [
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "pods",
    "resourcequotas",
    "services",
    "replicationcontrollers",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "storage",
    "requests.storage",
    "services.nodeports",
    "services.loadbalancers",
];

/// What keeps a name from being that of a container's resource.
pub(super) fn container_resource(name: &str) -> Vec<String> {
    let mut problems = label_key(name);
    let is_plain = !name.contains('/');
    if problems.is_empty() && is_plain && !is_standard(name) {
        problems.push("must be a standard resource type or fully qualified".to_owned());
    }
    if is_plain && !matches!(name, "cpu" | "memory" | "ephemeral-storage") && !name.starts_with("hugepages-")
    {
        problems.push("must be a standard resource for containers".to_owned());
    }
    if !is_plain && !name.contains("kubernetes.io/") && !is_extended(name) {
        problems.push("doesn't follow extended resource name standard".to_owned());
    }
    problems
}

fn is_standard(name: &str) -> bool {
    STANDARD.contains(&name) || name.starts_with("hugepages-") || name.starts_with("requests.hugepages-")
}

/// A quota for it must be possible, so its name with `requests.` before it must be good too.
fn is_extended(name: &str) -> bool {
    !name.starts_with("requests.") && label_key(&format!("requests.{name}")).is_empty()
}
