//! A credential plugin of the kubeconfig, asked once.
//!
//! kube asks it too, but three times for one client, and a person who has to log in would do so three times. Only its
//! standard output is read, and nothing of that is ever shown.
//!
//! Source: client-go's `plugin/pkg/client/auth/exec`.

use std::io::{ErrorKind, IsTerminal, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant as Moment};

use k8s_openapi::ByteString;
use kube::config::{AuthInfo, Cluster, ExecAuthCluster, ExecConfig, ExecInteractiveMode, KubeconfigError};
use kubectl_hpa_core::model::Instant;
use kubectl_hpa_core::snapshot::typed;
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::{Value, json};
use thiserror::Error;

use crate::cluster::error::{ClusterError, chain};

/// `ExecCredential`, as far as it is needed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Credential {
    #[serde(default)]
    api_version: String,
    #[serde(default)]
    kind: String,
    status: Option<CredentialStatus>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CredentialStatus {
    token: Option<String>,
    client_certificate_data: Option<String>,
    client_key_data: Option<String>,
    /// It is asked once, and must be a time.
    #[serde(rename = "expirationTimestamp")]
    _expires: Option<Instant>,
}

/// What is wrong with a plugin, as words that follow its name.
#[derive(Debug, Error)]
enum PluginError {
    /// With what to do about it, if the kubeconfig says so.
    #[error("of the kubeconfig is not installed{0}")]
    NotInstalled(String),
    #[error("cannot be run: {0}{1}")]
    NotRun(ErrorKind, String),
    #[error("has to ask a person, and standard input is not a terminal")]
    NoTerminal,
    #[error("cannot be told of the cluster: {}", chain(.0))]
    Cluster(KubeconfigError),
    #[error("did not end within {0:?}")]
    Late(Duration),
    #[error("is lost: {0}")]
    Lost(ErrorKind),
    #[error("ended with {0}")]
    Failed(ExitStatus),
    #[error("cannot be read: {0}")]
    Unreadable(ErrorKind),
    #[error("wrote more than {LONGEST} bytes")]
    TooLong,
    #[error("did not answer with an ExecCredential")]
    NotACredential,
    #[error("answered in version {0:?}, and was asked in {1:?}")]
    OtherVersion(String, String),
    #[error("answered without a status")]
    NoStatus,
    #[error("answered with neither a token nor a certificate and its key")]
    NothingToShow,
}

/// The user with what the plugin tells in the place of the plugin.
pub(super) fn asked(
    mut user: AuthInfo,
    cluster: &Cluster,
    patience: Option<Duration>,
) -> Result<AuthInfo, ClusterError> {
    let Some(exec) = user.exec.take() else { return Ok(user) };
    let problem = |problem: PluginError| {
        let command = exec.command.as_deref().unwrap_or_default();
        ClusterError::Config(format!("the credential plugin {command} {problem}"))
    };
    let output = run(&exec, cluster, patience).map_err(problem)?;
    let status = status(&exec, &output).map_err(problem)?;
    user.token = status.token.map(SecretString::from);
    if let (Some(certificate), Some(key)) = (status.client_certificate_data, status.client_key_data) {
        (user.client_certificate, user.client_certificate_data) = (None, encoded(certificate.into_bytes()));
        (user.client_key, user.client_key_data) = (None, encoded(key.into_bytes()).map(SecretString::from));
    }
    Ok(user)
}

