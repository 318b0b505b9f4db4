//! Where the API server is and who asks: the kubeconfig, what was typed over it, or the service account of the pod that
//! this runs in.

use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use http::Uri;
use http::header::{HeaderValue, USER_AGENT};
use kube::Config;
use kube::config::{
    AuthInfo, Cluster, Context, KubeConfigOptions, Kubeconfig, NamedAuthInfo, NamedCluster, NamedContext,
};
use secrecy::{ExposeSecret, SecretString};

use super::args::ConnectArgs;
use super::bearer::{self, Bearer};
use super::bounded::read_bounded;
use super::kubeconfig;
use super::overrides::{Effective, effective};
use super::plainly;
use super::plugin;
use super::proxy::{is_this_machine, proxy};
use crate::cluster::error::ClusterError;

/// How long to wait for a connection, whatever the patience for answers.
const CONNECT: Duration = Duration::from_secs(10);

/// The configuration of the client, and the file of its token where it has one.
pub(super) struct Loaded {
    pub config: Config,
    /// The context that it is of, if one names it.
    pub context: Option<String>,
    pub bearer: Option<Bearer>,
}

/// The configuration of the client.
pub(super) async fn load(args: &ConnectArgs, patience: Duration) -> Result<Loaded, ClusterError> {
    let Loaded { mut config, context, bearer } = find(args).await?;
    if config.root_cert.as_ref().is_some_and(Vec::is_empty) {
        return Err(without_certificate(args.certificate_authority.as_deref()));
    }
    // What is asked for again, and when, goes by the rules of the controller's client (`wire/request.rs`).
    config.default_retry = false;
    // Over a network gzip saves far more time than it takes; from this machine to itself there is nothing to save.
    config.disable_compression |= config.cluster_url.host().is_some_and(is_this_machine);
    config.connect_timeout = Some(CONNECT.min(patience));
    config
        .headers
        .push((USER_AGENT, HeaderValue::from_static(concat!("kubectl-hpa/", env!("CARGO_PKG_VERSION")))));
    Ok(Loaded { config, context, bearer })
}

/// Source: `rootCertPool` of client-go's `transport`.
fn without_certificate(typed: Option<&Path>) -> ClusterError {
    ClusterError::Config(match typed {
        Some(path) => format!("--certificate-authority {} has no certificate in PEM form", path.display()),
        None => "the certificate-authority of the kubeconfig has no certificate in PEM form".into(),
    })
}

async fn find(args: &ConnectArgs) -> Result<Loaded, ClusterError> {
    let file = kubeconfig::read(args.kubeconfig.as_deref())?;
    match effective(&file, args)? {
        Some(effective) => of_file(effective, args.request_timeout).await,
        None if is_pod() => of_pod(args),
        None => Err(ClusterError::NoCluster),
    }
}

/// All authorities of a system are a fourth of it.
const LONGEST: u64 = 1 << 20;

/// Reads a certificate or a key that is no regular file once and within bounds, because kube reads all of it; of a file that
/// is too large the error.
fn read_once(path: &mut Option<String>, has_data: bool) -> Result<Option<String>, ClusterError> {
    let Some(file) = path.as_deref().filter(|_| !has_data) else { return Ok(None) };
    let Ok(about) = std::fs::metadata(file) else { return Ok(None) };
    if about.is_file() && about.len() <= LONGEST {
        return Ok(None);
    }
    match read_bounded(Path::new(file), LONGEST) {
        Ok(bytes) => {
            *path = None;
            Ok(plugin::encoded(bytes))
        }
        Err(error) if error.kind() == ErrorKind::FileTooLarge => {
            Err(ClusterError::Config(format!("cannot read {file}: {error}")))
        }
        Err(_) => Ok(None),
    }
}

fn read_all_once(cluster: &mut Cluster, user: &mut AuthInfo) -> Result<(), ClusterError> {
    let has_data = cluster.certificate_authority_data.is_some();
    let authority = read_once(&mut cluster.certificate_authority, has_data)?;
    cluster.certificate_authority_data = cluster.certificate_authority_data.take().or(authority);
    let certificate = read_once(&mut user.client_certificate, user.client_certificate_data.is_some())?;
    user.client_certificate_data = user.client_certificate_data.take().or(certificate);
    let key = read_once(&mut user.client_key, user.client_key_data.is_some())?;
    user.client_key_data = user.client_key_data.take().or(key.map(SecretString::from));
    Ok(())
}

async fn of_file(effective: Effective, patience: Option<Duration>) -> Result<Loaded, ClusterError> {
    let Effective { context, mut cluster, user, namespace } = effective;
    let mut user = with_client_secret(plugin::asked(user, &cluster, patience)?);
    let bearer = Bearer::of(&mut user)?;
    read_all_once(&mut cluster, &mut user)?;
    cluster.server = addressed(&cluster, &user)?;
    sendable(user.token.as_ref())?;
    impersonable(&user)?;
    let named = cluster.proxy_url.clone();
    let (file, options) = (kubeconfig_of(cluster, user, namespace), KubeConfigOptions::default());
    let config = Config::from_custom_kubeconfig(file, &options).await;
    let mut config = config.map_err(|error| ClusterError::Config(plainly::of_config(&error)))?;
    // kube looks for NO_PROXY in the address of the proxy itself, and takes HTTPS_PROXY for every address.
    config.proxy_url = proxy(named.as_deref(), &config.cluster_url, &|name| std::env::var(name).ok())?;
    Ok(Loaded { config, context, bearer })
}

