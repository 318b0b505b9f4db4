//! The controller: which one it is, and how it was started.

use std::collections::BTreeMap;

use super::ReadError;
use super::case::LeaseCase;
use crate::model::{Architecture, Duration, Evidence, Evidenced, Instant};

/// The controller behind a decision. Each setting says how it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Controller {
    /// Its version, as `v1.37.1`.
    pub version: Evidenced<Box<str>>,
    /// The API server's version, where both are known: they differ during an upgrade.
    pub api_server: Option<Box<str>>,
    /// The architecture that it runs on.
    pub architecture: Evidenced<Architecture>,
    /// `--horizontal-pod-autoscaler-tolerance`, a fraction.
    pub tolerance: Evidenced<f64>,
    /// `--horizontal-pod-autoscaler-downscale-stabilization`.
    pub downscale_stabilization: Evidenced<Duration>,
    /// `--horizontal-pod-autoscaler-cpu-initialization-period`.
    pub cpu_initialization_period: Evidenced<Duration>,
    /// `--horizontal-pod-autoscaler-initial-readiness-delay`.
    pub initial_readiness_delay: Evidenced<Duration>,
    /// `--horizontal-pod-autoscaler-sync-period`.
    pub sync_period: Evidenced<Duration>,
    /// kube-apiserver's `--event-ttl`: how long an event is kept after it was last written.
    pub event_ttl: Evidenced<Duration>,
    /// Since when the leading controller has been running; `None` if nothing shows it.
    pub started: Option<Evidenced<Instant>>,
    /// The Lease of the leader election, if it could be read and somebody has held it.
    pub lease: Option<LeaseCase>,
    /// Why the Lease could not be read, if the read was tried.
    pub lease_error: Option<ReadError>,
    /// Whether the controller manager runs this controller (`--controllers`); `None` if nothing shows it.
    pub runs: Option<Evidenced<bool>>,
    /// The pods of controller managers without leader election: each of them decides.
    pub unelected: Vec<String>,
    /// `--feature-gates`, those that were set.
    pub feature_gates: BTreeMap<Box<str>, Evidenced<bool>>,
    /// Why the flags could not be read, if the read was tried.
    pub error: Option<ReadError>,
}

impl Controller {
    /// The default of `--horizontal-pod-autoscaler-sync-period`.
    pub const SYNC_PERIOD: Duration = Duration::from_seconds(15);

    /// kube-controller-manager's defaults (`pkg/controller/podautoscaler/config/v1alpha1/defaults.go`), and kube-apiserver's for
    /// events (`pkg/controlplane/apiserver/options/options.go`).
    #[must_use]
    pub fn with_defaults(version: Evidenced<Box<str>>) -> Self {
        Self {
            version,
            api_server: None,
            architecture: Evidenced::assumed(Architecture::default()),
            tolerance: Evidenced::assumed(0.1),
            downscale_stabilization: Evidenced::assumed(Duration::from_seconds(300)),
            cpu_initialization_period: Evidenced::assumed(Duration::from_seconds(300)),
            initial_readiness_delay: Evidenced::assumed(Duration::from_seconds(30)),
            sync_period: Evidenced::assumed(Self::SYNC_PERIOD),
            event_ttl: Evidenced::assumed(Duration::from_seconds(3_600)),
            started: None,
            lease: None,
            lease_error: None,
            runs: None,
            unelected: Vec::new(),
            feature_gates: BTreeMap::new(),
            error: None,
        }
    }

    /// Whether several controllers decide at the same time.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.unelected.len() > 1
    }

    /// Since when the leading controller has been running, however that is known; `None` if nothing shows it.
    #[must_use]
    pub fn started_at(&self) -> Option<Instant> {
        self.started.as_ref().map(|started| started.value)
    }

    /// Whether each of these settings that is assumed is the default; not if replicas of the controller differ.
    #[must_use]
    pub fn assumes_defaults(&self) -> bool {
        let periods =
            [&self.downscale_stabilization, &self.cpu_initialization_period, &self.initial_readiness_delay];
        let is_default =
            |period: &&Evidenced<Duration>| period.evidence != Evidence::Assumed || period.is_default();
        let is_tolerance_default =
            self.tolerance.evidence != Evidence::Assumed || self.tolerance.is_default();
        is_tolerance_default && periods.iter().all(is_default)
    }

    /// How the settings that bear on the decision are known: the weakest of them.
    #[must_use]
    pub fn weakest_evidence(&self) -> Evidence {
        [
            self.tolerance.evidence,
            self.downscale_stabilization.evidence,
            self.cpu_initialization_period.evidence,
            self.initial_readiness_delay.evidence,
        ]
        .into_iter()
        .max()
        .unwrap_or_default()
    }
}
