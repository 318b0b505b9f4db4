//! What was typed, laid over the kubeconfig as kubectl does it: which context, which cluster, which user.

use kube::config::{AuthInfo, Cluster, Context, Kubeconfig};
use secrecy::{ExposeSecret, SecretString};

use super::args::ConnectArgs;
use crate::cluster::error::ClusterError;
use kubectl_hpa_core::model::nearest;

/// The one cluster, the one user and the namespace that are meant.
#[derive(Clone, Debug)]
pub(super) struct Effective {
    /// The name of the context that the cluster is of; `None` if another cluster or address was typed.
    pub context: Option<String>,
    pub cluster: Cluster,
    pub user: AuthInfo,
    pub namespace: Option<String>,
}

/// What is meant; `None` where nothing says which cluster it is.
///
/// Source: `DirectClientConfig` of client-go's `tools/clientcmd`: `getContext`, `getCluster`, `getAuthInfo`.
pub(super) fn effective(file: &Kubeconfig, args: &ConnectArgs) -> Result<Option<Effective>, ClusterError> {
    let context = context(file, args)?;
    let Some(cluster) = cluster(file, args, &context)? else { return Ok(None) };
    let user = user(file, args, &context, &cluster)?;
    let name = args.context.as_ref().or(file.current_context.as_ref());
    let name = name.filter(|_| args.cluster.is_none() && args.server.is_none()).cloned();
    Ok(Some(Effective { context: name, cluster, user, namespace: context.namespace }))
}

fn context(file: &Kubeconfig, args: &ConnectArgs) -> Result<Context, ClusterError> {
    let name = args.context.as_ref().or(file.current_context.as_ref());
    let mut context = match name {
        None => Context::default(),
        Some(name) => {
            let named = file.contexts.iter().find(|context| context.name == *name);
            let known = file.contexts.iter().map(|context| context.name.as_str());
            named.ok_or_else(|| unknown("context", name, known))?.context.clone().unwrap_or_default()
        }
    };
    drop_empty(&mut context.namespace);
    if let Some(namespace) = &args.namespace {
        context.namespace = Some(namespace.clone());
    }
    Ok(context)
}

fn cluster(
    file: &Kubeconfig,
    args: &ConnectArgs,
    context: &Context,
) -> Result<Option<Cluster>, ClusterError> {
    let name = args.cluster.as_ref().unwrap_or(&context.cluster);
    let named = file.clusters.iter().find(|cluster| cluster.name == *name);
    let known = file.clusters.iter().map(|cluster| cluster.name.as_str());
    let mut cluster = match named {
        Some(named) => named.cluster.clone().unwrap_or_default(),
        // If the address was typed, the context's own cluster may be missing.
        None if args.cluster.is_none() && (name.is_empty() || args.server.is_some()) => Cluster::default(),
        None => return Err(unknown("cluster", name, known)),
    };
    for text in [
        &mut cluster.server,
        &mut cluster.certificate_authority,
        &mut cluster.certificate_authority_data,
        &mut cluster.tls_server_name,
        &mut cluster.proxy_url,
    ] {
        drop_empty(text);
    }
    type_cluster(&mut cluster, args)?;
    if cluster.server.is_none() && named.is_some() {
        return Err(ClusterError::Config(format!("no server found for cluster {name:?}")));
    }
    Ok(cluster.server.is_some().then_some(cluster))
}

/// Whoever names the signers anew, or wants none, means them instead of those of the kubeconfig; a server of another
/// address has another name.
fn type_cluster(cluster: &mut Cluster, args: &ConnectArgs) -> Result<(), ClusterError> {
    let authority = args.certificate_authority.as_ref().map(|path| path.display().to_string());
    if args.insecure_skip_tls_verify || authority.is_some() {
        cluster.insecure_skip_tls_verify = Some(args.insecure_skip_tls_verify);
        cluster.certificate_authority = authority;
        cluster.certificate_authority_data = None;
    }
    if args.tls_server_name.is_some() || args.server.is_some() {
        cluster.tls_server_name.clone_from(&args.tls_server_name);
    }
    if args.server.is_some() {
        cluster.server.clone_from(&args.server);
    }
    cluster.disable_compression = Some(args.disable_compression || cluster.disable_compression == Some(true));
    let has_authority =
        cluster.certificate_authority.is_some() || cluster.certificate_authority_data.is_some();
    if cluster.insecure_skip_tls_verify == Some(true) && has_authority {
        let words = "specifying a root certificates file with the insecure flag is not allowed";
        return Err(ClusterError::Config(words.into()));
    }
    Ok(())
}