/// The address in full: one without a scheme means HTTPS where anything of TLS was configured, else HTTP.
///
/// Source: `DefaultServerUrlFor` of client-go.
fn addressed(cluster: &Cluster, user: &AuthInfo) -> Result<Option<String>, ClusterError> {
    let Some(server) = &cluster.server else { return Ok(None) };
    let is_tls = cluster.certificate_authority.is_some()
        || cluster.certificate_authority_data.is_some()
        || cluster.insecure_skip_tls_verify == Some(true)
        || user.client_certificate.is_some()
        || user.client_certificate_data.is_some();
    let scheme = if is_tls { "https" } else { "http" };
    let full = match server.split_once("://") {
        Some((scheme, rest)) => format!("{}://{rest}", scheme.to_ascii_lowercase()),
        None => format!("{scheme}://{server}"),
    };
    let is_address = |uri: Uri| {
        let has_host = uri.host().is_some_and(|host| !host.is_empty());
        matches!(uri.scheme_str(), Some("https" | "http")) && has_host && has_port_or_none(&uri)
    };
    if full.parse().is_ok_and(is_address) {
        return Ok(Some(full));
    }
    Err(ClusterError::Config(format!(
        "invalid address of an API server {:?}: expected for example https://10.0.0.1:6443",
        plainly::without_password(server)
    )))
}

/// A port beyond 65535 would be taken for none.
fn has_port_or_none(uri: &Uri) -> bool {
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let after_host = authority.rsplit(['@', ']']).next().unwrap_or_default();
    !after_host.contains(':') || uri.port_u16().is_some()
}

/// A token goes into a header.
fn sendable(token: Option<&SecretString>) -> Result<(), ClusterError> {
    if token.is_none_or(|token| bearer::header(token).is_some()) {
        return Ok(());
    }
    Err(ClusterError::Config(
        "the token contains a line break or another character that no header can have".into(),
    ))
}

/// Who is impersonated goes into headers, too.
fn impersonable(user: &AuthInfo) -> Result<(), ClusterError> {
    let names = user.impersonate.iter().chain(&user.impersonate_uid);
    let mut names = names.chain(user.impersonate_groups.iter().flatten());
    match names.find(|name| HeaderValue::from_str(name).is_err()) {
        None => Ok(()),
        Some(name) => Err(ClusterError::Config(format!(
            "cannot impersonate {name:?}: the name contains a line break or another character that no header can have"
        ))),
    }
}

/// A program that could not keep a secret is given none by its identity provider; kube wants one all the same.
fn with_client_secret(mut user: AuthInfo) -> AuthInfo {
    if let Some(provider) = &mut user.auth_provider {
        provider.config.entry("client-secret".to_owned()).or_default();
    }
    user
}

/// A kubeconfig of one context, which is the current one.
fn kubeconfig_of(cluster: Cluster, user: AuthInfo, namespace: Option<String>) -> Kubeconfig {
    let name = String::from("typed");
    let context =
        Context { cluster: name.clone(), user: Some(name.clone()), namespace, ..Context::default() };
    Kubeconfig {
        contexts: vec![NamedContext {
            name: name.clone(),
            context: Some(context),
            ..NamedContext::default()
        }],
        clusters: vec![NamedCluster {
            name: name.clone(),
            cluster: Some(cluster),
            ..NamedCluster::default()
        }],
        auth_infos: vec![NamedAuthInfo {
            name: name.clone(),
            auth_info: Some(user),
            ..NamedAuthInfo::default()
        }],
        current_context: Some(name),
        ..Kubeconfig::default()
    }
}

/// Where a pod finds its token.
const SERVICE_ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/// Source: `inClusterClientConfig.Possible`.
fn is_pod() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    is_set("KUBERNETES_SERVICE_HOST")
        && is_set("KUBERNETES_SERVICE_PORT")
        && Path::new(SERVICE_ACCOUNT).is_file()
}

/// Source: `inClusterClientConfig.ClientConfig` of client-go: a token may be typed, and who may sign.
fn of_pod(args: &ConnectArgs) -> Result<Loaded, ClusterError> {
    let mut config = Config::incluster().map_err(|error| ClusterError::Config(plainly::of_config(&error)))?;
    if let Some(token) = &args.token {
        sendable(Some(token))?;
        config.auth_info.token = Some(token.expose_secret().to_owned().into());
        config.auth_info.token_file = None;
    }
    let bearer = Bearer::of(&mut config.auth_info)?;
    if let Some(path) = &args.certificate_authority {
        let signers = read_bounded(path, LONGEST).unwrap_or_default();
        if !String::from_utf8_lossy(&signers).contains("-----BEGIN CERTIFICATE-----") {
            return Err(without_certificate(Some(path)));
        }
        config.root_cert_file = Some(path.clone());
    }
    if let Some(namespace) = &args.namespace {
        config.default_namespace.clone_from(namespace);
    }
    config.auth_info.impersonate.clone_from(&args.as_user);
    config.auth_info.impersonate_uid.clone_from(&args.as_uid);
    config.auth_info.impersonate_groups = Some(args.as_groups.clone()).filter(|groups| !groups.is_empty());
    impersonable(&config.auth_info)?;
    Ok(Loaded { config, context: None, bearer })
}
