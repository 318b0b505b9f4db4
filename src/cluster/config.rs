//! Where the API server is and who asks: the kubeconfig, or the service account of the pod that this runs in.

use std::io::ErrorKind;
use std::net::IpAddr;
use std::time::Duration;

use http::header::{HeaderValue, USER_AGENT};
use kube::Config;
use kube::config::{KubeConfigOptions, Kubeconfig, KubeconfigError};

use super::connection::ConnectArgs;
use super::error::{ClusterError, chain};

/// How long to wait for a connection, whatever the patience for answers.
const CONNECT: Duration = Duration::from_secs(10);

/// The configuration of the client.
pub(super) async fn load(args: ConnectArgs, patience: Duration) -> Result<Config, ClusterError> {
    let mut config = find(&args).await?;
    // The controller does not retry either before its next round, and what it got first is what it tells.
    config.default_retry = false;
    // Over a network gzip saves far more time than it takes; from this machine to itself there is nothing to save.
    config.disable_compression |= config.cluster_url.host().is_some_and(is_this_machine);
    config.connect_timeout = Some(CONNECT.min(patience));
    config
        .headers
        .push((USER_AGENT, HeaderValue::from_static(concat!("kubectl-hpa/", env!("CARGO_PKG_VERSION")))));
    if let Some(namespace) = args.namespace {
        config.default_namespace = namespace;
    }
    if let Some(user) = args.as_user {
        config.auth_info.impersonate = Some(user);
    }
    if !args.as_groups.is_empty() {
        config.auth_info.impersonate_groups = Some(args.as_groups);
    }
    Ok(config)
}

/// As kind, minikube and their like have their API servers.
fn is_this_machine(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// As kubectl does: a file that was named must be there; without any file, a pod uses its service account.
async fn find(args: &ConnectArgs) -> Result<Config, ClusterError> {
    let options = KubeConfigOptions { context: args.context.clone(), ..KubeConfigOptions::default() };
    let file = match &args.kubeconfig {
        Some(path) => Kubeconfig::read_from(path),
        None => Kubeconfig::read(),
    };
    let found = match file {
        Ok(file) => Config::from_custom_kubeconfig(file, &options).await,
        Err(error) => Err(error),
    };
    match found {
        Ok(config) => Ok(config),
        Err(error) if args.kubeconfig.is_none() && args.context.is_none() && is_without_file(&error) => {
            Config::incluster().map_err(|_| ClusterError::Config(chain(&error)))
        }
        Err(error) => Err(ClusterError::Config(chain(&error))),
    }
}

fn is_without_file(error: &KubeconfigError) -> bool {
    match error {
        KubeconfigError::FindPath => true,
        KubeconfigError::ReadConfig(error, _) => error.kind() == ErrorKind::NotFound,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_this_machine;

    #[test]
    fn only_loopback_is_this_machine() {
        let hosts = [
            "localhost",
            "127.0.0.1",
            "127.8.0.1",
            "[::1]",
            "10.0.0.1",
            "[2001:db8::1]",
            "localhost.example",
        ];
        assert_eq!(hosts.map(is_this_machine), [true, true, true, true, false, false, false]);
    }
}
