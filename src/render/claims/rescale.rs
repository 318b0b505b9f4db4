//! Rescales that events show, as data, and their words.

use serde::Serialize;

use super::At;
use crate::render::units::clock;
use kubectl_hpa_core::model::Instant;

/// One rescale, or several of which the times are not known.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(in crate::render) enum RescaleClaim {
    /// The controller set the replicas.
    Rescaled { at: At, from: Option<i32>, to: i32, reason: String },
    /// It set them so often in this time.
    RescaledBetween { after: At, at: At, to: Option<i32>, times: u32 },
}

impl RescaleClaim {
    /// When it was, or the first may have been.
    pub const fn begin(&self) -> Instant {
        let (Self::Rescaled { at, .. } | Self::RescaledBetween { after: at, .. }) = self;
        at.0
    }

    /// So many rescales.
    pub const fn times(&self) -> u32 {
        if let Self::RescaledBetween { times, .. } = self { *times } else { 1 }
    }

    /// In a few words, after its time.
    pub fn text(&self, now: Instant) -> String {
        match self {
            Self::Rescaled { from, to, reason, .. } => {
                let from = from.map_or_else(String::new, |from| format!("{from} "));
                let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
                format!("{from}→ {to}{reason}")
            }
            Self::RescaledBetween { at, to, times, .. } => {
                let to = to.map_or_else(String::new, |to| format!(", to {to}"));
                format!("{times} more until {}{to}", clock(now, at.0))
            }
        }
    }
}
