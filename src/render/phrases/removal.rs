//! The thing that is removed, worded to follow "without".

use super::{gaps, limit, metric};
use crate::render::units::{count, span};
use kubectl_hpa_core::explanation::{Explanation, Ownership};
use kubectl_hpa_core::model::{Duration, Policy, ScalingRules, SelectPolicy};
use kubectl_hpa_core::trace::{Direction, Failure, Stabilization, Verdict};
use kubectl_hpa_core::whatif::Removal;

/// "the 2 missing pods".
pub(in crate::render) fn name(explanation: &Explanation, removal: Removal) -> String {
    let hpa = &explanation.snapshot().hpa;
    match removal {
        Removal::MissingPods(count) => the(count, "missing pod"),
        Removal::Filling(1) => "the pod without a sample (like the median ready pod instead)".to_owned(),
        Removal::Filling(count) => {
            format!("the {count} pods without a sample (each like the median ready pod instead)")
        }
        Removal::UnreadyPods(count) => the(count, "unready pod"),
        Removal::Unreadiness(1) => "the unreadiness of 1 pod".to_owned(),
        Removal::Unreadiness(count) => format!("the unreadiness of {count} pods"),
        Removal::SurplusPods(1) => "the pod beyond the replicas".to_owned(),
        Removal::SurplusPods(count) => format!("the {count} pods beyond the replicas"),
        Removal::AbsentPods(1) => "the lack of 1 pod (one like the median ready pod instead)".to_owned(),
        Removal::AbsentPods(count) => {
            format!("the lack of {count} pods (each like the median ready pod instead)")
        }
        Removal::StatusReplicas => "the difference between status.replicas and spec.replicas".to_owned(),
        Removal::Load(place) => {
            let label = hpa.metrics.get(place).map_or_else(String::new, metric::label);
            format!("the load of {label} (exactly on target instead)")
        }
        Removal::ForeignPods(count) => foreign(explanation, count),
        Removal::ForeignSamples(1) => "the sample of a pod that is not there".to_owned(),
        Removal::ForeignSamples(count) => format!("the {count} samples of pods that are not there"),
        Removal::BareContainers(count) => bare(explanation, count),
        Removal::Tolerance => "the tolerance".to_owned(),
        Removal::Metric(place) => hpa.metrics.get(place).map_or_else(String::new, metric::label),
        Removal::OtherHpas(count) => the(count, "other HPA"),
        Removal::Window(direction) => window(explanation, direction),
        Removal::Policy(direction, place) => rules(explanation, direction)
            .and_then(|rules| rules.policies.get(place))
            .map_or_else(String::new, |policy| the_policy(direction, *policy)),
        Removal::Rate(direction) => rate(explanation, direction),
        Removal::ScaleUpCap => {
            "the cap of a scale-up without spec.behavior (twice the replicas, or 4)".to_owned()
        }
        Removal::Min => format!("minReplicas {}", hpa.min.0),
        Removal::Max => format!("maxReplicas {}", hpa.max.0),
        Removal::Memory => "the controller's memory (as after a restart)".to_owned(),
    }
}

/// Its name for programs.
pub(in crate::render) const fn kind(removal: Removal) -> &'static str {
    match removal {
        Removal::MissingPods(_) => "missing-pods",
        Removal::Filling(_) => "missing-samples",
        Removal::UnreadyPods(_) => "unready-pods",
        Removal::Unreadiness(_) => "unreadiness",
        Removal::SurplusPods(_) => "surplus-pods",
        Removal::AbsentPods(_) => "absent-pods",
        Removal::StatusReplicas => "status-replicas",
        Removal::Load(_) => "load",
        Removal::ForeignPods(_) => "foreign-pods",
        Removal::ForeignSamples(_) => "foreign-samples",
        Removal::BareContainers(_) => "bare-containers",
        Removal::Tolerance => "tolerance",
        Removal::Metric(_) => "metric",
        Removal::OtherHpas(_) => "other-hpas",
        Removal::Window(_) => "window",
        Removal::Policy(..) => "policy",
        Removal::Rate(_) => "rate",
        Removal::ScaleUpCap => "scale-up-cap",
        Removal::Min => "min-replicas",
        Removal::Max => "max-replicas",
        Removal::Memory => "memory",
    }
}

/// The containers without a request by their name, if they have one name.
fn bare(explanation: &Explanation, number: usize) -> String {
    let mut names = Vec::new();
    for metric in explanation.metrics() {
        if let Verdict::Failed(Failure::RequestGaps(gaps)) = &metric.trace.verdict {
            names.extend(gaps.iter().map(|gap| gaps::brief(explanation, metric, gap)));
        }
    }
    names.sort_unstable();
    names.dedup();
    match names.as_slice() {
        [only] => format!("{only}, which has no request"),
        _ => format!("the {} without a request", count(number, "container")),
    }
}

/// The pods of other owners, or of none.
fn foreign(explanation: &Explanation, number: usize) -> String {
    let owner = |pod| match explanation.ownership(pod) {
        Ownership::Other(owner) => Some(owner.is_some()),
        Ownership::Target | Ownership::Untold => None,
    };
    let have_owner: Vec<bool> = explanation.pods().iter().filter_map(owner).collect();
    let pods = the(number, "pod");
    if !have_owner.contains(&true) {
        return format!("{pods} without an owner");
    }
    let or_none = if have_owner.contains(&false) { " or of none" } else { "" };
    let other = if number == 1 { "another owner" } else { "other owners" };
    format!("{pods} of {other}{or_none} than {}", explanation.target())
}

fn the(count: usize, thing: &str) -> String {
    if count == 1 { format!("the {thing}") } else { format!("the {count} {thing}s") }
}

fn rules(explanation: &Explanation, direction: Direction) -> Option<&ScalingRules> {
    let behavior = explanation.snapshot().hpa.behavior.as_ref()?;
    Some(match direction {
        Direction::Up => &behavior.up,
        Direction::Down => &behavior.down,
    })
}

fn window(explanation: &Explanation, direction: Direction) -> String {
    let length = match (explanation.decision().stabilized.as_ref().map(|it| &it.how), direction) {
        (Some(Stabilization::Legacy(legacy)), _) => legacy.window,
        (Some(Stabilization::Behavior(it)), Direction::Up) => Duration::from_seconds(it.up_window.into()),
        (Some(Stabilization::Behavior(it)), Direction::Down) => Duration::from_seconds(it.down_window.into()),
        (None, _) => return "the stabilization window".to_owned(),
    };
    match direction {
        Direction::Up => format!("the scale-up window of {}", span(length)),
        Direction::Down => format!("the scale-down window of {}", span(length)),
    }
}

fn rate(explanation: &Explanation, direction: Direction) -> String {
    let field = direction.field();
    match rules(explanation, direction) {
        Some(rules) if rules.select == SelectPolicy::Disabled => format!("selectPolicy Disabled of {field}"),
        Some(ScalingRules { policies, .. }) => match policies.as_slice() {
            [only] => the_policy(direction, *only),
            _ => format!("all policies of {field}"),
        },
        None => format!("the policies of {field}"),
    }
}

fn the_policy(direction: Direction, policy: Policy) -> String {
    format!("policy {} of {}", limit::policy(policy), direction.field())
}
