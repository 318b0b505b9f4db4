//! What a question about many HPAs has no answer for.

/// An HPA without an answer, by the name under which it was asked for; without a name a whole cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unanswered {
    /// The context of the kubeconfig; `None` of a case.
    pub context: Option<String>,
    /// The case file or the recorded case; `None` of a cluster, and if there is only one.
    pub case: Option<String>,
    /// Its namespace; empty where the whole cluster could not be read.
    pub namespace: String,
    /// Its name; empty in the same way.
    pub name: String,
    /// Why not.
    pub message: String,
}

impl Unanswered {
    /// Whether nothing of a cluster could be read.
    #[must_use]
    pub fn is_of_cluster(&self) -> bool {
        self.name.is_empty()
    }
}