fn user(
    file: &Kubeconfig,
    args: &ConnectArgs,
    context: &Context,
    cluster: &Cluster,
) -> Result<AuthInfo, ClusterError> {
    let name = args.user.as_ref().or(context.user.as_ref()).map_or("", String::as_str);
    let named = file.auth_infos.iter().find(|user| user.name == name);
    if let (Some(typed), None) = (&args.user, named) {
        return Err(unknown("user", typed, file.auth_infos.iter().map(|user| user.name.as_str())));
    }
    let mut user = named.and_then(|named| named.auth_info.clone()).unwrap_or_default();
    drop_empties(&mut user);
    type_user(&mut user, args);
    confirm(&user, name)?;
    let is_https = |server: &String| {
        server.split_once("://").is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("https"))
    };
    let is_plain = !cluster.server.as_ref().is_none_or(is_https);
    Ok(if is_plain { impersonation(user) } else { one_credential(user) })
}

fn drop_empties(user: &mut AuthInfo) {
    for text in [
        &mut user.username,
        &mut user.token_file,
        &mut user.client_certificate,
        &mut user.client_certificate_data,
        &mut user.client_key,
        &mut user.impersonate,
        &mut user.impersonate_uid,
    ] {
        drop_empty(text);
    }
    for secret in [&mut user.password, &mut user.token, &mut user.client_key_data] {
        *secret = secret.take().filter(|secret: &SecretString| !secret.expose_secret().is_empty());
    }
    user.impersonate_groups = user.impersonate_groups.take().filter(|groups| !groups.is_empty());
}

fn type_user(user: &mut AuthInfo, args: &ConnectArgs) {
    if let Some(token) = &args.token {
        user.token = Some(token.clone());
    }
    if let Some(path) = &args.client_certificate {
        (user.client_certificate, user.client_certificate_data) = (Some(path.display().to_string()), None);
    }
    if let Some(path) = &args.client_key {
        (user.client_key, user.client_key_data) = (Some(path.display().to_string()), None);
    }
    user.impersonate = args.as_user.clone().or_else(|| user.impersonate.take());
    user.impersonate_uid = args.as_uid.clone().or_else(|| user.impersonate_uid.take());
    if !args.as_groups.is_empty() {
        user.impersonate_groups = Some(args.as_groups.clone());
    }
}

/// Source: `validateAuthInfo`, in its order.
fn confirm(user: &AuthInfo, name: &str) -> Result<(), ClusterError> {
    let has_certificate = user.client_certificate.is_some() || user.client_certificate_data.is_some();
    let has_key = user.client_key.is_some() || user.client_key_data.is_some();
    let is_basic = user.username.is_some() || user.password.is_some();
    let is_impersonated = user.impersonate_uid.is_some() || user.impersonate_groups.is_some();
    let problem = if has_certificate && !has_key {
        format!(
            "a client certificate of user {name:?} needs its key: --client-key, client-key or client-key-data"
        )
    } else if user.token.is_some() && is_basic {
        format!("user {name:?} has both a token and a password, and only one is allowed")
    } else if is_impersonated && user.impersonate.is_none() {
        "--as-group and --as-uid need --as USER".to_owned()
    } else {
        return Ok(());
    };
    Err(ClusterError::Config(problem))
}

/// Nothing secret goes over a wire where everybody can read it.
///
/// Source: `DirectClientConfig.ClientConfig`: credentials are only read for an address of https.
fn impersonation(user: AuthInfo) -> AuthInfo {
    AuthInfo {
        impersonate: user.impersonate,
        impersonate_uid: user.impersonate_uid,
        impersonate_groups: user.impersonate_groups,
        impersonate_user_extra: user.impersonate_user_extra,
        ..AuthInfo::default()
    }
}

/// Where there is a token already, no plugin is asked for another one.
///
/// Source: the round trippers of client-go's `plugin/pkg/client/auth`.
fn one_credential(mut user: AuthInfo) -> AuthInfo {
    if user.token.is_some() || user.token_file.is_some() {
        (user.exec, user.auth_provider) = (None, None);
    }
    user
}

fn drop_empty(text: &mut Option<String>) {
    *text = text.take().filter(|text| !text.is_empty());
}

fn unknown<'a>(what: &'static str, name: &str, known: impl Iterator<Item = &'a str>) -> ClusterError {
    let known: Vec<&str> = known.collect();
    let near = nearest(name, known.iter().copied()).into_iter().map(Into::into).collect();
    ClusterError::NotInKubeconfig {
        what,
        name: name.into(),
        near,
        known: known.into_iter().map(Into::into).collect(),
    }
}

#[cfg(test)]
mod tests;
