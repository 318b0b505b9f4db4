//! The controller's version and settings: from the pods of the control plane, where they can be read.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::controllers::{has_hpa_controller, runs_hpa_controller, unelected};
use super::flags::CONTROLLERS;
use super::processes::{ControlPlane, Process};
use crate::cluster::connection::{Connection, Leadership};
use crate::cluster::wire::{Get, Object, Shape};
use kubectl_hpa_core::model::{Architecture, Duration, Evidence, Evidenced, Instant};
use kubectl_hpa_core::snapshot::Controller;
use kubectl_hpa_core::snapshot::case::ControllerCase;

/// `GET /version`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ServerVersion {
    git_version: String,
    platform: String,
}

impl Object for ServerVersion {
    /// It has no kind.
    const SHAPE: Shape<'static> = Shape { kind: "", versions: &[], written: &["gitVersion"] };
}

impl Connection {
    /// The controller: its settings, and whether it leads.
    pub(super) async fn controller(&self) -> ControllerCase {
        let (settings, leadership) = tokio::join!(self.settings(), self.leadership());
        // The Lease of an earlier election tells nothing of a controller that takes no part in one.
        if !settings.unelected.is_empty() {
            return settings;
        }
        let Leadership { lease, since, error } = leadership;
        ControllerCase { lease, lease_error: error, started: since.or(settings.started), ..settings }
    }

    /// The controller's settings.
    pub(super) async fn settings(&self) -> ControllerCase {
        match &self.shared {
            Some(shared) => shared.settings.get_or_init(|| self.read_settings()).await.clone(),
            None => self.read_settings().await,
        }
    }

    async fn read_settings(&self) -> ControllerCase {
        let get = Get::plain("/version");
        let client = self.client.optional();
        let (control_plane, server) =
            tokio::join!(self.control_plane(), client.object::<ServerVersion>(&get));
        let ControlPlane { managers, servers } = control_plane;
        let mut settings = match managers {
            Ok(managers) => found(&managers),
            Err(error) => ControllerCase { error: Some(error), ..ControllerCase::default() },
        };
        settings.event_ttl = event_ttl(&servers);
        let server = server.read.unwrap_or_default();
        settings.architecture = architecture(&server.platform);
        let server = Some(server.git_version).filter(|version| !version.is_empty());
        if settings.version.is_none() {
            settings.version = server.map(server_version);
        } else {
            settings.api_server = server;
        }
        settings
    }
}

/// Since when the controller runs, if it has one replica only: of several it is not known which leads.
fn running_since(managers: &[Process]) -> Option<Evidenced<Instant>> {
    let [manager] = managers else { return None };
    let from = format!("container of pod {}", manager.pod);
    Some(Evidenced::new(manager.started?, Evidence::Observed, from))
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
fn found(managers: &[Process]) -> ControllerCase {
    let defaults = Controller::with_defaults(Evidenced::assumed("".into()));
    let duration = |name: &str, default: Evidenced<Duration>| of_hpa(managers, name, default.value, duration);
    ControllerCase {
        version: version(managers),
        api_server: None,
        architecture: None,
        tolerance: of_hpa(managers, "tolerance", defaults.tolerance.value, tolerance),
        downscale_stabilization: duration("downscale-stabilization", defaults.downscale_stabilization),
        cpu_initialization_period: duration("cpu-initialization-period", defaults.cpu_initialization_period),
        initial_readiness_delay: duration("initial-readiness-delay", defaults.initial_readiness_delay),
        sync_period: duration("sync-period", defaults.sync_period),
        event_ttl: None,
        started: running_since(managers),
        lease: None,
        lease_error: None,
        runs: runs(managers),
        unelected: unelected(managers),
        feature_gates: gates(managers),
        error: None,
    }
}

/// For how long the API servers keep events.
fn event_ttl(servers: &[Process]) -> Option<Evidenced<Duration>> {
    let default = Controller::with_defaults(Evidenced::assumed("".into())).event_ttl.value;
    agreed(servers, "event-ttl", default, duration)
}

/// Whether any replica runs the HPA controller: if they differ, which of them leads is not known.
fn runs(managers: &[Process]) -> Option<Evidenced<bool>> {
    let agreed = agreed(managers, CONTROLLERS, true, |text| Some(has_hpa_controller(text)))?;
    Some(Evidenced { value: managers.iter().any(runs_hpa_controller), ..agreed })
}

fn duration(text: &str) -> Option<Duration> {
    Duration::parse(text).ok().filter(|duration| *duration >= Duration::ZERO)
}

fn tolerance(text: &str) -> Option<f64> {
    text.parse().ok().filter(|tolerance: &f64| tolerance.is_finite() && *tolerance >= 0.0)
}

fn of_hpa<T: Copy>(
    managers: &[Process],
    name: &str,
    default: T,
    parse: impl Fn(&str) -> Option<T>,
) -> Option<Evidenced<T>> {
    agreed(managers, &format!("horizontal-pod-autoscaler-{name}"), default, parse)
}

/// A flag's value: observed where all replicas were started with it, inferred where none was, and only assumed where
/// they differ, because which of them leads is not known.
fn agreed<T: Copy>(
    replicas: &[Process],
    name: &str,
    default: T,
    parse: impl Fn(&str) -> Option<T>,
) -> Option<Evidenced<T>> {
    let values: Vec<Option<&str>> = replicas.iter().map(|replica| replica.flags.value(name)).collect();
    let first = *values.first()?;
    let value = first.map_or(Some(default), &parse)?;
    if values.iter().any(|other| *other != first) {
        return Some(Evidenced::new(value, Evidence::Assumed, differing(replicas, name, &values)));
    }
    let pods = pods(replicas);
    Some(match first {
        Some(_) => Evidenced::new(value, Evidence::Observed, format!("--{name} of {pods}")),
        None => Evidenced::new(value, Evidence::Inferred, format!("default: {pods} without --{name}")),
    })
}

fn version(managers: &[Process]) -> Option<Evidenced<String>> {
    let value = managers.iter().find_map(|manager| manager.version.clone())?;
    let versions: Vec<Option<&str>> = managers.iter().map(|manager| manager.version.as_deref()).collect();
    if versions.iter().all(|version| *version == Some(&value)) {
        let from = format!("image of {}", pods(managers));
        return Some(Evidenced::new(value, Evidence::Observed, from));
    }
    let versions: Vec<_> = versions.iter().map(|version| version.or(Some("an unknown one"))).collect();
    Some(Evidenced::new(value, Evidence::Assumed, differing(managers, "version", &versions)))
}

fn gates(managers: &[Process]) -> BTreeMap<String, Evidenced<bool>> {
    let names: BTreeSet<&String> = managers.iter().flat_map(|manager| manager.flags.gates.keys()).collect();
    names.into_iter().filter_map(|name| Some((name.clone(), gate(managers, name)?))).collect()
}

fn gate(managers: &[Process], name: &str) -> Option<Evidenced<bool>> {
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

fn pods(managers: &[Process]) -> String {
    let names: Vec<&str> = managers.iter().map(|manager| manager.pod.as_str()).collect();
    format!("pod {}", names.join(", "))
}

fn differing(managers: &[Process], name: &str, values: &[Option<&str>]) -> String {
    let said = managers.iter().zip(values);
    let said = said.map(|(manager, value)| format!("{} has {}", manager.pod, value.unwrap_or("the default")));
    format!("replicas differ in {name}: {}", said.collect::<Vec<_>>().join(", "))
}
