//! Where an answer is from: the context of the kubeconfig, a server, a file.

use std::collections::BTreeSet;

use crate::render::page::sanitize;
use crate::render::units::list;
use kubectl_hpa_core::snapshot::Origin;

/// `context prod`, `server https://10.0.0.1:6443`, `file case.yaml`, `example rollout`.
pub(in crate::render) fn named(origin: &Origin) -> String {
    match origin {
        Origin::Context(name) => format!("context {}", shortened(name)),
        Origin::Server(address) => format!("server {address}"),
        Origin::File(path) => format!("file {path}"),
        Origin::Example(name) => format!("example {name}"),
    }
}

/// A title and the contexts of many: `Context` and `prod`, `Contexts` and `east and west`; `None` if no cluster was asked.
pub(in crate::render) fn clusters<'a>(
    origins: impl IntoIterator<Item = &'a Origin>,
) -> Option<(&'static str, String)> {
    let origins: BTreeSet<&Origin> = origins.into_iter().collect();
    let contexts: Vec<&str> = origins.iter().filter_map(|origin| origin.context()).collect();
    let server = origins.iter().find_map(|origin| match origin {
        Origin::Server(address) => Some(address.to_string()),
        Origin::Context(_) | Origin::File(_) | Origin::Example(_) => None,
    });
    match contexts.as_slice() {
        [] => Some(("Server", server?)),
        [only] => Some(("Context", shortened(only))),
        several => Some(("Contexts", list(&several.iter().map(|name| shortened(name)).collect::<Vec<_>>()))),
    }
}

/// The longest name that is shown whole: that of a cluster of a cloud, with its region and account.
const LONGEST: usize = 66;
/// What is shown of the beginning and the end of a longer one.
const ENDS: [usize; 2] = [20, 45];

/// A context is called as somebody likes; the end of a long name tells more.
fn shortened(name: &str) -> String {
    let name = sanitize(name);
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= LONGEST {
        return name.into_owned();
    }
    let (begin, end) = (&letters[..ENDS[0]], &letters[letters.len() - ENDS[1]..]);
    begin.iter().chain(&['…']).chain(end).collect()
}
