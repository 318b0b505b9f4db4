//! An HTTP error in the words of client-go, which the controller quotes.

use serde::Deserialize;

use super::author::{Author, Signs};
use super::get::About;
use super::protobuf::{self, Fields, Malformed};
use kubectl_hpa_core::api::nullable;
use kubectl_hpa_core::model::GroupVersion;
use kubectl_hpa_core::model::go_text::quote;
use kubectl_hpa_core::snapshot::{ReadError, Scope};

/// How much of a body client-go quotes (`maxUnstructuredResponseTextBytes`).
const LONGEST_QUOTE: usize = 2048;

/// `metav1.Status`: what shows in an error's text, and what must be well-formed for it to show. k8s-openapi's own would
/// be a `Status` of version v1 alone, while client-go takes any.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(clippy::struct_field_names, reason = "the API's names")]
struct Status {
    #[serde(deserialize_with = "nullable")]
    kind: String,
    #[serde(deserialize_with = "nullable")]
    api_version: String,
    #[serde(deserialize_with = "nullable")]
    status: String,
    #[serde(deserialize_with = "nullable")]
    message: String,
    #[serde(deserialize_with = "nullable")]
    reason: String,
    code: Option<i32>,
    #[serde(rename = "details")]
    _details: Option<Details>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Details {
    #[serde(rename = "name")]
    _name: Option<String>,
    #[serde(rename = "group")]
    _group: Option<String>,
    #[serde(rename = "kind")]
    _kind: Option<String>,
    #[serde(rename = "causes")]
    _causes: Option<Vec<Cause>>,
    #[serde(rename = "retryAfterSeconds")]
    _retry_after_seconds: Option<i32>,
}

#[derive(Deserialize)]
struct Cause {
    #[serde(rename = "reason")]
    _reason: Option<String>,
    #[serde(rename = "message")]
    _message: Option<String>,
    #[serde(rename = "field")]
    _field: Option<String>,
}

impl Status {
    fn from_protobuf(answer: &[u8]) -> Result<Self, Malformed> {
        let (envelope, object) = protobuf::whole(answer)?;
        let (kind, api_version) = (envelope.kind, envelope.version);
        let mut status = Self { kind, api_version, ..Self::default() };
        for field in Fields::of(object) {
            match field? {
                (2, value) => status.status = value.text()?,
                (3, value) => status.message = value.text()?,
                (4, value) => status.reason = value.text()?,
                (6, value) => status.code = i32::try_from(value.integer()?).ok(),
                _ => {}
            }
        }
        Ok(status)
    }
}

/// An answer that is not of the 200s.
pub(super) struct Refusal<'a> {
    /// The HTTP status code.
    pub code: u16,
    /// The header of that name.
    pub content_type: Option<&'a str>,
    /// The body, or its beginning.
    pub body: &'a [u8],
    /// Whether it has an `Audit-Id`.
    pub is_signed: bool,
}

