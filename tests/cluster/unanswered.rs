//! Connections that lead to no answer: in words, in time, and without the names of libraries.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use crate::connections::{kubectl_hpa, stderr};
use crate::server::Server;
use crate::tls;

/// Listens for as long as the process lives, and does something with each connection.
fn listener(with: impl Fn(TcpStream) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port on loopback");
    let address = listener.local_addr().expect("an address");
    let with = std::sync::Arc::new(with);
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let with = std::sync::Arc::clone(&with);
            std::thread::spawn(move || with(stream));
        }
    });
    address.to_string()
}

/// Reads once, and answers this.
fn saying(bytes: &'static [u8]) -> String {
    listener(move |mut stream| {
        let mut request = [0; 4096];
        let _ = stream.read(&mut request);
        let _ = stream.write_all(bytes);
    })
}

/// Closes with a part of the request unread, which resets the connection.
fn resetting() -> String {
    listener(|mut stream| _ = stream.read(&mut [0]))
}

/// What is said of a server, in one line, without the hint.
fn told(server: &str, more: &[&str], variables: &[(&str, &str)]) -> String {
    let output = kubectl_hpa(&[&["explain", "web", "-n", "shop", "-s", server], more].concat(), variables);
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    for name in [
        "ServiceError",
        "client error",
        "(Connect)",
        "(SendRequest)",
        "os error",
        "hyper",
        "rustls",
        "Issuer",
    ] {
        assert!(!told.contains(name), "{told}");
    }
    told.lines().next().unwrap_or_default().replace(server, "SERVER")
}

#[test]
fn a_connection_that_fails_says_why() {
    let closed = "127.0.0.1:1";
    let silent = saying(b"");
    let words = |words: &str| format!("error: SERVER does not answer: {words}");
    for (server, expected) in [
        (format!("http://{closed}"), "Connection refused"),
        (format!("https://{closed}"), "Connection refused"),
        (format!("http://{silent}"), "the connection was closed without a whole answer"),
        (format!("https://{silent}"), "the connection was closed during the TLS handshake"),
        (format!("http://{}", saying(b"SSH-2.0-OpenSSH_9.9\r\n")), "its answer is not HTTP/1.1"),
        (
            format!("https://{}", saying(b"HTTP/1.1 400 Bad Request\r\n\r\n")),
            "its answer to the TLS handshake is not TLS",
        ),
        (
            format!("http://{}", saying(b"HTTP/1.1 200 OK\r\nContent-")),
            "the connection was closed without a whole answer",
        ),
        (
            format!("http://{}", saying(b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n")),
            "the head of its answer is malformed",
        ),
        (
            format!("http://{}", saying(b"HTTP/1.1 200 OK\r\nbad header\r\n\r\n")),
            "the head of its answer is malformed",
        ),
        // In Go's words and in nginx's.
        (
            format!(
                "http://{}",
                saying(b"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n")
            ),
            "it expects TLS",
        ),
        (
            format!(
                "http://{}",
                saying(b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<title>400 The plain HTTP request was sent to HTTPS port</title>")
            ),
            "it expects TLS",
        ),
        (format!("http://{}", resetting()), "the connection was reset"),
        (format!("https://{}", resetting()), "the connection was reset"),
    ] {
        assert_eq!(told(&server, &[], &[]), words(expected), "{server}");
    }
    let unknown = told("https://api.shop.invalid:6443", &[], &[]);
    assert!(unknown.starts_with(&words("its name cannot be resolved: ")), "{unknown}");
}

/// The hint says what to try about the very thing.
#[test]
fn what_to_try_fits_what_is_wrong() {
    let tls = Server::start_tls(|_| crate::server::Reply::unserved());
    let (url, ca) = (tls.url(), tls::path("ca.pem"));
    let plain = saying(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    let https = saying(b"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
    for (args, words) in [
        (vec!["-s", &url], "--certificate-authority says who may sign it"),
        (
            vec!["-s", &url, "--certificate-authority", &ca, "--tls-server-name", "api.bank"],
            "--tls-server-name which name",
        ),
        (
            vec!["-s", &format!("https://{plain}")],
            "the port may be that of another service, or of plain HTTP",
        ),
        (vec!["-s", &format!("http://{https}")], "begin the address with https://"),
    ] {
        let output = kubectl_hpa(&[&["explain", "web", "-n", "shop"][..], &args].concat(), &[]);
        let told = stderr(&output);
        assert!(
            told.lines().nth(1).is_some_and(|hint| hint.starts_with("hint: ") && hint.contains(words)),
            "{told}"
        );
    }
}

#[test]
fn a_certificate_that_does_not_do_says_why() {
    let server = Server::start_tls(|_| crate::server::Reply::unserved());
    let (url, ca) = (server.url(), tls::path("ca.pem"));
    assert_eq!(
        told(&url, &[], &[]),
        "error: SERVER does not answer: its certificate is not signed by an authority that is trusted"
    );
    assert_eq!(
        told(&url, &["--certificate-authority", &ca, "--tls-server-name", "api.bank"], &[]),
        "error: SERVER does not answer: its certificate is not valid: certificate not valid for name \"api.bank\"; \
         certificate is only valid for api.shop or 127.0.0.1"
    );
}

#[test]
fn a_proxy_that_fails_says_why() {
    let server = "https://10.1.2.3:6443";
    for (proxy, expected) in [
        ("http://eve:s3cret@127.0.0.1:1".to_owned(), "the proxy does not answer: Connection refused"),
        (
            format!("http://{}", saying(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")),
            "the proxy asks for a user and a password",
        ),
        (
            format!("http://{}", saying(b"HTTP/1.1 502 Bad Gateway\r\n\r\n")),
            "the proxy did not connect to it",
        ),
        (format!("http://{}", saying(b"")), "the proxy closed the connection"),
    ] {
        let told = told(server, &[], &[("HTTPS_PROXY", &proxy)]);
        assert_eq!(told, format!("error: SERVER does not answer: {expected}"));
    }
    let socks = format!("socks5://{}", saying(b"\x05\xff"));
    let told = told(server, &[], &[("HTTPS_PROXY", &socks)]);
    assert!(told.starts_with("error: SERVER does not answer: the proxy refuses: "), "{told}");
}

/// A byte at a time for ever, in the head or in the body of an answer.
#[test]
fn the_request_timeout_bounds_the_whole_answer() {
    let dripping = |head: &'static [u8]| {
        listener(move |mut stream| {
            let mut request = [0; 4096];
            let _ = stream.read(&mut request);
            let _ = stream.write_all(head);
            while stream.write_all(b" ").is_ok() {
                std::thread::sleep(Duration::from_millis(100));
            }
        })
    };
    for (head, words) in [
        (&b"HTTP/1.1 200 OK\r\nX:"[..], "no answer within 1s"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n",
            "error: cannot read /apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers/web: \
             the answer was not complete within 1s",
        ),
        (
            b"HTTP/1.1 500 Error\r\nContent-Type: text/plain\r\nContent-Length: 10000\r\n\r\n",
            "answered instead",
        ),
    ] {
        let server = format!("http://{}", dripping(head));
        let start = Instant::now();
        let told = told(&server, &["--request-timeout", "1s"], &[]);
        assert!(told.contains(words), "{told}");
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }
}
