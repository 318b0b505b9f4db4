//! Why, in at most four sentences.

use super::{attested, failure, metric, unread, why_metric, why_normal};
use crate::render::claims::Claim;
use kubectl_hpa_core::api::ConditionType;
use kubectl_hpa_core::causes::ZeroOf;
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::rules::FromZero;
use kubectl_hpa_core::trace::{
    Failure, Gate, HoldReason, Outcome, ScaleFailure, SelectorVerdict, Unread, Verdict,
};

/// The most sentences that a reader is asked to read.
const MOST: usize = 4;

/// The sentences, the most important first where some had to go.
pub(in crate::render) fn why(explanation: &Explanation) -> Vec<Claim> {
    let mut claims = all(explanation);
    let attested = attested::claims(explanation);
    let most = MOST.saturating_sub(attested.len()).max(1);
    while claims.len() > most {
        claims.remove(claims.len().min(2) - 1);
    }
    claims.extend(attested);
    claims
}

fn all(explanation: &Explanation) -> Vec<Claim> {
    match &explanation.decision().outcome {
        Outcome::NoScale => no_scale(explanation),
        Outcome::Unknown(unread) => unknown(explanation, unread),
        Outcome::Hold { reason: HoldReason::Disabled, .. } => disabled(explanation),
        Outcome::Hold { reason: HoldReason::Selector, .. } => selector(explanation),
        Outcome::Hold { reason: HoldReason::AllMetricsInvalid, .. } => all_invalid(explanation),
        Outcome::Hold { reason: HoldReason::Crash, .. } => crash(explanation),
        Outcome::Hold { reason: HoldReason::InvalidMetricBlocksDown, .. } => blocked(explanation),
        Outcome::Hold { reason: HoldReason::Decided, .. } | Outcome::Scale { .. } => {
            decided(explanation).into_iter().chain(refused(explanation)).collect()
        }
    }
}

/// The write that is refused, or would be if one is needed.
fn refused(explanation: &Explanation) -> Option<Claim> {
    let error = unread::refused(explanation.snapshot().writes.scale.as_ref()?);
    match explanation.answer().asked {
        Some(_) => Some(Claim::WriteWouldBeRefused { error }),
        None => explanation.decision().outcome.refused().map(|_| Claim::WriteRefused { error }),
    }
}

fn no_scale(explanation: &Explanation) -> Vec<Claim> {
    let target = explanation.target();
    let cannot = failure::cannot_scale(explanation);
    let first = match &explanation.decision().gate {
        Gate::NoScale(ScaleFailure::ApiVersion(error)) => {
            Some(Claim::TargetApiVersionInvalid { error: error.to_string() })
        }
        Gate::NoScale(_) if cannot.is_some() => cannot,
        Gate::NoScale(ScaleFailure::Mapping(error)) => {
            Some(Claim::TargetKindUnknown { target, error: unread::refused(error) })
        }
        Gate::NoScale(ScaleFailure::Get(error)) => {
            let absent = explanation.snapshot().lacks_target();
            Some(Claim::ScaleUnreadable { target, error: unread::refused(error), absent })
        }
        Gate::Unknown(_)
        | Gate::Disabled
        | Gate::AboveMax
        | Gate::BelowMin
        | Gate::Metrics
        | Gate::MetricsFromZero => None,
    };
    first.into_iter().chain([Claim::NothingWithoutScale]).collect()
}

fn unknown(explanation: &Explanation, unread: &Unread) -> Vec<Claim> {
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
    failure::unknown(explanation, what, unread)
}

fn disabled(explanation: &Explanation) -> Vec<Claim> {
    let hpa = &explanation.snapshot().hpa;
    let min_replicas = hpa.min.0;
    let zero = match explanation.zero_of() {
        ZeroOf::Keda => {
            let scaled_object = hpa.scaled_object().unwrap_or_default().to_owned();
            return vec![Claim::ZeroOfKeda { min_replicas, scaled_object }, Claim::WaitsForKeda];
        }
        ZeroOf::NotTold => return vec![Claim::ZeroWithGateOff, Claim::WaitsForReplica],
        ZeroOf::OwnWithoutMetric => Claim::ZeroWithoutMetric,
        ZeroOf::Others
            if explanation.rules().from_zero == FromZero::MinReplicas || explanation.never_wakes() =>
        {
            Claim::ZeroBelowMin { min_replicas }
        }
        ZeroOf::Others => {
            let condition =
                hpa.status.condition(ConditionType::ScaledToZero).map(|own| own.status.to_string());
            Claim::ZeroNotOwn { condition }
        }
    };
    vec![zero, Claim::ZeroIsPause]
}

