//! Reports each request to an observer.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use http::{Method, Request, Response, StatusCode};
use kube::Client;
use kube::client::Body;
use tower_service::Service;

/// A request and how it was answered. Nothing in it is secret: neither headers nor bodies.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The verb.
    pub method: Method,
    /// The whole URL.
    pub url: String,
    /// The status of the answer; `None` where none came.
    pub status: Option<StatusCode>,
    /// From the request to the head of the answer.
    pub took: Duration,
}

/// Who is told.
#[derive(Clone)]
pub struct Observer(Arc<dyn Fn(&Exchange) + Send + Sync>);

impl Observer {
    /// Calls a function with each request, as soon as it is answered.
    pub fn new(tell: impl Fn(&Exchange) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }
}

impl Debug for Observer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

/// A client whose requests are told of.
pub(super) fn observed(client: Client, server: String, observer: Observer) -> Client {
    let namespace = client.default_namespace().to_owned();
    Client::new(Observed { client, server, observer }, namespace)
}

struct Observed {
    client: Client,
    server: String,
    observer: Observer,
}

impl Service<Request<Body>> for Observed {
    type Response = Response<Body>;
    type Error = kube::Error;
    type Future = BoxFuture<'static, Result<Response<Body>, kube::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), kube::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let (client, observer) = (self.client.clone(), self.observer.clone());
        let (method, url) = (request.method().clone(), format!("{}{}", self.server, request.uri()));
        Box::pin(async move {
            let start = Instant::now();
            let answer = client.send(request).await;
            let status = answer.as_ref().ok().map(Response::status);
            (observer.0)(&Exchange { method, url, status, took: start.elapsed() });
            answer
        })
    }
}
