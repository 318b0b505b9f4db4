//! The controller's status beside the recomputed one, as data, and its words.

use serde::Serialize;

use super::{At, Because};
use crate::render::units::{ago, clock};
use kubectl_hpa_core::model::Instant;

/// The self-check of a decision.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct Check {
    /// The result.
    pub code: CheckCode,
    /// `status.desiredReplicas`.
    pub desired: i32,
    /// The lowest `desiredReplicas` that the controller writes for the recomputed decision.
    pub least: i32,
    /// The highest one.
    pub most: i32,
    /// When the status was written.
    pub written: Option<At>,
    /// `status.lastScaleTime`.
    pub scaled: Option<At>,
    /// The reason of the condition ScalingActive that is False.
    pub reason: Option<String>,
    /// True if no memory that the status allows explains what was written.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub contradicted: bool,
    /// Why the two differ.
    pub because: Option<Guessed>,
}

/// The result of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::render) enum CheckCode {
    /// There is no status.
    NotWritten,
    /// The status has neither AbleToScale nor ScalingActive.
    TooLittle,
    /// Written is what is recomputed, or lies between.
    Agrees,
    /// Both say that nothing can be decided.
    AgreesUndecided,
    /// An equal `desiredReplicas` with other conditions.
    OtherConditions,
    /// Another `desiredReplicas`.
    Differs,
}

/// Why written and recomputed differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum Guessed {
    /// The controller's own words name it.
    ControllerMeets { what: Because },
    /// It has not seen the newest spec.
    OldSpec { seen: i64, newest: i64 },
    /// The target had other replicas.
    OtherReplicas { then: i32, now: i32 },
    /// The HPA is stopped by something that has come since.
    NewTrouble,
    /// 0 replicas did not stop it then.
    StoppedAtZero,
    /// The bounds were others.
    OtherBounds,
    /// The controller started after it.
    Restarted,
    /// Nothing but the time: at this instant the same inputs give what was written.
    TimePassed { at: At },
    /// With `spec.replicas` as `status.replicas` the same inputs give what was written.
    OtherStatusReplicas { spec: i32, status: i32 },
    /// The metrics were others.
    OtherMetrics,
    /// At 0 replicas the status shows nothing of the metric.
    HiddenAtZero,
    /// The controller could not decide.
    StoppedThen { reason: String },
    /// The status does not show the metrics of its sync.
    MetricsNotShown,
    /// The recommendation that held the replicas has left the window.
    WindowPassed,
    /// The controller's memory of that sync is not known.
    UnknownMemory,
    /// With another value of a flag the same inputs give what was written.
    OtherFlag { flag: &'static str, value: String },
    /// Nothing that can be seen from here.
    NotVisible,
}

impl Check {
    /// True if both are the same, or there is nothing to compare.
    pub fn is_calm(&self) -> bool {
        self.because.is_none()
    }

    /// In a sentence.
    pub fn text(&self, now: Instant) -> String {
        let Self { desired, least, most, .. } = self;
        let (recomputed, within) = if least == most {
            (least.to_string(), String::new())
        } else {
            (format!("{least} to {most}"), format!(" (within {least} to {most})"))
        };
        let ages = ages(now, self.written, self.scaled);
        let because = self.because.as_ref().map(|because| because.text(*desired, now)).unwrap_or_default();
        let reason = self.reason.as_deref().unwrap_or_default();
        match self.code {
            CheckCode::NotWritten => "Controller has not written a status yet".to_owned(),
            CheckCode::TooLittle => "The status has too little to compare with".to_owned(),
            CheckCode::Agrees if self.contradicted => format!(
                "Controller wrote desiredReplicas {desired}{within}{ages}; no memory that its status allows explains that"
            ),
            CheckCode::Agrees => {
                format!("Controller agrees: it wrote desiredReplicas {desired}{within}{ages}")
            }
            CheckCode::AgreesUndecided => format!(
                "Controller agrees: it wrote ScalingActive False, {reason}{ages}. Its desiredReplicas stays {desired} until it can decide"
            ),
            CheckCode::OtherConditions => format!(
                "Controller wrote desiredReplicas {desired}{within}{ages}, but with other conditions: {because}"
            ),
            CheckCode::Differs => {
                format!(
                    "Controller wrote desiredReplicas {desired}{ages}; recomputed {recomputed}: {because}"
                )
            }
        }
    }
}

/// The age of the status and of the last rescale, to follow what was written: ` 8s ago, last scaled 1m ago`.
pub(in crate::render) fn ages(now: Instant, written: Option<At>, scaled: Option<At>) -> String {
    let written = written.map_or_else(String::new, |at| format!(" {}", ago(now, at.0)));
    let scaled = scaled.map_or_else(String::new, |at| format!(", last scaled {}", ago(now, at.0)));
    format!("{written}{scaled}")
}

impl Guessed {
    fn text(&self, desired: i32, now: Instant) -> String {
        let plain = match self {
            Self::ControllerMeets { what } => {
                let whose =
                    if matches!(what, Because::LacksRight { .. }) { "the controller has " } else { "" };
                return format!("{whose}{}", what.text(now));
            }
            Self::OldSpec { seen, newest } => {
                return format!(
                    "the controller has seen generation {seen} of the spec, and {newest} is the newest"
                );
            }
            Self::OtherReplicas { then, now } => {
                return format!("the target had {then} when it was written and has {now} now");
            }
            Self::TimePassed { at } => {
                let at = clock(now, at.0);
                return format!("at {at} the same inputs give {desired}, so only time has passed");
            }
            Self::OtherStatusReplicas { spec, status } => {
                return format!(
                    "with {spec} instead of {status} in the target's status.replicas the same inputs give {desired}"
                );
            }
            Self::OtherFlag { flag, value } => {
                return format!(
                    "possibly because of a flag: with --{flag} {value} the same inputs give {desired}"
                );
            }
            Self::StoppedThen { reason } => {
                return format!("its last sync could not decide: ScalingActive was False with {reason}");
            }
            Self::NewTrouble => "what stops it now began after that",
            Self::OtherMetrics => "the metrics have changed since then",
            Self::StoppedAtZero => {
                "0 replicas did not stop it then, so its spec or the controller has changed since"
            }
            Self::OtherBounds => "the bounds have changed since then, so its next sync is due",
            Self::HiddenAtZero => {
                "at 0 replicas the status shows the same for each value of the metric, so it may have changed since then"
            }
            Self::MetricsNotShown => "the status shows no metrics of that sync, so why is not known here",
            Self::WindowPassed => "the recommendation that held the replicas has left the window since then",
            Self::UnknownMemory => "what the controller remembered then is not known here",
            Self::Restarted => "a controller that has started since then remembers nothing of before",
            Self::NotVisible => "why is not known here",
        };
        plain.to_owned()
    }
}
