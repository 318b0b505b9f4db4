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

/// How the cases of a column are called: without the folder and the ending that all of them share.
#[derive(Clone, Copy)]
pub(in crate::render) struct CaseNames<'a> {
    folder: &'a str,
    ending: &'a str,
}

impl<'a> CaseNames<'a> {
    pub fn of(origins: impl Iterator<Item = &'a Origin> + Clone) -> Self {
        let mut cases = origins.filter_map(Origin::case);
        let first = cases.clone().next().unwrap_or_default();
        let (mut folder, file) = first.split_at(first.rfind('/').map_or(0, |last| last + 1));
        let mut ending = file.rfind('.').map_or("", |dot| &file[dot..]);
        while !cases.clone().all(|case| case.starts_with(folder)) {
            let above = folder.trim_end_matches('/');
            folder = &folder[..above.rfind('/').map_or(0, |last| last + 1)];
        }
        if !cases.all(|case| case[folder.len()..].strip_suffix(ending).is_some_and(|name| !name.is_empty())) {
            ending = "";
        }
        Self { folder, ending }
    }

    /// What a case is called; empty of what is no case.
    pub fn name(self, origin: Option<&Origin>) -> &str {
        let case = origin.and_then(Origin::case).unwrap_or_default();
        let file = case.strip_prefix(self.folder).unwrap_or(case);
        file.strip_suffix(self.ending).unwrap_or(file)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn called(files: &[&str]) -> Vec<String> {
        let origins: Vec<Origin> = files.iter().map(|file| Origin::File((*file).into())).collect();
        let names = CaseNames::of(origins.iter());
        origins.iter().map(|origin| names.name(Some(origin)).to_owned()).collect()
    }

    #[test]
    fn cases_are_called_by_what_tells_them_apart() {
        assert_eq!(called(&["saved/a.yaml", "saved/b.yaml"]), ["a", "b"]);
        assert_eq!(called(&["saved/a.yaml", "saved/b.json"]), ["a.yaml", "b.json"]);
        assert_eq!(called(&["/in/one/a.yaml", "/in/two/a.yaml"]), ["one/a", "two/a"]);
        assert_eq!(called(&["one/a.yaml", "two/a.yaml"]), ["one/a", "two/a"]);
        assert_eq!(called(&["/a.yaml", "b.yaml"]), ["/a", "b"]);
        assert_eq!(called(&["in/.yaml", "in/a.yaml"]), [".yaml", "a.yaml"]);
        assert_eq!(called(&["-", "a.yaml"]), ["-", "a.yaml"]);
        assert_eq!(
            called(&["caf\u{e9}/\u{e9}.y\u{e9}", "caf\u{e8}/e.y\u{e9}"]),
            ["caf\u{e9}/\u{e9}", "caf\u{e8}/e"]
        );
    }
}
