//! An HPA by the words that name it on a command line.

use std::borrow::Cow;

use kubectl_hpa_core::model::shell_word;
use kubectl_hpa_core::snapshot::Origin;

/// The name; of an HPA of one of several clusters with what finds it there: `web -n shop --context prod`.
#[must_use]
pub fn name<'a>(name: &'a str, namespace: &str, of_clusters: Option<&Origin>) -> Cow<'a, str> {
    match of_clusters.and_then(Origin::context) {
        Some(context) => {
            Cow::Owned(format!("{name} -n {} --context {}", shell_word(namespace), shell_word(context)))
        }
        None => Cow::Borrowed(name),
    }
}
