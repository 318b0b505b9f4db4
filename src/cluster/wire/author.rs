//! Who wrote an answer that is no value: the API server, or somebody on our own way to it.
//!
//! The controller takes another way. What a proxy, a load balancer or a login page says to us says nothing of it.

/// Who wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Author {
    /// The API server, its aggregator, or a server behind that.
    ApiServer,
    /// Perhaps one of those, but anybody may have written the same.
    Perhaps,
    /// Somebody else.
    Other,
}

/// What an answer shows of its author.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signs<'a> {
    pub code: u16,
    /// Whether it is a `Status` of a failure with this very code.
    pub is_status: bool,
    /// In small letters, without parameters; empty where there is none.
    pub media_type: &'a str,
    pub body: &'a [u8],
    /// Whether it has an `Audit-Id`, which no load balancer gives its own pages.
    pub is_signed: bool,
}

impl Signs<'_> {
    /// Who wrote it.
    pub fn author(self) -> Author {
        // A redirect, a timeout and a demand for another protocol are about this connection, not about the request.
        if !matches!(self.code, 400..=599) || self.code == 408 {
            return Author::Other;
        }
        if self.is_status {
            return Author::ApiServer;
        }
        let text = match self.media_type {
            "text/plain" => str::from_utf8(self.body).unwrap_or_default().trim(),
            _ => return Author::Other,
        };
        match (is_of_the_api_server(self.code, text), self.is_signed) {
            (true, true) => Author::ApiServer,
            (true, false) | (false, true) => Author::Perhaps,
            (false, false) if is_of_who_asks(self.code, text) => Author::Perhaps,
            (false, false) => Author::Other,
        }
    }
}

/// Whether the API server writes this text where it cannot tell who asks or what they may do: that it can of others.
///
/// Source: `responsewriters.InternalError` of k8s.io/apiserver, which `filters/authorization.go` writes where no authorizer
/// allows the request and one of them failed. The controller is allowed by another.
fn is_of_who_asks(code: u16, text: &str) -> bool {
    code == 500 && text.starts_with("Internal Server Error: \"/api")
}

/// Whether the API server or its aggregator write this text with this code.
///
/// Recorded from 1.37.1 in `tests/cluster/verdicts/recorded.json`, but for the two of code 500 and the empty 404.
///
/// Source: `proxyHandler` and `apisProxyHandler` of k8s.io/kube-aggregator's `pkg/apiserver` (service unavailable, missing
/// user, and what the proxy of k8s.io/apimachinery's `pkg/util/proxy` says of its backend, or of one that redirects);
/// `http.NotFound` of the muxes of k8s.io/apiserver's `pkg/server`; its `filters/wrap.go`, `filters/maxinflight.go`,
/// `filters/priority-and-fairness.go` and `filters/with_retry_after.go`; `baseTimeoutWriter.timeout`, whose `Status` has no kind.
fn is_of_the_api_server(code: u16, text: &str) -> bool {
    match code {
        // The body is empty if the aggregator knows the group but not yet the service behind it.
        404 => matches!(text, "404 page not found" | ""),
        429 => matches!(
            text,
            "Too many requests, please try again later."
                | "The apiserver is shutting down, please try again later."
        ),
        500 => matches!(
            text,
            "missing user" | "This request caused apiserver to panic. Look in the logs for details."
        ),
        502 => text == "the backend attempted to redirect this request, which is not permitted",
        503 => text == "service unavailable" || text.starts_with("error trying to reach service: "),
        504 => {
            text.starts_with('{')
                && text.contains(r#""status":"Failure""#)
                && text.contains(r#""reason":"Timeout""#)
                && text.contains(r#""code":504"#)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_needs_both_its_words_and_its_sign() {
        let author = |code, media_type, body: &str, is_signed| {
            Signs { code, is_status: false, media_type, body: body.as_bytes(), is_signed }.author()
        };
        let text = "service unavailable\n";
        assert_eq!(author(503, "text/plain", text, true), Author::ApiServer);
        assert_eq!(author(503, "text/plain", text, false), Author::Perhaps);
        assert_eq!(author(502, "text/plain", text, false), Author::Other);
        let redirected = "the backend attempted to redirect this request, which is not permitted\n";
        assert_eq!(author(502, "text/plain", redirected, true), Author::ApiServer);
        assert_eq!(author(502, "text/plain", redirected, false), Author::Perhaps);
        let unauthorized = "Internal Server Error: \"/apis/apps/v1\": Post \"https://authorizer\": EOF\n";
        assert_eq!(author(500, "text/plain", unauthorized, true), Author::Perhaps);
        assert_eq!(author(500, "text/plain", unauthorized, false), Author::Perhaps);
        assert_eq!(author(503, "text/plain", "upstream connect error", true), Author::Perhaps);
        assert_eq!(author(503, "text/plain", "upstream connect error", false), Author::Other);
        assert_eq!(author(503, "text/html", text, true), Author::Other);
        assert_eq!(author(302, "text/plain", text, true), Author::Other);
    }
}
