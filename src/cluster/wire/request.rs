//! Reads: one object, or a list that is decoded on a thread of its own while it arrives. And what is sent to be answered.

use std::fmt::Display;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, DATE};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use kube::client::Body;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::mpsc;

use super::body;
use super::dated::{DatedRead, http_date};
use super::get::Get;
use super::items::{Decoded, Form, Item, Items, Part};
use super::moved::Moved;
use super::path::Path;
use super::protobuf;
use super::refusal::Refusal;
use super::shape::{Object, Shape, Strange};
use super::size;
use super::undecodable::DecodeError;
use crate::cluster::client::{Client, Until, plainly};
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::snapshot::{Read, ReadError, Scope};

/// JSON, as every API server and adapter speaks it.
pub(in crate::cluster) const JSON: &str = "application/json";
/// Protobuf, or JSON of what the server has no protobuf of: the words of the controller's own clients.
///
/// Source: the default of `--kube-api-content-type`, and `AcceptContentTypes` of client-go's `rest.Config`.
const PROTOBUF_OR_JSON: &str = "application/vnd.kubernetes.protobuf,application/json";
/// The server negotiated a form in which it cannot write the object after all.
const NOT_ACCEPTABLE: u16 = 406;
/// Where the next part of a list begins is forgotten.
const GONE: u16 = 410;
/// A single object beyond this is none of those read here.
const LONGEST_OBJECT: usize = 32 << 20;
/// What is read of an error's body.
const LONGEST_ERROR: usize = 1 << 20;
/// What an API server gives each answer, and nobody else does.
///
/// Source: `WithAuditInit` of k8s.io/apiserver's `pkg/endpoints/filters`.
const AUDIT_ID: &str = "audit-id";
/// A list in more parts than this has no end: even with 100 items in each it would have 100,000.
const MOST_PARTS: usize = 1000;
/// How many pieces of a list may wait for the decoder: with pieces of at most half a megabyte, a few megabytes.
const WAITING_PIECES: usize = 8;

/// What looks at the items of a list so far.
pub(in crate::cluster) type Note<'a, T> = &'a mut dyn FnMut(&[T]);

/// The head of the last answer to a request.
struct Sent {
    response: Response<Body>,
    until: Until,
    /// How the server failed at an earlier try, if it did.
    failed: Option<StatusCode>,
}

/// A good answer, as far as its head goes.
struct Opened {
    body: Body,
    form: Form,
    at: Option<Instant>,
    until: Until,
}

impl Client {
    /// Reads one object.
    pub(in crate::cluster) async fn object<T: Object>(&self, get: &Get) -> DatedRead<T> {
        self.shaped(get, T::SHAPE).await
    }

    /// Reads one object of a kind that is only known now.
    pub(in crate::cluster) async fn shaped<T: DeserializeOwned>(
        &self,
        get: &Get,
        shape: Shape<'_>,
    ) -> DatedRead<T> {
        let Opened { body, at, until, .. } = match Box::pin(self.opened(get, &get.path, JSON)).await {
            Ok(opened) => opened,
            Err(answer) => return answer,
        };
        let read = match body::whole(body, &until.of_object(), LONGEST_OBJECT).await {
            Ok(bytes) => match size::check(&bytes) {
                Ok(()) => shape.object(get, &bytes).map_err(|error| undecodable(get, &error)),
                Err(error) => Err(unheard_of(get, &error)),
            },
            Err(error) => Err(self.unread(get, &error)),
        };
        DatedRead { read, at }
    }

    /// Reads a list: as protobuf if its items can be read so and the server writes it, else as JSON.
    ///
    /// All else is short and always JSON: single objects, discovery, and lists of kinds of which there are few. `--watch` opens
    /// no watch of the API; it reads the same lists again.
    pub(in crate::cluster) async fn list<T: Item>(&self, get: &Get) -> DatedRead<Vec<T>> {
        self.list_noting(get, &mut |_| {}).await.map(|decoded| decoded.items)
    }

    /// Lists all, with those of which only their names could be decoded; `note` gets all items so far whenever a part has come
    /// that is not the last.
    pub(in crate::cluster) async fn list_noting<T: Item>(
        &self,
        get: &Get,
        note: Note<'_, T>,
    ) -> DatedRead<Decoded<T>> {
        if T::PROTOBUF.is_some() {
            let answer = Box::pin(self.parts(get, PROTOBUF_OR_JSON, note)).await;
            if !answer.read.as_ref().is_err_and(|error| error.code == Some(NOT_ACCEPTABLE)) {
                return answer;
            }
        }
        self.parts(get, JSON, note).await
    }

    /// Reads a list in a certain form.
    pub(in crate::cluster) async fn list_as<T: Item>(&self, get: &Get, accept: &str) -> DatedRead<Vec<T>> {
        self.parts(get, accept, &mut |_| {}).await.map(|decoded| decoded.items)
    }

