//! What a question about many HPAs has no answer for.

use crate::snapshot::Origin;

/// An HPA without an answer, by the name under which it was asked for; without a name a whole cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unanswered {
    /// The context of the kubeconfig; `None` of a case.
    pub context: Option<String>,
    /// The case file or the example; `None` of a cluster, and if there is only one.
    pub case: Option<String>,
    /// Its namespace; empty where the whole cluster could not be read.
    pub namespace: String,
    /// Its name; empty in the same way.
    pub name: String,
    /// Why not.
    pub message: String,
}

impl Unanswered {
    /// An HPA, by its namespace and name and where it was read.
    #[must_use]
    pub fn of(namespace: &str, name: &str, origin: Option<&Origin>) -> Self {
        let part = |part: fn(&Origin) -> Option<&str>| origin.and_then(part).map(str::to_owned);
        let (namespace, name) = (namespace.to_owned(), name.to_owned());
        Self {
            context: part(Origin::context),
            case: part(Origin::case),
            namespace,
            name,
            message: String::new(),
        }
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
