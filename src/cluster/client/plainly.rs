//! What went wrong on the way to the API server, without the names of our libraries and without anybody's password.

use std::error::Error;
use std::io::{self, ErrorKind};

/// How an error of the login at an identity provider begins.
pub(in crate::cluster) const OIDC: &str = "failed OIDC: ";

/// What a library says, and what it means.
const MEANINGS: &[(&str, &str)] = &[
    ("tls handshake eof", "the connection was closed during the TLS handshake"),
    ("received corrupt message", "its answer to the TLS handshake is not TLS"),
    ("without sending TLS close_notify", "the connection was closed without a whole answer"),
    ("connection closed before message completed", "the connection was closed without a whole answer"),
    ("Connection reset by peer", "the connection was reset"),
    ("end of file before message length reached", "the connection was closed without a whole answer"),
    ("message head is too large", "the head of its answer is too long"),
    ("HTTP version parsed", "its answer is not HTTP/1.1"),
    (" parsed", "the head of its answer is malformed"),
    (
        "invalid peer certificate: UnknownIssuer",
        "its certificate is not signed by an authority that is trusted",
    ),
    ("invalid peer certificate: certificate expired", "its certificate has expired"),
    ("invalid peer certificate: Expired", "its certificate has expired"),
    ("invalid peer certificate: certificate not valid yet", "its certificate is not valid yet"),
    ("invalid peer certificate: NotValidYet", "its certificate is not valid yet"),
    ("CaUsedAsEndEntity", "its certificate is that of an authority, which no server may show"),
    ("proxy authorization required", "the proxy asks for a user and a password"),
    ("tunnel error: unsuccessful", "the proxy did not connect to it"),
    ("tunnel error: unexpected end of file", "the proxy closed the connection"),
    ("deadline has elapsed", "no connection within the time allowed"),
];

