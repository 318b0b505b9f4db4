//! One case, decided on, with all that a renderer wants of it.

use std::io::{self, Write};

use anyhow::{Context, bail};
use serde::Serialize;

use super::writer::Answered;

use crate::render::{self, Explanation, Options};
use kubectl_hpa_core::advice::{Advice, advise};
use kubectl_hpa_core::recall::{Answer, answer};
use kubectl_hpa_core::rules::Rules;
use kubectl_hpa_core::snapshot::Snapshot;
use kubectl_hpa_core::status::{Report, report};
use kubectl_hpa_core::trace::{Outcome, Unread};
use kubectl_hpa_core::whatif::{Blame, Outlook, blame};

/// A case and its decision.
pub struct Explained {
    /// What was looked at.
    pub snapshot: Snapshot,
    /// By which rules.
    pub rules: Rules,
    /// What was decided, as far as that is known.
    pub answer: Answer,
    /// What would change it.
    pub outlook: Outlook,
    /// What to do about it.
    pub advice: Vec<Advice>,
    /// Which single things it hangs on, once [`Self::blame`] has looked.
    pub blame: Option<Blame>,
    /// What the controller says of it.
    pub report: Report,
}

/// The rules of a snapshot's controller.
pub fn rules_of(snapshot: &Snapshot) -> anyhow::Result<Rules> {
    let controller = &snapshot.controller;
    Rules::for_version(&controller.version.value, &controller.feature_gates)
        .context("cannot tell by which rules the controller decides")
}

impl Explained {
    /// Decides on a snapshot, by the rules of its controller.
    pub fn of(snapshot: Snapshot) -> anyhow::Result<Self> {
        let rules = rules_of(&snapshot)?;
        let explained = Self::by(snapshot, rules);
        match &explained.answer.decision.outcome {
            Outcome::Unknown(Unread::Refused(error)) if error.is_not_in_case() => bail!("{}", error.message),
            Outcome::Unknown(Unread::NotInCase) => {
                bail!("the case has no answer to a query of its metrics, and its decision depends on it")
            }
            _ => Ok(explained),
        }
    }

    /// Decides on a snapshot by other rules than those of its controller, where what the case holds may not be enough.
    pub fn by(mut snapshot: Snapshot, rules: Rules) -> Self {
        let answer = answer(&mut snapshot, &rules);
        let report = report(&snapshot, &answer.decision, &rules);
        let outlook = Outlook::of(&snapshot, &rules, &answer);
        let advice = advise(&snapshot, &rules, &answer);
        Self { snapshot, rules, answer, outlook, advice, blame: None, report }
    }

    /// Whether what the controller reads could not be read, so that nothing is decided.
    pub fn is_unknown(&self) -> bool {
        matches!(self.answer.decision.outcome, Outcome::Unknown(_))
    }

    /// Looks for the single things that the decision hangs on.
    pub fn blame(&mut self) {
        self.blame = Some(blame(&self.snapshot, &self.rules, &self.answer));
    }

    /// What a renderer is given.
    pub fn explanation(&self) -> Explanation<'_> {
        Explanation {
            snapshot: &self.snapshot,
            decision: &self.answer.decision,
            report: &self.report,
            rules: &self.rules,
            recall: self.answer.recall.as_ref(),
            interval: self.answer.interval,
            outlook: &self.outlook,
            advice: &self.advice,
            blame: self.blame.as_ref(),
        }
    }
}

impl Answered for Explained {
    const LIST: &'static str = "DecisionList";

    fn names(&self) -> Vec<&str> {
        vec![&self.snapshot.hpa.key.name]
    }

    fn text(&self, out: &mut dyn Write, options: &Options) -> io::Result<()> {
        render::text(out, self.explanation(), options)
    }

    fn view(&self) -> impl Serialize {
        render::decision_view(self.explanation())
    }
}
