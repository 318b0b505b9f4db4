//! What would be written, and the decision that it follows from.

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::Terms;
use super::stored::Stored;
use crate::cli::SettingsArgs;
use crate::cluster::Place;
use crate::commands::cases;
use kubectl_hpa_core::api::Hpa;
use kubectl_hpa_core::edit::{Owner, Sign, Tool, merge_patch, otherwise, paths};
use kubectl_hpa_core::explanation::Explanation;
use kubectl_hpa_core::model::Replicas;
use kubectl_hpa_core::snapshot::{Case, over};
use kubectl_hpa_core::trace::{HoldReason, Outcome};

/// What would be written, and the decision that it follows from.
#[derive(Clone)]
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
    /// What is decided then.
    pub decided: Decided,
    /// What is decided now.
    pub now: Decided,
    /// Of an HPA: what is decided on.
    pub then: Option<Box<Case>>,
}

/// A decision, as far as it is to be the same when it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Decided {
    desired: Option<(Replicas, Replicas)>,
    current: Option<Replicas>,
    /// What kept the controller from deciding by its metrics.
    instead: Option<&'static str>,
    /// Whether what the controller reads could be read.
    is_known: bool,
}

impl Decided {
    fn by(case: Case) -> anyhow::Result<Self> {
        Ok(Self::of(&Explanation::of(case)?))
    }

    /// Of a case that was decided on.
    pub fn of(explained: &Explanation) -> Self {
        let outcome = &explained.decision().outcome;
        let by_metrics = matches!(
            outcome,
            Outcome::Scale { failed: None, .. } | Outcome::Hold { reason: HoldReason::Decided, .. }
        );
        Self {
            desired: explained.range(),
            current: explained.current(),
            instead: (!by_metrics).then(|| outcome.code().as_str()),
            is_known: !explained.is_unknown(),
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
        cases::know(&mut case, &settings.past)?;
        let scale = case.scale.as_ref().and_then(|scale| scale.object.as_ref());
        let resource_version =
            scale.map(|scale| scale.metadata.resource_version.to_string()).unwrap_or_default();
        let explained = Explanation::of(case)?;
        let decided = Decided::of(&explained);
        let (Some(current), Some((desired, highest))) = (decided.current, decided.desired) else {
            bail!("cannot write: the decision is not known");
        };
        if desired != highest {
            bail!("cannot write: the decision is {decided}, not one number");
        }
        let target = &explained.snapshot().hpa.target;
        let owner = Owner {
            tool: Tool::HpaController,
            source: Some(format!("{}/{}", target.kind, target.name)),
            sign: Sign::ScaleTargetRef,
        };
        let spec = |replicas: Replicas| json!({"spec": {"replicas": replicas.0}});
        let (before, after) = (spec(current), spec(desired));
        let owner = Some(owner);
        Ok(Self { place, resource_version, before, after, owner, decided, now: decided, then: None })
    }

    /// To change the spec of an HPA from one case's to another's, of which the second is decided on.
    pub fn of_hpa(place: Place, now: &Case, then: Case) -> anyhow::Result<Self> {
        let resource_version = now.hpa.0.metadata.resource_version.to_string();
        let (stored, written) = (&now.hpa.0.spec, &then.hpa.0.spec);
        let (before, after) = (json!({"spec": stored}), json!({"spec": over(stored, written)}));
        let now = Decided::by(now.clone())?;
        let decided = Decided::by(then.clone())?;
        let then = Some(Box::new(then));
        Ok(Self { place, resource_version, before, after, owner: None, decided, now, then })
    }

    pub(super) fn patch(&self) -> Option<Value> {
        merge_patch(&self.before, &self.after)
    }

    /// The patch, bound to the version that was decided on.
    pub(super) fn bound_patch(&self, patch: &Value) -> anyhow::Result<Value> {
        if self.resource_version.is_empty() {
            bail!("{} has no resourceVersion: concurrent writes would go unnoticed", self.place);
        }
        let mut patch = patch.clone();
        patch["metadata"] = json!({"resourceVersion": self.resource_version});
        Ok(patch)
    }

    /// An error, unless it may be written under these terms.
    pub(super) fn check(&self, terms: &Terms) -> anyhow::Result<()> {
        let sides = [("now", self.now), ("with the change", self.decided)];
        let unknown = sides.into_iter().find(|(_, decided)| !decided.is_known);
        match unknown {
            Some(_) if terms.allow_unknown && self.is_of_bounds() => {}
            Some((side, _)) if self.is_of_bounds() => bail!(
                "the decision {side} is not known; nothing was written. \
                 --allow-unknown writes minReplicas and maxReplicas anyway"
            ),
            Some((side, _)) => bail!("the decision {side} is not known; nothing was written"),
            None => {}
        }
        Self::require(self.decided, "", terms)
    }

    fn require(decided: Decided, place: &str, terms: &Terms) -> anyhow::Result<()> {
        let unmet = terms.requirements.iter().find(|it| !it.holds(decided.desired, decided.current));
        let Some(unmet) = unmet else { return Ok(()) };
        let hidden = if decided.desired.is_some_and(|(low, high)| low == high) {
            ""
        } else {
            " (the controller's memory is not known)"
        };
        bail!("--require {unmet} is not met{place}: the decision is {decided}{hidden}; nothing was written")
    }

    /// Whether nothing but the bounds of an HPA is changed.
    fn is_of_bounds(&self) -> bool {
        let is_bound = |path: &Vec<String>| {
            matches!(
                path.iter().map(String::as_str).collect::<Vec<_>>()[..],
                ["spec", "minReplicas" | "maxReplicas"]
            )
        };
        !self.place.is_scale() && self.patch().is_some_and(|patch| paths(&patch).iter().all(is_bound))
    }

    /// How what the API server would store differs from what was proposed, or what is decided on it.
    ///
    /// # Errors
    /// If what was required does not hold of it.
    pub(super) fn otherwise(&self, tried: &Stored, terms: &Terms) -> anyhow::Result<Option<String>> {
        let decided = self.decided_on(&tried.after).context("what the API server would store")?;
        Self::require(decided, " for what the API server would store", terms)?;
        let patch = self.patch().unwrap_or_default();
        let decision = || {
            (!decided.is_as(self.decided))
                .then(|| format!("the decision would be {decided}, not {}", self.decided))
        };
        Ok(otherwise(&patch, &tried.before, &tried.after).or_else(decision))
    }

    fn decided_on(&self, tried: &Value) -> anyhow::Result<Decided> {
        let Some(then) = &self.then else {
            let replicas =
                tried.pointer("/spec/replicas").and_then(Value::as_i64).map_or(Ok(0), i32::try_from)?;
            let desired = Some((Replicas(replicas), Replicas(replicas)));
            return Ok(Decided { desired, ..self.decided });
        };
        let stored: Hpa = serde_json::from_value(tried.clone())?;
        if stored.spec == then.hpa.0.spec {
            return Ok(self.decided);
        }
        let mut then = Case::clone(then);
        then.hpa.0.spec = stored.spec;
        Decided::by(then)
    }

    /// An error, unless it is what was shown.
    pub(super) fn check_as(&self, shown: &Self) -> anyhow::Result<()> {
        if !self.decided.is_as(shown.decided) {
            bail!(
                "the decision has changed: it was {} and is now {}; nothing was written. \
                 Run it again to see why",
                shown.decided,
                self.decided
            );
        }
        if self.patch().is_some() && self.before != shown.before {
            bail!(
                "{} was changed by somebody else after it was shown; nothing was written. Run it again",
                self.place
            );
        }
        Ok(())
    }
}
