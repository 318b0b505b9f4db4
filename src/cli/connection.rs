//! How to reach the cluster.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, Args, ValueHint};
use secrecy::{ExposeSecret, SecretString};

use super::{UsageError, ValueError};
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
    #[arg(id = "context", long = "context", value_name = "CONTEXT", action = ArgAction::Set, num_args = 1)]
    pub contexts: Vec<String>,
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
    /// With --as: group to impersonate; may be repeated
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
    /// Give up on a single response after this time, for example 10s or 1m; 0 waits forever [default: 30s]
    #[arg(long, value_name = "DURATION", value_parser = timeout)]
    pub request_timeout: Option<Duration>,
    /// Requests a second once 300 were sent; 0 is without limit [default: 50]
    #[arg(long, value_name = "N", value_parser = qps)]
    pub kube_api_qps: Option<f64>,
    /// Log level; from 6 on, print each request on standard error: verb, URL, status and time
    #[arg(short = 'v', long = "v", value_name = "LEVEL", default_value_t = 0, hide_default_value = true)]
    pub verbosity: u8,
}

impl ConnectionArgs {
    /// The context that was typed. As with kubectl, an empty one is not said.
    #[must_use]
    pub fn context(&self) -> Option<&str> {
        self.contexts.first().map(String::as_str).filter(|name| !name.is_empty())
    }

    /// Whether several clusters are meant.
    #[must_use]
    pub fn is_several(&self) -> bool {
        self.contexts.len() > 1
    }

    /// The words of a command line that say the same, the level of the log apart.
    #[must_use]
    pub fn words(&self) -> Vec<OsString> {
        let Self {
            namespace,
            kubeconfig,
            contexts,
            cluster,
            user,
            server,
            token,
            as_user,
            as_groups,
            as_uid,
            certificate_authority,
            client_certificate,
            client_key,
            insecure_skip_tls_verify,
            tls_server_name,
            disable_compression,
            request_timeout,
            kube_api_qps,
            verbosity: _,
        } = self;
        let text = |value: &Option<String>| value.as_ref().map(OsString::from);
        let path = |value: &Option<PathBuf>| value.as_ref().map(|it| it.clone().into_os_string());
        let single = [
            ("--namespace", text(namespace)),
            ("--kubeconfig", path(kubeconfig)),
            ("--cluster", text(cluster)),
            ("--user", text(user)),
            ("--server", text(server)),
            ("--token", token.as_ref().map(|it| it.expose_secret().into())),
            ("--as", text(as_user)),
            ("--as-uid", text(as_uid)),
            ("--certificate-authority", path(certificate_authority)),
            ("--client-certificate", path(client_certificate)),
            ("--client-key", path(client_key)),
            ("--tls-server-name", text(tls_server_name)),
            ("--request-timeout", request_timeout.map(|it| it.to_string().into())),
            ("--kube-api-qps", kube_api_qps.map(|it| it.to_string().into())),
        ];
        let mut words: Vec<OsString> =
            single.into_iter().filter_map(|(flag, value)| Some(joined(flag, &value?))).collect();
        words.extend(contexts.iter().map(|it| joined("--context", it.as_ref())));
        words.extend(as_groups.iter().map(|it| joined("--as-group", it.as_ref())));
        let given = [
            ("--insecure-skip-tls-verify", insecure_skip_tls_verify),
            ("--disable-compression", disable_compression),
        ];
        words.extend(given.into_iter().filter(|(_, is_given)| **is_given).map(|(flag, _)| flag.into()));
        words
    }

    /// Several contexts exclude flags that override a context's own cluster or user: each of them would get the same.
    ///
    /// # Errors
    /// The first such flag, or a context without a name.
    pub fn check(&self) -> Result<(), UsageError> {
        if !self.is_several() {
            return Ok(());
        }
        if self.contexts.iter().any(String::is_empty) {
            return Err(UsageError::EmptyContext);
        }
        let typed = [
            ("--server", self.server.is_some()),
            ("--cluster", self.cluster.is_some()),
            ("--user", self.user.is_some()),
            ("--token", self.token.is_some()),
            ("--certificate-authority", self.certificate_authority.is_some()),
            ("--client-certificate", self.client_certificate.is_some()),
            ("--client-key", self.client_key.is_some()),
            ("--tls-server-name", self.tls_server_name.is_some()),
        ];
        let one = typed.iter().find(|(_, is_typed)| *is_typed);
        one.map_or(Ok(()), |(flag, _)| Err(UsageError::OneForSeveralContexts(flag)))
    }

    /// How to reach each cluster, a context that was typed twice once.
    #[must_use]
    pub fn each(&self) -> Vec<Self> {
        if self.contexts.is_empty() {
            return vec![self.clone()];
        }
        let mut names: Vec<&String> = Vec::new();
        for name in &self.contexts {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.into_iter().map(|name| Self { contexts: vec![name.clone()], ..self.clone() }).collect()
    }
}

/// A flag and its value as one word.
fn joined(flag: &str, value: &OsStr) -> OsString {
    let mut word = OsString::from(flag);
    word.push("=");
    word.push(value);
    word
}

/// `--context` of a command that takes several.
#[must_use]
pub fn several(context: Arg) -> Arg {
    context.action(ArgAction::Append)
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

/// A rate, which may have a fraction.
fn qps(text: &str) -> Result<f64, ValueError> {
    text.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate >= 0.0).ok_or(ValueError::NotARate)
}
