//! How to reach the cluster.

use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueHint};
use secrecy::SecretString;

use super::ValueError;
use kubectl_hpa_core::model::Duration;

/// How to reach the cluster: kubectl's own flags.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Connection (kubectl's flags)")]
pub struct ConnectionArgs {
    /// Namespace of the HPA
    #[arg(short, long)]
    pub namespace: Option<String>,
    /// Path of the kubeconfig file; else $KUBECONFIG, which may list several, else ~/.kube/config
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = path())]
    pub kubeconfig: Option<PathBuf>,
    /// Name of the kubeconfig context
    #[arg(long)]
    pub context: Option<String>,
    /// Name of the kubeconfig cluster
    #[arg(long)]
    pub cluster: Option<String>,
    /// Name of the kubeconfig user
    #[arg(long)]
    pub user: Option<String>,
    /// Address of the API server
    #[arg(short, long, value_name = "URL")]
    pub server: Option<String>,
    /// Bearer token for the API server
    #[arg(long)]
    pub token: Option<SecretString>,
    /// User to impersonate
    #[arg(long = "as", value_name = "USER")]
    pub as_user: Option<String>,
    /// With --as: group to impersonate. May be repeated
    #[arg(long = "as-group", value_name = "GROUP")]
    pub as_groups: Vec<String>,
    /// With --as: UID to impersonate
    #[arg(long, value_name = "UID")]
    pub as_uid: Option<String>,
    /// Certificate authority file for the API server
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = path())]
    pub certificate_authority: Option<PathBuf>,
    /// Client certificate for TLS
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = path())]
    pub client_certificate: Option<PathBuf>,
    /// Key of the client certificate
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = path())]
    pub client_key: Option<PathBuf>,
    /// Do not check the API server's certificate: others could read and change the traffic
    #[arg(long)]
    pub insecure_skip_tls_verify: bool,
    /// Name to expect in the API server's certificate; else the host of its address
    #[arg(long, value_name = "NAME")]
    pub tls_server_name: Option<String>,
    /// Ask for uncompressed responses
    #[arg(long)]
    pub disable_compression: bool,
    /// How long to wait for a single response, for example 10s or 1m; 0 waits forever [default: 30s]
    #[arg(long, value_name = "DURATION", value_parser = timeout)]
    pub request_timeout: Option<Duration>,
    /// Log level; from 6 on, write each request to standard error: verb, URL, status and time
    #[arg(short = 'v', long = "v", value_name = "LEVEL", default_value_t = 0, hide_default_value = true)]
    pub verbosity: u8,
}

/// A path, which may be empty as every flag of kubectl's may.
fn path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// A number alone is one of seconds.
///
/// Source: `ParseTimeout` of client-go's `tools/clientcmd`.
fn timeout(text: &str) -> Result<Duration, ValueError> {
    let seconds = text.parse::<u32>().map(|_| format!("{text}s"));
    match Duration::parse(seconds.as_deref().unwrap_or(text)) {
        Ok(duration) if duration.nanoseconds() >= 0 => Ok(duration),
        _ => Err(ValueError::NotATimeout),
    }
}
