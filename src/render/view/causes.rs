//! Why the decision is what it is.

use serde::Serialize;

use super::memory::{IntervalView, RecommendationView};
use super::number::Moment;
use crate::render::claims::Span;
use crate::render::ownership;
use crate::render::phrases::{metric, removal};
use kubectl_hpa_core::causes::{About, Cause, Ending};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Policy;
use kubectl_hpa_core::snapshot::{Owner, ReadError};
use kubectl_hpa_core::trace::Direction;

/// One cause.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CauseView<'a> {
    /// What it is.
    kind: &'static str,
    /// The branch of the step at which it acts.
    code: &'static str,
    /// The metric that it is about.
    metric: Option<String>,
    /// How many pods, or samples of pods, it is about.
    pods: Option<usize>,
    /// The direction that it is about: `scaleUp` or `scaleDown`.
    direction: Option<&'static str>,
    #[serde(flatten)]
    facts: FactsView<'a>,
    /// How it is taken away.
    removal: Option<&'static str>,
    /// The replicas without it; absent if they are not known.
    without: Option<IntervalView>,
    /// What the metrics want without it.
    wanted: Option<i32>,
    /// `decides`, `wanted` or `shared`: how much the decision hangs on it.
    weight: &'static str,
    ends: EndingView,
}

/// The facts of a cause, in the API's terms.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FactsView<'a> {
    window: Option<Span>,
    recommendation: Option<RecommendationView>,
    policy: Option<PolicyView>,
    bound: Option<i32>,
    error: Option<&'a ReadError>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hpas: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    owners: Vec<OwnerView>,
    /// Whose zero it is.
    zero: Option<&'static str>,
    setter: Option<&'a str>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PolicyView {
    #[serde(rename = "type")]
    kind: &'static str,
    value: i32,
    period_seconds: i32,
}

#[derive(Clone, Debug, Serialize)]
struct OwnerView {
    owner: String,
    pods: usize,
}

/// What ends it.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
struct EndingView {
    by: &'static str,
    at: Option<Moment>,
    field: Option<&'static str>,
}

impl<'a> CauseView<'a> {
    pub fn of(explanation: &'a Explanation, cause: Cause) -> Self {
        let label = |place: usize| explanation.snapshot().hpa.metrics.get(place).map(metric::label);
        Self {
            kind: cause.about.as_str(),
            code: cause.code.as_str(),
            metric: cause.about.metric().and_then(label),
            pods: cause.about.pods(),
            direction: cause.about.direction().map(Direction::field),
            facts: FactsView::of(explanation, cause),
            removal: cause.removal.map(removal::kind),
            without: cause.without.map(IntervalView::of),
            wanted: cause.wanted.map(|wanted| wanted.0),
            weight: cause.weight.as_str(),
            ends: EndingView::of(cause.ending),
        }
    }
}

impl<'a> FactsView<'a> {
    fn of(explanation: &'a Explanation, cause: Cause) -> Self {
        let facts = explanation.facts(cause);
        let policy = |it: Policy| PolicyView {
            kind: it.kind.as_str(),
            value: it.value,
            period_seconds: it.period_seconds,
        };
        let owner =
            |(owner, pods): (Option<&Owner>, usize)| OwnerView { owner: ownership::name(owner), pods };
        let zero = match cause.about {
            About::Zero(zero) => Some(zero.as_str()),
            _ => None,
        };
        Self {
            window: facts.window.map(Span),
            recommendation: facts.recommendation.map(RecommendationView::of),
            policy: facts.policy.map(policy),
            bound: facts.bound.map(|bound| bound.0),
            error: facts.error,
            hpas: facts.hpas.iter().map(|key| key.name.to_string()).collect(),
            owners: facts.owners.into_iter().map(owner).collect(),
            zero,
            setter: facts.setter.map(|setter| &*setter.by),
        }
    }
}

impl EndingView {
    const fn of(ending: Ending) -> Self {
        let (by, at, field) = match ending {
            Ending::Time(at) => ("time", Some(Moment(at)), None),
            Ending::Load => ("load", None, None),
            Ending::Sample => ("sample", None, None),
            Ending::Pods => ("pods", None, None),
            Ending::Edit(field) => ("edit", None, Some(field)),
            Ending::Repair => ("repair", None, None),
            Ending::Scale => ("scale", None, None),
            Ending::Unknown => ("unknown", None, None),
        };
        Self { by, at, field }
    }
}
