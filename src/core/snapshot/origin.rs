//! Where a case was read.

use std::sync::Arc;

/// Where a case was read. It has no part in the decision, and no case file contains it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A cluster, by the context of the kubeconfig.
    Context(Arc<str>),
    /// A cluster that no context names: the address of its API server.
    Server(Arc<str>),
    /// A case file, as it was typed.
    File(Arc<str>),
    /// An example, by its name.
    Example(Arc<str>),
}

impl Origin {
    /// The context of the kubeconfig.
    #[must_use]
    pub fn context(&self) -> Option<&str> {
        match self {
            Self::Context(name) => Some(name),
            Self::Server(_) | Self::File(_) | Self::Example(_) => None,
        }
    }

    /// The case file, or the name of the example.
    #[must_use]
    pub fn case(&self) -> Option<&str> {
        match self {
            Self::File(case) | Self::Example(case) => Some(case),
            Self::Context(_) | Self::Server(_) => None,
        }
    }
}
