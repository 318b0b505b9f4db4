//! What a cluster has.

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::{Context, Error, bail, ensure};
use serde::Deserialize;

use super::super::Screen;
use super::super::connect::connect;
use super::super::subjects::{self, Matching, Unnamed};
use crate::cli::LintArgs;
use crate::cluster::{ClusterError, Connection, Gathered, Unread};
use kubectl_hpa_core::model::{Labels, nearest};
use kubectl_hpa_core::snapshot::Written;

/// The HPAs that are asked about, and what is beside them.
pub async fn read(args: &LintArgs, screen: Screen, err: &mut dyn Write) -> anyhow::Result<Found> {
    let typed = args.subjects();
    let (_, selector) = subjects::read(&typed)?;
    let (connection, names) = if typed.is_query() {
        (connect(args.connection.clone()).await?, Vec::new())
    } else {
        named(args, screen, err).await?
    };
    let gathered = Box::pin(connection.lint_objects(args.all_namespaces)).await;
    let Gathered { objects, unread } = gathered.context("cannot list the HPAs")?;
    let mut found = Found { objects: objects.into_iter().map(Written::live).collect(), ..Found::default() };
    let hpas: Vec<usize> = (0..found.objects.len()).filter(|place| found.objects[*place].is_hpa()).collect();
    let labels = |place: &usize| {
        Labels::deserialize(&found.objects[*place].value["metadata"]["labels"]).unwrap_or_default()
    };
    let is_wanted = |place: &usize| selector.as_ref().is_none_or(|selector| selector.matches(&labels(place)));
    found.subjects = if names.is_empty() {
        hpas.into_iter().filter(is_wanted).collect()
    } else {
        names.iter().map(|name| called(name, &hpas, &found.objects, &connection)).collect::<Result<_, _>>()?
    };
    found.is_live = true;
    found.namespace = (!args.all_namespaces).then(|| connection.namespace().to_owned());
    for unread in unread {
        found.count(unread);
    }
    found.note_kinds();
    Ok(found)
}

/// The names of the HPAs that were named, or whose targets were, and where they are.
async fn named(
    args: &LintArgs,
    screen: Screen,
    err: &mut dyn Write,
) -> anyhow::Result<(Connection, Vec<String>)> {
    let connection = args.connection.clone();
    let found = subjects::of_cluster(&args.subjects(), Unnamed::All, connection, screen, err).await?;
    let Matching::Some(asked) = found else { bail!("no HPA was named") };
    let connection = asked.first().context("no HPA was named")?.connection.clone();
    let mut names = Vec::new();
    for it in &asked {
        ensure!(
            it.connection.namespace() == connection.namespace(),
            "lint takes the names of one namespace; -A takes every HPA of all"
        );
        names.push(it.named(it.connection.name_of(&it.subject).await.map_err(Into::into))?);
    }
    Ok((connection, names))
}

/// The place of the HPA of this name.
fn called(name: &str, hpas: &[usize], objects: &[Written], connection: &Connection) -> anyhow::Result<usize> {
    let called = |place: &usize| objects.get(*place).map_or("", |written| written.text("/metadata/name"));
    hpas.iter().copied().find(|place| called(place) == name).ok_or_else(|| {
        let near = nearest(name, hpas.iter().map(called)).into_iter().map(Into::into).collect();
        ClusterError::NoSuchHpa { name: name.to_owned(), namespace: connection.namespace().to_owned(), near }
            .into()
    })
}

/// What there is to look at.
#[derive(Default)]
pub struct Found {
    /// All of it.
    pub objects: Vec<Written>,
    /// Where each group of objects ends that is applied together; what comes after the last is one, too.
    pub groups: Vec<usize>,
    /// The places of the HPAs that are asked about.
    pub subjects: BTreeSet<usize>,
    /// What could not be read.
    pub errors: Vec<Error>,
    /// What was not looked at.
    pub not_looked_at: Vec<String>,
    /// Whether the reason of any is a right that is missing.
    pub is_right_missing: bool,
    /// Whether a cluster was asked.
    pub is_live: bool,
    /// The namespace that was asked about; `None` for all.
    pub namespace: Option<String>,
}

impl Found {
    /// A right that is missing leaves the other rules, unless most of them need it; anything else is an error.
    fn count(&mut self, unread: Unread) {
        let Unread { resource, is_needed, error } = unread;
        match error {
            ClusterError::Forbidden { permission, .. } if !is_needed => {
                let right = permission.map_or(resource, |right| right.to_string());
                self.not_looked_at.push(format!("{right} is forbidden"));
                self.is_right_missing = true;
            }
            error => self.errors.push(Error::from(error).context(format!("cannot list {resource}"))),
        }
    }

    /// The kinds of targets that are not read.
    fn note_kinds(&mut self) {
        const READ: [&str; 3] = ["Deployment", "StatefulSet", "ReplicaSet"];
        let kinds = self.subjects.iter().filter_map(|place| self.objects.get(*place));
        let kinds: BTreeSet<&str> = kinds.map(|hpa| hpa.text("/spec/scaleTargetRef/kind")).collect();
        let others: Vec<&str> = kinds.into_iter().filter(|kind| !READ.contains(kind)).collect();
        if !others.is_empty() {
            self.not_looked_at.push(format!(
                "targets of kind {} (lint reads {})",
                others.join(", "),
                READ.join(", ")
            ));
        }
    }
}
