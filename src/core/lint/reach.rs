//! How far a utilization can go, and what it counts besides the container that works.

use serde_json::json;

use super::metric::resource as measured;
use super::rehearsal::verdict;
use super::utilization::Utilization;
use super::{Finding, Rule};
use crate::api::{Container, MetricSpec};
use crate::model::{Format, Quantity, Replicas};
use crate::trace::{Calculation, Verdict};

impl Utilization<'_> {
    /// The limits as a bound of the usage: the target is not met even there.
    pub(super) fn out_of_reach(&self, resource: &str, container: Option<&str>) -> Option<Finding> {
        let counted = self.counted(container);
        // Limits of a pod as a whole bound its containers in a way of their own.
        let is_known = self.pods.resources.is_none();
        let is_limited = counted.iter().all(|(_, it)| it.resources.limits.get(resource).is_some());
        if !is_known || !is_limited {
            return None;
        }
        let at_limit = |target: Option<i32>| {
            let mut metric = self.metric.clone();
            if let (Some(target), Some(slot)) = (target, target_of(&mut metric)) {
                *slot = Some(target);
            }
            let limit = |it: &Container| it.resources.limits.get(resource).cloned().unwrap_or_default();
            verdict(&metric, self.workload, limit)
        };
        let scales_up =
            |target| matches!(at_limit(target), Some(Verdict::Proposal(it)) if it.replicas > Replicas(1));
        if scales_up(None) {
            return None;
        }
        let target = *target_of(&mut self.metric.clone())?.as_ref()?;
        let highest = highest(target, |target| scales_up(Some(target)));
        let of = self.workload.shown();
        let who = container.map_or_else(
            || format!("even at their {resource} limits the containers of {of} use"),
            |name| format!("even at its {resource} limit container {name} of {of} uses"),
        );
        let whole = match at_limit(None) {
            Some(Verdict::Proposal(it)) => match &it.calculation {
                Calculation::PerPod(it) => it.first.utilization.map(|it| it.0),
                Calculation::Total(_) | Calculation::PerReplica(_) => None,
            },
            _ => None,
        };
        let uses = match whole {
            Some(used) if used > target => {
                format!("{used}% of the request, within the tolerance of the target of {target}%")
            }
            Some(used) => format!("{used}% of the request, and the target is {target}%"),
            None => format!("no more of the request than the target of {target}% and its tolerance"),
        };
        let message = format!("{who} {uses}: this metric never scales up");
        let (part, path) = self.target_path();
        let help = highest.map_or_else(
            || "raise the limits".to_owned(),
            |highest| format!("set a target of at most {highest}, or raise the limits"),
        );
        let finding = Finding::new(Rule::TargetOutOfReach, self.hpa.place, path, message, help);
        let metrics = self.metrics(|metric| metric[part]["target"]["averageUtilization"] = json!(highest));
        Some(match (highest, metrics) {
            (Some(_), Some(metrics)) => finding.patch(json!({"spec": {"metrics": metrics}})),
            _ => finding,
        })
    }

    /// The same of a target in units of the resource: an `AverageValue`. The fix leaves a tenth between what it needs and the
    /// limits, at which cpu is throttled and memory ends the container.
    pub(super) fn absolute_out_of_reach(&self) -> Option<Finding> {
        let (part, name, target) = measured(&self.metric)?;
        let target = target.average_value.as_ref()?;
        let container = self.metric.container_resource.as_ref().filter(|_| part == "containerResource");
        let counted = self.counted(container.map(|it| it.container.as_str()));
        let limits: Option<Vec<_>> = counted.iter().map(|(_, it)| it.resources.limits.get(name)).collect();
        if limits.is_none() && name == "cpu" {
            return self.whole_cores(part, target);
        }
        let limits = limits.filter(|limits| !limits.is_empty() && self.pods.resources.is_none())?;
        let scales_up = |target: &Quantity, percent: i64| {
            let mut metric = self.metric.clone();
            let slots = [
                metric.resource.as_mut().map(|it| &mut it.target),
                metric.container_resource.as_mut().map(|it| &mut it.target),
            ];
            slots.into_iter().flatten().for_each(|it| it.average_value = Some(target.clone()));
            let used = |it: &Container| {
                let limit = it.resources.limits.get(name).map_or(0, Quantity::milli_value);
                part_of(limit, percent)
            };
            matches!(verdict(&metric, self.workload, used), Some(Verdict::Proposal(it)) if it.replicas > Replicas(1))
        };
        if scales_up(target, 100) {
            return None;
        }
        let sum = limits.iter().map(|it| it.milli_value()).fold(0, i64::saturating_add);
        let reached = part_of(sum, 80);
        let message = format!(
            "even at their {name} limits the containers of {} use {}, and the target is {target}: this metric never scales up",
            self.workload.shown(),
            shown_amount(name, sum)
        );
        let path = format!("spec.metrics[{}].{part}.target.averageValue", self.index);
        let finding = |help: String| {
            Finding::new(Rule::TargetOutOfReach, self.hpa.place, path.clone(), message.clone(), help)
        };
        if !scales_up(&reached, 90) {
            return Some(finding("lower the target, or raise the limits".to_owned()));
        }
        let meant = shown_amount(name, reached.milli_value());
        let finding = finding(format!("set a target of at most {meant}, or raise the limits"));
        let metrics = self.metrics(|metric| metric[part]["target"]["averageValue"] = json!(meant));
        Some(match metrics {
            Some(metrics) => finding.patch(json!({"spec": {"metrics": metrics}})),
            None => finding,
        })
    }

    /// More cores than all but the largest machines have: without the unit, thousandths of a core are cores.
    fn whole_cores(&self, part: &str, target: &Quantity) -> Option<Finding> {
        if target.milli_value() < MANY_CORES * 1_000 {
            return None;
        }
        let message = format!("the target is {target} whole cores of cpu per pod, which hardly any pod uses");
        let path = format!("spec.metrics[{}].{part}.target.averageValue", self.index);
        let help = format!("write {target}m if thousandths of a core were meant");
        Some(Finding::new(Rule::TargetOutOfReach, self.hpa.place, path, message, help))
    }

    /// The largest container at its whole request is not noticed while the others idle.
    pub(super) fn sidecars_count(&self, resource: &str, container: Option<&str>) -> Option<Finding> {
        let counted = self.counted(container);
        let request = |it: &Container| it.resources.requests.get(resource).cloned().unwrap_or_default();
        // Of equal ones the first.
        let (_, main) =
            counted.iter().rev().max_by(|(_, one), (_, other)| request(one).cmp(&request(other)))?;
        let alone = |it: &Container| if it.name == main.name { request(it) } else { Quantity::default() };
        let Verdict::Proposal(proposal) = verdict(&self.metric, self.workload, alone)? else { return None };
        if counted.len() < 2 || self.pods.resources.is_some() || proposal.replicas > Replicas(1) {
            return None;
        }
        let utilization = match &proposal.calculation {
            Calculation::PerPod(it) => it.first.utilization?.0,
            _ => return None,
        };
        let target = *target_of(&mut self.metric.clone())?.as_ref()?;
        if target > 100 {
            return None;
        }
        let message = format!(
            "the {resource} utilization counts all {} containers: if {} uses its whole request and the others nothing, it \
             is {utilization}%, which does not scale up (target {target}%)",
            counted.len(),
            main.name,
        );
        let help = format!("measure container {} alone, by a ContainerResource metric", main.name);
        let (_, path) = self.target_path();
        let finding = Finding::new(Rule::SidecarsCount, self.hpa.place, path, message, help);
        Some(self.measured(finding, &main.name))
    }
}