/// What a person needs to know of an error and its causes, on one line.
pub(in crate::cluster) fn words(error: &(dyn Error + 'static)) -> String {
    let text = crate::cluster::error::chain(error);
    if let Some((_, login)) = text.split_once(OIDC) {
        return format!("{OIDC}{}", tidy(login));
    }
    let at_proxy = if text.contains("failed to create underlying connection") {
        "the proxy does not answer: "
    } else {
        ""
    };
    if let Some((_, meaning)) = MEANINGS.iter().find(|(said, _)| text.contains(said)) {
        return (*meaning).to_owned();
    }
    match kind_of(error).and_then(of_kind) {
        Some(words) => format!("{at_proxy}{words}"),
        None => format!("{at_proxy}{}", unwrapped(&tidy(&text))),
    }
}

/// True if the connection ended before there was an answer.
///
/// Source: `IsConnectionReset` and `IsProbableEOF` of apimachinery's `pkg/util/net`.
pub(in crate::cluster) fn is_hung_up(error: &(dyn Error + 'static)) -> bool {
    use ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
    let text = crate::cluster::error::chain(error);
    matches!(kind_of(error), Some(BrokenPipe | ConnectionReset | UnexpectedEof))
        || ["connection closed before message completed", "Connection reset by peer"]
            .iter()
            .any(|said| text.contains(said))
}

/// What the operating system says, deepest of all.
fn kind_of(mut error: &(dyn Error + 'static)) -> Option<ErrorKind> {
    let mut kind = None;
    loop {
        kind = error.downcast_ref().map(io::Error::kind).or(kind);
        error = match error.source() {
            Some(cause) => cause,
            None => return kind,
        };
    }
}

fn of_kind(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::ConnectionRefused => "Connection refused",
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => "the connection was reset",
        ErrorKind::TimedOut => "no connection within the time allowed",
        ErrorKind::HostUnreachable => "no route to the host",
        ErrorKind::NetworkUnreachable | ErrorKind::NetworkDown => "no route to the network",
        ErrorKind::BrokenPipe | ErrorKind::UnexpectedEof => "the connection was closed",
        _ => return None,
    })
}

/// Without what our libraries say of themselves.
fn unwrapped(text: &str) -> String {
    let mut rest = text;
    let wrappers = [
        "ServiceError: ",
        "connection error: ",
        "tcp connect error: ",
        "tunnel error: ",
        "tls error: ",
        "HyperError: ",
    ];
    loop {
        let inner = wrappers.iter().find_map(|wrapper| rest.strip_prefix(wrapper));
        let inner =
            inner.or_else(|| rest.strip_prefix("client error (")?.split_once("): ").map(|(_, inner)| inner));
        match inner {
            Some(inner) => rest = inner,
            None => break,
        }
    }
    for (said, meant) in [
        ("dns error: failed to lookup address information: ", "its name cannot be resolved: "),
        ("SOCKS error: ", "the proxy refuses: "),
        ("received fatal alert: ", "it refuses the TLS handshake: "),
        ("invalid peer certificate: ", "its certificate is not valid: "),
    ] {
        if let Some(inner) = rest.strip_prefix(said) {
            return format!("{meant}{}", apart(inner));
        }
    }
    rest.to_owned()
}

/// `DnsName("api.shop")` as `api.shop`, `CertificateRequired` as `certificate required`.
fn apart(text: &str) -> String {
    let text = text.replace("DnsName(\"", "").replace("IpAddress(", "").replace("\")", "").replace(')', "");
    if text.contains(' ') || !text.starts_with(|first: char| first.is_ascii_uppercase()) {
        return text;
    }
    let spaced = text.chars().flat_map(|letter| {
        let gap = letter.is_ascii_uppercase().then_some(' ');
        gap.into_iter().chain([letter.to_ascii_lowercase()])
    });
    spaced.collect::<String>().trim().to_owned()
}

/// What is wrong with the configuration of the connection.
pub(super) fn of_config(error: &(dyn Error + 'static)) -> String {
    tidy(&crate::cluster::error::chain(error)).replace("rustls tls error: ", "")
}

/// On one line, without the numbers of the operating system and without passwords.
pub(super) fn tidy(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let line = match line.find(" (os error ") {
        Some(at) => {
            let rest = line[at..].split_once(')').map_or("", |(_, rest)| rest);
            format!("{}{rest}", &line[..at])
        }
        None => line.to_owned(),
    };
    without_password(&line.replace("'\"", "\"").replace("\"'", "\""))
}

/// A text whose URLs have no password: `https://eve:xxxxx@…`, as Go's `URL.Redacted` has it.
pub(super) fn without_password(text: &str) -> String {
    let mut parts = text.split("://");
    let mut clean = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        clean.push_str("://");
        let end =
            part.find(|it: char| it == '/' || it == '?' || it == '#' || it.is_whitespace() || it == '"');
        let (authority, rest) = part.split_at(end.unwrap_or(part.len()));
        match authority.rsplit_once('@') {
            Some((login, host)) => {
                let user = login.split_once(':').map_or(login, |(user, _)| user);
                let hidden = if login.contains(':') { ":xxxxx" } else { "" };
                clean.extend([user, hidden, "@", host]);
            }
            None => clean.push_str(authority),
        }
        clean.push_str(rest);
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_shown() {
        for (text, clean) in [
            ("https://10.0.0.1:6443", "https://10.0.0.1:6443"),
            ("https://eve:pw@10.0.0.1:6443/a@b", "https://eve:xxxxx@10.0.0.1:6443/a@b"),
            ("http://eve@proxy", "http://eve@proxy"),
            ("http://:p@w@proxy no http://a:b@c", "http://:xxxxx@proxy no http://a:xxxxx@c"),
            ("\"ftp://a:b@c\" is none", "\"ftp://a:xxxxx@c\" is none"),
        ] {
            assert_eq!(without_password(text), clean);
        }
    }

    #[test]
    fn what_is_wrong_with_a_certificate_is_put_in_words() {
        use rustls::CertificateError::*;
        use rustls::pki_types::{ServerName, UnixTime};
        let at = |seconds| UnixTime::since_unix_epoch(std::time::Duration::from_secs(seconds));
        let expected = ServerName::try_from("api.bank").expect("a name");
        for (error, meant) in [
            (UnknownIssuer, "its certificate is not signed by an authority that is trusted"),
            (Expired, "its certificate has expired"),
            (ExpiredContext { time: at(2), not_after: at(1) }, "its certificate has expired"),
            (NotValidYet, "its certificate is not valid yet"),
            (NotValidYetContext { time: at(1), not_before: at(2) }, "its certificate is not valid yet"),
            (
                NotValidForNameContext { expected, presented: vec!["DnsName(\"api.shop\")".into()] },
                "its certificate is not valid: certificate not valid for name \"api.bank\"; \
                 certificate is only valid for api.shop",
            ),
            (BadSignature, "its certificate is not valid: bad signature"),
            (Revoked, "its certificate is not valid: revoked"),
        ] {
            assert_eq!(words(&rustls::Error::InvalidCertificate(error)), meant);
        }
    }

    #[test]
    fn what_our_libraries_say_is_put_in_words() {
        for (text, words) in [
            (
                "ServiceError: client error (Connect): dns error: failed to lookup address information: Name or service not known",
                "its name cannot be resolved: Name or service not known",
            ),
            (
                "ServiceError: client error (Connect): SOCKS error: server does not support user/pass authentication",
                "the proxy refuses: server does not support user/pass authentication",
            ),
            (
                "client error (Connect): received fatal alert: CertificateRequired",
                "it refuses the TLS handshake: certificate required",
            ),
            (
                "client error (Connect): invalid peer certificate: certificate not valid for name \"b\"; certificate is only valid for DnsName(\"a\") or IpAddress(127.0.0.1)",
                "its certificate is not valid: certificate not valid for name \"b\"; certificate is only valid for a or 127.0.0.1",
            ),
        ] {
            assert_eq!(unwrapped(text), words);
        }
        assert_eq!(tidy("no file (os error 2): x\nmore"), "no file: x");
    }
}
