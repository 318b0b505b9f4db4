//! What a question about many HPAs has no answer for.

use crate::snapshot::{HpaKey, Origin};

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
    /// An HPA, by its key and where it was read.
    #[must_use]
    pub fn of(key: &HpaKey, origin: Option<&Origin>, message: String) -> Self {
        let owned = |it: Option<&str>| it.map(str::to_owned);
        let (context, case) = (origin.and_then(Origin::context), origin.and_then(Origin::case));
        let (namespace, name) = (key.namespace.to_string(), key.name.to_string());
        Self { context: owned(context), case: owned(case), namespace, name, message }
    }

    /// Whether nothing of a cluster could be read.
    #[must_use]
    pub fn is_of_cluster(&self) -> bool {
        self.name.is_empty()
    }

    /// What it is called among others: by its case, or by namespace and name, and of several clusters with its context.
    #[must_use]
    pub fn place(&self, is_of_clusters: bool) -> String {
        let place = match &self.case {
            Some(case) => case.clone(),
            // A case that could not be read has no namespace.
            None if self.namespace.is_empty() => self.name.clone(),
            None => format!("{}/{}", self.namespace, self.name),
        };
        match self.context.as_ref().filter(|_| is_of_clusters) {
            Some(context) => format!("{place} in {context}"),
            None => place,
        }
    }
}
