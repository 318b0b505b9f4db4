//! The Lease by which kube-controller-managers elect the one that works.

use serde::Deserialize;

use crate::cluster::connection::{Connection, Leadership};
use crate::cluster::wire::{Get, Object, Path, Shape};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::{Duration, Evidence, Evidenced, Instant};
use kubectl_hpa_core::snapshot::case::LeaseCase;

const NAMESPACE: &str = "kube-system";
const LEASE: &str = "kube-controller-manager";

/// A `Lease` of coordination.k8s.io/v1, cut down to who holds it, since when and until when.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Lease {
    #[serde(deserialize_with = "api::nullable")]
    spec: LeaseSpec,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct LeaseSpec {
    #[serde(deserialize_with = "api::nullable")]
    holder_identity: String,
    acquire_time: Option<Instant>,
    renew_time: Option<Instant>,
    lease_duration_seconds: Option<i32>,
}

impl Object for Lease {
    const SHAPE: Shape<'static> = Shape {
        kind: "Lease",
        versions: &["coordination.k8s.io/v1"],
        written: &["metadata.name", "metadata.namespace", "spec."],
    };
}

impl Connection {
    /// Who leads. It is read anew for each question, since its holder renews it every few seconds; where whole lists are read,
    /// once for all after these.
    pub(super) async fn leadership(&self) -> Leadership {
        match self.shared_by_all() {
            Some(shared) => shared.leadership.get_or_init(|| self.read_leadership()).await.clone(),
            None => self.read_leadership().await,
        }
    }

    async fn read_leadership(&self) -> Leadership {
        let path =
            Path::of("coordination.k8s.io", "v1").namespace(NAMESPACE).segment("leases").segment(LEASE);
        let get = Get::named(path, "coordination.k8s.io", "leases", LEASE);
        match self.client.optional().object::<Lease>(&get).await.read {
            Ok(Lease { spec }) => Leadership { lease: kept(&spec), since: leading_since(&spec), error: None },
            // Without an election there is none.
            Err(error) if error.code == Some(404) => Leadership::default(),
            Err(error) => Leadership { error: Some(error.of_reader()), ..Leadership::default() },
        }
    }
}

/// One that was released has no holder and lasts a second (client-go `release`).
fn kept(spec: &LeaseSpec) -> Option<LeaseCase> {
    Some(LeaseCase {
        holder: spec.holder_identity.clone(),
        renewed: spec.renew_time?,
        lasts: Duration::from_seconds(spec.lease_duration_seconds?.into()),
    })
}

/// The loops of the controller that leads start when it acquires the lease, and remember nothing from before (client-go
/// `LeaderElectionRecord`).
fn leading_since(spec: &LeaseSpec) -> Option<Evidenced<Instant>> {
    let acquired = spec.acquire_time.filter(|_| !spec.holder_identity.is_empty())?;
    let from = format!("Lease {NAMESPACE}/{LEASE}, held by {}", spec.holder_identity);
    Some(Evidenced::new(acquired, Evidence::Observed, from))
}
