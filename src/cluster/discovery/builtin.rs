//! The built-in kinds that HPAs name, for those who may not ask the API server what it serves.

use super::groups::{Group, Resource, Version};

/// The groups of the built-in kinds, each in the one version that it has had since 1.16.
pub(super) fn groups() -> Vec<Group> {
    vec![
        group(
            "",
            &[
                ("replicationcontrollers", "ReplicationController", "rc"),
                ("pods", "Pod", "po"),
                ("services", "Service", "svc"),
                ("namespaces", "Namespace", "ns"),
            ],
        ),
        group(
            "apps",
            &[
                ("deployments", "Deployment", "deploy"),
                ("statefulsets", "StatefulSet", "sts"),
                ("replicasets", "ReplicaSet", "rs"),
            ],
        ),
    ]
}

fn group(name: &str, resources: &[(&str, &str, &str)]) -> Group {
    let resource =
        |&(plural, kind, short): &(&str, &str, &str)| Resource::new(plural, kind, vec![short.into()]);
    Group::new(name, vec![Version::new("v1", resources.iter().map(resource).collect())])
}
