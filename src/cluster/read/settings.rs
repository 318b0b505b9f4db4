//! The controller's version and settings: from the pods of kube-controller-manager, where they can be read.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::flags::Flags;
use crate::cluster::connection::Connection;
use crate::cluster::wire::{DatedRead, Get, Item, Object, Path, Shape};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::{Architecture, Duration, Evidence, Evidenced, Instant};
use kubectl_hpa_core::snapshot::case::ControllerCase;
use kubectl_hpa_core::snapshot::{Controller, Read, ReadError, Scope};

const NAMESPACE: &str = "kube-system";
const COMPONENT: &str = "kube-controller-manager";

/// A pod, cut down to how its containers were started. This is all that is ever read of it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct StartedPod {
    metadata: api::ObjectMeta,
    spec: StartedSpec,
    #[serde(deserialize_with = "api::nullable")]
    status: StartedStatus,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct StartedStatus {
    #[serde(deserialize_with = "api::nullable")]
    container_statuses: Vec<ContainerStatus>,
}

/// A container, as far as it tells since when it runs.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ContainerStatus {
    name: String,
    #[serde(deserialize_with = "api::nullable")]
    state: ContainerState,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ContainerState {
    #[serde(deserialize_with = "api::nullable")]
    running: Running,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Running {
    started_at: Option<Instant>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StartedSpec {
    #[serde(deserialize_with = "api::nullable")]
    containers: Vec<Started>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Started {
    name: String,
    image: String,
    #[serde(deserialize_with = "api::nullable")]
    command: Vec<String>,
    #[serde(deserialize_with = "api::nullable")]
    args: Vec<String>,
}

/// `GET /version`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ServerVersion {
    git_version: String,
    platform: String,
}

/// One replica of the controller's process.
struct Manager {
    pod: String,
    version: Option<String>,
    flags: Flags,
    started: Option<Instant>,
}

impl Item for StartedPod {
    const LIST: Shape<'static> = <api::Pod as Item>::LIST;

    fn metadata(&self) -> Option<&api::ObjectMeta> {
        Some(&self.metadata)
    }
}

impl Object for ServerVersion {
    /// It has no kind.
    const SHAPE: Shape<'static> = Shape { kind: "", versions: &[], written: &["gitVersion"] };
}

impl Connection {
    /// The controller's settings.
    pub(super) async fn settings(&self) -> ControllerCase {
        match &self.shared {
            Some(shared) => shared.settings.get_or_init(|| self.read_settings()).await.clone(),
            None => self.read_settings().await,
        }
    }

    async fn read_settings(&self) -> ControllerCase {
        let get = Get::plain("/version");
        let (managers, server, started) =
            tokio::join!(self.managers(), self.client.object::<ServerVersion>(&get), self.leading_since());
        let mut settings = match managers {
            Ok(managers) => found(&managers),
            Err(error) => ControllerCase { error: Some(error), ..ControllerCase::default() },
        };
        let server = server.read.unwrap_or_default();
        settings.architecture = architecture(&server.platform);
        settings.started = started.or(settings.started);
        let server = Some(server.git_version).filter(|version| !version.is_empty());
        if settings.version.is_none() {
            settings.version = server.map(server_version);
        } else {
            settings.api_server = server;
        }
        settings
    }

    /// The replicas, of which there is at least one. The controller does not ask for them, so an error is the reader's.
    async fn managers(&self) -> Read<Vec<Manager>> {
        let path = Path::of("", "v1")
            .namespace(NAMESPACE)
            .segment("pods")
            .parameter("labelSelector", &format!("component={COMPONENT}"));
        let get = Get::list(path, "", "pods");
        let pods: DatedRead<Vec<StartedPod>> = self.client.list(&get).await;
        let pods = pods.read.map_err(|error| ReadError { scope: Scope::Reader, ..error })?;
        let managers: Vec<Manager> = pods.into_iter().filter_map(manager).collect();
        if managers.is_empty() { Err(unseen(&get)) } else { Ok(managers) }
    }
}

/// What is said where the list is allowed and empty.
fn unseen(get: &Get) -> ReadError {
    ReadError {
        message: format!("no pod of {NAMESPACE} runs {COMPONENT}, as in managed clusters"),
        path: get.path.as_str().into(),
        scope: Scope::Reader,
        ..ReadError::default()
    }
}

fn manager(pod: StartedPod) -> Option<Manager> {
    let container = pod.spec.containers.into_iter().find(is_manager)?;
    let words = container.command.iter().chain(&container.args).map(String::as_str);
    Some(Manager {
        flags: Flags::parse(words),
        version: image_version(&container.image),
        started: started(&pod.status, &container.name),
        pod: format!("{NAMESPACE}/{}", pod.metadata.name),
    })
}

fn started(status: &StartedStatus, container: &str) -> Option<Instant> {
    let own = status.container_statuses.iter().find(|it| it.name == container)?;
    own.state.running.started_at
}

/// Since when the controller runs, if it has one replica only: of several it is not known which leads.
fn running_since(managers: &[Manager]) -> Option<Evidenced<Instant>> {
    let [manager] = managers else { return None };
    let from = format!("container of pod {}", manager.pod);
    Some(Evidenced::new(manager.started?, Evidence::Observed, from))
}

fn is_manager(container: &Started) -> bool {
    let mut words = container.command.iter().chain(&container.args);
    container.name == COMPONENT || words.any(|word| word.contains(COMPONENT))
}

/// The tag of an image, where it is a version.
fn image_version(image: &str) -> Option<String> {
    let (_name, tag) = image.split('@').next()?.rsplit_once(':')?;
    let is_version = tag.strip_prefix('v')?.starts_with(|first: char| first.is_ascii_digit());
    is_version.then(|| tag.to_owned())
}

/// The API server may be one minor ahead of the controller, so its version is a good guess and no more.
fn server_version(version: String) -> Evidenced<String> {
    Evidenced::new(version, Evidence::Inferred, "GET /version of the API server")
}

/// The controller most often runs beside the API server, or on a machine like its own.
fn architecture(platform: &str) -> Option<Evidenced<Architecture>> {
    let value = platform.split_once('/')?.1.parse().ok()?;
    let from = "platform of GET /version of the API server";
    Some(Evidenced::new(value, Evidence::Inferred, from))
}

/// What the replicas tell.
fn found(managers: &[Manager]) -> ControllerCase {
    let defaults = Controller::with_defaults(Evidenced::assumed("".into()));
    let duration =
        |name: &str, default: Duration| agreed(managers, name, default, |text| Duration::parse(text).ok());
    ControllerCase {
        version: version(managers),
        api_server: None,
        architecture: None,
        tolerance: agreed(managers, "tolerance", defaults.tolerance.value, |text| text.parse().ok()),
        downscale_stabilization: duration("downscale-stabilization", defaults.downscale_stabilization.value),
        cpu_initialization_period: duration(
            "cpu-initialization-period",
            defaults.cpu_initialization_period.value,
        ),
        initial_readiness_delay: duration("initial-readiness-delay", defaults.initial_readiness_delay.value),
        sync_period: duration("sync-period", defaults.sync_period.value),
        started: running_since(managers),
        feature_gates: gates(managers),
        error: None,
    }
}

/// A flag's value: observed where all replicas were started with it, inferred where none was, and only assumed where
/// they differ, because which of them leads is not known.
fn agreed<T: Copy>(
    managers: &[Manager],
    name: &str,
    default: T,
    parse: impl Fn(&str) -> Option<T>,
) -> Option<Evidenced<T>> {
    let name = format!("horizontal-pod-autoscaler-{name}");
    let values: Vec<Option<&str>> = managers.iter().map(|manager| manager.flags.value(&name)).collect();
    let first = *values.first()?;
    let value = first.map_or(Some(default), &parse)?;
    if values.iter().any(|other| *other != first) {
        return Some(Evidenced::new(value, Evidence::Assumed, differing(managers, &name, &values)));
    }
    let pods = pods(managers);
    Some(match first {
        Some(_) => Evidenced::new(value, Evidence::Observed, format!("--{name} of {pods}")),
        None => Evidenced::new(value, Evidence::Inferred, format!("default: {pods} without --{name}")),
    })
}

fn version(managers: &[Manager]) -> Option<Evidenced<String>> {
    let value = managers.iter().find_map(|manager| manager.version.clone())?;
    let versions: Vec<Option<&str>> = managers.iter().map(|manager| manager.version.as_deref()).collect();
    if versions.iter().all(|version| *version == Some(&value)) {
        let from = format!("image of {}", pods(managers));
        return Some(Evidenced::new(value, Evidence::Observed, from));
    }
    let versions: Vec<_> = versions.iter().map(|version| version.or(Some("an unknown one"))).collect();
    Some(Evidenced::new(value, Evidence::Assumed, differing(managers, "version", &versions)))
}

fn gates(managers: &[Manager]) -> BTreeMap<String, Evidenced<bool>> {
    let names: BTreeSet<&String> = managers.iter().flat_map(|manager| manager.flags.gates.keys()).collect();
    names.into_iter().filter_map(|name| Some((name.clone(), gate(managers, name)?))).collect()
}

fn gate(managers: &[Manager], name: &str) -> Option<Evidenced<bool>> {
    let values: Vec<Option<bool>> =
        managers.iter().map(|manager| manager.flags.gates.get(name).copied()).collect();
    let value = values.iter().flatten().next().copied()?;
    if values.iter().all(|other| *other == Some(value)) {
        let from = format!("--feature-gates of {}", pods(managers));
        return Some(Evidenced::new(value, Evidence::Observed, from));
    }
    let texts: Vec<_> =
        values.iter().map(|value| value.map(|set| if set { "true" } else { "false" })).collect();
    Some(Evidenced::new(value, Evidence::Assumed, differing(managers, name, &texts)))
}

fn pods(managers: &[Manager]) -> String {
    let names: Vec<&str> = managers.iter().map(|manager| manager.pod.as_str()).collect();
    format!("pod {}", names.join(", "))
}

fn differing(managers: &[Manager], name: &str, values: &[Option<&str>]) -> String {
    let said = managers.iter().zip(values);
    let said = said.map(|(manager, value)| format!("{} has {}", manager.pod, value.unwrap_or("the default")));
    format!("replicas differ in {name}: {}", said.collect::<Vec<_>>().join(", "))
}
