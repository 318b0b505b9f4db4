//! `kubectl hpa rbac`: the least rights, with the reason of each.

use std::io::Write;

use super::Ending;
use crate::cli::RbacArgs;
use crate::render::sanitize;

/// What is read. Whoever lacks one of these is told what it would have added.
const READS: &str = "\
rules:
# The HPA; and the others of its namespace, as two that select the same pods stop each other.
- apiGroups: [autoscaling]
  resources: [horizontalpodautoscalers]
  verbs: [get, list]
# The scale of its target, of any kind, and of the others' targets.
- apiGroups: ['*']
  resources: ['*/scale']
  verbs: [get]
# The pods that the scale selects; the events that tell what the controller did before.
- apiGroups: ['']
  resources: [pods, events]
  verbs: [list]
# The target itself: who set its replicas last. Add the kinds of your own.
- apiGroups: [apps]
  resources: [deployments, statefulsets]
  verbs: [get]
# What is measured: cpu and memory, Pods and Object metrics, External metrics.
- apiGroups: [metrics.k8s.io]
  resources: [pods]
  verbs: [list]
- apiGroups: [custom.metrics.k8s.io]
  resources: ['*']
  verbs: [get]
- apiGroups: [external.metrics.k8s.io]
  resources: ['*']
  verbs: [list]
";

/// What is written, and what tells who would take it back.
const WRITES: &str = "\
# simulate --apply.
- apiGroups: [autoscaling]
  resources: [horizontalpodautoscalers]
  verbs: [patch]
# explain --apply, for targets of any kind.
- apiGroups: ['*']
  resources: ['*/scale']
  verbs: [patch]
";

/// The flags of the controller.
const FLAGS: &str = "\
---
# The flags of kube-controller-manager are the command line of its pod. Without this its defaults are assumed.
# Its lease tells since when it has led: it remembers nothing from before. Without this it is taken not to have restarted.
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: kubectl-hpa-flags
  namespace: kube-system
rules:
- apiGroups: ['']
  resources: [pods]
  verbs: [list]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  resourceNames: [kube-controller-manager]
  verbs: [get]
";

/// Prints the roles.
pub fn run(args: &RbacArgs, out: &mut dyn Write) -> anyhow::Result<Ending> {
    let kind = if args.namespace.is_some() { "Role" } else { "ClusterRole" };
    writeln!(out, "apiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}\nmetadata:\n  name: kubectl-hpa")?;
    if let Some(namespace) = &args.namespace {
        writeln!(out, "  namespace: {}", sanitize(namespace))?;
    }
    write!(out, "{READS}{}{FLAGS}", if args.apply { WRITES } else { "" })?;
    Ok(Ending::Done)
}
