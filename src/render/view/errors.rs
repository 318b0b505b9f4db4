//! What could not be answered, beside the items of a list.

use serde::Serialize;

use kubectl_hpa_core::comparison::Unanswered;

/// An item of `errors`: the same in every list. Its schema is `schema/list.schema.json#/$defs/error`.
#[serde_with::skip_serializing_none]
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ErrorView<'a> {
    /// The context of the kubeconfig; absent of a case file.
    context: Option<&'a str>,
    /// The case file or the example, if several were asked about.
    case: Option<&'a str>,
    /// Empty, as the name, if nothing of the cluster could be read.
    namespace: &'a str,
    name: &'a str,
    message: &'a str,
}

impl<'a> ErrorView<'a> {
    /// Of one that has no answer.
    #[must_use]
    pub fn of(it: &'a Unanswered) -> Self {
        Self {
            context: it.context.as_deref(),
            case: it.case.as_deref(),
            namespace: &it.namespace,
            name: &it.name,
            message: &it.message,
        }
    }
}
