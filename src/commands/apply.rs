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
use crate::trace::{HoldReason, Outcome};

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
    let path =
        |path: &Option<std::path::PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
    let flags = [
        ("--kubeconfig", path(&connection.kubeconfig)),
        ("--context", connection.context.clone()),
        ("--cluster", connection.cluster.clone()),
        ("--user", connection.user.clone()),
        ("--server", connection.server.clone()),
        ("--certificate-authority", path(&connection.certificate_authority)),
        ("--as", connection.as_user.clone()),
    ];
    let groups = connection.as_groups.iter().map(|group| ("--as-group", Some(group.clone())));
    let typed = flags.into_iter().chain(groups);
    let typed = typed.filter_map(|(flag, value)| Some((flag, value.filter(|it| !it.is_empty())?)));
    typed
        .flat_map(|(flag, value)| [" ".to_owned(), flag.to_owned(), " ".to_owned(), quoted(&value)])
        .collect()
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
    fn check_as(&self, shown: &Self) -> anyhow::Result<()> {
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
    let place = shown.place.clone();
    let Some(patch) = shown.patch() else {
        return Ok(writeln!(talk, "{place} is so already: nothing to write")?);
    };
    let done = if place.is_scale() { "scaled" } else { "patched" };
    let writer = Writer { terms, connection, shown: &shown, again };
    if terms.dry_run == DryRunAt::Client {
        show(terms, connection, &shown, (&shown.before, &shown.after), &patch, talk).await?;
        return Ok(writeln!(talk, "\n{place} {done} (dry run)")?);
    }
    // What the API server makes of it, with its own defaults, is what is shown.
    let Some(tried) = writer.write(None).await? else {
        return Ok(writeln!(talk, "{place} is so by now: nothing to write")?);
    };
    show(terms, connection, &shown, (&spec(&tried.before), &spec(&tried.after)), &patch, talk).await?;
    if terms.dry_run == DryRunAt::Server {
        return Ok(writeln!(talk, "\n{place} {done} (server dry run)")?);
    }
    if terms.asks && !is_yes(input, talk)? {
        bail!("the answer was not yes; nothing was written");
    }
    let Some(written) = writer.write(Some(&Metadata::of(&tried.before).uid)).await? else {
        return Ok(writeln!(talk, "{place} is so by now: nothing to write")?);
    };
    writeln!(talk, "\n{place} {done}")?;
    Ok(writeln!(talk, "undo: {}", sanitize(&undo(terms, connection, &place, &written)))?)
}

async fn show(
    terms: &Terms,
    connection: &Connection,
    shown: &Proposal,
    sides: (&Value, &Value),
    patch: &Value,
    talk: &mut dyn Write,
) -> anyhow::Result<()> {
    let object = connection.object_at(&shown.place.object()).await;
    let owners = object.as_ref().map(|object| edit::owners(&Metadata::of(object), &edit::paths(patch)));
    let owners: Vec<Owner> = shown.owner.iter().cloned().chain(owners.unwrap_or_default()).collect();
    let name = format!("{} in namespace {}", shown.place, connection.namespace());
    writeln!(talk)?;
    render::change(talk, &name, sides, &owners, &terms.options)?;
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
    if !line.ends_with('\n') {
        writeln!(talk)?;
    }
    Ok(matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// What a write, or the trial of one, found and left.
struct Stored {
    before: Value,
    after: Value,
}

/// A write under way.
struct Writer<'a, F> {
    terms: &'a Terms,
    connection: &'a Connection,
    shown: &'a Proposal,
    again: F,
}

impl<F> Writer<'_, F>
where
    F: AsyncFn() -> anyhow::Result<Proposal>,
{
    /// Lets the API server try what is shown; with a `uid`, decides again and writes to that very object. Where somebody
    /// else writes at the same time, once more on what there is then. `None` where it is so by now.
    async fn write(&self, uid: Option<&str>) -> anyhow::Result<Option<Stored>> {
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

fn spec(object: &Value) -> Value {
    json!({"spec": object.get("spec")})
}

/// The command that takes a write back.
fn undo(terms: &Terms, connection: &Connection, place: &Place, Stored { before, after }: &Stored) -> String {
    let at = format!("-n {}{}", quoted(connection.namespace()), terms.cluster);
    let back = merge_patch(&spec(after), &spec(before)).unwrap_or_default();
    match back["spec"].get("replicas").filter(|_| place.is_scale()) {
        Some(replicas) => format!("kubectl scale {place} {at} --replicas={replicas}"),
        None => format!("kubectl patch {place} {at} --type merge -p {}", quoted(&back.to_string())),
    }
}
