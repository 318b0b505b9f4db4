//! The write itself: tried, and made on the very state that was decided on.

use anyhow::{Context, bail};
use serde_json::Value;

use super::{Proposal, Terms};
use crate::cluster::{Connection, DryRun, WriteError};
use crate::edit::{self, Metadata};

/// So often is decided again where somebody else writes at the same time.
const TRIES: usize = 5;

/// What a write, or the trial of one, found and left.
pub(super) struct Stored {
    pub before: Value,
    pub after: Value,
}

/// A write under way.
pub(super) struct Writer<'a, F> {
    pub terms: &'a Terms,
    pub connection: &'a Connection,
    pub shown: &'a Proposal,
    pub again: F,
}

impl<F> Writer<'_, F>
where
    F: AsyncFn() -> anyhow::Result<Proposal>,
{
    /// Lets the API server try what is shown; with a `uid`, decides again and writes to that very object. Where somebody
    /// else writes at the same time, once more on what there is then. `None` where it is so by now.
    pub async fn write(&self, uid: Option<&str>) -> anyhow::Result<Option<Stored>> {
        let (dry_run, mut fresh) = match uid {
            None => (DryRun::Server, None),
            Some(_) => (DryRun::No, Some(self.decided_again().await?)),
        };
        let mut conflict = String::new();
        for _ in 0..TRIES {
            let proposal = fresh.as_ref().unwrap_or(self.shown);
            let Some(patch) = proposal.patch() else { return Ok(None) };
            match self.attempt(proposal, &patch, uid, dry_run).await? {
                Ok(stored) => return Ok(Some(stored)),
                Err(message) => conflict = message,
            }
            fresh = Some(self.decided_again().await?);
        }
        bail!(
            "somebody else writes {} all the time, {TRIES} tries: {conflict}; nothing was written",
            self.shown.place
        )
    }

    async fn decided_again(&self) -> anyhow::Result<Proposal> {
        let fresh = (self.again)().await.context("nothing was written: it cannot be decided again")?;
        fresh.check(&self.terms.requirements)?;
        fresh.check_as(self.shown)?;
        Ok(fresh)
    }

    /// Writes once, on the very state that was decided on. The inner error is a conflict.
    async fn attempt(
        &self,
        proposal: &Proposal,
        patch: &Value,
        uid: Option<&str>,
        dry_run: DryRun,
    ) -> anyhow::Result<Result<Stored, String>> {
        let place = &proposal.place;
        let before = self.connection.object_at(place).await?;
        let found = Metadata::of(&before);
        if uid.is_some_and(|uid| uid != found.uid) {
            bail!("{place} was deleted and made anew since it was shown; nothing was written");
        }
        if found.resource_version != proposal.resource_version {
            return Ok(Err(format!(
                "resourceVersion {} instead of {}",
                found.resource_version, proposal.resource_version
            )));
        }
        if let Some(field) = edit::lost(patch, &before, &proposal.before) {
            bail!(
                "{field} is not known here and would be lost; nothing was written. Change it with kubectl edit"
            );
        }
        let bound = proposal.bound_patch(patch)?;
        match self.connection.patch(place, &bound, &self.terms.manager, dry_run).await {
            Ok(after) => Ok(Ok(Stored { before, after })),
            Err(WriteError::Conflict(message)) => Ok(Err(message)),
            Err(WriteError::Refused(error)) => Err(error.into()),
        }
    }
}
