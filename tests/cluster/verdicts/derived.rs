//! What the API server and its aggregator say by their sources, but could not be made to say for `recorded.json`.

use crate::server::Reply;

const TEXT: Option<&str> = Some("text/plain; charset=utf-8");

/// A failure, and where in Kubernetes 1.37.1 it is written.
pub struct Failure {
    pub code: u16,
    pub reply: Reply,
    pub place: &'static str,
    /// Whether it is a `Status`, which needs no other sign.
    pub is_status: bool,
}

/// A `Status`: code, reason, message, place.
const STATUSES: &[(u16, &str, &str, &str)] = &[
    (410, "Gone", "it is gone", "apimachinery NewGone"),
    (
        500,
        "InternalError",
        "Internal error occurred: etcdserver: request timed out",
        "apimachinery NewInternalError",
    ),
    (
        500,
        "ServerTimeout",
        "The get operation against pods could not be completed at this time",
        "apimachinery NewServerTimeout",
    ),
    (503, "ServiceUnavailable", "apiserver is shutting down", "apiserver pkg/server/filters/waitgroup.go"),
    (
        504,
        "Timeout",
        "Timeout: request did not complete within the allotted timeout",
        "apimachinery NewTimeoutError",
    ),
];

/// Plain text: code, body, place.
const TEXTS: &[(u16, &str, &str)] = &[
    (404, "\n", "kube-aggregator handler_proxy.go, http.Error(w, \"\", 404)"),
    (500, "missing user\n", "kube-aggregator handler_proxy.go"),
    (
        500,
        "This request caused apiserver to panic. Look in the logs for details.\n",
        "apiserver pkg/server/filters/wrap.go",
    ),
];

/// All of them; the plain ones without the `Audit-Id` that they have in truth.
pub fn failures() -> Vec<Failure> {
    let of_status = |&(code, reason, message, place): &(u16, &str, &str, &'static str)| Failure {
        code,
        reply: Reply::failure(code, reason, message),
        place,
        is_status: true,
    };
    let of_text = |&(code, text, place): &(u16, &str, &'static str)| Failure {
        code,
        reply: Reply::new(code, TEXT, text),
        place,
        is_status: false,
    };
    STATUSES.iter().map(of_status).chain(TEXTS.iter().map(of_text)).collect()
}
