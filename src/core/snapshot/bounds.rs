//! How much one decision may be made on. What is larger is refused with a number, before it takes minutes or gigabytes.

use super::CaseError;
use super::case::{Case, MetricAnswer};
use crate::api;

/// Most metrics, policies of a direction, conditions. An HPA of more does not fit into etcd's 1.5 MiB, or is a slip.
const MOST_OF_HPA: usize = 1_000;
/// Most pods times metrics: each pod stands in the calculation of each metric. 50,000 pods may have 20 metrics.
const MOST_ROWS: usize = 1_000_000;
/// Most pods times other HPAs: each selector of the others is held against each pod.
const MOST_MATCHES: usize = 50_000_000;

/// The lists of the HPA.
pub(super) fn hpa(hpa: &api::Hpa) -> Result<(), CaseError> {
    let (spec, status) = (&hpa.spec, &hpa.status);
    let behavior = spec.behavior.as_ref();
    let policies = |rules: Option<&api::ScalingRules>| {
        rules.and_then(|rules| rules.policies.as_ref()).map_or(0, Vec::len)
    };
    let lists = [
        ("spec.metrics", spec.metrics.len()),
        ("spec.behavior.scaleUp.policies", policies(behavior.and_then(|it| it.scale_up.as_ref()))),
        ("spec.behavior.scaleDown.policies", policies(behavior.and_then(|it| it.scale_down.as_ref()))),
        ("status.conditions", status.conditions.len()),
    ];
    match lists.into_iter().find(|(_, length)| *length > MOST_OF_HPA) {
        Some((place, length)) => Err(CaseError::new(
            format!("hpa.{place}"),
            format!("has {length} items; at most {MOST_OF_HPA} are read"),
        )),
        None => Ok(()),
    }
}

/// What is not the pods': how many answers each metric is held against.
pub(super) struct Counts {
    metrics: usize,
    others: usize,
    samples: usize,
}

impl Counts {
    pub fn of(case: &Case) -> Self {
        Self {
            // An empty list stands for one metric.
            metrics: case.hpa.0.spec.metrics.len().max(1),
            others: case.other_hpas.len(),
            samples: longest(&case.custom_metrics).max(longest(&case.external_metrics)),
        }
    }

    /// With so many pods.
    pub fn check(&self, pods: usize) -> Result<(), CaseError> {
        let Self { metrics, others, samples } = *self;
        let products = [
            ("pods", pods, metrics, "metrics", MOST_ROWS),
            ("samples", samples, metrics, "metrics", MOST_ROWS),
            ("pods", pods, others, "other HPAs", MOST_MATCHES),
        ];
        let over =
            |(_, one, other, _, most): &(_, usize, usize, _, usize)| one.saturating_mul(*other) > *most;
        match products.into_iter().find(over) {
            Some((place, one, other, what, most)) => Err(CaseError::new(
                place,
                format!("{one} {place} and {other} {what} are too many: their product may be {most}"),
            )),
            None => Ok(()),
        }
    }
}

fn longest<T>(answers: &[MetricAnswer<T>]) -> usize {
    answers.iter().map(|answer| answer.items.as_ref().map_or(0, Vec::len)).max().unwrap_or_default()
}
