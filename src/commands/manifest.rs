//! A manifest of an autoscaler, as it would be applied.

use anyhow::bail;

use super::cases;
use crate::api::Hpa;
use crate::cli::ConnectionArgs;
use crate::cluster::Connection;
use crate::snapshot::validate;

/// Refuses what the API server would refuse, in its words.
pub fn check(hpa: &Hpa) -> anyhow::Result<()> {
    let name = (hpa.metadata.name.is_empty())
        .then(|| "metadata.name: Required value: name or generateName is required".to_owned());
    let violations = validate(&hpa.spec).into_iter().map(|violation| violation.to_string());
    let problems: Vec<String> = name.into_iter().chain(violations).collect();
    if problems.is_empty() {
        return Ok(());
    }
    bail!("{}", problems.join("\n"))
}

/// How the change by a manifest is called.
pub fn said(file: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "%+-./:_@".contains(it);
    if file.chars().all(is_plain) { format!("-f {file}") } else { format!("-f '{file}'") }
}

/// The cluster that manifests are meant for; it is connected to when the first one comes.
pub struct Live {
    args: ConnectionArgs,
    connection: Option<Connection>,
}

impl Live {
    /// Not connected yet.
    pub fn new(args: ConnectionArgs) -> Self {
        Self { args, connection: None }
    }

    /// Connects to the namespace of a manifest; where that names none, to the one that was typed or is the context's.
    pub async fn of(&mut self, namespace: &str) -> anyhow::Result<Connection> {
        if let Some(typed) = self.args.namespace.as_ref().filter(|typed| *typed != namespace)
            && !namespace.is_empty()
        {
            bail!("the manifest is of namespace {namespace}, and -n says {typed}");
        }
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => cases::connect(self.args.clone()).await?,
        };
        let namespace = if namespace.is_empty() { connection.namespace() } else { namespace };
        let of_manifest = connection.in_namespace(namespace);
        self.connection = Some(connection);
        Ok(of_manifest)
    }
}
