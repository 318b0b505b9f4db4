//! How to connect, as it is typed.

use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;

use super::observed::Observer;

/// How to connect, as a person types it; what is absent is taken from the kubeconfig.
#[derive(Clone, Debug, Default)]
pub struct ConnectArgs {
    /// The kubeconfig file; absent: those of `$KUBECONFIG`, `~/.kube/config`, or the pod's own service account.
    pub kubeconfig: Option<PathBuf>,
    /// The context; absent: the current one.
    pub context: Option<String>,
    /// The cluster of the kubeconfig; absent: the context's.
    pub cluster: Option<String>,
    /// The user of the kubeconfig; absent: the context's.
    pub user: Option<String>,
    /// The namespace; absent: the context's.
    pub namespace: Option<String>,
    /// The API server's address.
    pub server: Option<String>,
    /// The bearer token.
    pub token: Option<SecretString>,
    /// The user to act as.
    pub as_user: Option<String>,
    /// The groups to act as.
    pub as_groups: Vec<String>,
    /// The UID to act as.
    pub as_uid: Option<String>,
    /// The file of those who may sign for the API server.
    pub certificate_authority: Option<PathBuf>,
    /// The file of the client's certificate.
    pub client_certificate: Option<PathBuf>,
    /// The file of its key.
    pub client_key: Option<PathBuf>,
    /// Whether the API server's certificate is not checked.
    pub insecure_skip_tls_verify: bool,
    /// The name that it must bear; absent: the context's, or the host of the address.
    pub tls_server_name: Option<String>,
    /// Whether answers are not to be compressed.
    pub disable_compression: bool,
    /// How long to wait for each answer, up to its last byte; absent: 30 seconds for its beginning and for each next
    /// part, and 5 minutes for all of it; zero: without end.
    pub request_timeout: Option<Duration>,
    /// How many requests a second may be sent once a few hundred were; absent: 50, zero or less: any number.
    pub qps: Option<f64>,
    /// Who is told of each request.
    pub observer: Option<Observer>,
    /// Who is told, on one line, of a long wait that the API server asks for.
    pub notice: Option<fn(&str)>,
}
