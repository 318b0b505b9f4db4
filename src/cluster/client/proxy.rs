//! The proxy between here and the API server.
//!
//! Source: `http.ProxyFromEnvironment` of Go, and client-go: the kubeconfig's own `proxy-url` comes first.

use std::net::IpAddr;

use http::Uri;

use super::plainly::without_password;
use crate::cluster::error::ClusterError;

/// Environment variables by their name.
pub(super) type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The proxy for an API server; none where it is asked directly.
pub(super) fn proxy(
    named: Option<&str>,
    server: &Uri,
    variables: Variables,
) -> Result<Option<Uri>, ClusterError> {
    let (words, place) = match named {
        Some(url) => (Some(url.to_owned()), "proxy-url of the kubeconfig"),
        None => (of_environment(server, variables), "proxy of the environment"),
    };
    let parse = |url: String| {
        let url = if url.contains("://") { url } else { format!("http://{url}") };
        // A socks5 proxy looks the names up in either case.
        let url = url.replacen("socks5h://", "socks5://", 1);
        let parsed: Option<Uri> = url.parse().ok();
        parsed.filter(is_of_a_proxy).ok_or_else(|| {
            let url = without_password(&url);
            ClusterError::Config(format!("the {place} is not the URL of an HTTP or SOCKS5 proxy: {url}"))
        })
    };
    words.map(parse).transpose()
}

fn is_of_a_proxy(url: &Uri) -> bool {
    matches!(url.scheme_str(), Some("http" | "https" | "socks5"))
}

fn of_environment(server: &Uri, variables: Variables) -> Option<String> {
    let either = |name: &str| {
        let set = |name: &str| variables(name).filter(|value| !value.is_empty());
        set(name).or_else(|| set(&name.to_ascii_lowercase()))
    };
    let is_https = server.scheme_str() == Some("https");
    let proxy = either(if is_https { "HTTPS_PROXY" } else { "HTTP_PROXY" })?;
    let host = server.host()?.trim_matches(['[', ']']).to_ascii_lowercase();
    let port = server.port_u16().unwrap_or(if is_https { 443 } else { 80 });
    let is_direct = is_this_machine(&host)
        || either("NO_PROXY").is_some_and(|list| list.split(',').any(|entry| excludes(entry, &host, port)));
    (!is_direct).then_some(proxy)
}

/// As kind, minikube and their like have their API servers.
pub(super) fn is_this_machine(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// One entry of NO_PROXY: `*`, a network, an address, or a domain, the latter two with or without a port.
fn excludes(entry: &str, host: &str, port: u16) -> bool {
    let entry = entry.trim().to_ascii_lowercase();
    let address = host.parse::<IpAddr>().ok();
    if entry == "*" {
        return true;
    }
    if let Some((network, bits)) = network(&entry) {
        return address.is_some_and(|address| is_within(address, network, bits));
    }
    let (name, wanted) = split_port(&entry);
    if name.is_empty() || wanted.is_some_and(|wanted| wanted != port.to_string()) {
        return false;
    }
    match (name.parse::<IpAddr>(), address) {
        (Ok(name), address) => address == Some(name),
        (Err(_), _) => is_in_domain(name, host),
    }
}

/// A bare name is itself and all below it; one with a dot or a `*.` in front is only what is below it.
fn is_in_domain(name: &str, host: &str) -> bool {
    let name = name.strip_prefix('*').filter(|rest| rest.starts_with('.')).unwrap_or(name);
    match name.strip_prefix('.') {
        Some(_) => host.ends_with(name),
        None => host == name || host.strip_suffix(name).is_some_and(|below| below.ends_with('.')),
    }
}

fn split_port(entry: &str) -> (&str, Option<&str>) {
    let bare = |name: &str| name.starts_with('[') || !name.contains(':');
    match entry.rsplit_once(':') {
        Some((name, port)) if bare(name) => {
            (name.trim_matches(['[', ']']), Some(port).filter(|port| !port.is_empty()))
        }
        _ => (entry.trim_matches(['[', ']']), None),
    }
}

fn network(entry: &str) -> Option<(IpAddr, u32)> {
    let (address, bits) = entry.split_once('/')?;
    Some((address.parse().ok()?, bits.parse().ok()?))
}

fn is_within(address: IpAddr, network: IpAddr, bits: u32) -> bool {
    match (address, network) {
        (IpAddr::V4(address), IpAddr::V4(network)) => {
            let differing = u32::from(address) ^ u32::from(network);
            bits <= 32 && differing.leading_zeros() >= bits
        }
        (IpAddr::V6(address), IpAddr::V6(network)) => {
            let differing = u128::from(address) ^ u128::from(network);
            bits <= 128 && differing.leading_zeros() >= bits
        }
        _ => false,
    }
}
