//! Why, in at most three sentences.

use super::{attested, failure, metric, unread, why_metric, why_normal};
use crate::render::units::{count, few, list, replicas};
use kubectl_hpa_core::causes::{About, ZeroOf};
use kubectl_hpa_core::explanation::{Explanation, Metric};
use kubectl_hpa_core::rules::FromZero;
use kubectl_hpa_core::trace::{
    Failure, Gate, HoldReason, Outcome, ScaleFailure, SelectorVerdict, Unread, Verdict,
};

/// The most sentences that a reader is asked to read.
const MOST: usize = 4;

/// The most names of other HPAs.
const NAMES: usize = 3;

/// The sentences, the most important first where some had to go.
pub(in crate::render) fn why(explanation: &Explanation) -> Vec<String> {
    let mut sentences = all(explanation);
    let attested = attested::sentences(explanation);
    let most = MOST.saturating_sub(attested.len()).max(1);
    while sentences.len() > most {
        sentences.remove(sentences.len().min(2) - 1);
    }
    sentences.extend(attested);
    sentences
}

fn all(explanation: &Explanation) -> Vec<String> {
    match &explanation.decision().outcome {
        Outcome::NoScale => no_scale(explanation),
        Outcome::Unknown(unread) => unknown(explanation, unread),
        Outcome::Hold { reason: HoldReason::Disabled, .. } => disabled(explanation),
        Outcome::Hold { reason: HoldReason::Selector, .. } => selector(explanation),
        Outcome::Hold { reason: HoldReason::AllMetricsInvalid, .. } => all_invalid(explanation),
        Outcome::Hold { reason: HoldReason::Crash, .. } => crash(explanation),
        Outcome::Hold { reason: HoldReason::InvalidMetricBlocksDown, .. } => blocked(explanation),
        Outcome::Hold { reason: HoldReason::Decided, .. } | Outcome::Scale { failed: None, .. } => {
            decided(explanation)
        }
        Outcome::Scale { failed: Some(error), .. } => {
            let mut sentences = decided(explanation);
            sentences.truncate(MOST - 1);
            let error = unread::refused(error);
            sentences.push(format!("The API server refused the new replicas, so nothing changed: {error}."));
            sentences
        }
    }
}

fn no_scale(explanation: &Explanation) -> Vec<String> {
    let target = explanation.target();
    let first = match &explanation.decision().gate {
        Gate::NoScale(ScaleFailure::ApiVersion(error)) => {
            format!("spec.scaleTargetRef.apiVersion is invalid: {error}.")
        }
        Gate::NoScale(ScaleFailure::Mapping(error)) => {
            format!("The API knows no kind of {target}: {}.", unread::refused(error))
        }
        Gate::NoScale(ScaleFailure::Get(error)) => {
            format!("The scale of {target} cannot be read: {}.", unread::refused(error))
        }
        Gate::Unknown(_)
        | Gate::Disabled
        | Gate::AboveMax
        | Gate::BelowMin
        | Gate::Metrics
        | Gate::MetricsFromZero => String::new(),
    };
    vec![
        first,
        "Without it the controller knows neither the replicas nor the pods, and does nothing.".to_owned(),
    ]
}

fn unknown(explanation: &Explanation, unread: &Unread) -> Vec<String> {
    let decision = explanation.decision();
    let what = match (&decision.gate, &decision.selector) {
        (Gate::Unknown(_), _) => format!("The scale of {}", explanation.target()),
        (_, Some(SelectorVerdict::Unknown(_))) => "The pods".to_owned(),
        _ => {
            let metric =
                explanation.metrics().find(|metric| matches!(metric.trace.verdict, Verdict::Unknown(_)));
            metric.map_or_else(
                || "A metric".to_owned(),
                |metric| format!("What {} needs", metric::label(metric.spec)),
            )
        }
    };
    failure::unknown(&what, unread)
}

fn disabled(explanation: &Explanation) -> Vec<String> {
    let hpa = &explanation.snapshot().hpa;
    let min = hpa.min.0;
    let paused = "The controller treats that as a pause and reads no metrics.".to_owned();
    let zero = match explanation.cause().map(|cause| cause.about) {
        Some(About::Zero(ZeroOf::Keda)) => {
            let name = hpa.scaled_object().unwrap_or_default();
            return vec![
                format!(
                    "The target has 0 replicas while minReplicas is {min}: KEDA scales between 0 and {min}, following the triggers of ScaledObject/{name}; its conditions Active and Paused show why."
                ),
                "The HPA reads no metrics until KEDA sets a replica again.".to_owned(),
            ];
        }
        Some(About::Zero(ZeroOf::NotTold)) => {
            return vec![
                "The target has 0 replicas, and the gate HPAScaleToZero is off in this controller: without it every zero counts as a pause, even one that the HPA set itself.".to_owned(),
                "It reads no metrics until somebody gives the target a replica.".to_owned(),
            ];
        }
        Some(About::Zero(ZeroOf::OwnWithoutMetric)) => {
            "The target has 0 replicas, and this HPA has no Object or External metric: others have no value without pods.".to_owned()
        }
        _ => match hpa.status.condition("ScaledToZero") {
            _ if explanation.rules().from_zero == FromZero::MinReplicas || explanation.never_wakes() => {
                format!("The target has 0 replicas while minReplicas is {min}.")
            }
            own => format!(
                "The target has 0 replicas, and the HPA's condition ScaledToZero is {}: the controller does not take that zero for the HPA's own.",
                own.map_or("missing", |own| own.status.as_str())
            ),
        },
    };
    vec![zero, paused]
}

