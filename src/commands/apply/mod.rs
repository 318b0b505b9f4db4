//! `--apply`: from what was decided to what is stored, and never by surprise.

mod proposal;
mod terms;
mod writer;

pub use proposal::Proposal;
pub use terms::Terms;

use std::io::{BufRead, Write};

use anyhow::bail;
use serde_json::{Value, json};

use crate::cli::DryRunAt;
use crate::cluster::{ClusterError, Connection, Place};
use crate::edit::{self, Metadata, Owner, merge_patch};
use crate::model::shell_word;
use crate::render::{self, sanitize};
use writer::{Stored, Writer};

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
    let name = sanitize(&place.to_string()).into_owned();
    let Some(patch) = shown.patch() else {
        return Ok(writeln!(talk, "{name} is so already: nothing to write")?);
    };
    let done = if place.is_scale() { "scaled" } else { "patched" };
    let writer = Writer { terms, connection, shown: &shown, again };
    if terms.dry_run == DryRunAt::Client {
        let object = connection.object_at(&place.object()).await;
        show(terms, connection, &shown, (&shown.before, &shown.after), (&patch, object), talk)?;
        return Ok(writeln!(talk, "\n{name} {done} (dry run)")?);
    }
    // What the API server makes of it, with its own defaults, is what is shown.
    let Some(tried) = writer.write(None).await? else {
        return Ok(writeln!(talk, "{name} is so by now: nothing to write")?);
    };
    let sides = (spec(&tried.before), spec(&tried.after));
    // A scale does not tell who else writes the object.
    let object =
        if place.is_scale() { connection.object_at(&place.object()).await } else { Ok(tried.before.clone()) };
    show(terms, connection, &shown, (&sides.0, &sides.1), (&patch, object), talk)?;
    if terms.dry_run == DryRunAt::Server {
        return Ok(writeln!(talk, "\n{name} {done} (server dry run)")?);
    }
    if terms.asks && !is_yes(input, talk)? {
        bail!("the answer was not yes; nothing was written");
    }
    let Some(written) = writer.write(Some(&Metadata::of(&tried.before).uid)).await? else {
        return Ok(writeln!(talk, "{name} is so by now: nothing to write")?);
    };
    writeln!(talk, "\n{name} {done}")?;
    Ok(writeln!(talk, "undo: {}", sanitize(&undo(terms, connection, &place, &written)))?)
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

fn spec(object: &Value) -> Value {
    json!({"spec": object.get("spec")})
}

/// The command that takes a write back.
fn undo(terms: &Terms, connection: &Connection, place: &Place, Stored { before, after }: &Stored) -> String {
    let at = format!("-n {}{}", shell_word(connection.namespace()), terms.cluster);
    let name = place.to_string();
    let name = shell_word(&name);
    let back = merge_patch(&spec(after), &spec(before)).unwrap_or_default();
    match back["spec"].get("replicas").filter(|_| place.is_scale()) {
        Some(replicas) => format!("kubectl scale {name} {at} --replicas={replicas}"),
        None => format!("kubectl patch {name} {at} --type merge -p {}", shell_word(&back.to_string())),
    }
}
