//! The way to one API server, as one user: where it is, who asks, through which proxy, how long an answer is waited for.
//!
//! What was typed (`args`) is laid over (`overrides`) the kubeconfig (`kubeconfig`, `document`); with credentials (`bearer`,
//! `plugin`) and the proxy (`proxy`) it makes one configuration (`config`), the one that kubectl would make of the same
//! files, flags and environment. What a request asks for, and what its answer means, is not known here.

mod args;
mod bearer;
mod bounded;
mod config;
mod document;
mod kubeconfig;
mod observed;
mod overrides;
mod patience;
pub(in crate::cluster) mod plainly;
mod plugin;
mod proxy;

pub use args::ConnectArgs;
pub use bounded::read_bounded;
pub use kubeconfig::contexts;
pub use observed::{Exchange, Observer};
pub(in crate::cluster) use patience::{Overdue, Until};

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use http::header::AUTHORIZATION;
use http::{Request, Response, StatusCode};
use kube::client::Body;

use crate::cluster::error::ClusterError;
use bearer::Bearer;
use config::Loaded;
use observed::observed;
use patience::Patience;

/// Sends requests to an API server, as one user, for one namespace. Nothing is sent before the first read.
#[derive(Clone)]
pub(in crate::cluster) struct Client {
    http: kube::Client,
    bearer: Option<Bearer>,
    patience: Patience,
    /// The context of the kubeconfig, if one names the cluster.
    pub context: Option<Arc<str>>,
    /// The address of the API server, without a password.
    pub server: String,
    pub namespace: String,
    /// Whether it waits where the API server says that there are too many requests, and for how long.
    pub waits: bool,
    /// How many bytes of lists have come.
    pub received: Arc<AtomicUsize>,
}

/// The longest wait in all before a request is sent again, however long the timeout.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

impl Client {
    /// Prepares it. Must be called in a tokio runtime.
    ///
    /// # Errors
    /// [`ClusterError::Config`] if the kubeconfig cannot be read, or what it names does not exist.
    pub async fn new(args: ConnectArgs) -> Result<Self, ClusterError> {
        let patience = Patience::of(args.request_timeout);
        let Loaded { config, context, bearer } = config::load(&args, patience.silence).await?;
        let server = plainly::without_password(config.cluster_url.to_string().trim_end_matches('/'));
        let namespace = config.default_namespace.clone();
        let http = kube::Client::try_from(config)
            .map_err(|error| ClusterError::Config(plainly::of_config(&error)))?;
        let http = match args.observer {
            Some(observer) => observed(http, server.clone(), observer),
            None => http,
        };
        Ok(Self {
            http,
            bearer,
            patience,
            context: context.map(Into::into),
            server,
            namespace,
            waits: false,
            received: Arc::default(),
        })
    }

    /// The same client, for another namespace.
    pub fn in_namespace(&self, namespace: &str) -> Self {
        Self { namespace: namespace.to_owned(), ..self.clone() }
    }

    /// Sends a request with the user's credentials, and waits for the head of the answer.
    pub async fn send(&self, mut request: Request<Body>) -> kube::Result<Response<Body>> {
        if let Some(bearer) = &self.bearer {
            request.headers_mut().insert(AUTHORIZATION, bearer.header());
        }
        self.http.send(request).await
    }

    /// The longest that it waits in all before it asks again after an answer with this status.
    pub fn longest_wait(&self, status: StatusCode) -> Duration {
        let is_waited = self.waits || status.is_server_error();
        if is_waited { self.patience.silence.min(LONGEST_WAIT) } else { Duration::ZERO }
    }

    /// When the answer to a request that is sent now must be there.
    pub fn until(&self) -> Until {
        self.patience.begin()
    }
}
