//! One look of a record.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::Instant;
use crate::model::instant::nanos;
use crate::snapshot::{Case, Origin};

/// The first line of a record.
pub(super) const API_VERSION: &str = "kubectl-hpa/v1";
/// Its kind.
pub(super) const KIND: &str = "Record";

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Header {
    pub api_version: String,
    pub kind: String,
}

/// The HPA that was looked at.
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// The context of its cluster in the kubeconfig.
    pub context: Option<Box<str>>,
    /// The address of its cluster's API server, if no context names it.
    pub server: Option<Box<str>>,
    /// Its namespace.
    pub namespace: Box<str>,
    /// Its name.
    pub name: Box<str>,
}

impl Recorded {
    /// The HPA of a namespace and a name, with where it was read.
    #[must_use]
    pub fn of(origin: Option<&Origin>, namespace: &str, name: &str) -> Self {
        let (context, server) = match origin {
            Some(Origin::Context(context)) => (Some(context.as_ref().into()), None),
            Some(Origin::Server(server)) => (None, Some(server.as_ref().into())),
            Some(Origin::File(_) | Origin::Example(_)) | None => (None, None),
        };
        Self { context, server, namespace: namespace.into(), name: name.into() }
    }

    /// Where it was read.
    #[must_use]
    pub fn origin(&self) -> Option<Origin> {
        let context = self.context.as_deref().map(|context| Origin::Context(context.into()));
        context.or_else(|| self.server.as_deref().map(|server| Origin::Server(server.into())))
    }
}

/// What a look saw.
#[derive(Clone, Debug)]
pub enum Seen {
    /// All that a decision depends on. Its time is the end of the look.
    Case(Box<Case>),
    /// It could not be read, so that the controller may have decided unseen.
    Unread,
    /// There is no such HPA any more.
    Gone,
}

/// One look at one HPA.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The HPA.
    pub hpa: Recorded,
    /// When the look began to read, by the clock of the API server.
    pub begun: Instant,
    /// When it had read all.
    pub ended: Instant,
    /// What it saw.
    pub seen: Seen,
}

/// An entry as it is written. A look that saw nothing new has neither a case nor a patch.
#[serde_with::skip_serializing_none]
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub hpa: Recorded,
    #[serde(with = "nanos")]
    pub begun: Instant,
    #[serde(with = "nanos")]
    pub ended: Instant,
    pub case: Option<Value>,
    pub patch: Option<Value>,
    pub unread: Option<bool>,
    pub gone: Option<bool>,
}
