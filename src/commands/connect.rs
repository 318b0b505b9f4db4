//! From the flags of kubectl to a connection.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use secrecy::ExposeSecret;

use crate::cli::ConnectionArgs;
use crate::cluster::{ConnectArgs, Connection, Exchange, Observer};
use crate::render::sanitize;

/// From this level of `-v` on kubectl tells of each request.
const TELLS: u8 = 6;

/// The way to a cluster.
pub async fn connect(args: ConnectionArgs) -> anyhow::Result<Connection> {
    let timeout = args.request_timeout.and_then(|time| u64::try_from(time.nanoseconds()).ok());
    let context = args.context().map(str::to_owned);
    Ok(Connection::new(ConnectArgs {
        kubeconfig: given(args.kubeconfig, is_empty),
        context,
        cluster: given(args.cluster, String::is_empty),
        user: given(args.user, String::is_empty),
        namespace: given(args.namespace, String::is_empty),
        server: given(args.server, String::is_empty),
        token: given(args.token, |token| token.expose_secret().is_empty()),
        as_user: given(args.as_user, String::is_empty),
        as_groups: args.as_groups,
        as_uid: given(args.as_uid, String::is_empty),
        certificate_authority: given(args.certificate_authority, is_empty),
        client_certificate: given(args.client_certificate, is_empty),
        client_key: given(args.client_key, is_empty),
        insecure_skip_tls_verify: args.insecure_skip_tls_verify,
        tls_server_name: given(args.tls_server_name, String::is_empty),
        disable_compression: args.disable_compression,
        request_timeout: timeout.map(std::time::Duration::from_nanos),
        qps: args.kube_api_qps,
        observer: (args.verbosity >= TELLS).then(|| Observer::new(tell)),
        notice: std::io::stderr().is_terminal().then_some(notice),
    })
    .await?)
}

/// As with kubectl, what is empty is not said: scripts pass variables that may not be set.
fn given<T>(typed: Option<T>, is_empty: impl Fn(&T) -> bool) -> Option<T> {
    typed.filter(|value| !is_empty(value))
}

#[expect(clippy::ptr_arg, reason = "as it is typed")]
fn is_empty(path: &PathBuf) -> bool {
    path.as_os_str().is_empty()
}

/// One line on standard error while the command still runs.
fn tell(exchange: &Exchange) {
    let Exchange { method, url, status, took } = exchange;
    let status = status.map_or_else(|| "no answer".to_owned(), |status| status.to_string());
    // If standard error is closed, nobody can be told.
    let _ = writeln!(
        std::io::stderr(),
        "{method} {} {} in {} milliseconds",
        sanitize(url),
        sanitize(&status),
        took.as_millis()
    );
}

/// One line, in the place of how much has been read so far.
fn notice(text: &str) {
    // If standard error is closed, nobody can be told.
    let _ = writeln!(std::io::stderr(), "\r\x1b[K{}", sanitize(text));
}
