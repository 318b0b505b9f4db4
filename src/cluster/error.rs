//! Why nothing can be said at all: there is no connection, or no HPA.

use kubectl_hpa_core::model::{Permission, shell_word};

/// Why no case could be gathered. What else cannot be read is an error *in* the case.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The kubeconfig, or what it says, is of no use.
    #[error("cannot connect: {0}")]
    Config(String),
    /// Nothing says which cluster.
    #[error("no cluster is configured: there is no kubeconfig and no --server, and this is not a pod")]
    NoCluster,
    /// The kubeconfig has no such context, cluster or user.
    #[error("{what} {name:?} does not exist in the kubeconfig{}", among(known))]
    NotInKubeconfig {
        /// `context`, `cluster` or `user`.
        what: &'static str,
        /// The name.
        name: String,
        /// Names that it may have been meant for, nearest first.
        near: Vec<String>,
        /// All names.
        known: Vec<String>,
    },
    /// No answer came.
    #[error("{server} does not answer: {problem}")]
    Unreachable {
        /// The API server's address.
        server: String,
        /// What happened.
        problem: String,
    },
    /// The API server does not know who asks.
    #[error("{server} does not accept the credentials: {message} (401 from {path})")]
    Unauthenticated {
        /// The API server's address.
        server: String,
        /// What was asked.
        path: String,
        /// The answer.
        message: String,
    },
    /// The one read without which there is nothing to say is forbidden.
    #[error("{message} (403 from {path})")]
    Forbidden {
        /// What was asked.
        path: String,
        /// The answer.
        message: String,
        /// What would allow it.
        permission: Option<Box<Permission>>,
    },
    /// The one read without which there is nothing to say failed.
    #[error("cannot read {path}: {message}")]
    Failed {
        /// What was asked.
        path: String,
        /// The answer, or what is wrong with it.
        message: String,
    },
    /// Somebody on the way to the API server answered the one read without which there is nothing to say.
    #[error("something between here and {server} answered instead ({code} for {path}): {message}")]
    Foreign {
        /// The API server's address.
        server: String,
        /// What was asked.
        path: String,
        /// The HTTP status code.
        code: u16,
        /// What client-go makes of such an answer.
        message: String,
    },
    /// A write failed.
    #[error("cannot write {path}: {message}")]
    Unwritten {
        /// What was to be written.
        path: String,
        /// The answer.
        message: String,
    },
    /// No answer to a write came, or one after which it may still have been stored.
    #[error(
        "no clear answer to the write of {path}: {message}; check whether it was stored before writing again"
    )]
    InDoubt {
        /// What was to be written.
        path: String,
        /// What happened.
        message: String,
    },
    /// There is no HPA of that name.
    #[error("no HPA {name:?} in namespace {namespace}")]
    NoSuchHpa {
        /// The name.
        name: String,
        /// The namespace.
        namespace: String,
        /// Names that it may have been meant for, nearest first; how to ask for them.
        near: Vec<String>,
    },
    /// The namespace has none, or none with the labels that were asked for.
    #[error("there is no HPA in namespace {namespace}")]
    NoHpas {
        /// The namespace.
        namespace: String,
    },
    /// The same of all namespaces.
    #[error("there is no HPA in any namespace")]
    NoHpasAnywhere,
    /// The namespace does not exist.
    #[error("namespace {namespace:?} does not exist")]
    NoSuchNamespace {
        /// The namespace.
        namespace: String,
        /// Those that it may have been meant for, nearest first.
        near: Vec<String>,
    },
    /// The namespace has more than one, and none was named.
    #[error("{} HPAs in namespace {namespace}; name one{}: {}", names.len(), if *takes_all { " or use --all" } else { "" }, folded(names))]
    SeveralHpas {
        /// Whether the command takes all of them, too.
        takes_all: bool,
        /// The namespace.
        namespace: String,
        /// Their names, sorted.
        names: Vec<String>,
    },
    /// No HPA scales the target.
    #[error("no HPA in namespace {namespace} scales {target}")]
    NotScaled {
        /// The target, as it was typed.
        target: String,
        /// The namespace.
        namespace: String,
        /// The targets that are scaled, nearest first.
        near: Vec<String>,
    },
    /// More than one HPA scales the target.
    #[error("{} HPAs in namespace {namespace} scale {target}: {}", names.len(), names.join(", "))]
    ScaledTwice {
        /// The target, as it was typed.
        target: String,
        /// The namespace.
        namespace: String,
        /// Their names.
        names: Vec<String>,
    },
    /// The API server has no such type.
    #[error("the server has no resource type {type_name:?}")]
    NoSuchType {
        /// The type, as it was typed.
        type_name: String,
        /// Types that it may have been meant for, nearest first.
        near: Vec<String>,
    },
    /// No answer had a `Date`, and the laptop's clock is no substitute.
    #[error("no answer of {server} has a Date header: the time of the decision is unknown")]
    NoDate {
        /// The API server's address.
        server: String,
    },
}

