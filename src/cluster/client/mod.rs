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
mod manners;
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

use http::header::{AUTHORIZATION, RETRY_AFTER};
use http::{Method, Request, Response, StatusCode};
use kube::client::Body;

use crate::cluster::error::ClusterError;
use bearer::Bearer;
use config::Loaded;
use manners::Manners;
use observed::observed;
use patience::{Need, Patience};

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
    manners: Arc<Manners>,
    notice: Option<fn(&str)>,
    need: Need,
    /// How many bytes of lists have come.
    pub received: Arc<AtomicUsize>,
}

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
            manners: Arc::new(Manners::of(args.qps)),
            notice: args.notice,
            need: Need::Needed,
            received: Arc::default(),
        })
    }

    /// A client like it, for what only tells more.
    pub fn optional(&self) -> Self {
        Self { need: Need::Optional, ..self.clone() }
    }

    /// The same client, for another namespace.
    pub fn in_namespace(&self, namespace: &str) -> Self {
        Self { namespace: namespace.to_owned(), ..self.clone() }
    }

    /// Sends a request with the user's credentials when its turn has come, and waits for the head of the answer.
    pub async fn send(
        &self,
        mut request: Request<Body>,
        until: &Until,
    ) -> Result<kube::Result<Response<Body>>, Duration> {
        self.manners.turn().await;
        if let Some(bearer) = &self.bearer {
            request.headers_mut().insert(AUTHORIZATION, bearer.header());
        }
        until.head(self.http.send(request)).await
    }

    /// How long to wait before a request about a resource is sent again, if it is: when the server says so; after a failure of
    /// the server without a time at once, of each resource one read. `before` has the waits of its earlier tries.
    ///
    /// Source: `checkWait` in `with_retry.go` of client-go's `rest`, for reads and writes alike.
    pub fn again(
        &self,
        resource: &str,
        method: &Method,
        response: &Response<Body>,
        before: &[Duration],
    ) -> Option<Duration> {
        let status = response.status();
        if !(status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error()) {
            self.manners.answered(resource);
            return None;
        }
        let seconds: Option<i64> =
            response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        // Less than none is none (`strconv.Atoi`).
        let Some(wait) = seconds.map(|seconds| Duration::from_secs(seconds.max(0).unsigned_abs())) else {
            let is_failed = method == Method::GET && status.is_server_error();
            let is_again = is_failed && self.manners.once_more(resource);
            return is_again.then_some(Duration::ZERO);
        };
        let in_all = before.iter().fold(wait, |sum, wait| sum.saturating_add(*wait));
        let is_short = in_all <= self.patience.longest_wait(self.need);
        (is_short && self.manners.again(resource, before.len())).then_some(wait)
    }

    /// Notes that an answer was waited for in vain, if there is one without it.
    pub fn gave_up(&self, resource: &str, words: &str) {
        if self.need == Need::Optional {
            self.manners.was_silent(resource, words);
        }
    }

    /// Why an answer is not waited for again, if there is one without it: one of the same resource was, shortly before.
    pub fn given_up(&self, resource: &str) -> Option<String> {
        if self.need == Need::Optional { self.manners.silence(resource) } else { None }
    }

    /// True if a read is sent again because the connection ended before its answer: of each resource one.
    ///
    /// Source: `isErrRetryableFunc` in `request.go` of client-go's `rest`.
    pub fn reads_again(&self, resource: &str, method: &Method, error: &kube::Error) -> bool {
        method == Method::GET && plainly::is_hung_up(error) && self.manners.once_more(resource)
    }

    /// Waits as long as the API server asks for. Of a long wait people are told, but of those at the same time once.
    pub async fn wait(&self, wait: Duration) {
        if let Some(notice) = self.notice.filter(|_| self.manners.is_news(wait)) {
            notice(&format!("Waiting {wait:?} for {}: it is busy and asks for that", self.server));
        }
        tokio::time::sleep(wait).await;
    }

    /// When the answer to a request that is sent now must be there.
    pub fn until(&self) -> Until {
        self.patience.for_need(self.need).begin()
    }
}