    /// To the last part of a list. A later part that cannot be had is asked for once more, from where it begins; if the server
    /// has forgotten where that is, the list is asked for in one piece.
    ///
    /// Source: `ListPager` of client-go's `tools/pager`, which does the latter.
    async fn parts<T: Item>(&self, get: &Get, accept: &str, note: Note<'_, T>) -> DatedRead<Decoded<T>> {
        let first = Items::new(get.path.in_namespace(), &get.about.resource);
        let DatedRead { read, at } = Box::pin(self.part(get, &get.first(), accept, first)).await;
        let mut last = match read {
            Ok(part) => part,
            Err(error) => return DatedRead { read: Err(error), at },
        };
        for _ in 0..MOST_PARTS {
            let Part { items, next } = last;
            if next.is_empty() {
                return DatedRead { read: Ok(items.into_decoded()), at };
            }
            note(items.decoded());
            let page = get.next(&next);
            let read = match Box::pin(self.part(get, &page, accept, items.after())).await.read {
                Err(error) if error.code == Some(GONE) && get.has_pages => {
                    let whole = Get { has_pages: false, ..get.clone() };
                    return Box::pin(self.parts(&whole, accept, &mut |_| {})).await;
                }
                Err(_) => Box::pin(self.part(get, &page, accept, items.after())).await.read,
                read => read,
            };
            last = match read {
                Ok(part) if part.next == next => {
                    let error = ours(get, "the list continues with a part that came already");
                    return DatedRead { read: Err(error), at };
                }
                Ok(part) => Part { items: items.and(part.items), next: part.next },
                // Only this reader asks for further pages, so their failures are not shared with others.
                Err(error) => {
                    let error = ours(get, &format!("the list breaks off: {}", error.message));
                    return DatedRead { read: Err(error), at };
                }
            };
        }
        let error = ours(get, &format!("the list has more than {MOST_PARTS} parts"));
        DatedRead { read: Err(error), at }
    }

    /// One part of a list.
    async fn part<T: Item>(
        &self,
        get: &Get,
        at: &Path,
        accept: &str,
        mut items: Items<T>,
    ) -> DatedRead<Part<T>> {
        match self.opened(get, at, accept).await {
            Ok(opened) => {
                items.begin(opened.form);
                DatedRead { at: opened.at, read: self.decoded(get, opened, items).await }
            }
            Err(answer) => answer,
        }
    }

