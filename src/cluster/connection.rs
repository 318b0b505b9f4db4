//! The way to one API server, as one user, in one namespace.

use std::path::PathBuf;
use std::time::Duration;

use kube::Client;

use super::config;
use super::error::{ClusterError, chain};

/// How to connect, as a person types it; what is absent is taken from the kubeconfig.
#[derive(Clone, Debug, Default)]
pub struct ConnectArgs {
    /// The kubeconfig file; absent: `$KUBECONFIG`, `~/.kube/config`, or the pod's own service account.
    pub kubeconfig: Option<PathBuf>,
    /// The context; absent: the current one.
    pub context: Option<String>,
    /// The namespace; absent: the context's.
    pub namespace: Option<String>,
    /// The user to act as.
    pub as_user: Option<String>,
    /// The groups to act as.
    pub as_groups: Vec<String>,
    /// How long to wait for an answer to begin, and for each next part of it; absent: 30 seconds.
    pub request_timeout: Option<Duration>,
}

/// A connection to an API server. Nothing is sent before the first read.
pub struct Connection {
    pub(super) client: Client,
    pub(super) server: String,
    pub(super) namespace: String,
    pub(super) patience: Duration,
}

/// How long an answer may take to begin.
const PATIENCE: Duration = Duration::from_secs(30);

impl Connection {
    /// Prepares a connection. Must be called in a tokio runtime.
    ///
    /// # Errors
    /// [`ClusterError::Config`] if the kubeconfig cannot be read, or what it names does not exist.
    pub async fn new(args: ConnectArgs) -> Result<Self, ClusterError> {
        let patience = args.request_timeout.filter(|time| !time.is_zero()).unwrap_or(PATIENCE);
        let config = config::load(args, patience).await?;
        let server = config.cluster_url.to_string().trim_end_matches('/').to_owned();
        let namespace = config.default_namespace.clone();
        let client = Client::try_from(config).map_err(|error| ClusterError::Config(chain(&error)))?;
        Ok(Self { client, server, namespace, patience })
    }

    /// The same connection, to another namespace.
    #[must_use]
    pub fn in_namespace(&self, namespace: &str) -> Self {
        Self {
            client: self.client.clone(),
            server: self.server.clone(),
            namespace: namespace.to_owned(),
            patience: self.patience,
        }
    }

    /// The namespace that is read.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The address of the API server.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.server
    }
}
