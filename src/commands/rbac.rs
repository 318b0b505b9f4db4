//! `kubectl hpa rbac`: the least rights, with the reason of each.

use std::io::{self, Write};

use k8s_openapi::api::rbac::v1::{ClusterRole, PolicyRule, Role};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::Serialize;

use super::Ending;
use crate::cli::RbacArgs;
use crate::render::yaml_lines;

/// A right, and what it is for.
struct Right {
    reason: &'static str,
    group: &'static str,
    /// With spaces between them, as the verbs.
    resources: &'static str,
    name: Option<&'static str>,
    verbs: &'static str,
}

const fn right(
    reason: &'static str,
    group: &'static str,
    resources: &'static str,
    verbs: &'static str,
) -> Right {
    Right { reason, group, resources, name: None, verbs }
}

/// Read rights. Whoever lacks one of these is told what it would have added.
const READS: &[Right] = &[
    right(
        "The HPA, and the others of its namespace: two that select the same pods stop each other.",
        "autoscaling",
        "horizontalpodautoscalers",
        "get list",
    ),
    right("The scale of its target, of any kind, and of the others' targets.", "*", "*/scale", "get"),
    right(
        "The pods that the scale selects; the events that show what the controller did before.",
        "",
        "pods events",
        "list",
    ),
    right(
        "The target itself, to see who set its replicas last. Add your own kinds. With list, many HPAs take few requests.",
        "apps",
        "deployments statefulsets replicasets",
        "get list",
    ),
    right("The cpu and memory usage of the pods.", "metrics.k8s.io", "pods", "list"),
    right("Pods and Object metrics.", "custom.metrics.k8s.io", "*", "get"),
    right("External metrics.", "external.metrics.k8s.io", "*", "list"),
];

/// What lint reads of a cluster besides: explain decides nothing by it.
const LINT: &[Right] = &[
    right(
        "LimitRanges set requests when pods are created; quotas limit the pods of the namespace.",
        "",
        "limitranges resourcequotas",
        "list",
    ),
    right(
        "VPAs that change the requests of an HPA's pods.",
        "autoscaling.k8s.io",
        "verticalpodautoscalers",
        "list",
    ),
    right("The objects from which KEDA makes HPAs.", "keda.sh", "scaledobjects", "list"),
];

/// Of the whole cluster, too.
const NODES: Right = right("The nodes, to see if they have room for maxReplicas.", "", "nodes", "list");

/// Of the whole cluster, so no role of a namespace can give it.
const API_SERVICES: Right = right(
    "Only needed behind some proxies: to tell a dead metrics API from a proxy's error.",
    "apiregistration.k8s.io",
    "apiservices",
    "get",
);

/// What is written, and what tells who would take it back.
const WRITES: &[Right] = &[
    right("simulate --apply.", "autoscaling", "horizontalpodautoscalers", "patch"),
    right("explain --apply, for targets of any kind.", "*", "*/scale", "patch"),
];

/// The memory and the settings of the controller.
const FLAGS: &[Right] = &[
    right(
        "The flags of kube-controller-manager are the command line of its pod; kube-apiserver's say how long \
         events are kept. Without this right the defaults are assumed.",
        "",
        "pods",
        "list",
    ),
    Right {
        name: Some("kube-controller-manager"),
        ..right(
            "Its lease shows since when it has been the leader: it remembers nothing from before. Without this right \
             no restart is assumed.",
            "coordination.k8s.io",
            "leases",
            "get",
        )
    },
];

impl Right {
    fn rule(&self) -> PolicyRule {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect();
        PolicyRule {
            api_groups: Some(words(self.group)),
            resources: Some(words(self.resources)),
            resource_names: self.name.map(words),
            verbs: words(self.verbs),
            ..PolicyRule::default()
        }
    }
}

/// Prints the roles.
pub fn run(args: &RbacArgs, out: &mut dyn Write) -> anyhow::Result<Ending> {
    let writes = if args.apply { WRITES } else { &[] };
    let of_lint = if args.lint { LINT } else { &[] };
    if let Some(namespace) = &args.namespace {
        let role = Role { metadata: named("kubectl-hpa", Some(namespace)), ..Role::default() };
        print(out, &role, READS.iter().chain(of_lint).chain(writes))?;
    } else {
        let role = ClusterRole { metadata: named("kubectl-hpa", None), ..ClusterRole::default() };
        let of_nodes = args.lint.then_some(&NODES);
        let reads = READS.iter().chain([&API_SERVICES]).chain(of_lint).chain(of_nodes);
        print(out, &role, reads.chain(writes))?;
    }
    writeln!(out, "---")?;
    let role = Role { metadata: named("kubectl-hpa-flags", Some("kube-system")), ..Role::default() };
    print(out, &role, FLAGS.iter())?;
    Ok(Ending::Done)
}

fn named(name: &str, namespace: Option<&str>) -> ObjectMeta {
    ObjectMeta {
        name: Some(name.to_owned()),
        namespace: namespace.map(ToOwned::to_owned),
        ..ObjectMeta::default()
    }
}

/// A role without rules, then its rules one by one: no YAML writer has comments.
fn print<'a>(
    out: &mut dyn Write,
    role: &impl Serialize,
    rights: impl Iterator<Item = &'a Right>,
) -> io::Result<()> {
    writeln!(out, "{}rules:", yaml_lines(role)?)?;
    for right in rights {
        write!(out, "# {}\n{}", right.reason, yaml_lines(&[right.rule()])?)?;
    }
    Ok(())
}
