//! Reads: one object, or a list that is decoded on a thread of its own while it arrives.

use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, DATE};
use http::{HeaderMap, Request, Response};
use kube::client::Body;
use serde::de::DeserializeOwned;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::answer::{Answer, http_date};
use super::connection::Connection;
use super::get::Get;
use super::items::{DecodeError, Item, Items};
use super::refusal::Refusal;
use super::{body, error, shape};
use crate::model::Instant;
use crate::snapshot::{Read, ReadError, Scope};

/// JSON, as every API server and adapter speaks it.
pub(super) const JSON: &str = "application/json";
/// A single object beyond this is none of those read here.
pub(super) const LONGEST_OBJECT: usize = 32 << 20;
/// What is read of an error's body.
const LONGEST_ERROR: usize = 1 << 20;
/// How many pieces of a list may wait for the decoder: with pieces of at most half a megabyte, a few megabytes.
const WAITING_PIECES: usize = 8;

impl Connection {
    /// Reads one object.
    pub(super) async fn object<T: DeserializeOwned>(&self, get: &Get) -> Answer<T> {
        let (body, at) = match self.opened(get, JSON).await {
            Ok(opened) => opened,
            Err(answer) => return answer,
        };
        let read = match body::whole(body, self.patience, LONGEST_OBJECT).await {
            Ok(bytes) => match shape::check(&bytes) {
                Ok(()) => serde_json::from_slice(&bytes).map_err(|error| undecodable(get, &error)),
                Err(error) => Err(unheard_of(get, &error)),
            },
            Err(error) => Err(unread(get, &error)),
        };
        Answer { read, at }
    }

    /// Reads a list.
    pub(super) async fn list<T: Item>(&self, get: &Get) -> Answer<Vec<T>> {
        self.list_as(get, JSON).await
    }

    /// Reads a list in a certain form.
    pub(super) async fn list_as<T: Item>(&self, get: &Get, accept: &str) -> Answer<Vec<T>> {
        match self.opened(get, accept).await {
            Ok((body, at)) => Answer { read: decoded(get, body, self.patience).await, at },
            Err(answer) => answer,
        }
    }

    /// The body of a good answer, or the error.
    async fn opened<T>(&self, get: &Get, accept: &str) -> Result<(Body, Option<Instant>), Answer<T>> {
        let response = self.sent(get, accept).await.map_err(Answer::none)?;
        let at = date(response.headers());
        if response.status().is_success() {
            return Ok((response.into_body(), at));
        }
        Err(Answer { read: Err(self.refusal(get, response).await), at })
    }

    /// The head of the answer.
    async fn sent(&self, get: &Get, accept: &str) -> Read<Response<Body>> {
        let request = Request::get(get.path.as_str())
            .header(ACCEPT, accept)
            .body(Body::empty())
            .map_err(|error| ours(get, &error.to_string()))?;
        match timeout(self.patience, self.client.send(request)).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(ours(get, &error::chain(&error))),
            Err(_) => Err(ours(get, &format!("no answer within {:?}", self.patience))),
        }
    }

    pub(super) async fn refusal(&self, get: &Get, response: Response<Body>) -> ReadError {
        let code = response.status().as_u16();
        let (parts, body) = response.into_parts();
        let body = body::beginning(body, self.patience, LONGEST_ERROR).await;
        let content_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        Refusal { code, content_type, body: &body }.into_error(&get.about, get.path.as_str())
    }
}

/// Decodes on a thread of its own, so that bytes are taken from the wire meanwhile.
async fn decoded<T: Item>(get: &Get, mut body: Body, patience: Duration) -> Read<Vec<T>> {
    let (pieces, waiting) = mpsc::channel(WAITING_PIECES);
    let decoder = tokio::task::spawn_blocking(move || decode(waiting));
    let mut broken = None;
    loop {
        match body::next(&mut body, patience).await {
            Ok(None) => break,
            // A decoder that hangs up has found an error; the rest of the body is of no use.
            Ok(Some(piece)) => {
                if pieces.send(piece).await.is_err() {
                    break;
                }
            }
            Err(error) => {
                broken = Some(error);
                break;
            }
        }
    }
    drop(pieces);
    let items = decoder.await.map_err(|error| ours(get, &error.to_string()))?;
    match broken {
        Some(error) => Err(unread(get, &error)),
        // The controller has no such bound.
        None => items.map_err(|error| {
            let say = if error.is_bound() { unheard_of } else { undecodable };
            say(get, &error)
        }),
    }
}

fn decode<T: Item>(mut pieces: mpsc::Receiver<Bytes>) -> Result<Vec<T>, DecodeError> {
    let mut items = Items::new();
    while let Some(piece) = pieces.blocking_recv() {
        items.feed(&piece)?;
    }
    items.finish()
}

fn date(headers: &HeaderMap) -> Option<Instant> {
    headers.get(DATE).and_then(|value| value.to_str().ok()).and_then(http_date)
}

/// An error on our way to the API server: the controller's way is another.
pub(super) fn ours(get: &Get, message: &str) -> ReadError {
    ReadError {
        message: message.into(),
        path: get.path.as_str().into(),
        scope: Scope::Reader,
        ..ReadError::default()
    }
}

/// An answer beyond what is read here: the controller may read it.
fn unheard_of(get: &Get, error: &dyn std::error::Error) -> ReadError {
    ours(get, &format!("cannot decode the answer: {error}"))
}

pub(super) fn unread(get: &Get, error: &body::BodyError) -> ReadError {
    ours(get, &error.to_string())
}

/// An answer of 200 that says something else than it should: the controller cannot read it either, though it says so
/// in other words.
pub(super) fn undecodable(get: &Get, error: &dyn std::error::Error) -> ReadError {
    ReadError {
        code: Some(200),
        message: format!("cannot decode the answer: {error}"),
        path: get.path.as_str().into(),
        ..ReadError::default()
    }
}