fn run(exec: &ExecConfig, cluster: &Cluster, patience: Option<Duration>) -> Result<Vec<u8>, PluginError> {
    let is_interactive = is_interactive(exec)?;
    let info = json!({
        "kind": "ExecCredential", "apiVersion": exec.api_version,
        "spec": {"interactive": is_interactive, "cluster": about(exec, cluster)?},
    });
    let variable = |pair: &std::collections::HashMap<String, String>| {
        Some((pair.get("name")?.clone(), pair.get("value").cloned().unwrap_or_default()))
    };
    let mut child = Command::new(exec.command.as_deref().unwrap_or_default())
        .args(exec.args.iter().flatten())
        .envs(exec.env.iter().flatten().filter_map(variable))
        .env("KUBERNETES_EXEC_INFO", info.to_string())
        .stdin(if is_interactive { Stdio::inherit() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .map_err(|error| unstarted(&error, exec))?;
    let ended = waited_for(&mut child, limit(is_interactive, patience));
    if ended.is_err() {
        // The plugin may have exited by itself.
        let _ = child.kill();
        let _ = child.wait();
    }
    let (status, output) = ended?;
    if status.success() { Ok(output) } else { Err(PluginError::Failed(status)) }
}

/// A person who logs in takes longer than a program.
const WITH_A_PERSON: Duration = Duration::from_secs(300);
const ALONE: Duration = Duration::from_secs(60);
/// A credential is a few kilobytes.
const LONGEST: u64 = 1 << 20;

/// How long a plugin may take. Whoever limits the time of answers does not wait longer for a program.
fn limit(is_interactive: bool, patience: Option<Duration>) -> Duration {
    let patience = patience.filter(|patience| !patience.is_zero());
    if is_interactive { WITH_A_PERSON } else { patience.map_or(ALONE, |patience| patience.min(ALONE)) }
}

/// What a plugin wrote, once it has ended.
fn waited_for(child: &mut Child, limit: Duration) -> Result<(ExitStatus, Vec<u8>), PluginError> {
    let end = Moment::now() + limit;
    let (told, output) = mpsc::channel();
    let stdout = child.stdout.take();
    // A child that inherited the pipe may keep it open after the plugin exits, so the thread that reads it is not joined.
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.map(|stdout| stdout.take(LONGEST + 1).read_to_end(&mut bytes)).transpose();
        let _ = told.send(read.map(|_| bytes));
    });
    let bytes = output
        .recv_timeout(limit)
        .map_err(|_| PluginError::Late(limit))?
        .map_err(|error| PluginError::Unreadable(error.kind()))?;
    if bytes.len() as u64 > LONGEST {
        return Err(PluginError::TooLong);
    }
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok((status, bytes)),
            Ok(None) if Moment::now() < end => thread::sleep(Duration::from_millis(5)),
            Ok(None) => return Err(PluginError::Late(limit)),
            Err(error) => return Err(PluginError::Lost(error.kind())),
        }
    }
}

/// A plugin may ask the person where there is one.
fn is_interactive(exec: &ExecConfig) -> Result<bool, PluginError> {
    let is_terminal = std::io::stdin().is_terminal();
    match exec.interactive_mode {
        Some(ExecInteractiveMode::Never) => Ok(false),
        Some(ExecInteractiveMode::Always) if !is_terminal => Err(PluginError::NoTerminal),
        _ => Ok(is_terminal),
    }
}

fn about(exec: &ExecConfig, cluster: &Cluster) -> Result<Option<ExecAuthCluster>, PluginError> {
    let about = exec.provide_cluster_info.then(|| ExecAuthCluster::try_from(cluster));
    about.transpose().map_err(PluginError::Cluster)
}

fn unstarted(error: &std::io::Error, exec: &ExecConfig) -> PluginError {
    let hint = exec.install_hint.as_deref().map(str::trim).filter(|hint| !hint.is_empty());
    let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    match error.kind() {
        ErrorKind::NotFound => PluginError::NotInstalled(hint),
        kind => PluginError::NotRun(kind, hint),
    }
}

/// Nothing of the output is quoted, not even by the parser's complaint.
fn status(exec: &ExecConfig, output: &[u8]) -> Result<CredentialStatus, PluginError> {
    let credential: Option<Credential> =
        str::from_utf8(output).ok().and_then(|text| typed(&serde_yaml::from_str(text).ok()?).ok());
    // client-go's decoder takes the kind that it expects where none is written.
    let credential = credential.filter(|it| matches!(it.kind.as_str(), "" | "ExecCredential"));
    let credential = credential.ok_or(PluginError::NotACredential)?;
    let version = exec.api_version.as_deref().unwrap_or_default();
    if credential.api_version != version {
        return Err(PluginError::OtherVersion(credential.api_version, version.to_owned()));
    }
    let status = credential.status.ok_or(PluginError::NoStatus)?;
    let is_half = status.client_certificate_data.is_some() != status.client_key_data.is_some();
    if is_half || status.token.is_none() && status.client_key_data.is_none() {
        return Err(PluginError::NothingToShow);
    }
    Ok(status)
}

/// As the kubeconfig has data: in base64, which is how the API writes bytes.
pub(super) fn encoded(bytes: Vec<u8>) -> Option<String> {
    match serde_json::to_value(ByteString(bytes)) {
        Ok(Value::String(text)) => Some(text),
        _ => None,
    }
}
