//! The write itself: tried, and made on the very state that was decided on.

use anyhow::{Context, anyhow, bail};
use serde_json::Value;

use super::stored::{Stored, spec};
use super::{Proposal, Terms, Undoable};
use crate::cluster::{ClusterError, Connection, DryRun, WriteError};
use kubectl_hpa_core::edit::{self, Identity, Metadata};

/// So often is decided again where somebody else writes at the same time.
const TRIES: usize = 5;

/// A write under way.
pub(super) struct Writer<'a, F> {
    pub terms: &'a Terms,
    pub connection: &'a Connection,
    pub shown: &'a Proposal,
    pub again: F,
}

/// What one attempt came to.
enum Attempt {
    /// The object, as the API server has or would have stored it.
    Answered(Stored),
    /// Somebody else has written the object meanwhile.
    Conflict(String),
}

impl<F> Writer<'_, F>
where
    F: AsyncFn() -> anyhow::Result<Proposal>,
{
    /// Lets the API server try what is shown. Returns the proposal that was tried, too; `None` where it is so by now.
    pub async fn try_out(&self) -> anyhow::Result<Option<(Proposal, Stored)>> {
        let Some((proposal, tried)) = self.write(self.shown.clone(), None).await? else { return Ok(None) };
        // A server without dry run support has just written.
        let now = self.read().await?;
        if spec(&now) != spec(&tried.before) && spec(&now) == spec(&tried.after) {
            let what = format!(
                "{} is already stored: by the API server in spite of the dry run, or by somebody else at the same \
                 time",
                self.shown.place
            );
            bail!(self.undoable(&what, &tried));
        }
        Ok(Some((proposal, tried)))
    }

    /// Decides again, and writes what was tried to that very object. `None` where it is so by now.
    pub async fn store(&self, tried: &Stored) -> anyhow::Result<Option<Stored>> {
        let fresh = self.decided_again().await?;
        let Some((_, written)) = self.write(fresh, Some(tried)).await? else { return Ok(None) };
        let [before, after] = [&written.before, &written.after].map(|it| Metadata::of(it).resource_version);
        let why = match tried.otherwise_than(&written.after) {
            Some(difference) => format!("something else was stored than shown: {difference}"),
            None if before == after => {
                "the answer still has the resourceVersion from before the write".to_owned()
            }
            None if !is_later(&before, &after) => {
                format!("the answer has resourceVersion {after:?}, which does not follow {before}")
            }
            None => return Ok(Some(written)),
        };
        Err(self.unclear(&why, tried, DryRun::No).await)
    }

    /// Writes or tries; where somebody else writes at the same time, once more on what there is then.
    async fn write(
        &self,
        mut proposal: Proposal,
        tried: Option<&Stored>,
    ) -> anyhow::Result<Option<(Proposal, Stored)>> {
        let mut conflict = String::new();
        for _ in 0..TRIES {
            let Some(patch) = proposal.patch() else { return Ok(None) };
            match self.attempt(&proposal, &patch, tried).await? {
                Attempt::Answered(stored) => return Ok(Some((proposal, stored))),
                Attempt::Conflict(message) => conflict = message,
            }
            proposal = self.decided_again().await?;
        }
        bail!(
            "somebody else keeps writing {}, {TRIES} tries: {conflict}; nothing was written",
            self.shown.place
        )
    }

    async fn decided_again(&self) -> anyhow::Result<Proposal> {
        let fresh = (self.again)().await.context("nothing was written: the decision cannot be repeated")?;
        fresh.check(self.terms)?;
        fresh.check_as(self.shown)?;
        Ok(fresh)
    }

    /// Tries once, or writes what was tried, on the very state that was decided on.
    async fn attempt(
        &self,
        proposal: &Proposal,
        patch: &Value,
        tried: Option<&Stored>,
    ) -> anyhow::Result<Attempt> {
        let place = &proposal.place;
        let before = self.read().await?;
        let found = Metadata::of(&before);
        if tried.is_some_and(|tried| Metadata::of(&tried.before).uid != found.uid) {
            bail!("{place} was deleted and recreated after it was shown; nothing was written");
        }
        if found.resource_version != proposal.resource_version {
            return Ok(Attempt::Conflict(format!(
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
        let dry_run = if tried.is_some() { DryRun::No } else { DryRun::Server };
        // A dry run stores nothing, so only the intended result is known.
        let wanted = || tried.cloned().unwrap_or_else(|| Stored::wanted(&before, &proposal.after));
        let writing = self.connection.patch(place, &bound, &self.terms.manager, dry_run);
        let Some(answer) = self.terms.interrupt.or_interrupted(writing).await else {
            return Err(self.unclear("interrupted while the write was under way", &wanted(), dry_run).await);
        };
        match answer {
            Ok(after) => match self.identity(&before).other(&after) {
                None => Ok(Attempt::Answered(Stored { before, after })),
                Some(why) => Err(self.unclear(&why, &wanted(), dry_run).await),
            },
            Err(WriteError::Conflict(message)) => Ok(Attempt::Conflict(message)),
            Err(WriteError::Refused(ClusterError::InDoubt { path, message }))
                if dry_run == DryRun::Server =>
            {
                let why = format!("no clear answer to the dry run of {path}: {message}");
                Err(self.unclear(&why, &wanted(), dry_run).await)
            }
            Err(WriteError::Refused(error @ ClusterError::InDoubt { .. })) => {
                Err(self.unclear(&error.to_string(), &wanted(), dry_run).await)
            }
            Err(WriteError::Refused(error)) => Err(error.into()),
        }
    }

    /// Reads what is written.
    async fn read(&self) -> anyhow::Result<Value> {
        let place = &self.shown.place;
        let object = self.connection.object_at(place).await?;
        let uid = Metadata::of(&object).uid;
        match (Identity { uid: &uid, ..self.identity(&object) }).other(&object) {
            None => Ok(object),
            Some(why) => bail!("cannot read {place}: {why}"),
        }
    }

    /// Which object it is: the place that is written, and the one that was found there.
    fn identity<'a>(&'a self, found: &'a Value) -> Identity<'a> {
        let place = &self.shown.place;
        let uid = found.pointer("/metadata/uid").and_then(Value::as_str).unwrap_or_default();
        Identity { kind: place.kind(), namespace: self.connection.namespace(), name: place.name(), uid }
    }

    /// What is known after a write without a clear answer: what a read tells.
    async fn unclear(&self, why: &str, wanted: &Stored, dry_run: DryRun) -> anyhow::Error {
        let place = &self.shown.place;
        let read = self.terms.interrupt.or_interrupted(self.read()).await;
        let read = read.unwrap_or_else(|| Err(anyhow!("interrupted")));
        match read {
            Err(error) => {
                let what = format!(
                    "{why}; and it cannot be read again: {error:#}. If it was written, this takes it back"
                );
                self.undoable(&what, wanted).into()
            }
            Ok(now) if spec(&now) == spec(&wanted.before) => {
                let unchanged = format!("{why}; read again, {place} is unchanged");
                match dry_run {
                    DryRun::Server => anyhow!(unchanged),
                    // A server that has the write may still store it.
                    DryRun::No => {
                        let what = format!("{unchanged} so far. If it is stored later, this takes it back");
                        self.undoable(&what, wanted).into()
                    }
                }
            }
            Ok(now) => {
                let found = Stored { before: wanted.before.clone(), after: now };
                let how = match wanted.otherwise_than(&found.after) {
                    None => "is stored as shown".to_owned(),
                    Some(difference) => format!("is stored with a difference: {difference}"),
                };
                self.undoable(&format!("{why}; read again, {place} {how}"), &found).into()
            }
        }
    }

    fn undoable(&self, what: &str, stored: &Stored) -> Undoable {
        let lacks = self.terms.lacks().map_or_else(String::new, |lacks| format!("; {lacks}"));
        let what = format!("{what}{lacks}");
        let undo = self.terms.undo(self.connection, &self.shown.place, stored);
        self.terms.undos.add(&undo);
        Undoable { what, undo }
    }
}

/// Whether a resourceVersion is greater than the one before the write; not if either is no integer.
///
/// Source: `CompareResourceVersion` of apimachinery's `pkg/util/resourceversion` (KEP-5504).
fn is_later(before: &str, after: &str) -> bool {
    let number = |text: &str| text.parse::<u128>().ok();
    number(before).zip(number(after)).is_some_and(|(before, after)| before < after)
}
