//! Reads: one object, or a list that is decoded on a thread of its own while it arrives. And what is sent to be answered.

use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, DATE, RETRY_AFTER};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use kube::client::Body;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::mpsc;

use super::body;
use super::dated::{DatedRead, http_date};
use super::get::Get;
use super::items::{Form, Item, Items, Part};
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
/// A single object beyond this is none of those read here.
const LONGEST_OBJECT: usize = 32 << 20;
/// What is read of an error's body.
const LONGEST_ERROR: usize = 1 << 20;
/// What an API server gives each answer, and nobody else does.
///
/// Source: `WithAuditInit` of k8s.io/apiserver's `pkg/endpoints/filters`.
const AUDIT_ID: &str = "audit-id";
/// How often a request is made again.
const RETRIES: usize = 10;
/// A list in more parts than this has no end: even with 100 items in each it would have 100,000.
const MOST_PARTS: usize = 1000;
/// How many pieces of a list may wait for the decoder: with pieces of at most half a megabyte, a few megabytes.
const WAITING_PIECES: usize = 8;

/// What looks at the items of a list so far.
pub(in crate::cluster) type Note<'a, T> = &'a mut dyn FnMut(&[T]);

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
        let Opened { body, at, until, .. } = match Box::pin(self.opened(get, JSON)).await {
            Ok(opened) => opened,
            Err(answer) => return answer,
        };
        let read = match body::whole(body, &until, LONGEST_OBJECT).await {
            Ok(bytes) => match size::check(&bytes) {
                Ok(()) => shape.object(get, &bytes).map_err(|error| undecodable(get, &error)),
                Err(error) => Err(unheard_of(get, &error)),
            },
            Err(error) => Err(unread(get, &error)),
        };
        DatedRead { read, at }
    }

    /// Reads a list: as protobuf if its items can be read so and the server writes it, else as JSON.
    ///
    /// All else is short and always JSON: single objects, discovery, and lists of kinds of which there are few. `--watch` opens
    /// no watch of the API; it reads the same lists again.
    pub(in crate::cluster) async fn list<T: Item>(&self, get: &Get) -> DatedRead<Vec<T>> {
        self.list_noting(get, &mut |_| {}).await
    }

    /// The same; `note` gets all items so far whenever a part has come that is not the last.
    pub(in crate::cluster) async fn list_noting<T: Item>(
        &self,
        get: &Get,
        note: Note<'_, T>,
    ) -> DatedRead<Vec<T>> {
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
        self.parts(get, accept, &mut |_| {}).await
    }

    /// To the last part of a list: it is asked for whole, but a server may give it in parts all the same.
    async fn parts<T: Item>(&self, get: &Get, accept: &str, note: Note<'_, T>) -> DatedRead<Vec<T>> {
        let first = Items::new(get.path.in_namespace(), &get.about.resource);
        let mut answer = Box::pin(self.part(get, accept, first)).await;
        for _ in 0..MOST_PARTS {
            let Part { items, next } = match answer.read {
                Ok(part) => part,
                Err(error) => return DatedRead { read: Err(error), at: answer.at },
            };
            if next.is_empty() {
                return DatedRead { read: Ok(items.into_decoded()), at: answer.at };
            }
            note(items.decoded());
            let part = Box::pin(self.part(&get.page(&next), accept, items)).await;
            // Only this reader asks for further pages, so their failures are not shared with others.
            let part = part.map_err(|error| ours(get, &format!("the list breaks off: {}", error.message)));
            let read = part.read.and_then(|part| {
                let is_the_same = part.next == next;
                if is_the_same {
                    Err(ours(get, "the list continues with a part that came already"))
                } else {
                    Ok(part)
                }
            });
            answer = DatedRead { read, at: answer.at };
        }
        DatedRead {
            read: Err(ours(get, &format!("the list has more than {MOST_PARTS} parts"))),
            at: answer.at,
        }
    }

    /// One part of a list, after what came with earlier ones.
    async fn part<T: Item>(&self, get: &Get, accept: &str, mut items: Items<T>) -> DatedRead<Part<T>> {
        match self.opened(get, accept).await {
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
            Some(error) => Err(unread(get, &error)),
            // The controller itself has no such limit.
            None => items.map_err(|error| {
                let say = if error.is_bound() { unheard_of } else { undecodable };
                say(get, &error)
            }),
        }
    }

    /// The body of a good answer, or the error.
    async fn opened<T>(&self, get: &Get, accept: &str) -> Result<Opened, DatedRead<T>> {
        let (response, until) = self.patiently_sent(get, accept).await.map_err(DatedRead::none)?;
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

    /// The head of the answer. If the API server says when to ask again, it is asked then, as the controller's client does
    /// before the controller sees any error. After a server error without a time it is asked once more, at once.
    ///
    /// Source: `checkWait` in `with_retry.go` of client-go's `rest`, which retries ten times.
    async fn patiently_sent(&self, get: &Get, accept: &str) -> Read<(Response<Body>, Until)> {
        let (mut retries, mut waited) = (0, Duration::ZERO);
        loop {
            let until = self.until();
            let response = self.sent(get, accept, &until).await?;
            let at_once = (retries == 0 && response.status().is_server_error()).then_some(Duration::ZERO);
            let longest = self.longest_wait(response.status());
            let wait = retry_after(&response)
                .or(at_once)
                .filter(|wait| retries < RETRIES && waited.saturating_add(*wait) <= longest);
            let Some(wait) = wait else { return Ok((response, until)) };
            (retries, waited) = (retries + 1, waited + wait);
            tokio::time::sleep(wait).await;
        }
    }

    /// The head of the answer.
    async fn sent(&self, get: &Get, accept: &str, until: &Until) -> Read<Response<Body>> {
        let request = Request::get(get.path.as_str())
            .header(ACCEPT, accept)
            .body(Body::empty())
            .map_err(|error| ours(get, &error.to_string()))?;
        self.answered(get, request, until).await
    }

    /// Sends a request, and waits for the head of the answer.
    async fn answered(&self, get: &Get, request: Request<Body>, until: &Until) -> Read<Response<Body>> {
        match until.head(self.send(request)).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(ours(get, &plainly::words(&error))),
            Err(waited) => Err(ours(get, &format!("no answer within {waited:?}"))),
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
        let request = Request::builder().method(method).uri(to.path.as_str());
        let request = request.header(ACCEPT, JSON).header(CONTENT_TYPE, media);
        let request = request.body(Body::from(object.to_string().into_bytes()));
        let request = request.map_err(|error| ours(to, &error.to_string()))?;
        let until = self.until();
        let response = self.answered(to, request, &until).await?;
        if !response.status().is_success() {
            return Err(self.refusal(to, response, &until).await);
        }
        let bytes = body::whole(response.into_body(), &until, LONGEST_OBJECT).await;
        let bytes = bytes.map_err(|error| unread(to, &error))?;
        size::check(&bytes).map_err(|error| undecodable(to, &error))?;
        serde_json::from_slice(&bytes).map_err(|error| undecodable(to, &error))
    }

    async fn refusal(&self, get: &Get, response: Response<Body>, until: &Until) -> ReadError {
        let code = response.status().as_u16();
        let (parts, body) = response.into_parts();
        let body = body::beginning(body, until, LONGEST_ERROR).await;
        let content_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let is_signed = parts.headers.contains_key(AUDIT_ID);
        Refusal { code, content_type, body: &body, is_signed }.into_error(&get.about, get.path.as_str())
    }
}

/// How long to wait before asking again, if there were too many requests or the server is not able to answer.
fn retry_after(response: &Response<Body>) -> Option<Duration> {
    let seconds = response.headers().get(RETRY_AFTER)?.to_str().ok()?.parse().ok()?;
    let is_busy = response.status() == StatusCode::TOO_MANY_REQUESTS || response.status().is_server_error();
    is_busy.then(|| Duration::from_secs(seconds))
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

fn unread(get: &Get, error: &body::BodyError) -> ReadError {
    ours(get, &error.to_string())
}

/// An answer of 200 that is not what was asked for. Whoever wrote it, what the controller reads is another answer.
pub(in crate::cluster) fn undecodable(get: &Get, error: &dyn std::error::Error) -> ReadError {
    ReadError {
        code: Some(200),
        message: format!("cannot decode the answer: {error}").replace("expected struct ", "expected "),
        path: get.path.as_str().into(),
        scope: Scope::Reader,
        ..ReadError::default()
    }
}