impl Refusal<'_> {
    /// The error in place of the value. Only what the API server itself says is the controller's error too; and even of
    /// that, nobody but the reader gets a 401 or 403 (the controller has rights of its own), a 406 (it takes other
    /// forms) or a 429 (API server's fairness goes by user).
    pub fn into_error(self, about: &About, path: &str) -> ReadError {
        if self.is_for_want_of_tls() {
            let (message, path) = ("it expects TLS".into(), path.into());
            return ReadError { message, path, scope: Scope::Reader, ..ReadError::default() };
        }
        let (status, author) = (self.status(), self.author());
        let (reason, message) = match status {
            Some(status) => (status.reason, status.message),
            None => generic(self.code, &self.text(), about),
        };
        let reason = if author == Author::Other { ReadError::FOREIGN.into() } else { reason };
        let is_ours = author != Author::ApiServer || matches!(self.code, 401 | 403 | 406 | 429);
        let scope = if is_ours { Scope::Reader } else { Scope::Everyone };
        ReadError { code: Some(self.code), reason, message, path: path.into(), scope, ..ReadError::default() }
    }

    /// Source: `net/http` of Go, and nginx.
    fn is_for_want_of_tls(&self) -> bool {
        let text = String::from_utf8_lossy(self.body);
        let sentences =
            ["Client sent an HTTP request to an HTTPS server", "plain HTTP request was sent to HTTPS port"];
        self.code == 400 && !self.is_signed && sentences.iter().any(|sentence| text.contains(sentence))
    }

    fn author(&self) -> Author {
        let has_this_code = |status: &Status| status.code == Some(i32::from(self.code));
        Signs {
            code: self.code,
            is_status: self.status().as_ref().is_some_and(has_this_code),
            media_type: &self.media_type().unwrap_or_default(),
            body: self.body,
            is_signed: self.is_signed,
        }
        .author()
    }

    /// The body as a `Status`. A body of no type is taken for protobuf, which the controller prefers, and JSON is none.
    /// Any version will do, as long as it is one: `Status` has no version of its own.
    ///
    /// Source: `Result.Error` of client-go's `rest/request.go`: a `Status` speaks for itself.
    fn status(&self) -> Option<Status> {
        let status: Status = match self.media_type().as_deref() {
            Some("application/json") => serde_json::from_slice(self.body).ok()?,
            Some(protobuf::MEDIA) | None => Status::from_protobuf(self.body).ok()?,
            Some(_) => return None,
        };
        let is_failure = status.kind == "Status" && status.status == "Failure";
        (is_failure && GroupVersion::parse(&status.api_version).is_ok()).then_some(status)
    }

    /// Source: `newUnstructuredResponseError`.
    fn text(&self) -> String {
        if self.media_type().is_some_and(|media| !media.starts_with("text/")) {
            return "unknown".into();
        }
        let body = &self.body[..self.body.len().min(LONGEST_QUOTE)];
        String::from_utf8_lossy(body).trim().into()
    }

    fn media_type(&self) -> Option<String> {
        let media = self.content_type?.split(';').next()?.trim();
        (!media.is_empty()).then(|| media.to_ascii_lowercase())
    }
}

/// Source: `NewGenericServerResponse` of apimachinery's `pkg/api/errors`, for GET.
fn generic(code: u16, text: &str, about: &About) -> (String, String) {
    let (reason, message) = reason_and_words(code, text);
    let message = match (about.resource.is_empty() && about.group.is_empty(), about.name.is_empty()) {
        (true, _) => message,
        (false, true) => format!("{message} (get {})", resource(about)),
        (false, false) => format!("{message} (get {} {})", resource(about), about.name),
    };
    (reason.into(), message)
}

fn reason_and_words(code: u16, text: &str) -> (&'static str, String) {
    let (reason, words) = match code {
        400 => ("BadRequest", "the server rejected our request for an unknown reason"),
        401 => ("Unauthorized", "the server has asked for the client to provide credentials"),
        403 => ("Forbidden", text),
        404 => ("NotFound", "the server could not find the requested resource"),
        405 => ("MethodNotAllowed", "the server does not allow this method on the requested resource"),
        406 if text.is_empty() || text == "unknown" => {
            ("NotAcceptable", "the server was unable to respond with a content type that the client supports")
        }
        406 => ("NotAcceptable", text),
        409 => ("Conflict", "the server reported a conflict"),
        415 => ("UnsupportedMediaType", text),
        422 => ("Invalid", "the server rejected our request due to an error in our request"),
        429 => (
            "TooManyRequests",
            "the server has received too many requests and has asked us to try again later",
        ),
        503 => ("ServiceUnavailable", "the server is currently unable to handle the request"),
        504 => (
            "Timeout",
            "the server was unable to return a response in the time allotted, but may still be processing the request",
        ),
        500.. => return ("InternalError", internal(text)),
        _ => return ("", unexplained(code)),
    };
    (reason, words.into())
}

fn internal(text: &str) -> String {
    format!("an error on the server ({}) has prevented the request from succeeding", quote(text))
}

fn unexplained(code: u16) -> String {
    format!("the server responded with the status code {code} but did not return more information")
}

/// Source: `GroupResource.String`.
fn resource(about: &About) -> String {
    if about.group.is_empty() {
        about.resource.clone()
    } else {
        format!("{}.{}", about.resource, about.group)
    }
}
