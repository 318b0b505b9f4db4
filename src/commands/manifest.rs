//! A manifest of an HPA, as it would be applied.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{anyhow, bail};

use super::connect::connect;
use crate::cli::ConnectionArgs;
use crate::cluster::{ClusterError, Connection};
use crate::render::sanitize;
use kubectl_hpa_core::api::{Hpa, MetricSpec, MetricTarget, Template, Unscalable, unscalable};
use kubectl_hpa_core::model::{Instant, shell_word};
use kubectl_hpa_core::snapshot::{
    CaseError, Input, Manifest, Violation, default_metric, validate_change, validate_manifest,
    validate_target,
};

/// Warns of fields that count for nothing, in kubectl's words.
pub fn warn(manifest: &Manifest, err: &mut dyn Write) -> io::Result<()> {
    manifest
        .unknown
        .iter()
        .try_for_each(|field| writeln!(err, "Warning: unknown field \"{}\"", sanitize(&field.path)))
}

/// Refuses what the API server would refuse, in its words.
pub fn check(hpa: &Hpa) -> anyhow::Result<()> {
    refuse(&validate_manifest(hpa))
}

/// The same for what depends on whether the HPA is stored already.
pub fn check_target(now: Option<&Hpa>, hpa: &Hpa) -> anyhow::Result<()> {
    let stored = now.map(|hpa| &hpa.spec.scale_target_ref);
    let target = &hpa.spec.scale_target_ref;
    let violation = validate_target(target, stored);
    let meant = unscalable(&target.api_version, &target.kind).and_then(Unscalable::meant);
    let with_hint = |it: Violation| match meant {
        Some(kind) => Violation { text: format!("{}\nhint: a {kind} is of apps/v1", it.text), ..it },
        None => it,
    };
    refuse(violation.map(with_hint).as_slice())
}

/// The same of a change of what is stored.
pub fn check_change(now: &Hpa, then: &Hpa) -> anyhow::Result<()> {
    refuse(&validate_change(&now.spec, &then.spec))
}

/// Refuses a target that no HPA can scale, which the API server does not.
pub fn check_scalable(hpa: &Hpa) -> anyhow::Result<()> {
    let target = &hpa.spec.scale_target_ref;
    unscalable(&target.api_version, &target.kind).map_or(Ok(()), |why| {
        let (path, text) = ("spec.scaleTargetRef.kind".to_owned(), why.to_string());
        refuse(&[Violation { path, text }])
    })
}

fn refuse(violations: &[Violation]) -> anyhow::Result<()> {
    let Some((first, rest)) = violations.split_first() else { return Ok(()) };
    let problem = rest.iter().fold(first.text.clone(), |problem, next| format!("{problem}\n{next}"));
    Err(CaseError { place: first.path.clone(), problem }.into())
}

/// What is missing where no cluster is configured: what would be read from it can be typed.
pub fn without_cluster(error: anyhow::Error, hpa: &Hpa, template: Option<&Template>) -> anyhow::Error {
    if !matches!(error.downcast_ref(), Some(ClusterError::NoCluster)) {
        return error;
    }
    let default = [default_metric()];
    let metrics = if hpa.spec.metrics.is_empty() { &default[..] } else { &hpa.spec.metrics };
    let mut knobs: Vec<String> = metrics.iter().flat_map(knobs).collect();
    // The target's manifest has the rest.
    knobs.retain(|knob| template.is_none() || !knob.starts_with("--request"));
    if template.is_none() {
        knobs.insert(0, "--replicas N".to_owned());
    }
    anyhow!("the manifest is valid; without a cluster, type what it measures: {}", knobs.join(" "))
}

/// The flags that give what a metric reads.
fn knobs(metric: &MetricSpec) -> Vec<String> {
    let of_pods = |name: &str, target: &MetricTarget| match target.average_utilization {
        Some(_) => vec![format!("--usage {name}=PERCENT%"), format!("--request {name}=QUANTITY")],
        None => vec![format!("--usage {name}=QUANTITY")],
    };
    let MetricSpec { resource, container_resource, pods, object, external, .. } = metric;
    match (resource, container_resource, pods, object, external) {
        (Some(it), ..) => of_pods(&shell_word(&it.name), &it.target),
        (_, Some(it), ..) => of_pods(&shell_word(&it.name), &it.target),
        (_, _, Some(it), ..) => of_pods(&shell_word(&it.metric.name), &it.target),
        (.., Some(it), _) => vec![format!("--metric {}=QUANTITY", shell_word(&it.metric.name))],
        (.., Some(it)) => vec![format!("--metric {}=QUANTITY", shell_word(&it.metric.name))],
        _ => Vec::new(),
    }
}

/// How the change by a manifest is called.
pub fn as_typed(file: &str) -> String {
    format!("-f {}", shell_word(file))
}

/// The second in which it is, by the clock of this machine: where no API server is asked, there is no other.
pub fn now() -> Instant {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Instant::from_unix_seconds(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
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

    /// The namespace of a manifest where no cluster is asked; where it names none, the one that was typed, or kubectl's.
    pub fn namespace<'a>(&'a self, namespace: &'a str) -> anyhow::Result<&'a str> {
        self.check(namespace)?;
        let typed = self.args.namespace.as_deref();
        let mut names = [Some(namespace), typed].into_iter().flatten();
        Ok(names.find(|name| !name.is_empty()).unwrap_or("default"))
    }

    /// A manifest that names no namespace is meant for the one that was typed.
    pub fn placed(&self, mut input: Input) -> Input {
        if let (Input::Manifest(read, _), Some(typed)) = (&mut input, &self.args.namespace)
            && read.hpa.metadata.namespace.is_empty()
        {
            read.hpa.metadata.namespace = typed.as_str().into();
        }
        input
    }

    pub fn check(&self, namespace: &str) -> anyhow::Result<()> {
        let typed = self.args.namespace.as_deref().unwrap_or_default();
        if ![namespace, typed].contains(&"") && namespace != typed {
            bail!("the manifest has namespace {namespace}, but -n is {typed}");
        }
        Ok(())
    }

    /// Connects to the namespace of a manifest; where that names none, to the one that was typed or is the context's.
    pub async fn of(&mut self, namespace: &str) -> anyhow::Result<Connection> {
        self.check(namespace)?;
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => connect(self.args.clone()).await?,
        };
        let namespace = if namespace.is_empty() { connection.namespace() } else { namespace };
        let of_manifest = connection.in_namespace(namespace);
        self.connection = Some(connection);
        Ok(of_manifest)
    }
}
