//! Where names are looked up: in an example, in a file, in the cluster that the command line means.

use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::{Args, Command, FromArgMatches};
use futures::future::LocalBoxFuture;

use super::super::cases;
use super::super::connect::connect;
use crate::cli::{ConnectionArgs, Unfinished, several};
use crate::cluster::{Connection, Subject};
use crate::examples;
use kubectl_hpa_core::api::{Hpa, MetricSpec, Pod};
use kubectl_hpa_core::snapshot::{Case, Cases, Input};

/// A person waits for a shell no longer than this.
const PATIENCE: Duration = Duration::from_millis(900);

/// What the command line says of where to look.
#[derive(Clone, Debug)]
pub struct NameSource {
    /// How to reach the cluster.
    pub connection: ConnectionArgs,
    subject: Option<Subject>,
    example: Option<String>,
    files: Vec<PathBuf>,
}

impl NameSource {
    /// Takes it from the flags that were typed.
    pub fn of(line: &Unfinished) -> Self {
        let text = |id| line.value(id).filter(|text| !text.is_empty()).map(str::to_owned);
        Self {
            connection: connection(line),
            subject: line.value("names").and_then(|text| Subject::parse(text).ok()),
            example: text("example"),
            files: line.values("file").filter(|file| *file != "-").map(PathBuf::from).collect(),
        }
    }

    /// The cluster. Boxed, so that every question does not bring the whole way there along once more.
    pub fn connect(self) -> LocalBoxFuture<'static, anyhow::Result<Connection>> {
        Box::pin(connect(self.connection))
    }

    /// The HPAs that can be named: those of the files, where some were named.
    pub async fn named(self) -> anyhow::Result<Vec<Hpa>> {
        if self.files.is_empty() {
            return Ok(self.connect().await?.autoscalers().await?);
        }
        cases::of_files_or_objects(&self.files).map(|case| Ok(case?.1.hpa.0)).collect()
    }

    /// The names of what they scale of a type; the types of files are not known.
    pub async fn targets(self, type_name: String) -> anyhow::Result<Vec<String>> {
        if !self.files.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.connect().await?.targets(&type_name).await?)
    }

    /// The metrics of the HPA in question, or of all of the namespace where none was named.
    pub async fn metrics(self) -> anyhow::Result<Vec<MetricSpec>> {
        let hpas = match self.document()? {
            Some(Input::Case(case)) => vec![case.hpa.0],
            Some(Input::Manifest(manifest, _)) => vec![manifest.hpa],
            Some(Input::Other { .. }) => Vec::new(),
            None => self.autoscalers().await?,
        };
        Ok(hpas.into_iter().flat_map(|hpa| hpa.spec.metrics).collect())
    }

    /// The pods of its target.
    pub async fn pods(self) -> anyhow::Result<Vec<Arc<Pod>>> {
        let case = match self.document()? {
            Some(Input::Case(case)) => *case,
            Some(Input::Manifest(..) | Input::Other { .. }) => return Ok(Vec::new()),
            None => Box::pin(self.case()).await?,
        };
        Ok(case.pods.and_then(|pods| pods.items).unwrap_or_default())
    }

    /// The recorded case, or the first case or manifest of the files, where one was named.
    fn document(&self) -> anyhow::Result<Option<Input>> {
        if let Some(name) = &self.example {
            let example = examples::find(name).context("no such example")?;
            let case = Cases::new(name, example.text.as_bytes()).next().context("an empty example")??;
            return Ok(Some(Input::Case(Box::new(case))));
        }
        let is_other = |it: &anyhow::Result<_>| matches!(it, Ok((_, Input::Other { .. })));
        let first = cases::inputs(self.files.clone()).find(|it| !is_other(it)).transpose()?;
        Ok(first.map(|(_, input)| input))
    }

    async fn autoscalers(self) -> anyhow::Result<Vec<Hpa>> {
        let subject = self.subject.clone();
        let hpas = self.connect().await?.autoscalers().await?;
        Ok(hpas.into_iter().filter(|hpa| subject.as_ref().is_none_or(|it| it.is(hpa))).collect())
    }

    async fn case(self) -> anyhow::Result<Case> {
        let subject = self.subject.clone();
        let connection = self.connect().await?;
        let subject = match subject {
            Some(subject) => subject,
            None => connection.only(&connection.names().await?, false)?,
        };
        Ok(connection.gather(&subject).await?)
    }
}

/// The flags of the connection, read by their own parser. Where it would refuse them, so does the command later.
fn connection(line: &Unfinished) -> ConnectionArgs {
    let command = ConnectionArgs::augment_args(Command::new("connection").no_binary_name(true));
    let command = command.mut_arg("context", several);
    let flag = |long: &str, value: &str| match value {
        "" => format!("--{long}"),
        value => format!("--{long}={value}"),
    };
    let typed = command.get_arguments().filter_map(|arg| Some((arg.get_long()?, arg.get_id())));
    let words = typed.flat_map(|(long, id)| line.values(id.as_str()).map(move |value| flag(long, value)));
    let words: Vec<String> = words.collect();
    let matches = command.try_get_matches_from(words).ok();
    let read = matches.and_then(|matches| ConnectionArgs::from_arg_matches(&matches).ok());
    // Completion prints no message about a request into the line that is being typed.
    ConnectionArgs { verbosity: 0, ..read.unwrap_or_default() }
}

/// What can be read before the person's patience ends; nothing where it cannot.
///
/// On a thread of its own that is left behind: a plugin that asks for a password, or a name server that does not answer,
/// holds up a thread and not only a task.
pub fn in_time<T: Default + Send + 'static>(
    read: impl FnOnce() -> LocalBoxFuture<'static, anyhow::Result<T>> + Send + 'static,
) -> T {
    let (give, take) = mpsc::channel();
    let reader = std::thread::Builder::new().spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let result = runtime.map_err(|error| anyhow!(error)).and_then(|runtime| runtime.block_on(read()));
        // The receiver may be gone.
        let _ = give.send(result.unwrap_or_default());
    });
    reader.ok().and_then(|_| take.recv_timeout(PATIENCE).ok()).unwrap_or_default()
}