/// The highest number from 1 up to `limit`, exclusive, that is accepted; all numbers below it are accepted, too.
fn highest(limit: i32, accepts: impl Fn(i32) -> bool) -> Option<i32> {
    let (mut low, mut high) = (0, limit);
    while high.saturating_sub(low) > 1 {
        let middle = i32::midpoint(low, high);
        if accepts(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low > 0).then_some(low)
}

const MANY_CORES: i64 = 50;

/// So many percent of an amount in thousandths.
fn part_of(milli: i64, percent: i64) -> Quantity {
    let part = i128::from(milli) * i128::from(percent) / 100;
    Quantity::from_milli(i64::try_from(part).unwrap_or(i64::MAX), Format::DecimalSI)
}

/// An amount in the unit that people use for the resource, never more than it is.
fn shown_amount(resource: &str, milli: i64) -> String {
    const MEBI: i64 = 1 << 20;
    let bytes = milli / 1_000;
    let mebi = bytes / MEBI;
    if resource == "memory" && mebi > 0 {
        return if mebi % 1024 == 0 { format!("{}Gi", mebi / 1024) } else { format!("{mebi}Mi") };
    }
    Quantity::from_milli(milli, Format::DecimalSI).to_string()
}

fn target_of(metric: &mut MetricSpec) -> Option<&mut Option<i32>> {
    match (&mut metric.resource, &mut metric.container_resource) {
        (Some(it), _) if metric.kind == "Resource" => Some(&mut it.target.average_utilization),
        (_, Some(it)) => Some(&mut it.target.average_utilization),
        _ => None,
    }
}
