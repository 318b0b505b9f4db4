//! What the API server and its aggregator themselves say when they fail.

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
    (400, "BadRequest", "unable to parse requirement", "apimachinery pkg/api/errors NewBadRequest"),
    (404, "NotFound", "deployments.apps \"web\" not found", "apimachinery pkg/api/errors NewNotFound"),
    (
        404,
        "NotFound",
        "the server could not find the metric rps for pods",
        "custom-metrics-apiserver NewMetricNotFoundError",
    ),
    (
        405,
        "MethodNotAllowed",
        "get is not supported on resources of kind \"pods\"",
        "apimachinery NewMethodNotSupported",
    ),
    (409, "Conflict", "the object has been modified", "apimachinery NewConflict"),
    (410, "Expired", "The provided continue parameter is too old", "apimachinery NewResourceExpired"),
    (410, "Gone", "it is gone", "apimachinery NewGone"),
    (413, "RequestEntityTooLarge", "limit is 3145728", "apimachinery NewRequestEntityTooLargeError"),
    (422, "Invalid", "name: Invalid value", "apimachinery NewInvalid"),
    (
        500,
        "InternalError",
        "Internal error occurred: etcdserver: request timed out",
        "apimachinery NewInternalError",
    ),
    (
        500,
        "InternalError",
        "Internal error occurred: unable to fetch metrics from provider",
        "apimachinery NewInternalError",
    ),
    (
        500,
        "ServerTimeout",
        "The get operation against pods could not be completed at this time",
        "apimachinery NewServerTimeout",
    ),
    (
        503,
        "ServiceUnavailable",
        "the server is currently unable to handle the request",
        "apimachinery NewServiceUnavailable",
    ),
    (
        503,
        "ServiceUnavailable",
        "the request has been made before all known HTTP paths have been installed, please try again",
        "apiserver pkg/util/notfoundhandler",
    ),
    (
        504,
        "Timeout",
        "Timeout: request did not complete within the allotted timeout",
        "apimachinery NewTimeoutError",
    ),
];

/// Plain text: code, body, place.
const TEXTS: &[(u16, &str, &str)] = &[
    (404, "404 page not found\n", "apiserver pkg/util/notfoundhandler, http.NotFound"),
    (404, "\n", "kube-aggregator handler_proxy.go, http.Error(w, \"\", 404)"),
    (500, "missing user\n", "kube-aggregator handler_proxy.go"),
    (
        500,
        "This request caused apiserver to panic. Look in the logs for details.\n",
        "apiserver pkg/server/filters/wrap.go",
    ),
    (
        500,
        "Internal Server Error: \"/apis/metrics.k8s.io/v1beta1/pods\": context canceled\n",
        "apiserver responsewriters.InternalError",
    ),
    (
        500,
        "Internal Server Error: \"/api/v1/pods\"\n",
        "apiserver pkg/server/filters/maxinflight.go handleError",
    ),
    (503, "service unavailable\n", "kube-aggregator handler_proxy.go, no endpoint or not available"),
    (
        503,
        "error trying to reach service: dial tcp 10.96.7.7:443: connect: connection refused\n",
        "apimachinery pkg/util/proxy/transport.go",
    ),
    (
        503,
        "error trying to reach service: x509: certificate signed by unknown authority\n",
        "apimachinery pkg/util/proxy/transport.go",
    ),
    (
        504,
        "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"Timeout: request did not complete within the allotted timeout\",\"reason\":\"Timeout\",\"details\":{},\"code\":504}\n",
        "apiserver pkg/server/filters/timeout.go: a Status without a kind",
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