    /// Decodes on a thread of its own, so that bytes are taken from the wire meanwhile.
    async fn decoded<T: Item>(&self, get: &Get, opened: Opened, items: Items<T>) -> Read<Part<T>> {
        let Opened { mut body, until, .. } = opened;
        let (pieces, waiting) = mpsc::channel(WAITING_PIECES);
        let decoder = tokio::task::spawn_blocking(move || decode(waiting, items));
        let mut broken = None;
        loop {
            match body::next(&mut body, &until).await {
                Ok(None) => break,
                // A decoder that stopped receiving has found an error; the rest of the body is not needed.
                Ok(Some(piece)) => {
                    self.received.fetch_add(piece.len(), Ordering::Relaxed);
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
            Some(error) => Err(self.unread(get, &error)),
            // The controller itself has no such limit.
            None => items.map_err(|error| {
                if error.is_bound() { unheard_of(get, &error) } else { undecodable(get, &error) }
            }),
        }
    }

    /// The body of a good answer, or the error.
    async fn opened<T>(&self, get: &Get, at: &Path, accept: &str) -> Result<Opened, DatedRead<T>> {
        let Sent { response, until, .. } = self.got(get, at, accept).await.map_err(DatedRead::none)?;
        let at = date(response.headers());
        if response.status() != StatusCode::OK {
            return Err(DatedRead { read: Err(self.refusal(get, response, &until).await), at });
        }
        let form = match media_type(response.headers()) {
            Some(media) if media == protobuf::MEDIA && accept.contains(protobuf::MEDIA) => Form::Protobuf,
            Some(media) if media != JSON => {
                let error = undecodable(get, &Strange::Media(media));
                return Err(DatedRead { read: Err(error), at });
            }
            _ => Form::Json,
        };
        Ok(Opened { body: response.into_body(), form, at, until })
    }

    /// The head of the answer to a read.
    async fn got(&self, get: &Get, at: &Path, accept: &str) -> Read<Sent> {
        let request = || Request::get(at.as_str()).header(ACCEPT, accept).body(Body::empty());
        Box::pin(self.sent(get, &request)).await
    }

    /// Sends a request until it is answered with anything but "later", as the controller's client does before the controller
    /// sees any error; or so often that the last answer counts.
    async fn sent(&self, get: &Get, request: &dyn Fn() -> http::Result<Request<Body>>) -> Read<Sent> {
        let (resource, mut waits, mut failed) = (get.resource(), Vec::new(), None);
        if let Some(words) = self.given_up(&resource) {
            return Err(ours(get, &words));
        }
        let mut moved = Moved::default();
        loop {
            let request = request().map_err(|error| ours(get, &error.to_string()))?;
            let request = moved.request(request);
            let (method, until) = (request.method().clone(), self.until());
            let response = match self.send(request, &until).await {
                Ok(Ok(response)) => response,
                Ok(Err(error)) if self.reads_again(&resource, &method, &error) => continue,
                Ok(Err(error)) => return Err(ours(get, &plainly::words(&error))),
                Err(waited) => {
                    let words = format!("no answer within {waited:?}");
                    self.gave_up(&resource, &words);
                    return Err(ours(get, &words));
                }
            };
            if moved.follows(&self.server, &method, &response) {
                continue;
            }
            let Some(wait) = self.again(&resource, &method, &response, &waits) else {
                return Ok(Sent { response, until, failed });
            };
            failed = Some(response.status()).filter(StatusCode::is_server_error).or(failed);
            // Read to its end, so that the connection is used again.
            body::beginning(response.into_body(), &until, LONGEST_ERROR).await;
            waits.push(wait);
            self.wait(wait).await;
        }
    }

    /// Sends an object by another method than GET, and reads what is answered as long as it is JSON.
    pub(in crate::cluster) async fn exchanged(
        &self,
        method: Method,
        to: &Get,
        media: &str,
        object: &Value,
    ) -> Read<Value> {
        let request = || {
            let request = Request::builder().method(method.clone()).uri(to.path.as_str());
            let request = request.header(ACCEPT, JSON).header(CONTENT_TYPE, media);
            request.body(Body::from(object.to_string().into_bytes()))
        };
        let Sent { response, until, failed } = Box::pin(self.sent(to, &request)).await?;
        if let Some(failed) = failed.filter(|_| response.status() == StatusCode::CONFLICT) {
            // It may be this one's first try that the last one is in conflict with.
            let first = failed.as_u16();
            return Err(ours(to, &format!("answered with {first}, and at the next try with a conflict")));
        }
        if !response.status().is_success() {
            return Err(self.refusal(to, response, &until).await);
        }
        let bytes = body::whole(response.into_body(), &until, LONGEST_OBJECT).await;
        let bytes = bytes.map_err(|error| self.unread(to, &error))?;
        size::check(&bytes).map_err(|error| undecodable(to, &error))?;
        serde_json::from_slice(&bytes).map_err(|error| undecodable(to, &error))
    }

    fn unread(&self, get: &Get, error: &body::BodyError) -> ReadError {
        let words = error.to_string();
        if matches!(error, body::BodyError::Overdue(_)) {
            self.gave_up(&get.resource(), &words);
        }
        ours(get, &words)
    }

    async fn refusal(&self, get: &Get, response: Response<Body>, until: &Until) -> ReadError {
        let code = response.status().as_u16();
        let (parts, body) = response.into_parts();
        let body = body::beginning(body, &until.of_object(), LONGEST_ERROR).await;
        let content_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let is_signed = parts.headers.contains_key(AUDIT_ID);
        Refusal { code, content_type, body: &body, is_signed }.into_error(&get.about, get.path.as_str())
    }
}

/// What an answer says that it is, without its parameters.
fn media_type(headers: &HeaderMap) -> Option<String> {
    let media = headers.get(CONTENT_TYPE)?.to_str().ok()?.split(';').next()?.trim().to_ascii_lowercase();
    (!media.is_empty()).then_some(media)
}

fn decode<T: Item>(mut pieces: mpsc::Receiver<Bytes>, mut items: Items<T>) -> Result<Part<T>, DecodeError> {
    while let Some(piece) = pieces.blocking_recv() {
        items.feed(&piece)?;
    }
    items.finish()
}

fn date(headers: &HeaderMap) -> Option<Instant> {
    headers.get(DATE).and_then(|value| value.to_str().ok()).and_then(http_date)
}

/// An error on our way to the API server: the controller's way is another.
pub(in crate::cluster) fn ours(get: &Get, message: &str) -> ReadError {
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

/// An answer of 200 that is not what was asked for. Whoever wrote it, what the controller reads is another answer.
pub(in crate::cluster) fn undecodable(get: &Get, error: &dyn Display) -> ReadError {
    let words = format!("cannot decode the answer: {error}");
    ReadError {
        code: Some(200),
        message: words
            .replace("expected struct ", "expected ")
            .replace("EOF while parsing a", "it ends in a"),
        path: get.path.as_str().into(),
        scope: Scope::Reader,
        ..ReadError::default()
    }
}
