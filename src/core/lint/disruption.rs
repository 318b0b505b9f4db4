//! PodDisruptionBudgets that let no pod go while an HPA is at its minimum.

use serde_json::{Value, json};

use super::node_room::shown;
use super::set::{Set, Subject};
use super::workload::Workload;
use super::{Finding, Rule};
use crate::model::{LabelSelector, Selector};
use crate::snapshot::Written;
use serde::Deserialize;

pub(super) fn check(set: &Set<'_>, hpa: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(workload) = set.target(hpa) else { return };
    let min = i64::from(hpa.spec().min_replicas.unwrap_or(1));
    // At zero there is no pod to be evicted.
    let budgets = if min > 0 { set.budgets(workload) } else { std::collections::BTreeMap::new() };
    let blocking = budgets.into_iter().filter_map(|(place, budget)| {
        let selector = selector(budget)?;
        // With pods of others the budget is of them all, and how many there are is not known.
        let is_shared = || set.others(workload).any(|other| is_selected(&selector, other));
        let rule = Budget::of(budget).filter(|_| is_selected(&selector, workload))?;
        (rule.disruptions_at(min) <= 0 && !is_shared()).then_some((place, budget, rule))
    });
    findings.extend(blocking.map(|(place, budget, rule)| {
        let pods = if min == 1 { "the only pod".to_owned() } else { format!("any of {min} pods") };
        let message = format!(
            "PDB {} ({} {}) does not let {pods} of {} be evicted while HPA {} is at its minimum: a drain of a node waits",
            budget.text("/metadata/name"),
            rule.field,
            shown(&budget.value["spec"][rule.field]),
            workload.shown(),
            hpa.name()
        );
        let path = format!("spec.{}", rule.field);
        Finding::new(
            Rule::PdbBlocksDrain,
            place,
            path,
            message,
            "write maxUnavailable: 1, or raise minReplicas",
        )
        .patch(json!({"spec": {"minAvailable": null, "maxUnavailable": 1}}))
    }));
}

/// What a budget selects; `None` if that is all pods of the namespace, of which others may be, or cannot be parsed.
fn selector(budget: &Written) -> Option<Selector> {
    let selector = LabelSelector::deserialize(&budget.value["spec"]["selector"]).ok()?;
    let is_of_all = selector.match_labels.is_empty() && selector.match_expressions.is_empty();
    selector.to_selector().ok().filter(|_| !is_of_all)
}

fn is_selected(selector: &Selector, workload: &Workload<'_>) -> bool {
    workload.labels.as_ref().is_some_and(|labels| selector.matches(labels))
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
