//! Whether there is room for as many pods as an HPA may ask for: in the quota of its namespace, and on all nodes. Both are
//! upper bounds: what else needs the room is not counted.

use super::node_room::{quantity, shown};
use super::set::{Set, Subject};
use super::workload::Workload;
use super::{Finding, Rule};
use crate::api::{Container, PodSpec};
use crate::model::Quantity;
use crate::snapshot::Written;

pub(super) fn check(set: &Set<'_>, hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(workload) = set.target(hpa) else { return };
    // What a pod as a whole requests replaces the sum of its containers.
    let Some(pods) = workload.pods().filter(|pods| pods.resources.is_none()) else { return };
    let need = Need { hpa, workload, pods, max: f64::from(hpa.spec().max_replicas) };
    findings.extend(set.beside(workload.written, "ResourceQuota").find_map(|quota| need.quota(quota)));
    findings.extend(need.nodes(set));
}

/// What the target needs at `maxReplicas`.
struct Need<'a> {
    hpa: &'a Subject<'a>,
    workload: &'a Workload<'a>,
    pods: PodSpec,
    max: f64,
}

/// The fields of a quota that pods count in: what is counted, and whether limits count instead of requests.
const COUNTED: [(&str, &str, bool); 7] = [
    ("pods", "pods", false),
    ("cpu", "cpu", false),
    ("requests.cpu", "cpu", false),
    ("memory", "memory", false),
    ("requests.memory", "memory", false),
    ("limits.cpu", "cpu", true),
    ("limits.memory", "memory", true),
];

impl Need<'_> {
    fn quota(&self, quota: &Written) -> Option<Finding> {
        // With scopes it counts only some pods, and which is not in the template alone.
        let is_of_all = quota
            .value
            .pointer("/spec/scopes")
            .is_none_or(|scopes| scopes.as_array().is_some_and(Vec::is_empty))
            && quota.value.pointer("/spec/scopeSelector").is_none();
        let hard = quota.value.pointer("/spec/hard").filter(|_| is_of_all)?;
        let (field, fits) = COUNTED
            .into_iter()
            .filter_map(|(field, counted, is_limits)| {
                let fits = quantity(&hard[field])? / self.of_pod(counted, is_limits)?;
                Some((field, floor(fits)))
            })
            .min_by(|(_, one), (_, other)| one.total_cmp(other))?;
        (fits < self.max).then(|| {
            let message = format!(
                "ResourceQuota {} has room for at most {} of {} ({field} {}), and maxReplicas is {}",
                quota.text("/metadata/name"),
                pods(fits),
                self.workload.shown(),
                shown(&hard[field]),
                self.max
            );
            let help = "raise the quota, or lower maxReplicas or the requests";
            Finding::new(Rule::MaxBeyondQuota, self.hpa.place, "spec.maxReplicas", message, help)
        })
    }

    fn nodes(&self, set: &Set<'_>) -> Option<Finding> {
        let nodes = set.nodes()?;
        let fits = [("cpu", nodes.cpu), ("memory", nodes.memory), ("pods", nodes.pods)];
        let fits =
            fits.into_iter().filter_map(|(name, room)| Some((name, floor(room / self.of_pod(name, false)?))));
        let (name, fits) = fits.min_by(|(_, one), (_, other)| one.total_cmp(other))?;
        (fits < self.max).then(|| {
            let of_nodes = match nodes.count {
                1 => "the only schedulable node has".to_owned(),
                number => format!("the {number} schedulable nodes together have"),
            };
            let message = format!(
                "even empty, {of_nodes} room for at most {} of {} ({name}), and maxReplicas is {}",
                pods(fits),
                self.workload.shown(),
                self.max
            );
            let help = "add nodes, let a cluster autoscaler add them, or lower maxReplicas or the requests";
            Finding::new(Rule::MaxBeyondNodes, self.hpa.place, "spec.maxReplicas", message, help)
        })
    }

    /// What one pod takes of a resource at least; `None` if it takes none.
    fn of_pod(&self, resource: &str, is_limits: bool) -> Option<f64> {
        if resource == "pods" {
            return Some(1.0);
        }
        let of = |it: &Container| {
            let resources = if is_limits { &it.resources.limits } else { &it.resources.requests };
            resources.get(resource).map_or(0.0, Quantity::as_approximate_f64)
        };
        let sum: f64 = self.pods.running().map(of).sum();
        (sum > 0.0).then_some(sum)
    }
}

/// Whole pods. 0.3 of 0.1 is 3, not 2.
fn floor(fits: f64) -> f64 {
    (fits * (1.0 + 1e-9)).floor()
}

fn pods(number: f64) -> String {
    if (number - 1.0).abs() < f64::EPSILON { "1 pod".to_owned() } else { format!("{number} pods") }
}
