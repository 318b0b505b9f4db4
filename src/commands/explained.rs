//! One case, decided on, with all that a renderer wants of it.

use anyhow::Context;

use crate::recall::{Answer, answer};
use crate::rules::Rules;
use crate::snapshot::Snapshot;
use crate::status::{Report, report};

/// A case and its decision.
pub struct Explained {
    /// What was looked at.
    pub snapshot: Snapshot,
    /// By which rules.
    pub rules: Rules,
    /// What was decided, as far as that is known.
    pub answer: Answer,
    /// What the controller says of it.
    pub report: Report,
}

impl Explained {
    /// Decides on a snapshot.
    pub fn of(mut snapshot: Snapshot) -> anyhow::Result<Self> {
        let controller = &snapshot.controller;
        let rules = Rules::for_version(&controller.version.value, &controller.feature_gates)
            .context("cannot tell by which rules the controller decides")?;
        let answer = answer(&mut snapshot, &rules);
        let report = report(&snapshot, &answer.decision, &rules);
        Ok(Self { snapshot, rules, answer, report })
    }
}
