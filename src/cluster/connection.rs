//! What questions are asked through: a client, and the answers that several questions of one run have in common, each read
//! once.
//!
//! What is shared is what another HPA's decision is only seen beside: what is served, the controller's settings and rights,
//! the list of HPAs and the scales of the others. An HPA, its own scale, its pods and who leads are read anew, unless so many
//! HPAs are asked about that whole lists are fewer requests: then all is picked out of these.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::OnceCell;

use crate::cluster::client::{Client, ConnectArgs};
use crate::cluster::discovery::{Discovery, Mapping};
use crate::cluster::error::ClusterError;
use crate::cluster::lists::Whole;
use crate::cluster::wire::{DatedRead, Decoded};
use kubectl_hpa_core::api;
use kubectl_hpa_core::model::{Evidenced, Instant};
use kubectl_hpa_core::snapshot::case::{ControllerCase, LeaseCase, OtherHpas};
use kubectl_hpa_core::snapshot::{Origin, ReadError};

/// How many HPAs are read at the same time, if they share what they have in common.
pub(in crate::cluster) const AT_ONCE: usize = 8;

/// A connection to an API server, as one user, for one namespace. Nothing is sent before the first read.
#[derive(Clone)]
pub struct Connection {
    /// The same for all questions about one namespace: of ten thousand HPAs none has a client of its own.
    pub(in crate::cluster) client: Arc<Client>,
    pub(in crate::cluster) shared: Option<Arc<Shared>>,
}

/// What was read already.
#[derive(Default)]
pub(in crate::cluster) struct Shared {
    pub settings: OnceCell<ControllerCase>,
    /// Where whole lists are read.
    pub leadership: OnceCell<Leadership>,
    discovery: OnceCell<Arc<Discovery>>,
    /// Where it could not be had in one piece, by what was needed of it.
    pub plain_discovery: Known<Arc<Discovery>>,
    /// All HPAs of a namespace, by its name.
    pub hpas: Known<Arc<Decoded<api::Hpa>>>,
    /// What they are to each other, by namespace, where whole lists are read.
    pub others: Known<OtherHpas>,
    /// By namespace and target.
    pub scales: Known<(api::Scale, Mapping)>,
    /// Of Object and External metrics, by path: where most HPAs are asked about, several have the same.
    pub values: Known<Vec<api::MetricValue>>,
    pub external_values: Known<Vec<api::ExternalMetricValue>>,
    /// Where most HPAs are asked about.
    pub whole: Option<Whole>,
    /// What the rivals of a few HPAs need.
    rivals: OnceLock<Arc<Self>>,
    /// True if the server of an API is said not to be there, by the name of its APIService.
    pub unavailable: Known<bool>,
    /// Whether a user has a right, by the question; and why no more is asked.
    pub access: Known<bool>,
    pub access_error: OnceLock<ReadError>,
}

/// The Lease of the controller, since when its holder has held it, and why that could not be read.
#[derive(Clone, Default)]
pub(in crate::cluster) struct Leadership {
    pub lease: Option<LeaseCase>,
    pub since: Option<Evidenced<Instant>>,
    pub error: Option<ReadError>,
}

/// Answers by what was asked for, each asked for once even if several need it at the same time.
pub(in crate::cluster) struct Known<T>(Mutex<BTreeMap<String, Arc<OnceCell<DatedRead<T>>>>>);

impl Connection {
    /// Prepares a connection. Must be called in a tokio runtime.
    ///
    /// # Errors
    /// [`ClusterError::Config`] if the kubeconfig cannot be read, or what it names does not exist.
    pub async fn new(args: ConnectArgs) -> Result<Self, ClusterError> {
        Ok(Self { client: Arc::new(Client::new(args).await?), shared: None })
    }

    /// The same connection, to another namespace.
    #[must_use]
    pub fn in_namespace(&self, namespace: &str) -> Self {
        let client = Arc::new(self.client.in_namespace(namespace));
        Self { client, shared: self.shared.clone() }
    }

    /// A connection like it, for what only tells more.
    pub(in crate::cluster) fn optional(&self) -> Self {
        Self { client: Arc::new(self.client.optional()), shared: self.shared.clone() }
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

    /// How many bytes of lists have come so far, through this connection and those made of it.
    #[must_use]
    pub fn received(&self) -> usize {
        self.client.received.load(Ordering::Relaxed)
    }

    /// Where its answers are from.
    #[must_use]
    pub fn origin(&self) -> Origin {
        match &self.client.context {
            Some(context) => Origin::Context(Arc::clone(context)),
            None => Origin::Server(self.server().into()),
        }
    }

    /// The same connection for several questions, which share what they have in common.
    #[must_use]
    pub fn sharing(mut self) -> Self {
        self.shared = Some(Arc::default());
        self
    }

    /// The same, for questions about most HPAs of all namespaces or of a few: what they need is listed whole.
    pub(in crate::cluster) fn listing(mut self, is_everywhere: bool) -> Self {
        let whole = Some(Whole::new(is_everywhere));
        self.shared = Some(Arc::new(Shared { whole, ..Shared::default() }));
        self
    }

    /// A connection for the targets of the other HPAs of a namespace, of which whole lists are fewer requests even beside one
    /// HPA, and what it keeps. Questions that share have one in common.
    pub(in crate::cluster) fn of_rivals(&self) -> (Self, Arc<Shared>) {
        let new = || Arc::new(Shared { whole: Some(Whole::new(false)), ..Shared::default() });
        let shared =
            self.shared.as_ref().map_or_else(new, |shared| Arc::clone(shared.rivals.get_or_init(new)));
        (Self { client: Arc::clone(&self.client), shared: Some(Arc::clone(&shared)) }, shared)
    }

    /// The lists that are read whole.
    pub(in crate::cluster) fn whole(&self) -> Option<&Whole> {
        self.shared.as_ref()?.whole.as_ref()
    }

    /// What is read once for all, if whole lists are.
    pub(in crate::cluster) fn shared_by_all(&self) -> Option<&Shared> {
        self.shared.as_deref().filter(|shared| shared.whole.is_some())
    }

    /// How many questions are worth asking at the same time.
    #[must_use]
    pub fn at_once(&self) -> usize {
        if self.shared.is_some() { AT_ONCE } else { 1 }
    }

    /// What is served.
    pub(in crate::cluster) async fn discovery(&self) -> Arc<Discovery> {
        let read = async || Arc::new(self.client.optional().read_discovery().await);
        match &self.shared {
            Some(shared) => Arc::clone(shared.discovery.get_or_init(read).await),
            None => read().await,
        }
    }
}

impl<T: Clone> Known<T> {
    /// The answer that came already, or that comes now.
    pub async fn once(&self, key: String, read: impl Future<Output = DatedRead<T>>) -> DatedRead<T> {
        let cell = Arc::clone(self.cells().entry(key).or_default());
        cell.get_or_init(|| read).await.clone()
    }

    /// Forgets all but the last so many by their keys: many HPAs are read in the order of their namespaces.
    pub fn keep_last(&self, most: usize) {
        let mut cells = self.cells();
        while cells.len() > most {
            cells.pop_first();
        }
    }

    /// Keeps an answer.
    pub fn put(&self, key: String, answer: &DatedRead<T>) {
        self.cells().insert(key, Arc::new(OnceCell::new_with(Some(answer.clone()))));
    }

    fn cells(&self) -> MutexGuard<'_, BTreeMap<String, Arc<OnceCell<DatedRead<T>>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}
