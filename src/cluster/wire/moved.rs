//! Redirects within the API server, as its own clients follow them.

use http::header::LOCATION;
use http::{Method, Request, Response, Uri};

/// So many are followed in a row.
///
/// Source: `defaultCheckRedirect` of Go's `net/http`.
const MOST: usize = 10;

/// Where a request was sent on to.
#[derive(Default)]
pub(super) struct Moved {
    to: Option<Uri>,
    times: usize,
}

impl Moved {
    /// The request, to where the last answer sent it.
    pub fn request<B>(&self, mut request: Request<B>) -> Request<B> {
        if let Some(to) = &self.to {
            *request.uri_mut() = to.clone();
        }
        request
    }

    /// True if an answer sends a request on as it is, within the same server. Credentials go to no other one.
    ///
    /// Source: `redirectBehavior` of Go's `net/http`: only 307 and 308 keep a method other than GET.
    pub fn follows<B>(&mut self, server: &str, method: &Method, response: &Response<B>) -> bool {
        let is_redirect = match response.status().as_u16() {
            301..=303 => method == Method::GET,
            code => matches!(code, 307 | 308),
        };
        let location = response.headers().get(LOCATION).filter(|_| is_redirect && self.times < MOST);
        let Some(to) = location.and_then(|it| it.to_str().ok()).and_then(|it| within(server, it)) else {
            return false;
        };
        self.to = Some(to);
        self.times += 1;
        true
    }
}

/// The path behind the address of the server, which may have a path of its own.
fn within(server: &str, location: &str) -> Option<Uri> {
    let (_, host_and_path) = server.split_once("://")?;
    let own = host_and_path.find('/').map_or("", |at| &host_and_path[at..]);
    let rest = if location.starts_with("//") {
        None
    } else if location.starts_with('/') {
        location.strip_prefix(own)
    } else {
        location.strip_prefix(server)
    };
    rest.filter(|rest| rest.starts_with('/'))?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_within_the_server() {
        let path = |server, location| within(server, location).map(|uri| uri.to_string());
        let server = "https://10.0.0.1:6443";
        assert_eq!(path(server, "/apis?x=1").as_deref(), Some("/apis?x=1"));
        assert_eq!(path(server, "https://10.0.0.1:6443/apis").as_deref(), Some("/apis"));
        for other in ["https://10.0.0.1:64430/apis", "http://10.0.0.1:6443/apis", "//evil/apis", "apis", ""] {
            assert_eq!(path(server, other), None, "{other}");
        }
        let nested = "https://rancher/k8s/clusters/c1";
        assert_eq!(path(nested, "/k8s/clusters/c1/apis").as_deref(), Some("/apis"));
        assert_eq!(path(nested, "https://rancher/k8s/clusters/c1/apis").as_deref(), Some("/apis"));
        assert_eq!(path(nested, "/login"), None);
        assert_eq!(path(nested, "/k8s/clusters/c12/apis"), None);
    }
}
