//! The nearest changes that would change a decision, as data, and their words.

use serde::Serialize;

use super::{Amount, At, Span};
use crate::render::units::{Round, moment, range, span};
use kubectl_hpa_core::model::{Instant, Milli, Replicas};

/// One change of load, or of time alone, that changes the decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum OutlookClaim {
    /// The nearest value of a metric with another decision.
    Threshold { bound: Bound, least: i32, most: i32, leads: Leads },
    /// The nearest value at which fewer are wanted, while something keeps the replicas at first.
    ThresholdHeld { bound: Bound, wanted: i32, replicas: i32, holds: Holds },
    /// The nearest instant with another decision.
    Time { at: At, event: Event, replicas: i32 },
}

/// A value of a metric, and what it is on average.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(in crate::render) struct Bound {
    /// The metric's place in the spec.
    pub index: usize,
    /// The metric.
    pub metric: String,
    /// The usage of all samples, or the total.
    pub usage: Amount,
    /// On which side of today's it lies.
    pub load: Load,
    /// Not said of what lies beyond it: the replicas go the other way there.
    pub only: bool,
    /// Over so many samples.
    pub samples: Option<usize>,
    /// Their mean, rounded away from today's.
    pub mean: Option<Amount>,
    /// The mean as a percentage of the requests.
    pub percent: Option<i64>,
}

/// The side of a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::render) enum Load {
    /// Above today's value.
    More,
    /// Below it.
    Less,
}

/// Where a threshold leads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::render) enum Leads {
    /// To these replicas, which are not possible today.
    To,
    /// As low as the lowest.
    Lowest,
    /// As high as the highest.
    Highest,
    /// Anywhere between.
    Anywhere,
}

/// The rule that keeps the replicas although fewer are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(in crate::render) enum Holds {
    /// `scaleDown.selectPolicy` is Disabled.
    Disabled,
    /// The scale-down window of this length.
    Window { length: Span },
    /// A rate.
    AtFirst,
}

/// The event of an instant.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(in crate::render) enum Event {
    /// A pod's CPU initialization period ends; its sample counts then, if it has one.
    PodSettles { pod: String, sample: Option<Amount> },
    /// A recommendation leaves the stabilization window.
    RecommendationLeaves { recommendation: i32 },
    /// A rescale leaves the period of its policy.
    PeriodEnds,
}

impl OutlookClaim {
    /// The metric that it is about, and its place; `time` if it is about none.
    pub fn label(&self) -> (&str, Option<usize>) {
        match self {
            Self::Threshold { bound, .. } | Self::ThresholdHeld { bound, .. } => {
                (&bound.metric, Some(bound.index))
            }
            Self::Time { .. } => ("time", None),
        }
    }

    /// "280m or more in total (a mean of 94m over 3 samples, 93%) → 6", "614m or less … → 2 wanted; the window keeps 3 for up to
    /// 5m", "at 10:47:31 (in 5m31s) the recommendation of 10 leaves the stabilization window → 6".
    pub fn text(&self, now: Instant) -> String {
        match self {
            Self::Threshold { bound, least, most, leads } => {
                let (bound, range) = (bound.text(), range((Replicas(*least), Replicas(*most))));
                match leads {
                    Leads::To => format!("{bound} → {range}"),
                    Leads::Lowest => format!("{bound} could go as low as {least}"),
                    Leads::Highest => format!("{bound} could reach {most}"),
                    Leads::Anywhere => format!("{bound} could lead anywhere from {least} to {most}"),
                }
            }
            Self::ThresholdHeld { bound, wanted, replicas, holds } => {
                let holds = match holds {
                    Holds::Disabled => format!("scaleDown is disabled, which keeps {replicas}"),
                    Holds::Window { length } => {
                        format!("the window keeps {replicas} for up to {}", span(length.0))
                    }
                    Holds::AtFirst => format!("{replicas} is held at first"),
                };
                format!("{} → {wanted} wanted; {holds}", bound.text())
            }
            Self::Time { at, event, replicas } => {
                format!("{}: {} → {replicas}", moment(now, at.0), event.text())
            }
        }
    }
}

impl Bound {
    fn text(&self) -> String {
        let (side, round) = match self.load {
            Load::More => (" or more", Round::Up),
            Load::Less => (" or less", Round::Down),
        };
        // Nothing below 0 was tried.
        let is_end = self.load == Load::Less && self.usage.0 == Milli(0);
        let side = if self.only || is_end { "" } else { side };
        let rounded = |Amount(amount, unit): Amount| unit.rounded(amount, round);
        let amount = rounded(self.usage);
        let percent = self.percent.map(|percent| format!("{percent}%"));
        match (self.samples, percent) {
            (None, _) => format!("{amount}{side}"),
            (Some(1), None) => format!("{amount}{side} in the one sample"),
            (Some(1), Some(percent)) => format!("{amount}{side} in the one sample ({percent})"),
            (Some(samples), percent) => {
                let mean = self.mean.map(rounded).unwrap_or_default();
                let percent = percent.map_or_else(String::new, |percent| format!(", {percent}"));
                format!("{amount}{side} in total (a mean of {mean} over {samples} samples{percent})")
            }
        }
    }
}

impl Event {
    /// In a clause.
    pub fn text(&self) -> String {
        match self {
            Self::PodSettles { pod, sample } => {
                let sample = sample
                    .as_ref()
                    .map_or_else(String::new, |sample| format!("; if it still uses {} then", sample.text()));
                format!("the CPU initialization period of {pod} ends, unless it counts earlier{sample}")
            }
            Self::RecommendationLeaves { recommendation } => {
                format!("the recommendation of {recommendation} leaves the stabilization window")
            }
            Self::PeriodEnds => "an earlier rescale leaves the period of its policy".to_owned(),
        }
    }
}
