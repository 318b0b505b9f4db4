//! What questions are asked through: a client, and the answers that several questions of one run have in common, each read
//! once.
//!
//! What is shared is what another HPA's decision is only seen beside: what is served, the controller's settings,
//! the list of HPAs and the scales of the others. An HPA, its own scale and its pods are always read anew.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use crate::cluster::client::{Client, ConnectArgs};
use crate::cluster::discovery::Discovery;
use crate::cluster::error::ClusterError;
use crate::cluster::wire::DatedRead;
use kubectl_hpa_core::api;
use kubectl_hpa_core::snapshot::case::ControllerCase;

/// A connection to an API server, as one user, for one namespace. Nothing is sent before the first read.
#[derive(Clone)]
pub struct Connection {
    pub(in crate::cluster) client: Client,
    pub(in crate::cluster) shared: Option<Arc<Shared>>,
}

/// What was read already.
#[derive(Default)]
pub(in crate::cluster) struct Shared {
    pub settings: OnceCell<ControllerCase>,
    discovery: OnceCell<Discovery>,
    /// All HPAs of a namespace, by its name.
    pub hpas: Known<Vec<api::Hpa>>,
    /// By namespace and target.
    pub scales: Known<api::Scale>,
}

/// Answers by what was asked for.
pub(in crate::cluster) struct Known<T>(Mutex<BTreeMap<String, DatedRead<T>>>);

impl Connection {
    /// Prepares a connection. Must be called in a tokio runtime.
    ///
    /// # Errors
    /// [`ClusterError::Config`] if the kubeconfig cannot be read, or what it names does not exist.
    pub async fn new(args: ConnectArgs) -> Result<Self, ClusterError> {
        Ok(Self { client: Client::new(args).await?, shared: None })
    }

    /// The same connection, to another namespace.
    #[must_use]
    pub fn in_namespace(&self, namespace: &str) -> Self {
        Self { client: self.client.in_namespace(namespace), shared: self.shared.clone() }
    }

    /// The namespace that is read.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.client.namespace
    }

    /// The address of the API server, without a password.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.client.server
    }

    /// The same connection for several questions, which share what they have in common.
    #[must_use]
    pub fn sharing(mut self) -> Self {
        self.shared = Some(Arc::default());
        self
    }

    /// What is served.
    pub(in crate::cluster) async fn discovery(&self) -> Discovery {
        match &self.shared {
            Some(shared) => shared.discovery.get_or_init(|| self.client.read_discovery()).await.clone(),
            None => self.client.read_discovery().await,
        }
    }
}

impl<T: Clone> Known<T> {
    /// The answer, if it came already.
    pub fn get(&self, key: &str) -> Option<DatedRead<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// Keeps an answer.
    pub fn put(&self, key: String, answer: &DatedRead<T>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, answer.clone());
    }
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}
