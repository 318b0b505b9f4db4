//! The processes of the control plane: how their static pods were started, where those can be read.

use serde::Deserialize;

use super::flags::Flags;
use crate::cluster::connection::Connection;
use crate::cluster::wire::{DatedRead, Get, Item, Path, Shape};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::snapshot::{Read, ReadError, Scope};

const NAMESPACE: &str = "kube-system";
const MANAGER: &str = "kube-controller-manager";
const SERVER: &str = "kube-apiserver";

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

impl Item for StartedPod {
    const LIST: Shape<'static> = <api::Pod as Item>::LIST;

    fn place(&self) -> Option<(&str, &str)> {
        Some((&self.metadata.namespace, &self.metadata.name))
    }
}

/// One replica of a component of the control plane.
pub(super) struct Process {
    /// Namespace and name of its pod.
    pub pod: String,
    pub version: Option<String>,
    pub flags: Flags,
    pub started: Option<Instant>,
}

/// The replicas of what shapes a decision.
pub(super) struct ControlPlane {
    /// Of kube-controller-manager, at least one. The controller does not ask for them, so an error is the reader's.
    pub managers: Read<Vec<Process>>,
    /// Of kube-apiserver, as many as can be seen.
    pub servers: Vec<Process>,
}

impl Connection {
    pub(super) async fn control_plane(&self) -> ControlPlane {
        let path = Path::of("", "v1")
            .namespace(NAMESPACE)
            .segment("pods")
            .parameter("labelSelector", &format!("component in ({SERVER},{MANAGER})"));
        let get = Get::list(path, "", "pods");
        let pods: DatedRead<Vec<StartedPod>> = self.client.optional().list(&get).await;
        let of =
            |pods: &[StartedPod], component| pods.iter().filter_map(|pod| process(pod, component)).collect();
        match pods.read {
            Ok(pods) => {
                let managers: Vec<Process> = of(&pods, MANAGER);
                let managers = if managers.is_empty() { Err(unseen(&get)) } else { Ok(managers) };
                ControlPlane { managers, servers: of(&pods, SERVER) }
            }
            Err(error) => ControlPlane { managers: Err(error.of_reader()), servers: Vec::new() },
        }
    }
}

/// What is said where the list is allowed and empty.
fn unseen(get: &Get) -> ReadError {
    ReadError {
        message: format!("no pod of {NAMESPACE} runs {MANAGER}, as in managed clusters"),
        path: get.path.as_str().into(),
        scope: Scope::Reader,
        ..ReadError::default()
    }
}

fn process(pod: &StartedPod, component: &str) -> Option<Process> {
    let container = pod.spec.containers.iter().find(|it| runs(it, component))?;
    let words = container.command.iter().chain(&container.args).map(String::as_str);
    Some(Process {
        flags: Flags::parse(words),
        version: image_version(&container.image),
        started: started(&pod.status, &container.name),
        pod: format!("{NAMESPACE}/{}", pod.metadata.name),
    })
}

/// A word of its command may be a shell's whole command line.
fn runs(container: &Started, component: &str) -> bool {
    let words = container.command.iter().chain(&container.args);
    let mut words = words.flat_map(|word| word.split_whitespace());
    container.name == component || words.any(|word| !word.starts_with('-') && word.contains(component))
}

fn started(status: &StartedStatus, container: &str) -> Option<Instant> {
    let own = status.container_statuses.iter().find(|it| it.name == container)?;
    own.state.running.started_at
}

/// The tag of an image, where it is a version.
fn image_version(image: &str) -> Option<String> {
    let (_name, tag) = image.split('@').next()?.rsplit_once(':')?;
    let is_version = tag.strip_prefix('v')?.starts_with(|first: char| first.is_ascii_digit());
    is_version.then(|| tag.to_owned())
}
