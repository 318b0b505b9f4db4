//! Where the API server is and who asks: the kubeconfig, what was typed over it, or the service account of the pod that
//! this runs in.

use std::path::Path;
use std::time::Duration;

use http::Uri;
use http::header::{HeaderValue, USER_AGENT};
use kube::Config;
use kube::config::{
    AuthInfo, Cluster, Context, KubeConfigOptions, Kubeconfig, NamedAuthInfo, NamedCluster, NamedContext,
};
use secrecy::{ExposeSecret, SecretString};

use super::connection::ConnectArgs;
use super::error::{ClusterError, chain};
use super::overrides::{Effective, effective};
use super::proxy::{is_this_machine, proxy};
use super::{kubeconfig, plugin};

/// How long to wait for a connection, whatever the patience for answers.
const CONNECT: Duration = Duration::from_secs(10);

/// The configuration of the client.
pub(super) async fn load(args: &ConnectArgs, patience: Duration) -> Result<Config, ClusterError> {
    let mut config = find(args).await?;
    // The controller does not retry either before its next round, and what it got first is what it tells.
    config.default_retry = false;
    // Over a network gzip saves far more time than it takes; from this machine to itself there is nothing to save.
    config.disable_compression |= config.cluster_url.host().is_some_and(is_this_machine);
    config.connect_timeout = Some(CONNECT.min(patience));
    config
        .headers
        .push((USER_AGENT, HeaderValue::from_static(concat!("kubectl-hpa/", env!("CARGO_PKG_VERSION")))));
    Ok(config)
}

async fn find(args: &ConnectArgs) -> Result<Config, ClusterError> {
    let file = kubeconfig::read(args.kubeconfig.as_deref())?;
    match effective(&file, args)? {
        Some(effective) => of_file(effective).await,
        None if is_pod() => of_pod(args),
        None => Err(ClusterError::NoCluster),
    }
}

async fn of_file(effective: Effective) -> Result<Config, ClusterError> {
    let Effective { mut cluster, user, namespace } = effective;
    let user = with_client_secret(plugin::asked(user, &cluster)?);
    cluster.server = addressed(&cluster, &user)?;
    sendable(user.token.as_ref())?;
    let named = cluster.proxy_url.clone();
    let (file, options) = (kubeconfig_of(cluster, user, namespace), KubeConfigOptions::default());
    let config = Config::from_custom_kubeconfig(file, &options).await;
    let mut config = config.map_err(|error| ClusterError::Config(chain(&error)))?;
    // kube looks for NO_PROXY in the address of the proxy itself, and takes HTTPS_PROXY for every address.
    config.proxy_url = proxy(named.as_deref(), &config.cluster_url, &|name| std::env::var(name).ok())?;
    Ok(config)
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
    let full = if server.contains("://") { server.clone() } else { format!("{scheme}://{server}") };
    let is_address = |uri: Uri| {
        matches!(uri.scheme_str(), Some("https" | "http")) && uri.host().is_some_and(|host| !host.is_empty())
    };
    if full.parse().is_ok_and(is_address) {
        return Ok(Some(full));
    }
    Err(ClusterError::Config(format!(
        "{server:?} is no address of an API server; expected one such as https://10.0.0.1:6443"
    )))
}

/// A token goes into a header.
fn sendable(token: Option<&SecretString>) -> Result<(), ClusterError> {
    let is_sendable =
        token.is_none_or(|token| HeaderValue::from_str(&format!("Bearer {}", token.expose_secret())).is_ok());
    if is_sendable {
        return Ok(());
    }
    Err(ClusterError::Config("the token holds a line break or another character that no header takes".into()))
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
fn of_pod(args: &ConnectArgs) -> Result<Config, ClusterError> {
    let mut config = Config::incluster().map_err(|error| ClusterError::Config(chain(&error)))?;
    if let Some(token) = &args.token {
        sendable(Some(token))?;
        config.auth_info.token = Some(token.expose_secret().to_owned().into());
    }
    if let Some(path) = &args.certificate_authority {
        config.root_cert_file = Some(path.clone());
    }
    if let Some(namespace) = &args.namespace {
        config.default_namespace.clone_from(namespace);
    }
    config.auth_info.impersonate.clone_from(&args.as_user);
    config.auth_info.impersonate_uid.clone_from(&args.as_uid);
    config.auth_info.impersonate_groups = Some(args.as_groups.clone()).filter(|groups| !groups.is_empty());
    Ok(config)
}
