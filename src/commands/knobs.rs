//! The question of `kubectl hpa simulate` to each case: the changes, and what somebody knows.

use std::path::Path;

use anyhow::{Context, bail};

use super::apply::Proposal;
use super::{cases, manifest};
use crate::cli::SettingsArgs;
use crate::cluster::{Connection, CurrentAndProposed, Proposed, Subject};
use kubectl_hpa_core::api::{Hpa, HpaSpec};
use kubectl_hpa_core::play::Assumptions;
use kubectl_hpa_core::snapshot::{Case, store};
use kubectl_hpa_core::whatif::{Axis, Change, change, change_spec, meant};

/// The subject of a simulation: what there is, and what the changes are made to.
pub struct Question {
    /// `None` where an HPA is not there yet.
    pub now: Option<Case>,
    pub then: Case,
    /// How the manifest is called that `then` has the spec of.
    pub typed_as: Option<String>,
    /// True if no cluster was asked for any of it.
    pub is_typed: bool,
}

impl Question {
    pub fn of(case: Case) -> Self {
        Self { now: Some(case.clone()), then: case, typed_as: None, is_typed: false }
    }
}

/// A question with what somebody knows, before the changes are made.
pub struct Prepared {
    pub now: Option<Case>,
    pub then: Case,
    pub meant: Vec<Change>,
    pub changes: Vec<String>,
    pub is_manifest: bool,
    pub is_typed: bool,
}

/// The context of an error that the case as it is does not have.
pub const WITH_CHANGES: &str = "with the changes";

impl Prepared {
    /// Makes the changes.
    pub fn change(&mut self) -> anyhow::Result<()> {
        if self.is_manifest {
            store(&mut self.then);
        }
        // What is typed would be stored without the changes.
        let before = self.now.as_ref().unwrap_or(&self.then).hpa.0.clone();
        change(&mut self.then, &self.meant)?;
        manifest::check_change(&before, &self.then.hpa.0).context(WITH_CHANGES)
    }
}

/// The changes to every case, and how they are answered.
pub struct Knobs<'a> {
    pub changes: &'a [Change],
    /// The assumptions about the time to come, if it is played.
    pub assumptions: Option<&'a Assumptions>,
    /// Another HPA to play beside this one, and its file.
    pub versus: Option<(&'a Path, &'a Hpa)>,
    pub axes: &'a [Axis],
    pub settings: &'a SettingsArgs,
    /// True if the change is to be written.
    pub writes: bool,
    /// True if the exit code says whether the decision changes.
    pub compares: bool,
}

impl Knobs<'_> {
    /// To write what is changed of the HPA.
    pub fn proposal(
        &self,
        connection: &Connection,
        CurrentAndProposed { current: now, proposed: then }: CurrentAndProposed,
        typed_as: Option<String>,
    ) -> anyhow::Result<Proposal> {
        let mut prepared = self.prepare(Question { now, then, typed_as, is_typed: false })?;
        prepared.change()?;
        let Prepared { now, then, .. } = prepared;
        let name = &then.hpa.0.metadata.name;
        let Some(now) = now else {
            bail!(
                "there is no HPA {name:?} yet: create it with kubectl; --apply changes only an HPA that exists"
            );
        };
        let place = connection.place_of_hpa(name);
        Proposal::of_hpa(place, &now, then)
    }

    pub async fn gather(
        &self,
        connection: &Connection,
        subject: &Subject,
        manifest: Option<&Hpa>,
    ) -> anyhow::Result<CurrentAndProposed> {
        let changes = self.changes;
        // An impossible change is reported when it is made to the case.
        let change = |spec: &mut HpaSpec| drop(change_spec(spec, changes));
        let cases = connection.gather_proposed(subject, Proposed { manifest, change: &change }).await?;
        if let Some(hpa) = manifest {
            manifest::check_target(cases.current.as_ref().map(|now| &now.hpa.0), hpa)?;
        }
        Ok(cases)
    }

    /// Adds what somebody knows; an error is one of the changes.
    pub fn prepare(&self, question: Question) -> anyhow::Result<Prepared> {
        let Question { mut now, mut then, typed_as, is_typed } = question;
        let is_manifest = typed_as.is_some();
        let meant = meant(&then, self.changes)?;
        let changes = self.as_typed(typed_as, &meant);
        cases::set(&mut then.controller, self.settings);
        for case in now.iter_mut().chain([&mut then]) {
            cases::know(case, &self.settings.past)?;
        }
        // A write does not change the controller, so its settings apply to both sides.
        if let Some(now) = now.as_mut().filter(|_| self.writes) {
            cases::set(&mut now.controller, self.settings);
        }
        Ok(Prepared { now, then, meant, changes, is_manifest, is_typed })
    }

    /// The changes as they can be typed again.
    pub fn as_typed(&self, manifest: Option<String>, meant: &[Change]) -> Vec<String> {
        let changes = meant.iter().map(ToString::to_string);
        let settings = if self.writes { Vec::new() } else { self.settings.typed() };
        manifest.into_iter().chain(changes).chain(settings).collect()
    }
}
