//! What would be written, and the decision that it follows from.

use anyhow::bail;
use serde_json::{Value, json};

use crate::cli::SettingsArgs;
use crate::cluster::Place;
use crate::commands::cases;
use crate::commands::explained::Explained;
use crate::edit::{Owner, Requirement, Sign, Tool, merge_patch};
use crate::model::Replicas;
use crate::snapshot::{Case, Snapshot};
use crate::trace::{HoldReason, Outcome};

/// What would be written, and the decision that it follows from.
pub struct Proposal {
    /// Where.
    pub place: Place,
    /// The version of the object that was decided on.
    pub resource_version: String,
    /// As it is: `{"spec": …}`.
    pub before: Value,
    /// As it would be.
    pub after: Value,
    /// Who takes it back besides those that the object itself tells of.
    pub owner: Option<Owner>,
    /// What is decided.
    pub decided: Decided,
}

/// A decision, as far as it is to be the same when it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Decided {
    desired: Option<(Replicas, Replicas)>,
    current: Option<Replicas>,
    /// What kept the controller from deciding by its metrics.
    instead: Option<&'static str>,
}

impl Decided {
    /// Of a case that was decided on.
    pub fn of(explained: &Explained) -> Self {
        let outcome = &explained.answer.decision.outcome;
        let by_metrics = matches!(
            outcome,
            Outcome::Scale { failed: None, .. } | Outcome::Hold { reason: HoldReason::Decided, .. }
        );
        Self {
            desired: explained.answer.range(),
            current: explained.snapshot.scale.as_ref().ok().map(|scale| scale.replicas),
            instead: (!by_metrics).then(|| outcome.code().as_str()),
        }
    }

    fn is_as(self, other: Self) -> bool {
        (self.desired, self.instead) == (other.desired, other.instead)
    }
}

impl std::fmt::Display for Decided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.desired {
            Some((low, high)) if low == high => write!(f, "{} replicas", low.0),
            Some((low, high)) => write!(f, "{} to {} replicas", low.0, high.0),
            None => write!(f, "an unknown number of replicas"),
        }?;
        self.instead.map_or(Ok(()), |code| write!(f, " ({code})"))
    }
}

impl Proposal {
    /// To set the replicas of the target to what is decided.
    ///
    /// # Errors
    /// If that is not one number.
    pub fn of_scale(place: Place, mut case: Case, settings: &SettingsArgs) -> anyhow::Result<Self> {
        cases::set(&mut case.controller, settings);
        cases::know(&mut case, &settings.past);
        let scale = case.scale.as_ref().and_then(|scale| scale.object.as_ref());
        let resource_version = scale.map(|scale| scale.metadata.resource_version.clone()).unwrap_or_default();
        let explained = Explained::of(Snapshot::freeze(case)?)?;
        let decided = Decided::of(&explained);
        let (Some(current), Some((desired, highest))) = (decided.current, decided.desired) else {
            bail!("what would be decided is not known: there is nothing to write");
        };
        if desired != highest {
            bail!("{decided} would be decided: which number to write is not known exactly");
        }
        let target = &explained.snapshot.hpa.target;
        let owner = Owner {
            tool: Tool::HpaController,
            source: Some(format!("{}/{}", target.kind, target.name)),
            sign: Sign::ScaleTargetRef,
        };
        let spec = |replicas: Replicas| json!({"spec": {"replicas": replicas.0}});
        let (before, after) = (spec(current), spec(desired));
        Ok(Self { place, resource_version, before, after, owner: Some(owner), decided })
    }

    /// To change the spec of an autoscaler from one case's to another's, of which the second is decided on.
    pub fn of_hpa(place: Place, now: &Case, then: Case) -> anyhow::Result<Self> {
        let spec = |case: &Case| json!({"spec": case.hpa.0.spec});
        let resource_version = now.hpa.0.metadata.resource_version.clone();
        let (before, after) = (spec(now), spec(&then));
        let decided = Decided::of(&Explained::of(Snapshot::freeze(then)?)?);
        Ok(Self { place, resource_version, before, after, owner: None, decided })
    }

    pub(super) fn patch(&self) -> Option<Value> {
        merge_patch(&self.before, &self.after)
    }

    /// The patch, bound to the version that was decided on.
    pub(super) fn bound_patch(&self, patch: &Value) -> anyhow::Result<Value> {
        if self.resource_version.is_empty() {
            bail!("{} has no resourceVersion: it cannot be told whether somebody else writes it", self.place);
        }
        let mut patch = patch.clone();
        patch["metadata"] = json!({"resourceVersion": self.resource_version});
        Ok(patch)
    }

    pub(super) fn check(&self, requirements: &[Requirement]) -> anyhow::Result<()> {
        let Decided { desired, current, .. } = self.decided;
        let Some(unmet) = requirements.iter().find(|it| !it.holds(desired, current)) else { return Ok(()) };
        let hidden = if desired.is_some_and(|(low, high)| low == high) {
            ""
        } else {
            " (the controller's memory is not known)"
        };
        bail!(
            "--require {unmet} does not hold: {} would be decided{hidden}; nothing was written",
            self.decided
        )
    }

    /// An error, unless it is what was shown.
    pub(super) fn check_as(&self, shown: &Self) -> anyhow::Result<()> {
        if !self.decided.is_as(shown.decided) {
            bail!(
                "the world has moved: {} would have been decided, {} would be now; nothing was written. \
                 Run it again to see why",
                shown.decided,
                self.decided
            );
        }
        if self.patch().is_some() && self.before != shown.before {
            bail!(
                "{} was changed by somebody else since it was shown; nothing was written. Run it again",
                self.place
            );
        }
        Ok(())
    }
}