fn selector(explanation: &Explanation) -> Vec<Claim> {
    let target = explanation.target();
    match &explanation.decision().selector {
        Some(SelectorVerdict::Missing) => {
            vec![Claim::SelectorMissing { target }, Claim::SelectorIsWrittenByOwner]
        }
        Some(SelectorVerdict::Invalid(error)) => {
            vec![Claim::SelectorInvalid { target, error: error.to_string() }]
        }
        Some(SelectorVerdict::Ambiguous(claimants)) => {
            let own = &explanation.snapshot().hpa.key;
            let others = claimants.iter().filter(|key| *key != own);
            let hpas = others.map(|key| format!("{}/{}", key.namespace, key.name)).collect();
            let selector = explanation.selector().to_owned();
            let bounded = explanation.snapshot().others_of_target();
            let bounded = bounded.filter_map(|other| Some((other.key.name.to_string(), other.bound?.0)));
            let (hpa, replicas) = bounded.min().unzip();
            vec![Claim::SelectorAmbiguous { selector, hpas }, Claim::AmbiguousRunsNone { hpa, replicas }]
        }
        Some(SelectorVerdict::Unlisted(error)) => {
            vec![Claim::PodsUnlisted { error: unread::refused(error) }]
        }
        Some(SelectorVerdict::Good | SelectorVerdict::Unknown(_)) | None => Vec::new(),
    }
}

fn all_invalid(explanation: &Explanation) -> Vec<Claim> {
    let metrics = explanation.decision().metrics.len();
    let mut claims = if metrics > 1 {
        failure::together(explanation)
    } else {
        let failed = explanation.failed();
        failed.flat_map(|(metric, failure)| failure::claims(explanation, metric, failure)).collect()
    };
    if metrics > 1 {
        claims.truncate(MOST - 1);
        claims.push(Claim::NoMetricWorks { metrics });
    } else if claims.len() < MOST {
        claims.push(Claim::OnlyMetric);
    }
    claims
}

fn crash(explanation: &Explanation) -> Vec<Claim> {
    let crashing = explanation.failed().filter(|(_, failure)| **failure == Failure::Crash).take(1);
    let crashing = crashing.flat_map(|(metric, failure)| failure::claims(explanation, metric, failure));
    crashing.chain([Claim::CrashGoesOn]).collect()
}

fn blocked(explanation: &Explanation) -> Vec<Claim> {
    let alone = explanation.taken().map(|(metric, wanted)| Claim::AloneWouldBe {
        metric: metric::label(metric.spec),
        replicas: wanted.0,
    });
    let mut claims: Vec<Claim> = alone.into_iter().chain(failure::together(explanation)).collect();
    claims.truncate(MOST - 1);
    claims.push(Claim::NeverDown);
    claims
}

fn decided(explanation: &Explanation) -> Vec<Claim> {
    let hpa = &explanation.snapshot().hpa;
    let replicas = explanation.current().unwrap_or_default().0;
    match explanation.decision().gate {
        Gate::AboveMax => {
            vec![Claim::AboveMax { replicas, max_replicas: hpa.max.0 }, Claim::BoundsFirst]
        }
        Gate::BelowMin => {
            vec![Claim::BelowMin { replicas, min_replicas: hpa.min.0 }, Claim::BoundsFirst]
        }
        Gate::Metrics | Gate::MetricsFromZero | Gate::Disabled | Gate::NoScale(_) | Gate::Unknown(_) => {
            let mut claims = why_metric::claims(explanation);
            claims.extend(partial(explanation));
            claims.extend(why_normal::claims(explanation));
            claims.extend(no_way_back(explanation));
            claims
        }
    }
}

/// The last zero of a controller that takes its own for a pause.
fn no_way_back(explanation: &Explanation) -> Option<Claim> {
    let falls_asleep =
        matches!(explanation.decision().outcome, Outcome::Scale { to, failed: None, .. } if to.0 == 0);
    let is_known = explanation.interval().is_none() && !explanation.attested().is_idle();
    (falls_asleep && is_known && explanation.never_wakes()).then_some(Claim::ZeroIsLast)
}

/// Some metrics failed, and the count may rise nevertheless.
fn partial(explanation: &Explanation) -> impl Iterator<Item = Claim> {
    let faulty: Vec<usize> = explanation.faulty().map(|(metric, _)| metric.trace.index).collect();
    let names = |is_faulty: bool| -> Vec<String> {
        let failed = explanation.failed().map(|(metric, _)| metric);
        let such = failed.filter(|metric| faulty.contains(&metric.trace.index) == is_faulty);
        such.map(|metric| metric::label(metric.spec)).collect()
    };
    let (faulty, idle) = (names(true), names(false));
    let only_up = (!faulty.is_empty()).then_some(Claim::OnlyUp { metrics: faulty });
    only_up.into_iter().chain((!idle.is_empty()).then_some(Claim::NoValueAtZero { metrics: idle }))
}
