//! `--apply`: from what was decided to what is stored, and never by surprise.

use std::io::{BufRead, Write};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::explained::Explained;
use super::{Screen, cases};
use crate::cli::{ApplyArgs, ConnectionArgs, DryRunAt, SettingsArgs};
use crate::cluster::{Connection, DryRun, Place, WriteError};
use crate::edit::{self, Metadata, Owner, Requirement, Sign, Tool, merge_patch};
use crate::model::Replicas;
use crate::render::{self, Options, sanitize};
use crate::snapshot::{Case, Snapshot};

/// So often is decided again where somebody else writes at the same time.
const TRIES: usize = 5;

/// Under which terms is written.
pub struct Terms {
    asks: bool,
    dry_run: DryRunAt,
    requirements: Vec<Requirement>,
    manager: String,
    options: Options,
    /// The flags with which another command finds the same cluster.
    cluster: String,
}

impl Terms {
    /// Those that were typed; `None` without `--apply`.
    ///
    /// # Errors
    /// If nobody can be asked.
    pub fn of(
        args: &ApplyArgs,
        connection: &ConnectionArgs,
        screen: Screen,
        options: Options,
    ) -> anyhow::Result<Option<Self>> {
        if !args.apply {
            return Ok(None);
        }
        let asks = !args.yes && args.dry_run == DryRunAt::None;
        if asks && !screen.can_ask {
            bail!(
                "--apply asks before it writes, and here is nobody to ask: add --yes, or --dry-run=server to try"
            );
        }
        Ok(Some(Self {
            asks,
            dry_run: args.dry_run,
            requirements: args.require.clone(),
            manager: args.field_manager.clone(),
            options,
            cluster: flags(connection),
        }))
    }
}

fn flags(connection: &ConnectionArgs) -> String {
    let file = connection
        .kubeconfig
        .as_ref()
        .map(|file| format!(" --kubeconfig {}", quoted(&file.to_string_lossy())));
    let context = connection.context.as_ref().map(|context| format!(" --context {}", quoted(context)));
    file.into_iter().chain(context).collect()
}

/// For a shell.
fn quoted(text: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "%+-./:_@=".contains(it);
    if text.chars().all(is_plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

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
    code: &'static str,
}

impl Decided {
    /// Of a case that was decided on.
    pub fn of(explained: &Explained) -> Self {
        let current = explained.snapshot.scale.as_ref().ok().map(|scale| scale.replicas);
        let code = explained.answer.decision.outcome.code().as_str();
        Self { desired: explained.answer.range(), current, code }
    }

    fn is_as(self, other: Self) -> bool {
        (self.desired, self.code) == (other.desired, other.code)
    }
}

impl std::fmt::Display for Decided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.desired {
            Some((low, high)) if low == high => write!(f, "{} replicas ({})", low.0, self.code),
            Some((low, high)) => write!(f, "{} to {} replicas ({})", low.0, high.0, self.code),
            None => write!(f, "an unknown number of replicas ({})", self.code),
        }
    }
}

