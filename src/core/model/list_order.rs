//! By what a list of HPAs is sorted.

/// A column of a list of HPAs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListOrder {
    /// What needs attention first.
    #[default]
    State,
    /// By context of the kubeconfig, then by namespace and name.
    Context,
    /// By namespace, then by name.
    Namespace,
    /// By name.
    Name,
    /// Most replicas first.
    Replicas,
    /// The largest maxReplicas first.
    Max,
    /// What the metrics want, the most first.
    Wanted,
    /// The longest in its state first; not known last.
    Since,
}

impl ListOrder {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::State,
        Self::Context,
        Self::Namespace,
        Self::Name,
        Self::Replicas,
        Self::Max,
        Self::Wanted,
        Self::Since,
    ];

    /// As flags write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Context => "context",
            Self::Namespace => "namespace",
            Self::Name => "name",
            Self::Replicas => "replicas",
            Self::Max => "max",
            Self::Wanted => "wanted",
            Self::Since => "since",
        }
    }
}
