//! Steps and pods of two decisions in words.

use serde::Serialize;

use super::phrases::{group, metric, step};
use super::units::Unit;
use kubectl_hpa_core::comparison::{CountedAs, RegroupedPod, Sides};
use kubectl_hpa_core::explanation::{Explanation, Metric, Step};
use kubectl_hpa_core::trace::Group;

/// A step in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct RenderedStep {
    pub label: String,
    pub text: String,
    pub code: &'static str,
}

impl RenderedStep {
    /// A step of each side.
    pub fn of_sides(sides: &Sides<'_>, steps: [Option<Step<'_>>; 2]) -> [Option<Self>; 2] {
        let [now, then] = steps;
        let now = now.zip(sides.now).map(|(step, now)| Self::of(now, &step));
        [now, then.map(|then| Self::of(sides.then, &then))]
    }

    /// The steps that decide, unless they read alike: from other counts the same words lead to other ends.
    pub fn of_deciding(sides: &Sides<'_>) -> Option<[Option<Self>; 2]> {
        let told = Self::of_sides(sides, sides.deciding()?.map(Some));
        (told[0] != told[1]).then_some(told)
    }

    /// A step of a decision.
    fn of(explanation: &Explanation, step: &Step<'_>) -> Self {
        Self { label: step::label(step), text: step::text(explanation, step), code: step.code.as_str() }
    }
}

/// A pod that counts as something else, in words.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RenderedPod {
    pub pod: String,
    pub metric: String,
    pub now: String,
    pub then: String,
}

impl RenderedPod {
    /// On both sides.
    pub fn of(moved: &RegroupedPod<'_>) -> Self {
        let [now, then] = moved.metrics;
        Self {
            metric: metric::label(then.spec),
            pod: moved.pod.to_owned(),
            now: standing(now, moved.now),
            then: standing(then, moved.then),
        }
    }
}

/// The pod's group, with what it counts for where it is filled in.
fn standing(metric: Metric<'_>, standing: Option<CountedAs<'_>>) -> String {
    match standing {
        None => "not there".to_owned(),
        Some(CountedAs { group, filled: Some(filled) }) => {
            format!("{}, counts as {}", group::name(group), Unit::of(metric).human(filled))
        }
        Some(CountedAs { group: group @ (Group::Missing(_) | Group::Unready(_)), filled: None })
            if metric.proposal().is_some() =>
        {
            format!("{}, left out", group::name(group))
        }
        Some(CountedAs { group, filled: None }) => group::name(group).to_owned(),
    }
}