impl ClusterError {
    /// Whether there is no HPA by what was asked for, or not one.
    #[must_use]
    pub fn is_of_what_was_asked(&self) -> bool {
        matches!(
            self,
            Self::NoSuchHpa { .. }
                | Self::NoSuchNamespace { .. }
                | Self::NoSuchType { .. }
                | Self::NotScaled { .. }
                | Self::ScaledTwice { .. }
        )
    }

    /// What may help, as a line of its own.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Forbidden { permission: Some(permission), .. } => {
                Some(format!("needed: the permission to {permission}"))
            }
            Self::Unwritten { message, .. } => unwritten(message).map(Into::into),
            Self::Failed { path, message }
                if path.starts_with("/apis/autoscaling/v2/") && is_of_the_resource(message) =>
            {
                Some(
                    "this API server does not serve autoscaling/v2, which every Kubernetes since 1.23 serves unless it \
                     is switched off; kubectl api-versions lists what it serves"
                        .into(),
                )
            }
            Self::NoCluster => Some("set $KUBECONFIG, or name the file with --kubeconfig".into()),
            Self::Foreign { path, .. } => Some(format!(
                "a proxy, load balancer or login page; to see its answer: kubectl get --raw {}",
                shell_word(path)
            )),
            Self::Unreachable { problem, .. } => Some(way_out(problem).into()),
            Self::Unauthenticated { .. } => Some(
                "the token or certificate may have expired: log in again, or use other credentials with --context, \
                 --user or --token"
                    .into(),
            ),
            Self::NoSuchHpa { near, .. }
            | Self::NotScaled { near, .. }
            | Self::NotInKubeconfig { near, .. }
            | Self::NoSuchType { near, .. }
            | Self::NoSuchNamespace { near, .. }
                if !near.is_empty() =>
            {
                Some(format!("did you mean {}?", near.join(" or ")))
            }
            Self::ScaledTwice { names, .. } => names
                .first()
                .map(|name| format!("name one of them, for example hpa/{name}; two HPAs of one target are a mistake")),
            Self::NoSuchType { .. } => Some("kubectl api-resources lists the types".into()),
            Self::NoSuchNamespace { .. } => Some("kubectl get namespaces lists them".into()),
            _ => None,
        }
    }
}

/// Whether it is no object that is unknown, but its resource or the version of it.
///
/// Source: `NewGenericServerResponse` of apimachinery's `pkg/api/errors`, in the API server's words or client-go's.
pub(in crate::cluster) fn is_of_the_resource(message: &str) -> bool {
    message.starts_with("the server could not find the requested resource")
}

/// Source: `NewForbidden` and `NewDryRunUnsupportedErr` of apiserver's admission webhooks.
fn unwritten(message: &str) -> Option<&'static str> {
    if message.contains("does not support dry run") {
        Some(
            "--apply tries every write as a dry run first, which the webhook allows with sideEffects None or NoneOnDryRun; \
             without that write it with kubectl (simulate -o patch prints the change)",
        )
    } else if message.contains("denied the request") {
        Some("an admission webhook refused it: no permission is missing")
    } else if message.contains("failed calling webhook") {
        Some("the API server could not call an admission webhook: check the server of that webhook")
    } else {
        None
    }
}

fn way_out(problem: &str) -> &'static str {
    if problem.contains("expired") || problem.contains("not valid yet") {
        "the server's certificate has to be renewed, or the clock of this machine is wrong; --insecure-skip-tls-verify \
         connects without a check"
    } else if problem.contains("is not TLS") {
        "the port may be that of another service, or of plain HTTP: check --server or the server of the kubeconfig"
    } else if problem.contains("expects TLS") {
        "begin the address with https:// in --server or the kubeconfig"
    } else if problem.contains("certificate") {
        "certificate-authority-data of the kubeconfig or --certificate-authority says who may sign it, \
         --tls-server-name which name it must have"
    } else {
        "--context or --server selects another cluster; -v=6 shows the requests"
    }
}

fn among(known: &[String]) -> String {
    if known.is_empty() { ", which has none".to_owned() } else { format!(", which has {}", folded(known)) }
}

/// So many names are listed.
const LISTED: usize = 20;

fn folded(names: &[String]) -> String {
    let listed = names.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(LISTED) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

/// An error and its causes on one line. Causes that the error's own text quotes already are left out.
pub(in crate::cluster) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        cause = error.source();
    }
    text
}
