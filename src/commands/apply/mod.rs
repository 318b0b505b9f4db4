//! `--apply`: from what was decided to what is stored, and never by surprise.

mod each;
mod interrupt;
mod proposal;
mod question;
mod stored;
mod terms;
mod undoable;
mod undos;
mod writer;

pub use each::each;
pub use proposal::Proposal;
pub use terms::Terms;
pub use undoable::Undoable;

use std::io::Write;

use anyhow::bail;
use serde_json::Value;

use crate::cli::DryRunAt;
use crate::cluster::{ClusterError, Connection};
use crate::render::{self, sanitize};
use kubectl_hpa_core::edit::{self, Metadata, Owner};
pub use stored::Stored;
use stored::spec;
use writer::Writer;

/// Shows a change and lets the API server try it; or, with what that has tried, decides again and writes. Gives what was
/// tried, if it is to be written.
pub async fn apply<F>(
    terms: &Terms,
    connection: &Connection,
    shown: Proposal,
    again: F,
    tried: Option<Stored>,
    talk: &mut dyn Write,
) -> anyhow::Result<Option<Stored>>
where
    F: AsyncFn() -> anyhow::Result<Proposal>,
{
    let writer = Writer { terms, connection, shown: &shown, again };
    match tried {
        None => try_out(&writer, talk).await,
        Some(tried) => write(&writer, &tried, talk).await.map(|()| None),
    }
}

/// Shows a change and lets the API server try it.
async fn try_out<F>(writer: &Writer<'_, F>, talk: &mut dyn Write) -> anyhow::Result<Option<Stored>>
where
    F: AsyncFn() -> anyhow::Result<Proposal>,
{
    let Writer { terms, connection, shown, .. } = *writer;
    shown.check(terms)?;
    let place = shown.place.clone();
    let name = sanitize(&place.to_string()).into_owned();
    let Some(patch) = shown.patch() else {
        writeln!(talk, "{name} already has these values: nothing to write")?;
        return Ok(None);
    };
    let done = done(place.is_scale());
    if terms.dry_run == DryRunAt::Client {
        let object = connection.object_at(&place.object()).await;
        show(terms, connection, shown, (&shown.before, &shown.after), (&patch, object), talk)?;
        writeln!(talk, "\n{name} {done} (dry run)")?;
        return Ok(None);
    }
    // The diff shows the object as the API server would store it, with its defaults.
    let Some((proposal, tried)) = writer.try_out().await? else {
        writeln!(talk, "{name} has these values by now: nothing to write")?;
        return Ok(None);
    };
    let sides = (spec(&tried.before), spec(&tried.after));
    // A Scale object has no managed fields that name other writers.
    let object =
        if place.is_scale() { connection.object_at(&place.object()).await } else { Ok(tried.before.clone()) };
    show(terms, connection, shown, (&sides.0, &sides.1), (&patch, object), talk)?;
    if let Some(difference) = proposal.otherwise(&tried, terms)? {
        let words =
            format!("the API server would store something else (a webhook may do that): {difference}");
        if !terms.asks {
            bail!("{words}; nothing was written");
        }
        writeln!(talk, "\n{}", sanitize(&words))?;
    }
    if terms.dry_run == DryRunAt::Server {
        writeln!(talk, "\n{name} {done} (server dry run)")?;
        return Ok(None);
    }
    Ok(Some(tried))
}

/// The word for a write that was made, as kubectl says it.
const fn done(is_scale: bool) -> &'static str {
    if is_scale { "scaled" } else { "patched" }
}

/// Decides again and writes what was tried.
async fn write<F>(writer: &Writer<'_, F>, tried: &Stored, talk: &mut dyn Write) -> anyhow::Result<()>
where
    F: AsyncFn() -> anyhow::Result<Proposal>,
{
    let Writer { terms, connection, shown: Proposal { place, .. }, .. } = *writer;
    let name = sanitize(&place.to_string()).into_owned();
    terms.undos.begin(&terms.undo(connection, place, tried))?;
    let written = match writer.store(tried).await {
        Ok(Some(written)) => written,
        not_made => {
            terms.undos.end();
            not_made?;
            return Ok(writeln!(talk, "{name} has these values by now: nothing to write")?);
        }
    };
    let undo = terms.undo(connection, place, &written);
    terms.undos.add(&undo);
    writeln!(talk, "\n{name} {}", done(place.is_scale()))?;
    writeln!(talk, "undo: {}", sanitize(&undo))?;
    Ok(terms.lacks().map_or(Ok(()), |lacks| writeln!(talk, "{lacks}"))?)
}

fn show(
    terms: &Terms,
    connection: &Connection,
    shown: &Proposal,
    sides: (&Value, &Value),
    (patch, object): (&Value, Result<Value, ClusterError>),
    talk: &mut dyn Write,
) -> anyhow::Result<()> {
    let owners = object.as_ref().map(|object| edit::owners(&Metadata::of(object), &edit::paths(patch)));
    let owners: Vec<Owner> = shown.owner.iter().cloned().chain(owners.unwrap_or_default()).collect();
    let name = format!("{} in namespace {}", shown.place, connection.namespace());
    writeln!(talk)?;
    render::change(talk, &name, sides, &owners, &terms.options)?;
    if let Err(error) = object {
        writeln!(talk, "\nunknown who else writes it: {}", sanitize(&error.to_string()))?;
    }
    Ok(())
}
