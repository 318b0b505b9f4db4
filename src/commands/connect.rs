//! From the flags of kubectl to a connection.

use std::io::Write;

use crate::cli::ConnectionArgs;
use crate::cluster::{ConnectArgs, Connection, Exchange, Observer};
use crate::render::sanitize;

/// From this level of `-v` on kubectl tells of each request.
const TELLS: u8 = 6;

/// The way to a cluster.
pub async fn connect(args: ConnectionArgs) -> anyhow::Result<Connection> {
    let timeout = args.request_timeout.and_then(|time| u64::try_from(time.nanoseconds()).ok());
    Ok(Connection::new(ConnectArgs {
        kubeconfig: args.kubeconfig,
        context: args.context,
        cluster: args.cluster,
        user: args.user,
        namespace: args.namespace,
        server: args.server,
        token: args.token,
        as_user: args.as_user,
        as_groups: args.as_groups,
        as_uid: args.as_uid,
        certificate_authority: args.certificate_authority,
        client_certificate: args.client_certificate,
        client_key: args.client_key,
        insecure_skip_tls_verify: args.insecure_skip_tls_verify,
        tls_server_name: args.tls_server_name,
        disable_compression: args.disable_compression,
        request_timeout: timeout.map(std::time::Duration::from_nanos),
        observer: (args.verbosity >= TELLS).then(|| Observer::new(tell)),
    })
    .await?)
}

/// One line on standard error while the command still runs.
fn tell(exchange: &Exchange) {
    let Exchange { method, url, status, took } = exchange;
    let status = status.map_or_else(|| "no answer".to_owned(), |status| status.to_string());
    // Where standard error is closed, nobody wants to know.
    let _ = writeln!(
        std::io::stderr(),
        "{method} {} {} in {} milliseconds",
        sanitize(url),
        sanitize(&status),
        took.as_millis()
    );
}