fn selector(explanation: &Explanation) -> Vec<String> {
    let target = explanation.target();
    match &explanation.decision().selector {
        Some(SelectorVerdict::Missing) => vec![
            format!("The scale of {target} has no status.selector, so the controller cannot find its pods."),
            "The resource's own controller, or the CRD's scale subresource (labelSelectorPath), has to fill it in.".to_owned(),
        ],
        Some(SelectorVerdict::Invalid(error)) => {
            vec![format!("The scale of {target} has a selector that cannot be parsed: {error}.")]
        }
        Some(SelectorVerdict::Ambiguous(claimants)) => ambiguous(explanation, claimants),
        Some(SelectorVerdict::Unlisted(error)) => {
            vec![format!("The controller cannot list pods: {}.", unread::refused(error))]
        }
        Some(SelectorVerdict::Good | SelectorVerdict::Unknown(_)) | None => Vec::new(),
    }
}

fn ambiguous(explanation: &Explanation, claimants: &[kubectl_hpa_core::snapshot::HpaKey]) -> Vec<String> {
    let own = &explanation.snapshot().hpa.key;
    let others = claimants.iter().filter(|key| *key != own);
    let others: Vec<String> = others.map(|key| format!("{}/{}", key.namespace, key.name)).collect();
    let whose = if others.len() == 1 { "HPA" } else { "HPAs" };
    vec![
        format!(
            "Pods that {} matches are also claimed by {whose} {}.",
            explanation.selector(),
            few(&others, NAMES)
        ),
        "While several HPAs claim a pod, the controller runs none of them.".to_owned(),
    ]
}

fn all_invalid(explanation: &Explanation) -> Vec<String> {
    let number = explanation.decision().metrics.len();
    let mut sentences: Vec<String> = if number > 1 {
        failure::together(explanation)
    } else {
        let failed = explanation.failed();
        failed.flat_map(|(metric, failure)| failure::sentences(explanation, metric, failure)).collect()
    };
    if number > 1 {
        sentences.truncate(MOST - 1);
        sentences.push(format!("None of the {} can be used, so the replicas stay.", count(number, "metric")));
    } else if sentences.len() < MOST {
        sentences.push("It is the only metric, so the replicas stay.".to_owned());
    }
    sentences
}

fn crash(explanation: &Explanation) -> Vec<String> {
    let crashing = explanation.failed().filter(|(_, failure)| **failure == Failure::Crash).take(1);
    let mut sentences: Vec<String> =
        crashing.flat_map(|(metric, failure)| failure::sentences(explanation, metric, failure)).collect();
    sentences
        .push("After each restart it crashes on this HPA again; meanwhile nothing is scaled.".to_owned());
    sentences
}

fn blocked(explanation: &Explanation) -> Vec<String> {
    let mut sentences: Vec<String> = explanation
        .metrics()
        .filter_map(|metric| Some((metric, metric.proposal()?)))
        .max_by_key(|(metric, proposal)| (proposal.replicas, std::cmp::Reverse(metric.trace.index)))
        .map(|(metric, proposal)| {
            let label = metric::label(metric.spec);
            format!("{label} alone would scale down to {}.", proposal.replicas.0)
        })
        .into_iter()
        .collect();
    sentences.extend(failure::together(explanation));
    sentences.truncate(MOST - 1);
    sentences.push("While a metric is missing, the controller may scale up, but never down.".to_owned());
    sentences
}

fn decided(explanation: &Explanation) -> Vec<String> {
    let hpa = &explanation.snapshot().hpa;
    let current = explanation.current().unwrap_or_default().0;
    match explanation.decision().gate {
        Gate::AboveMax => vec![
            format!("The target has {}, more than maxReplicas {}.", replicas(current), hpa.max.0),
            "The controller goes back to the bounds before it reads any metric.".to_owned(),
        ],
        Gate::BelowMin => vec![
            format!("The target has {}, fewer than minReplicas {}.", replicas(current), hpa.min.0),
            "The controller goes back to the bounds before it reads any metric.".to_owned(),
        ],
        Gate::Metrics | Gate::MetricsFromZero | Gate::Disabled | Gate::NoScale(_) | Gate::Unknown(_) => {
            let mut sentences = why_metric::sentences(explanation);
            sentences.extend(partial(explanation));
            sentences.extend(why_normal::sentences(explanation));
            sentences.extend(no_way_back(explanation));
            sentences
        }
    }
}

/// The last zero of a controller that takes its own for a pause.
fn no_way_back(explanation: &Explanation) -> Option<String> {
    let falls_asleep =
        matches!(explanation.decision().outcome, Outcome::Scale { to, failed: None, .. } if to.0 == 0);
    (falls_asleep && explanation.never_wakes()).then(|| {
        "But the gate HPAScaleToZero is off in this controller: it treats the zero as a pause and does not scale up again by itself.".to_owned()
    })
}

/// Some metrics failed, and the count may rise nevertheless.
fn partial(explanation: &Explanation) -> Option<String> {
    let names = |all: Vec<(Metric<'_>, &Failure)>| -> Vec<String> {
        all.into_iter().map(|(metric, _)| metric::label(metric.spec)).collect()
    };
    let failed = names(explanation.faulty().collect());
    if !failed.is_empty() {
        let (they, fail) = if failed.len() == 1 { ("it", "fails") } else { ("they", "fail") };
        return Some(format!(
            "{} {fail}; until {they} can be read, the other metrics can only scale up.",
            list(&failed)
        ));
    }
    let asleep = names(explanation.failed().collect());
    (!asleep.is_empty()).then(|| {
        let have = if asleep.len() == 1 { "has" } else { "have" };
        format!("{} {have} no value while there are no pods, which is normal.", list(&asleep))
    })
}