impl Proposal {
    /// To set the replicas of the target to what is decided.
    ///
    /// # Errors
    /// If that is not one number.
    pub fn of_scale(place: Place, mut case: Case, settings: &SettingsArgs) -> anyhow::Result<Self> {
        cases::set(&mut case.controller, settings);
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

    fn patch(&self) -> Option<Value> {
        merge_patch(&self.before, &self.after)
    }

    /// The patch, bound to the version that was decided on.
    fn bound_patch(&self, patch: &Value) -> anyhow::Result<Value> {
        if self.resource_version.is_empty() {
            bail!("{} has no resourceVersion: it cannot be told whether somebody else writes it", self.place);
        }
        let mut patch = patch.clone();
        patch["metadata"] = json!({"resourceVersion": self.resource_version});
        Ok(patch)
    }

    fn check(&self, requirements: &[Requirement]) -> anyhow::Result<()> {
        let Decided { desired, current, .. } = self.decided;
        match requirements.iter().find(|it| !it.holds(desired, current)) {
            Some(unmet) => bail!(
                "--require {unmet} does not hold: {} would be decided; nothing was written",
                self.decided
            ),
            None => Ok(()),
        }
    }

    /// An error, unless it is what was shown.
    fn check_as(&self, shown: &Self) -> anyhow::Result<()> {
        if !self.decided.is_as(shown.decided) {
            bail!(
                "the world has moved: {} would have been decided, {} would be now; nothing was written",
                shown.decided,
                self.decided
            );
        }
        if self.patch().is_some() && self.before != shown.before {
            bail!("{} was changed by somebody else since it was shown; nothing was written", self.place);
        }
        Ok(())
    }
}

/// Shows a change, asks, decides again, and writes.
pub async fn apply<F>(
    terms: &Terms,
    connection: &Connection,
    shown: Proposal,
    again: F,
    input: &mut dyn BufRead,
    talk: &mut dyn Write,
) -> anyhow::Result<()>
where
    F: AsyncFn() -> anyhow::Result<Proposal>,
{
    shown.check(&terms.requirements)?;
    let Some(patch) = shown.patch() else {
        writeln!(talk, "{} is so already: nothing to write", shown.place)?;
        return Ok(());
    };
    show(terms, connection, &shown, &patch, talk).await?;
    if terms.dry_run == DryRunAt::Client {
        writeln!(talk, "\n{} patched (dry run)", shown.place)?;
        return Ok(());
    }
    if terms.asks && !is_yes(input, talk)? {
        writeln!(talk, "nothing was written")?;
        return Ok(());
    }
    write(terms, connection, &shown, again, talk).await
}

async fn show(
    terms: &Terms,
    connection: &Connection,
    shown: &Proposal,
    patch: &Value,
    talk: &mut dyn Write,
) -> anyhow::Result<()> {
    let object = connection.object_at(&shown.place.object()).await;
    let owners = object.as_ref().map(|object| edit::owners(&Metadata::of(object), &edit::paths(patch)));
    let owners: Vec<Owner> = shown.owner.iter().cloned().chain(owners.unwrap_or_default()).collect();
    let name = format!("{} in namespace {}", shown.place, connection.namespace());
    writeln!(talk)?;
    render::change(talk, &name, (&shown.before, &shown.after), &owners, &terms.options)?;
    if let Err(error) = object {
        writeln!(talk, "\nwho else writes it is not known: {}", sanitize(&error.to_string()))?;
    }
    Ok(())
}

fn is_yes(input: &mut dyn BufRead, talk: &mut dyn Write) -> anyhow::Result<bool> {
    write!(talk, "\nWrite it (y/N)? ")?;
    talk.flush()?;
    let mut line = String::new();
    input.read_line(&mut line)?;
    Ok(matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

async fn write<F>(
    terms: &Terms,
    connection: &Connection,
    shown: &Proposal,
    again: F,
    talk: &mut dyn Write,
) -> anyhow::Result<()>
where
    F: AsyncFn() -> anyhow::Result<Proposal>,
{
    let mut conflict = String::new();
    for _ in 0..TRIES {
        let fresh = again().await.context("cannot decide again")?;
        fresh.check(&terms.requirements)?;
        fresh.check_as(shown)?;
        let Some(patch) = fresh.patch() else {
            writeln!(talk, "{} is so by now: nothing to write", fresh.place)?;
            return Ok(());
        };
        let before = connection.object_at(&fresh.place).await?;
        let version = Metadata::of(&before).resource_version;
        if version != fresh.resource_version {
            conflict = format!("resourceVersion {version} instead of {}", fresh.resource_version);
            continue;
        }
        if let Some(field) = edit::lost(&patch, &before, &fresh.before) {
            bail!(
                "{field} is not known here and would be lost; nothing was written. Change it with kubectl edit"
            );
        }
        let dry_run = if terms.dry_run == DryRunAt::Server { DryRun::Server } else { DryRun::No };
        match connection.patch(&fresh.place, &fresh.bound_patch(&patch)?, &terms.manager, dry_run).await {
            Ok(after) => return Ok(told(terms, connection, &fresh.place, (&before, &after), talk)?),
            Err(WriteError::Conflict(message)) => conflict = message,
            Err(WriteError::Refused(error)) => return Err(error.into()),
        }
    }
    bail!("somebody else writes {} all the time, {TRIES} tries: {conflict}; nothing was written", shown.place)
}

/// What was written, and how it is undone.
fn told(
    terms: &Terms,
    connection: &Connection,
    place: &Place,
    (before, after): (&Value, &Value),
    talk: &mut dyn Write,
) -> std::io::Result<()> {
    let what = if place.is_scale() { "scaled" } else { "patched" };
    if terms.dry_run == DryRunAt::Server {
        return writeln!(talk, "\n{place} {what} (server dry run)");
    }
    writeln!(talk, "\n{place} {what}")?;
    let spec = |of: &Value| of.get("spec").cloned().unwrap_or_default();
    let Some(back) = merge_patch(&spec(after), &spec(before)) else { return Ok(()) };
    let at = format!("-n {}{}", quoted(connection.namespace()), terms.cluster);
    let undo = match back.get("replicas").filter(|_| place.is_scale()) {
        Some(replicas) => format!("kubectl scale {place} {at} --replicas={replicas}"),
        None => format!(
            "kubectl patch {place} {at} --type merge -p {}",
            quoted(&json!({"spec": back}).to_string())
        ),
    };
    writeln!(talk, "undo: {}", sanitize(&undo))
}
