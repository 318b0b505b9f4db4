//! PodDisruptionBudgets that let no pod go while an HPA is at its minimum.

use serde_json::{Value, json};

use super::node_room::shown;
use super::set::{Set, Subject};
use super::workload::Workload;
use super::{Finding, Rule};
use crate::model::LabelSelector;
use crate::snapshot::Written;
use serde::Deserialize;

pub(super) fn check(set: &Set<'_>, hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(workload) = set.target(hpa) else { return };
    let min = i64::from(hpa.spec().min_replicas.unwrap_or(1).max(1));
    let blocking = set.budgets(workload).into_iter().filter_map(|(place, budget)| {
        let rule = selects(budget, workload).then(|| Budget::of(budget)).flatten()?;
        (rule.disruptions_at(min) <= 0).then_some((place, budget, rule))
    });
    findings.extend(blocking.map(|(place, budget, rule)| {
        let pods = if min == 1 { "the only pod".to_owned() } else { format!("any of {min} pods") };
        let message = format!(
            "PDB {} ({} {}) does not let {pods} of {} be evicted while HPA {} is at its minimum: a drain of their node waits",
            budget.text("/metadata/name"),
            rule.field,
            shown(&budget.value["spec"][rule.field]),
            workload.shown(),
            hpa.name()
        );
        let path = format!("spec.{}", rule.field);
        Finding::new(Rule::PdbBlocksDrain, place, path, message, "write maxUnavailable: 1, or raise minReplicas")
            .patch(json!({"spec": {"minAvailable": null, "maxUnavailable": 1}}))
    }));
}

/// In policy/v1 an empty selector selects all pods of the namespace.
fn selects(budget: &Written, workload: &Workload<'_>) -> bool {
    let selector = LabelSelector::deserialize(&budget.value["spec"]["selector"]);
    let selector = selector.ok().and_then(|selector| selector.to_selector().ok());
    matches!((selector, &workload.labels), (Some(selector), Some(labels)) if selector.matches(labels))
}

/// One bound of a PodDisruptionBudget; the API server takes one of the two.
struct Budget {
    field: &'static str,
    count: Count,
}

/// A number of pods, or a percentage of them.
enum Count {
    Pods(i64),
    Percent(i64),
}

impl Budget {
    fn of(budget: &Written) -> Option<Self> {
        ["minAvailable", "maxUnavailable"].into_iter().find_map(|field| {
            let count = match &budget.value["spec"][field] {
                Value::Number(number) => Count::Pods(number.as_i64()?),
                Value::String(text) => Count::Percent(text.strip_suffix('%')?.parse().ok()?),
                _ => return None,
            };
            Some(Self { field, count })
        })
    }

    /// How many of so many healthy pods may be evicted. A percentage is rounded up (`getExpectedPodCount` of the disruption
    /// controller).
    fn disruptions_at(&self, pods: i64) -> i64 {
        let count = match self.count {
            Count::Pods(count) => count,
            Count::Percent(percent) => percent.saturating_mul(pods).saturating_add(99).div_euclid(100),
        };
        if self.field == "minAvailable" { pods.saturating_sub(count) } else { count.min(pods) }
    }
}
